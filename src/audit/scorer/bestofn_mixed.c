/* Best of n over pools that mix bases (scorer audit 5.5, `bon.pool = mixed`): every draw takes any
 * base and any of its doses, with replacement (ours), so that the expectation is exact: the best of
 * n has a score of at most v with probability F(v)^n. Tied variants share.
 *
 * Clusters are resampled by weights: the variants are sorted once, and a replicate is one walk over
 * them. */
#include <math.h>
#include <string.h>

#include "audit/scorer/base_count.h"
#include "audit/scorer/bestofn.h"
#include "base/error.h"
#include "stats/moments.h"
#include "stats/rank.h"
#include "stats/verdict.h"

/* Variants in ascending order of their scores. */
typedef struct mixed_pool {
    size_t cells, n, clusters;
    uint32_t *cluster;   /* [cells]                                          */
    double *x;           /* [cells] what drifts, about its mean              */
    uint8_t *tied;       /* [cells] 1: the next one has the same score       */
    double *size, *sum;  /* [clusters] variants, and their x                 */
    uint8_t *ones;       /* [clusters] the weights of the estimate itself    */
} mixed_pool;

/* The loops over lanes become vectors where the number of lanes is known. */
#define LANES_KNOWN static inline __attribute__((always_inline))

/* p = x^n in each lane. */
LANES_KNOWN void raise_lanes(double *p, double *x, size_t n, size_t lanes)
{
    for (size_t k = 0; k < lanes; k++) p[k] = 1;
    for (; n; n >>= 1) {
        if (n & 1)
            for (size_t k = 0; k < lanes; k++) p[k] *= x[k];
        for (size_t k = 0; k < lanes; k++) x[k] *= x[k];
    }
}

/* Up to a group of tied scores, and the group itself. */
typedef struct mixed_lanes {
    double inverse[INFER_LANES]; /* 1 over all weights                */
    double below[INFER_LANES];   /* weights up to here                */
    double power[INFER_LANES];   /* the best is at most this high     */
    double best[INFER_LANES];
} mixed_lanes;

/* Take a group of this weight whose mean is `x` in each lane. */
LANES_KNOWN void take_group(mixed_lanes *at, const double *weight, const double *x, size_t n,
                            size_t lanes)
{
    double share[INFER_LANES], next[INFER_LANES];
    for (size_t k = 0; k < lanes; k++) at->below[k] += weight[k];
    for (size_t k = 0; k < lanes; k++) share[k] = at->below[k] * at->inverse[k];
    raise_lanes(next, share, n, lanes);
    for (size_t k = 0; k < lanes; k++) at->best[k] += (next[k] - at->power[k]) * x[k];
    for (size_t k = 0; k < lanes; k++) at->power[k] = next[k];
}

/* Take the group that begins at c: returns its end. */
LANES_KNOWN size_t take_tied(mixed_lanes *at, size_t c, const double *heavy, const mixed_pool *p,
                             size_t lanes)
{
    double weight[INFER_LANES] = {0}, mean[INFER_LANES] = {0};
    for (bool more = true; more; c++) {
        const double *mine = heavy + p->cluster[c] * lanes;
        for (size_t k = 0; k < lanes; k++) weight[k] += mine[k];
        for (size_t k = 0; k < lanes; k++) mean[k] += mine[k] * p->x[c];
        more = p->tied[c];
    }
    for (size_t k = 0; k < lanes; k++) mean[k] /= weight[k] > 0 ? weight[k] : 1;
    take_group(at, weight, mean, p->n, lanes);
    return c;
}

/* E[x of the best of n] - E[x of one] for `lanes` sets of weights, w [clusters][lanes]; `heavy`
 * [clusters][lanes] is scratch. */
LANES_KNOWN void walk(double *values, const uint8_t *w, const mixed_pool *p, double *heavy,
                      size_t lanes)
{
    mixed_lanes at = {0};
    double total[INFER_LANES] = {0}, sum[INFER_LANES] = {0}, x[INFER_LANES];
    for (size_t c = 0; c < p->clusters; c++)
        for (size_t k = 0; k < lanes; k++) {
            double weight = w[c * lanes + k];
            heavy[c * lanes + k] = weight;
            total[k] += weight * p->size[c];
            sum[k] += weight * p->sum[c];
        }
    for (size_t k = 0; k < lanes; k++) at.inverse[k] = 1 / (total[k] > 0 ? total[k] : 1);
    for (size_t c = 0; c < p->cells;) {
        if (p->tied[c]) {
            c = take_tied(&at, c, heavy, p, lanes);
            continue;
        }
        for (size_t k = 0; k < lanes; k++) x[k] = p->x[c];
        take_group(&at, heavy + p->cluster[c] * lanes, x, p->n, lanes);
        c++;
    }
    for (size_t k = 0; k < lanes; k++)
        values[k] = total[k] > 0 ? at.best[k] - sum[k] * at.inverse[k] : NAN;
}

static void evaluate_one(double *values, const uint8_t *w, const void *user, void *scratch)
{
    const mixed_pool *p = user;
    walk(values, w ? w : p->ones, p, scratch, 1);
}

static void evaluate_lanes(double *values, const uint8_t *lanes, const uint8_t *w,
                           const void *user, void *scratch)
{
    (void)w;
    walk(values, lanes, user, scratch, INFER_LANES);
}

/* The variants of the bases in `used`, sorted; what drifts of base i begins at a + i stride. */
static tare_status fill_pool(mixed_pool *p, const view *v, const bool *used, const double *a,
                             size_t stride, arena *scratch, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t m = v->arm->doses, most = v->f.bases * m;
    double *score, *x;
    uint32_t *order, *cluster;
    TRY_NEW(score = arena_raw(scratch, most + 1, sizeof *score));
    TRY_NEW(x = arena_raw(scratch, most + 1, sizeof *x));
    TRY_NEW(cluster = arena_raw(scratch, most + 1, sizeof *cluster));
    TRY_NEW(order = arena_raw(scratch, most + 1, sizeof *order));
    TRY_NEW(p->x = arena_raw(scratch, most + 1, sizeof *p->x));
    TRY_NEW(p->cluster = arena_raw(scratch, most + 1, sizeof *p->cluster));
    TRY_NEW(p->tied = arena_new(scratch, most + 1, sizeof *p->tied));
    p->clusters = v->f.plan.clusters;
    TRY_NEW(p->size = arena_new(scratch, p->clusters + 1, sizeof *p->size));
    TRY_NEW(p->sum = arena_new(scratch, p->clusters + 1, sizeof *p->sum));
    TRY_NEW(p->ones = arena_raw(scratch, p->clusters + 1, sizeof *p->ones));
    memset(p->ones, 1, p->clusters);
    for (size_t i = 0; i < v->f.bases; i++)
        for (size_t d = 0; used[i] && d < m; d++) {
            score[p->cells] = v->scores->s[i * m + d];
            x[p->cells] = a[i * stride + d];
            cluster[p->cells++] = v->f.cluster[i];
        }
    double mean = moments_mean(x, p->cells); /* a shift cancels; small numbers lose less */
    if (p->cells > UINT32_MAX || !rank_order(order, score, (uint32_t)p->cells))
        FAIL(err, TARE_E_BUG, "bestofn.nan", NULL, "a score without a value was ranked");
    for (size_t c = 0; c < p->cells; c++) {
        p->x[c] = x[order[c]] - mean;
        p->cluster[c] = cluster[order[c]];
        p->size[p->cluster[c]]++;
        p->sum[p->cluster[c]] += p->x[c];
        p->tied[c] = c + 1 < p->cells && score[order[c + 1]] == score[order[c]];
    }
done:
    return status;
}

/* Does base i have the attribute at every dose? */
static bool is_whole(const cube_arm *arm, size_t i)
{
    const double *a = arm->attribute + i * arm->doses;
    bool whole = true;
    for (size_t d = 0; d < arm->doses; d++) whole = whole && isfinite(a[d]);
    return whole;
}

static tare_status run_quantity(study *t, view *v, bool attribute, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t m = v->arm->doses;
    mixed_pool pool = {.n = t->o.bon_n};
    bool *used, *data;
    double *value; /* [bases] NaN: the base is not in it */
    inference inf = inference_none(REASON_TOO_FEW_CLUSTERS);
    arena scratch;
    arena_init(&scratch, t->m);
    TRY_NEW(used = arena_new(&scratch, v->f.bases + 1, sizeof *used));
    TRY_NEW(data = arena_new(&scratch, v->f.plan.clusters + 1, sizeof *data));
    TRY_NEW(value = arena_new(&scratch, v->f.bases + 1, sizeof *value));
    size_t n = 0;
    for (size_t i = 0; i < v->f.bases; i++) {
        used[i] = v->f.used[i] && (!attribute || is_whole(v->arm, i));
        value[i] = used[i] ? 0 : NAN;
        if (!used[i]) continue;
        data[v->f.cluster[i]] = true;
        n++;
    }
    TRY(fill_pool(&pool, v, used, attribute ? v->arm->attribute : v->arm->dose,
                  attribute ? m : 0, &scratch, err));
    infer_weighted what = {.evaluate = evaluate_one, .evaluate_lanes = evaluate_lanes,
                           .user = &pool, .outputs = 1, .n = n, .data = data,
                           .scratch_bytes = pool.clusters * INFER_LANES * sizeof(double)};
    if (n > 0) TRY(infer_weights(&inf, &v->f.plan, &what, NULL, err));
    base_count count = count_values(v, value, TARE_R_MISSING);
    reading_spec spec = {.family = "bestofn", .name = "mixed_net_drift",
                         .condition = attribute ? v->arm->attribute_name : "dose",
                         .unit = attribute ? v->arm->attribute_unit : "dose",
                         .reason = drift_reason(t, v, attribute), .count = &count, .margin = NAN,
                         .floor = NAN, .descriptive = true,
                         .extra = attribute ? "between images too: confounded, not a bias measure "
                                              "of the axis alone"
                                            : ""};
    TRY(study_add(t, v, v->arm, RD_NONE, &spec, &inf, err));
done:
    arena_free(&scratch);
    return status;
}

tare_status bestofn_mixed(study *t, view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    if (v->arm->stress) return TARE_OK;
    if (v->arm->attribute) TRY(run_quantity(t, v, true, err));
    TRY(run_quantity(t, v, false, err));
done:
    return status;
}
