#include "audit/scorer/members.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "stats/moments.h"
#include "stats/multiple.h"

void members_keep(study *t)
{
    t->keep = &t->passing;
}

void members_release(study *t)
{
    t->keep = NULL;
    arena_free(&t->passing);
}

static bool by_permutation(const char *grid)
{
    return strcmp(grid, "iii") == 0 || strcmp(grid, "iii adjusted") == 0;
}

/* The joint p of grid iv is the larger of two: it has no statistic of its own. */
static bool has_maxt(const char *grid)
{
    return grid[0] && strcmp(grid, "iv") != 0;
}

size_t members_count(const study *t, const char *grid)
{
    return by_permutation(grid) ? t->o.perm_p : t->o.boot_b;
}

tare_status members_take(study *t, judged *j, const char *grid, bool descriptive, tare_error *err)
{
    const double *passing = j->inf.replicates;
    j->inf.replicates = j->inf.influence = NULL;
    if (!passing || descriptive || !has_maxt(grid) || t->members_over) return TARE_OK;
    size_t bytes = members_count(t, grid) * sizeof *passing;
    if (bytes > MEMBERS_BYTES_MAX - t->member_bytes) {
        t->members_over = true;
        return TARE_OK;
    }
    j->inf.replicates = arena_raw(&t->members, members_count(t, grid), sizeof *passing);
    if (!j->inf.replicates) return error_memory(err);
    memcpy(j->inf.replicates, passing, bytes);
    t->member_bytes += bytes;
    return TARE_OK;
}

/* SD of the replicates that are defined. */
static double spread_of(double *scratch, const double *replicates, size_t count)
{
    size_t n = 0;
    for (size_t r = 0; r < count; r++)
        if (!isnan(replicates[r])) scratch[n++] = replicates[r];
    return n > 1 ? moments_sd(scratch, n, 1) : 0;
}

static multiple_column column_of(const judged *j, bool permuted, double spread)
{
    const inference *x = &j->inf;
    double centre = permuted ? 0 : x->estimate, unit = permuted ? spread : x->se;
    bool still = x->zero_variance || !(unit > 0);
    double t = !still ? x->estimate / unit : x->estimate == 0 ? 0 : INFINITY;
    return (multiple_column){t, x->replicates, centre, still ? 0 : spread};
}

tare_status members_maxt(grid_size *g, study *t, const char *grid, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t n = g->planned, count = members_count(t, grid), without = 0;
    multiple_column *columns = NULL;
    double *scratch = NULL;
    g->no_maxt = NULL;
    if (g->tested == 0) return TARE_OK;
    for (size_t k = 0; k < n; k++)
        without += !isnan(g->p[k]) && !t->judged[g->member[k]].inf.replicates;
    if (!has_maxt(grid)) g->no_maxt = "its p is the larger of two";
    else if (t->members_over) g->no_maxt = "more than 64 MB of replicates";
    else if (without) g->no_maxt = "not every test has replicates";
    if (g->no_maxt) return TARE_OK;
    TRY_NEW(columns = mem_new(t->m, n, sizeof *columns));
    TRY_NEW(scratch = mem_new(t->m, count, sizeof *scratch));
    for (size_t k = 0; k < n; k++) {
        const judged *j = &t->judged[g->member[k]];
        columns[k].t = NAN;
        if (isnan(g->p[k])) continue;
        double spread = spread_of(scratch, j->inf.replicates, count);
        columns[k] = column_of(j, by_permutation(grid), spread);
    }
    TRY(multiple_maxt_columns(g->maxt, columns, n, count, t->m, err));
    for (size_t k = 0; k < n; k++) g->maxt[k] = isnan(g->p[k]) ? NAN : fmax(g->maxt[k], g->p[k]);
done:
    mem_free(t->m, columns);
    mem_free(t->m, scratch);
    return status;
}
