/* The numbers of a view: scores by item, sums by cluster, cell means and what is made of them. */
#include <math.h>
#include <string.h>

#include "audit/matrix/matrix_numbers.h"
#include "audit/matrix/matrix_view.h"
#include "base/error.h"
#include "stats/gstudy.h"
#include "stats/moments.h"
#include "stats/resample.h"

#define RELIABLE 0.9 /* below: low-spread judge */

static tare_status allocate(matrix_view *v, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t cells = v->G * v->E;
    TRY_NEW(v->phi = arena_new(a, cells, sizeof *v->phi));
    TRY_NEW(v->phi1 = arena_new(a, cells, sizeof *v->phi1));
    TRY_NEW(v->r = arena_new(a, cells, sizeof *v->r));
    TRY_NEW(v->z = arena_new(a, cells, sizeof *v->z));
    TRY_NEW(v->phi2 = arena_new(a, cells, sizeof *v->phi2));
    TRY_NEW(v->n = arena_new(a, cells, sizeof *v->n));
    TRY_NEW(v->judge_sd = arena_new(a, v->E, sizeof *v->judge_sd));
    TRY_NEW(v->within_sd = arena_new(a, v->E, sizeof *v->within_sd));
    TRY_NEW(v->f = arena_new(a, v->E, sizeof *v->f));
    TRY_NEW(v->reliability = arena_new(a, v->E, sizeof *v->reliability));
    TRY_NEW(v->constant = arena_new(a, v->E, 1));
    TRY_NEW(v->low_spread = arena_new(a, v->E, 1));
    TRY_NEW(v->flat = arena_new(a, v->G, 1));
    for (size_t e = 0; e < v->E; e++)
        v->judge_sd[e] = v->within_sd[e] = v->f[e] = v->reliability[e] = NAN;
    for (size_t c = 0; c < cells; c++)
        v->phi[c] = v->phi1[c] = v->r[c] = v->z[c] = v->phi2[c] = NAN;
done:
    return status;
}

/* Least and largest score of each judge. */
typedef struct score_ends { double low[MATRIX_MOST], high[MATRIX_MOST]; } score_ends;

static void ends_start(score_ends *x, size_t judges)
{
    for (size_t e = 0; e < judges; e++) {
        x->low[e] = INFINITY;
        x->high[e] = -INFINITY;
    }
}

static void ends_add(score_ends *x, size_t judge, double score)
{
    x->low[judge] = score < x->low[judge] ? score : x->low[judge];
    x->high[judge] = score > x->high[judge] ? score : x->high[judge];
}

/* Can scores be squared and summed, and their differences too? A judge of equal scores is no matter
 * of range. */
static bool in_range(const score_ends *x, size_t judges)
{
    for (size_t e = 0; e < judges; e++) {
        double spread = x->high[e] - x->low[e];
        if (x->high[e] > SCORE_MOST || x->low[e] < -SCORE_MOST) return false;
        if (spread > 0 && spread < SCORE_LEAST) return false;
    }
    return true;
}

/* y [items][G][E] and where its rows are in the table. */
static tare_status read_scores(matrix_view *v, matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const score_table *t = s->t;
    const score_layer *l = &t->layer[v->layer];
    score_ends ends;
    ends_start(&ends, v->E);
    TRY_NEW(v->y = arena_raw(&s->scratch, v->items + 1, v->G * v->E * sizeof *v->y));
    TRY_NEW(v->unit = arena_raw(&s->scratch, v->items + 1, v->G * sizeof *v->unit));
    double *y = v->y;
    for (size_t i = 0; i < v->items; i++)
        for (size_t g = 0; g < v->G; g++) {
            size_t unit = s->index[(size_t)v->item[i] * t->author.count + v->author[g]];
            v->unit[i * v->G + g] = unit;
            for (size_t e = 0; e < v->E; e++, y++) {
                size_t at = unit * t->judge.count + v->judge[e];
                bool ok = unit != SIZE_MAX && l->status[at] == TARE_R_NONE;
                *y = ok ? l->score[at] : NAN;
                if (!ok) continue;
                v->n[g * v->E + e]++;
                ends_add(&ends, e, *y);
            }
        }
    if (!in_range(&ends, v->E)) v->reason = REASON_OUT_OF_RANGE;
done:
    return status;
}

/* Clusters with an item of the view, in canonical order, and the plan for them. */
static tare_status find_clusters(matrix_view *v, matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const score_table *t = s->t;
    uint32_t *local;
    const char **ids;
    TRY_NEW(local = arena_new(&s->scratch, t->cluster.count + 1, sizeof *local));
    TRY_NEW(ids = arena_new(&s->scratch, t->cluster.count + 1, sizeof *ids));
    TRY_NEW(v->cluster = arena_new(&s->scratch, v->items + 1, sizeof *v->cluster));
    for (size_t i = 0; i < v->items; i++) local[t->item_cluster[v->item[i]]] = 1;
    uint32_t clusters = 0;
    for (size_t c = 0; c < t->cluster.count; c++)
        if (local[c]) {
            ids[clusters] = t->cluster.name[c];
            local[c] = clusters++;
        }
    for (size_t i = 0; i < v->items; i++) v->cluster[i] = local[t->item_cluster[v->item[i]]];
    TRY(matrix_plan(&v->plan, s, ids, clusters, err));
done:
    return status;
}

static tare_status sum_clusters(matrix_view *v, matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t cells = v->G * v->E, m = v->plan.clusters;
    neumaier *sum = NULL;
    v->p = v->balanced ? cells + 1 : 2 * cells;
    TRY_NEW(v->sums = arena_new(&s->scratch, m + 1, v->p * sizeof *v->sums));
    TRY_NEW(sum = mem_new(s->m, m + 1, cells * sizeof *sum));
    for (size_t i = 0; i < v->items; i++) {
        const double *y = v->y + i * cells;
        size_t k = v->cluster[i];
        double *count = v->sums + k * v->p + cells;
        if (v->balanced) *count += 1;
        for (size_t c = 0; c < cells; c++) {
            if (isnan(y[c])) continue;
            neumaier_add(&sum[k * cells + c], y[c]);
            if (!v->balanced) count[c] += 1;
        }
    }
    for (size_t k = 0; k < m; k++)
        for (size_t c = 0; c < cells; c++)
            v->sums[k * v->p + c] = neumaier_total(&sum[k * cells + c]);
done:
    mem_free(s->m, sum);
    return status;
}

/* The same sums and the same division as of every replicate. */
static tare_status cell_means(matrix_view *v, matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t cells = v->G * v->E;
    double *total;
    TRY_NEW(total = arena_new(&s->scratch, v->p, sizeof *total));
    resample_column_sums(total, v->sums, v->plan.clusters, v->p);
    for (size_t c = 0; c < cells; c++) {
        double n = v->balanced ? total[cells] : total[cells + c];
        v->phi[c] = n > 0 ? total[c] / n : NAN;
    }
done:
    return status;
}

static tare_status read_cells(matrix_view *v, matrix_study *s, tare_error *err)
{
    const score_table *t = s->t;
    const score_layer *l = &t->layer[v->layer];
    score_ends ends;
    ends_start(&ends, v->E);
    for (size_t u = 0; u < t->units; u++)
        for (size_t g = 0; g < v->G; g++)
            for (size_t e = 0; e < v->E && t->unit_author[u] == v->author[g]; e++) {
                size_t at = u * t->judge.count + v->judge[e];
                double n = t->cell_n ? t->cell_n[v->layer * t->units * t->judge.count + at] : NAN;
                if (l->status[at] != TARE_R_NONE) continue;
                v->phi[g * v->E + e] = l->score[at];
                v->n[g * v->E + e] = n > 0 ? (uint64_t)n : 0;
                ends_add(&ends, e, l->score[at]);
            }
    if (!in_range(&ends, v->E)) v->reason = REASON_OUT_OF_RANGE;
    (void)err;
    return TARE_OK;
}

/* A cell without any score leaves its row and column without a mean. */
static tare_status check_cells(const matrix_view *v, tare_error *err)
{
    for (size_t g = 0; g < v->G; g++)
        for (size_t e = 0; e < v->E; e++)
            if (isnan(v->phi[g * v->E + e]))
                return error_set(err, TARE_E_DATA, "matrix.hole",
                                 v->label[0] ? v->label : NULL,
                                 "judge %.100s has no score of author %.100s: R, Z and Phi~ need "
                                 "every cell; leave one of them out with --without NAME",
                                 v->judge_name[e], v->author_name[g]);
    return TARE_OK;
}

/* SD over all scores of a judge; spread within an author pooled over authors, for margins; author F
 * of the judge's items x authors table. */
static tare_status spread_of_judge(matrix_view *v, const mem *m, size_t e, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t n = v->items, cells = v->G * v->E;
    double *x = NULL;
    neumaier within = {0, 0}, all = {0, 0}, grand = {0, 0};
    TRY_NEW(x = mem_new(m, n + 1, v->G * sizeof *x));
    for (size_t g = 0; g < v->G; g++) neumaier_add(&grand, v->phi[g * v->E + e]);
    double mean = neumaier_total(&grand) / (double)v->G;
    for (size_t i = 0; i < n; i++)
        for (size_t g = 0; g < v->G; g++) {
            double y = v->y[i * cells + g * v->E + e], d = y - v->phi[g * v->E + e];
            x[i * v->G + g] = y;
            neumaier_add(&within, d * d);
            neumaier_add(&all, (y - mean) * (y - mean));
        }
    v->judge_sd[e] = sqrt(neumaier_total(&all) / (double)(n * v->G));
    if (v->judge_sd[e] <= 1e-12 * fabs(mean)) v->judge_sd[e] = 0;
    if (n > 1) {
        v->within_sd[e] = sqrt(neumaier_total(&within) / (double)v->G / ((double)n - 1));
        two_way a = two_way_table(x, n, v->G, v->G);
        v->f[e] = a.f;
        v->reliability[e] = 1 - 1 / a.f;
    }
    v->low_spread[e] = v->reliability[e] < RELIABLE;
done:
    mem_free(m, x);
    return status;
}

typedef struct spreading { matrix_view *v; const mem *m; } spreading;

static tare_status spread_range(void *arg, size_t begin, size_t end, unsigned worker,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    const spreading *job = arg;
    (void)worker;
    for (size_t e = begin; e < end; e++) TRY(spread_of_judge(job->v, job->m, e, err));
done:
    return status;
}

tare_status matrix_view_fill(matrix_view *v, matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    double *scratch;
    preference_shape shape = {v->G, v->E, s->o.ddof};
    TRY(allocate(v, &s->scratch, err));
    if (v->cells_only) {
        TRY(read_cells(v, s, err));
    } else {
        TRY(read_scores(v, s, err));
        TRY(find_clusters(v, s, err));
    }
    if (v->reason[0]) goto done;
    if (!v->cells_only) {
        TRY(sum_clusters(v, s, err));
        TRY(cell_means(v, s, err));
    }
    TRY(check_cells(v, err));
    preference p = {.residual = v->r, .scaled = v->phi1, .z = v->z, .standardised = v->phi2,
                    .constant_judge = v->constant, .constant_author = v->flat};
    TRY_NEW(scratch = arena_new(&s->scratch, PREFERENCE_SCRATCH(v->G, v->E), sizeof *scratch));
    preference_of(&p, v->phi, &shape, scratch);
    if (v->balanced && !v->cells_only)
        TRY(pool_for(s->context->pool, v->E, 1, spread_range, &(spreading){v, s->m}, err));
    for (size_t k = 0; k < v->K; k++) v->self[k].sd = v->within_sd[v->self[k].judge];
done:
    return status;
}

tare_status matrix_view_restrict(matrix_view *out, const matrix_view *v, matrix_study *s,
                                 uint32_t *item, size_t items, tare_error *err)
{
    tare_status status = TARE_OK;
    *out = *v;
    out->item = item;
    out->items = items;
    out->reason = "";
    out->K = 0;
    TRY(matrix_view_kin(out, s, err));
    TRY(matrix_view_fill(out, s, err));
done:
    return status;
}
