#include "audit/scorer/pool_weights.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "stats/rank.h"

static tare_status check_size(size_t m, tare_error *err)
{
    if (m <= POOL_WEIGHTS_MAX) return TARE_OK;
    return error_set(err, TARE_E_LIMIT, "bestofn.pool", NULL,
                     "a pool of %zu variants is more than %d", m, POOL_WEIGHTS_MAX);
}

static tare_status check_pool(const pool_weights *rule, size_t m, tare_error *err)
{
    if (rule->n == 0 || m == 0 || (rule->n > m && !rule->replace))
        return error_set(err, TARE_E_USAGE, "bestofn.n", NULL,
                         "best of %zu cannot be drawn from %zu variants without replacement",
                         rule->n, m);
    return check_size(m, err);
}

/* C(a, b) / C(m, n) where a <= m, as a product of ratios below 1: no overflow. */
static double choose_ratio(size_t a, size_t b, size_t m, size_t n)
{
    if (b > a) return 0;
    double x = 1, y = 1;
    for (size_t k = 0; k < b; k++) x = x * (double)(a - k) / (double)(k + 1);
    for (size_t k = 0; k < n; k++) y = y * (double)(m - k) / (double)(k + 1);
    return x / y;
}

/* Share of draws whose best stands at rank r (1 = best) when all scores differ. */
static double rank_weight(const pool_weights *rule, size_t r, size_t m)
{
    if (!rule->replace) return choose_ratio(m - r, rule->n - 1, m, rule->n);
    double n = (double)rule->n;
    return pow((double)(m - r + 1) / (double)m, n) - pow((double)(m - r) / (double)m, n);
}

tare_status pool_ranks(double *ranks, const pool_weights *rule, size_t m, tare_error *err)
{
    tare_status status = check_pool(rule, m, err);
    for (size_t r = 0; status == TARE_OK && r < m; r++) ranks[r] = rank_weight(rule, r + 1, m);
    return status;
}

tare_status pool_order_of(pool_order *out, const double *s, size_t m, tare_error *err)
{
    tare_status status = TARE_OK;
    double key[POOL_WEIGHTS_MAX] = {0};
    if (m == 0)
        FAIL(err, TARE_E_USAGE, "bestofn.pool", NULL, "an empty pool has no best variant");
    TRY(check_size(m, err));
    for (size_t d = 0; d < m; d++) key[d] = -s[d];
    /* Best first; ties by index, so that "first" is the order itself. */
    if (!rank_order(out->at, key, (uint32_t)m))
        FAIL(err, TARE_E_BUG, "bestofn.nan", NULL, "a score without a value was ranked");
    out->m = m;
    for (size_t first = 0; first < m;) {
        size_t last = first;
        while (last + 1 < m && s[out->at[last + 1]] == s[out->at[first]]) last++;
        for (size_t r = first; r <= last; r++) out->last[r] = (uint32_t)last;
        first = last + 1;
    }
done:
    return status;
}

double pool_spread(double *w, const double *ranks, const pool_order *order, bool first)
{
    double tie_rate = 0;
    for (size_t begin = 0, last; begin < order->m; begin = last + 1) {
        last = order->last[begin];
        double sum = 0, size = (double)(last - begin + 1);
        for (size_t r = begin; r <= last; r++) sum += ranks[r];
        for (size_t r = begin; r <= last; r++) w[order->at[r]] = first ? ranks[r] : sum / size;
        /* Draws with their best among these, less those that hold exactly one of them: for each
         * the others come from below the group, as for a lone variant at its last rank. */
        if (last > begin) tie_rate += fmax(0, sum - size * ranks[last]);
    }
    /* Every draw has its ties: the shares of the ranks add up to 1 but for rounding. */
    return fabs(tie_rate - 1) <= 64 * DBL_EPSILON ? 1 : tie_rate;
}

tare_status pool_weights_exact(double *w, double *tie_rate, const pool_weights *rule,
                               const double *s, size_t m, tare_error *err)
{
    tare_status status = TARE_OK;
    double ranks[POOL_WEIGHTS_MAX];
    pool_order order;
    TRY(check_pool(rule, m, err));
    TRY(pool_ranks(ranks, rule, m, err));
    TRY(pool_order_of(&order, s, m, err));
    *tie_rate = pool_spread(w, ranks, &order, rule->first);
done:
    return status;
}

tare_status pool_weights_random(double *w, const pool_weights *rule, size_t m, pool_stream stream,
                                tare_error *err)
{
    tare_status status = check_pool(rule, m, err);
    if (status != TARE_OK) return status;
    uint64_t id = rng_h64(stream.base, strlen(stream.base));
    for (size_t d = 0; d < m; d++) w[d] = 0;
    for (uint64_t r = 0; r < rule->draws; r++) {
        rng_stream draw;
        rng_start(&draw, stream.key, (uint32_t)r, id);
        w[rng_bounded(&draw, (uint32_t)m)] += 1 / (double)rule->draws;
    }
    return TARE_OK;
}

tare_status pool_weights_sampled(double *w, const pool_weights *rule, const double *s, size_t m,
                                 pool_stream stream, tare_error *err)
{
    tare_status status = check_pool(rule, m, err);
    if (status != TARE_OK) return status;
    uint64_t id = rng_h64(stream.base, strlen(stream.base));
    for (size_t d = 0; d < m; d++) w[d] = 0;
    for (uint64_t r = 0; r < rule->draws; r++) {
        rng_stream draw;
        rng_start(&draw, stream.key, (uint32_t)r, id);
        uint32_t deck[POOL_WEIGHTS_MAX], tied[POOL_WEIGHTS_MAX], ties = 0;
        for (size_t d = 0; d < m; d++) deck[d] = (uint32_t)d;
        bool chosen[POOL_WEIGHTS_MAX] = {false};
        for (size_t k = 0; k < rule->n; k++) {
            if (rule->replace) {
                chosen[rng_bounded(&draw, (uint32_t)m)] = true;
                continue;
            }
            size_t pick = k + rng_bounded(&draw, (uint32_t)(m - k));
            uint32_t card = deck[pick];
            deck[pick] = deck[k];
            deck[k] = card;
            chosen[card] = true;
        }
        for (uint32_t d = 0; d < m; d++) {
            if (!chosen[d]) continue;
            if (ties && s[d] < s[tied[0]]) continue;
            if (ties && s[d] > s[tied[0]]) ties = 0;
            tied[ties++] = d;
        }
        /* Shared ties are random ties: one of them is drawn. */
        uint32_t winner = rule->first ? tied[0] : tied[rng_bounded(&draw, ties)];
        w[winner] += 1 / (double)rule->draws;
    }
    return TARE_OK;
}
