#include "stats/identity.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "stats/draws.h"
#include "stats/moments.h"

#define TOLERANCE 1e-12 /* of ties between replicates and the observed value: statistics 1.6 */

/* ---- Orders of K things: all of them, or drawn ----------------------------------------------- */

typedef struct orders {
    const mem *m;
    size_t K;
    uint32_t *order;    /* [K] the present one */
    uint64_t *keys, *scratch;
    rng_key key;
    uint64_t nobody, total; /* hash of the cluster ""; orders to be seen */
    uint64_t seen;
    bool exact;
} orders;

static void orders_free(orders *o)
{
    mem_free(o->m, o->order);
    mem_free(o->m, o->keys);
    mem_free(o->m, o->scratch);
}

static tare_status orders_open(orders *o, size_t K, const identity_plan *plan, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = plan->m;
    uint32_t draws = plan->draws;
    *o = (orders){.m = m, .K = K, .key = plan->key, .exact = K <= IDENTITY_EXACT};
    if (K < 2 || (!o->exact && (draws == 0 || K >= UINT32_MAX)))
        FAIL(err, TARE_E_USAGE, "identity.size", NULL, "%zu models and %u draws", K, draws);
    TRY_NEW(o->order = mem_new(m, K, sizeof *o->order));
    TRY_NEW(o->keys = mem_new(m, K, sizeof *o->keys));
    TRY_NEW(o->scratch = mem_new(m, DRAWS_ORDER_SCRATCH(K), sizeof *o->scratch));
    o->nobody = rng_h64("", 0);
    o->total = draws;
    if (!o->exact) goto done;
    o->total = 1;
    for (size_t k = 0; k < K; k++) {
        o->total *= k + 1;
        o->order[k] = (uint32_t)k;
    }
done:
    return status;
}

static void swap(uint32_t *order, size_t a, size_t b)
{
    uint32_t kept = order[a];
    order[a] = order[b];
    order[b] = kept;
}

/* The next order of the dictionary; nothing after the last. */
static void next_lexical(uint32_t *order, size_t K)
{
    size_t i = K - 1;
    while (i > 0 && order[i - 1] >= order[i]) i--;
    if (i == 0) return;
    size_t j = K - 1;
    while (order[j] <= order[i - 1]) j--;
    swap(order, i - 1, j);
    for (size_t a = i, b = K - 1; a < b; a++, b--) swap(order, a, b);
}

/* Replicate r: sorted by the words of the stream (r, ""). */
static bool orders_next(orders *o)
{
    if (o->seen == o->total) return false;
    if (o->exact && o->seen > 0) next_lexical(o->order, o->K);
    if (!o->exact) {
        rng_stream s;
        rng_start(&s, o->key, (uint32_t)o->seen, o->nobody);
        for (size_t k = 0; k < o->K; k++) o->keys[k] = rng_u64(&s);
        draws_order_keys(o->order, o->scratch, o->keys, o->K);
    }
    o->seen++;
    return true;
}

static double p_of(const orders *o, uint64_t count)
{
    return o->exact ? (double)count / (double)o->total
                    : (double)(1 + count) / ((double)o->total + 1);
}

static bool all_finite(const double *r, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(r[i])) return false;
    return true;
}

static double mean_absolute(const double *r, size_t n)
{
    neumaier s = {0, 0};
    for (size_t i = 0; i < n; i++) neumaier_add(&s, fabs(r[i]));
    return neumaier_total(&s) / (double)n;
}

/* ---- Who is who ------------------------------------------------------------------------------ */

static double identity_mean(const double *r, const uint32_t *order, size_t K)
{
    neumaier s = {0, 0};
    for (size_t j = 0; j < K; j++) neumaier_add(&s, r[(order ? order[j] : j) * K + j]);
    return neumaier_total(&s) / (double)K;
}

typedef struct identity_counts { uint64_t one, two; } identity_counts;

tare_status identity_permutation(identity_result *out, const double *r, size_t K, size_t count,
                                 const identity_plan *plan, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = plan->m;
    orders o;
    identity_counts *seen = NULL;
    double *slack = NULL;
    TRY(orders_open(&o, K, plan, err));
    TRY_NEW(seen = mem_new(m, count, sizeof *seen));
    TRY_NEW(slack = mem_new(m, count, sizeof *slack));
    for (size_t i = 0; i < count; i++) {
        const double *x = r + i * K * K;
        out[i] = (identity_result){.statistic = identity_mean(x, NULL, K), .total = o.total,
                                   .mean = moments_mean(x, K * K), .exact = o.exact};
        slack[i] = TOLERANCE * fmax(fabs(out[i].statistic), mean_absolute(x, K * K));
    }
    while (orders_next(&o))
        for (size_t i = 0; i < count; i++) {
            double t = identity_mean(r + i * K * K, o.order, K);
            double far = fabs(out[i].statistic - out[i].mean);
            seen[i].one += t >= out[i].statistic - slack[i];
            seen[i].two += fabs(t - out[i].mean) >= far - slack[i];
        }
    for (size_t i = 0; i < count; i++) {
        bool ok = all_finite(r + i * K * K, K * K);
        out[i].p_one = ok ? p_of(&o, seen[i].one) : NAN;
        out[i].p_two = ok ? p_of(&o, seen[i].two) : NAN;
        out[i].p_floor = p_of(&o, o.exact ? 1 : 0);
    }
done:
    orders_free(&o);
    mem_free(m, seen);
    mem_free(m, slack);
    return status;
}

/* ---- Who belongs together -------------------------------------------------------------------- */

typedef struct kin_pair { uint32_t row, column; } kin_pair;

typedef struct kin {
    kin_pair *pair;   /* ordered pairs of different models that share a block */
    size_t within, between;
} kin;

static tare_status kin_list(kin *k, const uint8_t *same, size_t K, const mem *m, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY_NEW(k->pair = mem_new(m, K * (K - 1), sizeof *k->pair));
    for (size_t a = 0; a < K; a++)
        for (size_t b = 0; b < K; b++)
            if (a != b && same[a * K + b])
                k->pair[k->within++] = (kin_pair){(uint32_t)a, (uint32_t)b};
    k->between = K * (K - 1) - k->within;
done:
    return status;
}

/* Sum over the cells within blocks when model order[a] wears the label of model a. */
static double kin_sum(const kin *k, const double *r, const uint32_t *order, size_t K)
{
    neumaier s = {0, 0};
    for (size_t i = 0; i < k->within; i++) {
        size_t a = k->pair[i].row, b = k->pair[i].column;
        neumaier_add(&s, order ? r[order[a] * K + order[b]] : r[a * K + b]);
    }
    return neumaier_total(&s);
}

/* Orders that leave the blocks as they are give the observed value: p cannot be smaller. */
static bool keeps_blocks(const kin *k, const uint8_t *same, const uint32_t *order, size_t K)
{
    for (size_t i = 0; i < k->within; i++)
        if (!same[order[k->pair[i].row] * K + order[k->pair[i].column]]) return false;
    return true;
}

static double off_diagonal_sum(const double *r, size_t K)
{
    neumaier s = {0, 0};
    for (size_t a = 0; a < K; a++)
        for (size_t b = 0; b < K; b++)
            if (a != b) neumaier_add(&s, r[a * K + b]);
    return neumaier_total(&s);
}

static double kin_contrast(const kin *k, double within, double all)
{
    return within / (double)k->within - (all - within) / (double)k->between;
}

typedef struct block_case {
    double all, observed, slack;
    uint64_t count;
} block_case;

tare_status block_permutation(block_result *out, const double *r, const uint8_t *same, size_t K,
                              size_t count, const identity_plan *plan, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = plan->m;
    orders o;
    kin k = {NULL, 0, 0};
    block_case *c = NULL;
    uint64_t alike = 0;
    TRY(orders_open(&o, K, plan, err));
    TRY(kin_list(&k, same, K, m, err));
    TRY_NEW(c = mem_new(m, count, sizeof *c));
    for (size_t i = 0; i < count; i++) {
        c[i].all = off_diagonal_sum(r + i * K * K, K);
        c[i].observed = kin_contrast(&k, kin_sum(&k, r + i * K * K, NULL, K), c[i].all);
        c[i].slack = TOLERANCE * fmax(fabs(c[i].observed), mean_absolute(r + i * K * K, K * K));
    }
    bool defined = k.within > 0 && k.between > 0;
    while (defined && orders_next(&o)) {
        for (size_t i = 0; i < count; i++) {
            double t = kin_contrast(&k, kin_sum(&k, r + i * K * K, o.order, K), c[i].all);
            c[i].count += t >= c[i].observed - c[i].slack;
        }
        alike += o.exact && keeps_blocks(&k, same, o.order, K);
    }
    for (size_t i = 0; i < count; i++) {
        bool ok = defined && all_finite(r + i * K * K, K * K);
        out[i] = (block_result){.statistic = ok ? c[i].observed : NAN,
                                .mean = ok ? 0 : NAN, /* of a cell within and of one between */
                                .p = ok ? p_of(&o, c[i].count) : NAN,
                                .p_floor = ok ? p_of(&o, alike) : NAN, .total = o.total};
    }
done:
    orders_free(&o);
    mem_free(m, k.pair);
    mem_free(m, c);
    return status;
}
