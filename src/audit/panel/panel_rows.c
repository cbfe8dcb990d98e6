#include "audit/panel/panel_rows.h"

#include <math.h>
#include <string.h>

#include "audit/estimate.h"
#include "base/error.h"
#include "stats/moments.h"

/* To 12 significant digits: what rounding leaves of a constant is no spread. */
static bool is_constant(const double *x, size_t n)
{
    double most = 0, spread = 0;
    for (size_t k = 0; k < n; k++) {
        most = fmax(most, fabs(x[k]));
        spread = fmax(spread, fabs(x[k] - x[0]));
    }
    return spread <= 1e-12 * most;
}

/* Scores of judge j that are there, into column. */
static size_t gather(double *column, const double *score, size_t rows, size_t judges, size_t j)
{
    size_t n = 0;
    for (size_t i = 0; i < rows; i++)
        if (!isnan(score[i * judges + j])) column[n++] = score[i * judges + j];
    return n;
}

static tare_status standardise(panel_rows *r, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    double *z, *column;
    TRY_NEW(z = arena_new(a, r->rows * r->judges, sizeof *z));
    TRY_NEW(column = arena_new(a, r->rows, sizeof *column));
    for (size_t j = 0; j < r->judges; j++) {
        size_t n = gather(column, r->raw, r->rows, r->judges, j);
        double mean = moments_mean(column, n), sd = moments_sd(column, n, 0);
        if (n && is_constant(column, n)) r->usable[j] = 0;
        for (size_t i = 0; i < r->rows; i++)
            z[i * r->judges + j] = (r->raw[i * r->judges + j] - mean) / sd;
    }
    r->score = z;
done:
    return status;
}

static tare_status find_usable(panel_rows *r, arena *a, const aggregator *g, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY_NEW(r->usable = arena_new(a, r->judges, 1));
    TRY_NEW(r->author_of = arena_new(a, r->judges, sizeof *r->author_of));
    for (size_t j = 0; j < r->judges; j++) {
        for (size_t i = 0; i < r->rows && !r->usable[j]; i++)
            r->usable[j] = !isnan(r->raw[i * r->judges + j]);
        r->author_of[j] = r->t->author_of_judge ? r->t->author_of_judge[j] : SIZE_MAX;
    }
    r->score = r->raw;
    if (g->rule == AGGREGATE_ZMEAN) TRY(standardise(r, a, err));
    for (size_t j = 0; j < r->judges; j++) r->usable_count += r->usable[j];
    if (r->usable_count == 0)
        FAIL(err, TARE_E_DATA, "panel.nobody", "", "no judge has scores that can be combined");
done:
    return status;
}

static bool zero_or_one(double x)
{
    return isnan(x) || x == 0 || x == 1;
}

static tare_status check_scores(panel_rows *r, const aggregator *g, tare_error *err)
{
    tare_status status = TARE_OK;
    r->binary = true;
    for (size_t k = 0; k < r->rows * r->judges; k++) {
        double x = r->raw[k];
        r->binary = r->binary && zero_or_one(x);
        if (isnan(x)) continue;
        size_t row = k / r->judges;
        const char *item = r->t->item.name[r->t->unit_item[row]];
        const char *judge = r->t->judge.name[k % r->judges];
        if (g->rule == AGGREGATE_LMC && !(fabs(x) <= 2 && x == rint(x)))
            FAIL(err, TARE_E_DATA, "panel.lmc", item,
                 "judge %s gave %g: lmc combines A>>B, A>B, A=B, B>A, B>>A or 2, 1, 0, -1, -2",
                 judge, x);
        if ((g->rule == AGGREGATE_ANY || g->rule == AGGREGATE_ALL) && !zero_or_one(x))
            FAIL(err, TARE_E_DATA, "panel.binary", item,
                 "judge %s gave %g: %s combines votes of 0 and 1", judge, x,
                 aggregate_name(g->rule));
    }
    for (size_t i = 0; i < r->rows; i++) r->binary = r->binary && zero_or_one(r->gold[i]);
done:
    return status;
}

static bool has_score(const panel_rows *r, size_t row)
{
    for (size_t j = 0; j < r->judges; j++)
        if (!isnan(r->raw[row * r->judges + j])) return true;
    return false;
}

static tare_status count_rows(panel_rows *r, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    uint8_t *met;
    TRY_NEW(met = arena_new(a, r->t->item.count, 1));
    for (size_t i = 0; i < r->rows; i++) {
        if (!has_score(r, i)) continue;
        r->scored++;
        r->items += !met[r->t->unit_item[i]];
        met[r->t->unit_item[i]] = 1;
    }
done:
    return status;
}

static tare_status check_gold(panel_rows *r, tare_error *err)
{
    double first = NAN;
    bool varies = false;
    for (size_t i = 0; r->gold && i < r->rows; i++) {
        if (isnan(r->gold[i]) || !has_score(r, i)) continue;
        r->with_gold++;
        if (isnan(first)) first = r->gold[i];
        varies = varies || r->gold[i] != first;
    }
    if (r->with_gold == 0)
        return error_set(err, TARE_E_DATA, "panel.no_gold", "",
                         "no human or true score to agree with: name a column (--gold COLUMN) or a "
                         "file of ratings (--human FILE). A consensus of the same judges is no "
                         "substitute: it would make their errors look independent");
    if (!varies)
        return error_set(err, TARE_E_DATA, "panel.constant_gold", "",
                         "the gold score is %g in all %zu rows: nothing can agree or disagree with "
                         "a constant",
                         first, r->with_gold);
    return TARE_OK;
}

/* Items with a score in every cell of the usable judges and all authors. */
static tare_status balance(panel_rows *r, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t *full, kept = 0;
    TRY_NEW(full = arena_new(a, r->t->item.count, sizeof *full));
    for (size_t i = 0; i < r->rows; i++) {
        bool all = true;
        for (size_t j = 0; j < r->judges; j++)
            all = all && (!r->usable[j] || !isnan(r->score[i * r->judges + j]));
        full[r->t->unit_item[i]] += all;
    }
    for (size_t k = 0; k < r->t->item.count; k++) kept += full[k] == r->authors;
    for (size_t i = 0; i < r->rows; i++)
        r->in_matrix[i] = full[r->t->unit_item[i]] == r->authors;
    r->matrix_items = kept;
    if (kept < r->items &&
        (kept < BALANCED_ITEMS || (double)kept < BALANCED_SHARE * (double)r->items))
        r->no_matrix = "too few items have a score in every cell (--cells available uses what is "
                       "there; or take out the judge or author that is sparse)";
done:
    return status;
}

static bool too_large(const panel_rows *r)
{
    for (size_t k = 0; k < r->rows * r->judges; k++)
        if (fabs(r->raw[k]) > SCORE_MOST) return true;
    return false;
}

/* Every cell needs a row. */
static bool all_cells(const panel_rows *r)
{
    for (size_t j = 0; j < r->judges; j++) {
        for (size_t g = 0; r->usable[j] && g < r->authors; g++) {
            size_t i = 0;
            while (i < r->rows && (r->t->unit_author[i] != g || isnan(r->score[i * r->judges + j])))
                i++;
            if (i == r->rows) return false;
        }
    }
    return true;
}

static tare_status find_matrix(panel_rows *r, arena *a, const aggregator *g, bool available,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    TRY_NEW(r->in_matrix = arena_new(a, r->rows, 1));
    r->no_matrix = "";
    if (available) {
        memset(r->in_matrix, 1, r->rows);
        r->matrix_items = r->items;
        if (r->authors >= 2 && !all_cells(r)) r->no_matrix = "a cell of the matrix has no score";
    } else {
        TRY(balance(r, a, err));
    }
    if (r->authors * (r->usable_count + 1) > PANEL_CELLS_MOST)
        r->no_matrix = "the matrix has more than 4096 cells";
    if (r->authors < 2) r->no_matrix = "the table has one author: preference is between authors";
    if (too_large(r)) r->no_matrix = "scores are too large to be squared";
    if (r->t->label.count && g->rule != AGGREGATE_LMC)
        r->no_matrix = "scores are labels, which have no mean";
    r->matrix = r->no_matrix[0] == '\0';
done:
    return status;
}

static tare_status find_dims(panel_rows *r, arena *a, const aggregator *g, tare_error *err)
{
    tare_status status = TARE_OK;
    const score_table *t = r->t;
    TRY_NEW(r->dim_score = arena_new(a, t->layers, sizeof *r->dim_score));
    for (size_t k = 0; g->rule == AGGREGATE_GEOMEDIAN && k < t->layers; k++) {
        if (t->layer[k].setting != t->layer[r->layer].setting) continue;
        if (k == r->layer) r->own_dim = r->dims;
        r->dim_score[r->dims++] = t->layer[k].score;
    }
    if (r->dims == 0) r->dim_score[r->dims++] = r->score;
done:
    return status;
}

tare_status panel_rows_make(panel_rows *out, arena *a, const score_table *t, size_t layer,
                            const aggregator *g, bool available, tare_error *err)
{
    tare_status status = TARE_OK;
    const score_layer *l = &t->layer[layer];
    *out = (panel_rows){.t = t, .layer = layer, .rows = t->units, .judges = t->judge.count,
                        .authors = t->author.count, .raw = l->score, .gold = l->gold};
    TRY_NEW(out->cluster = arena_new(a, out->rows, sizeof *out->cluster));
    for (size_t i = 0; i < out->rows; i++) out->cluster[i] = t->item_cluster[t->unit_item[i]];
    TRY(count_rows(out, a, err));
    TRY(check_gold(out, err));
    TRY(check_scores(out, g, err));
    TRY(find_usable(out, a, g, err));
    TRY(find_matrix(out, a, g, available, err));
    TRY(find_dims(out, a, g, err));
done:
    return status;
}

void panel_score(double *out, const panel_rows *r, const aggregator *g, const panel_members *m,
                 double *scratch)
{
    double *x = scratch, *rest = scratch + m->count * r->dims;
    for (size_t i = 0; i < r->rows; i++) {
        size_t n = 0;
        for (size_t k = 0; k < m->count; k++) {
            size_t j = m->judge[k];
            if (m->leave_self_out && r->author_of[j] == r->t->unit_author[i]) continue;
            for (size_t d = 0; d < r->dims; d++)
                x[n * r->dims + d] = r->dim_score[d][i * r->judges + j] -
                                     (m->shift ? m->shift[d * r->judges + j] : 0);
            n++;
        }
        if (n == 0) {
            out[i] = NAN;
        } else if (r->dims == 1) {
            out[i] = aggregate(g, x, n);
        } else {
            double *point = rest + m->count + 2 * r->dims;
            aggregate_geomedian(point, g, x, n, r->dims, rest);
            out[i] = point[r->own_dim];
        }
    }
}
