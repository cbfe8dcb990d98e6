#include "audit/matrix/matrix_self_test.h"

#include <math.h>
#include <string.h>

#include "audit/matrix/matrix_numbers.h"
#include "base/error.h"
#include "stats/linear.h"
#include "stats/moments.h"
#include "stats/permute.h"
#include "stats/special.h"
#include "stats/wilcoxon.h"

/* Contrasts per item: x[column][items]; columns: D, then D without the family where there is one,
 * then D of z-scored judges, K each. */
typedef struct contrasts {
    double *x;
    size_t kinds, columns;
    const uint8_t *kin;
} contrasts;

typedef struct filling { contrasts *c; const matrix_view *v; } filling;

/* D of an item is its double-centred self cell times a constant. */
static tare_status fill_plain(void *arg, size_t begin, size_t end, unsigned worker,
                              tare_error *err)
{
    const filling *job = arg;
    const matrix_view *v = job->v;
    contrasts *c = job->c;
    size_t G = v->G, E = v->E;
    (void)worker, (void)err;
    double factor = matrix_contrast_factor(G, E);
    neumaier row[MATRIX_MOST], column[MATRIX_MOST];
    for (size_t i = begin; i < end; i++) {
        const double *y = v->y + i * G * E;
        neumaier all = {0, 0};
        memset(row, 0, G * sizeof *row);
        memset(column, 0, E * sizeof *column);
        /* About one of the scores, so that equal scores leave exactly 0. */
        for (size_t g = 0; g < G; g++)
            for (size_t e = 0; e < E; e++) {
                double d = y[g * E + e] - y[0];
                neumaier_add(&row[g], d);
                neumaier_add(&column[e], d);
            }
        for (size_t g = 0; g < G; g++) neumaier_add(&all, neumaier_total(&row[g]));
        double grand = neumaier_total(&all) / (double)(G * E);
        for (size_t k = 0; k < v->K; k++) {
            const matrix_self *x = &v->self[k];
            double own = y[x->author * E + x->judge] - y[0];
            c->x[k * v->items + i] =
                factor * (own - neumaier_total(&row[x->author]) / (double)E -
                          neumaier_total(&column[x->judge]) / (double)G + grand);
        }
    }
    return TARE_OK;
}

/* Whether sign flips or the t of unequal clusters are wanted: those of infer_means. */
static bool wants_means(const matrix_view *v, const matrix_study *s)
{
    return v->plan.clusters < 30 || !strcmp(s->o.test, "t") || !strcmp(s->o.test, "signflip");
}

static tare_status fill_contrasts(contrasts *c, matrix_view *v, matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t cells = v->G * v->E;
    c->kin = v->d_kin ? v->grouping[0].kin : NULL;
    c->kinds = c->kin ? 3 : 2;
    c->columns = c->kinds * v->K;
    TRY_NEW(c->x = arena_new(&s->scratch, c->columns + 1, (v->items + 1) * sizeof *c->x));
    if (!wants_means(v, s))
        return pool_for(s->context->pool, v->items, 256, fill_plain, &(filling){c, v}, err);
    for (size_t k = 0; k < v->K; k++) {
        const matrix_self *x = &v->self[k];
        const matrix_contrast kind[3] = {{x->author, x->judge, NULL, NULL},
                                         {x->author, x->judge, NULL, v->judge_sd},
                                         {x->author, x->judge, c->kin, NULL}};
        for (size_t n = 0; n < c->kinds; n++)
            for (size_t i = 0; i < v->items; i++)
                c->x[(n * v->K + k) * v->items + i] =
                    matrix_contrast_of(v->y + i * cells, v->G, v->E, &kind[n]);
    }
done:
    return status;
}

/* The test over clusters that is always printed, and those that were asked for. */
static tare_status test_clusters(matrix_view *v, matrix_study *s, const contrasts *c,
                                 tare_error *err)
{
    tare_status status = TARE_OK;
    size_t m = v->plan.clusters;
    double *sum = NULL, *count = NULL;
    TRY_NEW(sum = mem_new(s->m, m + 1, sizeof *sum));
    TRY_NEW(count = mem_new(s->m, m + 1, sizeof *count));
    for (size_t k = 0; k < v->K; k++) {
        matrix_self *x = &v->self[k];
        memset(sum, 0, m * sizeof *sum);
        memset(count, 0, m * sizeof *count);
        for (size_t i = 0; i < v->items; i++) {
            sum[v->cluster[i]] += c->x[k * v->items + i];
            count[v->cluster[i]] += 1;
        }
        linear_mean mean = linear_mean_cr2(sum, count, m);
        x->d_se = mean.se;
        x->d_df = mean.df;
        if (mean.se > 0) {
            x->d_t = mean.mean / mean.se;
            x->d_p_t = t_p(x->d_t, mean.df);
        }
        if (strcmp(s->o.test, "wilcoxon") != 0) continue;
        for (size_t g = 0; g < m; g++) sum[g] /= count[g];
        wilcoxon_result w;
        TRY(wilcoxon_signed_rank(&w, sum, m, s->m, err));
        x->d_p_wilcoxon = w.p;
    }
done:
    mem_free(s->m, sum);
    mem_free(s->m, count);
    return status;
}

/* Which p leads, where the user chose. The interval stays that of the mean. */
static void choose_test(const matrix_study *s, matrix_view *v, inference *d, const matrix_self *x)
{
    double p = NAN, floor = 0;
    const char *method = "";
    if (d->reason[0] || d->zero_variance) return;
    if (!strcmp(s->o.test, "signflip")) {
        p = d->p_flip;
        floor = v->plan.clusters <= FLIP_EXACT_CLUSTERS
                    ? ldexp(1, 1 - (int)v->plan.clusters)
                    : 1 / ((double)v->plan.perm_p + 1);
        method = "sign flip";
    } else if (!strcmp(s->o.test, "wilcoxon") && x) {
        p = x->d_p_wilcoxon;
        floor = v->plan.clusters <= WILCOXON_EXACT ? ldexp(1, 1 - (int)v->plan.clusters) : 0;
        method = "Wilcoxon signed rank";
    }
    if (isnan(p)) return;
    d->p = p;
    d->p_floor = floor;
    d->p_method = method;
}

/* The resampled totals give D as well as infer_means does; the latter adds sign flips and the t of
 * unequal clusters, which lead below 30 clusters. */
static tare_status infer_contrasts(matrix_view *v, matrix_study *s, const contrasts *c,
                                   tare_error *err)
{
    tare_status status = TARE_OK;
    infer_column *column = NULL;
    inference *out;
    infer_rows rows = {v->cluster, v->items};
    infer_plan plan = v->plan;
    if (!wants_means(v, s)) goto choose;
    if (!strcmp(s->o.test, "t")) plan.interval = CI_T;
    TRY_NEW(column = mem_new(s->m, c->columns + 1, sizeof *column));
    TRY_NEW(out = arena_new(&s->scratch, c->columns + 1, sizeof *out));
    for (size_t j = 0; j < c->columns; j++) column[j].x = c->x + j * v->items;
    TRY(infer_means(out, &plan, column, c->columns, &rows, &s->scratch, err));
    v->d = out;
    v->dz = out + v->K;
    if (c->kin) v->d_kin = out + 2 * v->K;
choose:
    for (size_t k = 0; k < v->K; k++) {
        v->self[k].d_p_flip = v->d[k].p_flip;
        choose_test(s, v, &v->d[k], &v->self[k]);
        if (c->kin) choose_test(s, v, &v->d_kin[k], NULL);
    }
done:
    mem_free(s->m, column);
    return status;
}

tare_status matrix_self_tests(matrix_view *v, matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    contrasts c;
    if (v->K == 0) return TARE_OK;
    TRY(fill_contrasts(&c, v, s, err));
    TRY(test_clusters(v, s, &c, err));
    TRY(infer_contrasts(v, s, &c, err));
done:
    return status;
}
