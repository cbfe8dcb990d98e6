#include "audit/scorer/pool_weights.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "stats/rank.h"

static tare_status check_pool(const pool_weights *rule, size_t m, tare_error *err)
{
    if (m > POOL_WEIGHTS_MAX)
        return error_set(err, TARE_E_LIMIT, "bestofn.pool", NULL,
                         "a pool of %zu variants is more than %d", m, POOL_WEIGHTS_MAX);
    if (rule->n == 0 || m == 0 || (rule->n > m && !rule->replace))
        return error_set(err, TARE_E_USAGE, "bestofn.n", NULL,
                         "best of %zu cannot be drawn from %zu variants without replacement",
                         rule->n, m);
    return TARE_OK;
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

/* Share of draws whose best score is that of the tied ranks first..last (0-based) and held by
 * two or more of them: all draws with the best there, less those holding exactly one of them. */
static double tied_share(const pool_weights *rule, size_t first, size_t last, size_t m)
{
    size_t k = last - first + 1, rest = m - last - 1;
    double best = 0;
    for (size_t r = first; r <= last; r++) best += rank_weight(rule, r + 1, m);
    double single;
    if (rule->replace) {
        double n = (double)rule->n, below = (double)rest / (double)m;
        single = (double)k * (pow((double)(rest + 1) / (double)m, n) - pow(below, n));
    } else {
        single = (double)k * choose_ratio(rest, rule->n - 1, m, rule->n);
    }
    return fmax(0, best - single);
}

tare_status pool_weights_exact(double *w, double *tie_rate, const pool_weights *rule,
                               const double *s, size_t m, tare_error *err)
{
    tare_status status = check_pool(rule, m, err);
    if (status != TARE_OK) return status;
    double key[POOL_WEIGHTS_MAX];
    uint32_t order[POOL_WEIGHTS_MAX];
    for (size_t d = 0; d < m; d++) key[d] = -s[d];
    /* Best first; ties by index, so that "first" is the order itself. */
    if (!rank_order(order, key, (uint32_t)m))
        return error_set(err, TARE_E_BUG, "bestofn.nan", NULL,
                         "a score without a value was ranked");
    *tie_rate = 0;
    for (size_t first = 0; first < m;) {
        size_t last = first;
        double sum = rank_weight(rule, first + 1, m);
        while (last + 1 < m && s[order[last + 1]] == s[order[first]])
            sum += rank_weight(rule, ++last + 1, m);
        for (size_t r = first; r <= last; r++)
            w[order[r]] = rule->first ? rank_weight(rule, r + 1, m)
                                      : sum / (double)(last - first + 1);
        if (last > first) *tie_rate += tied_share(rule, first, last, m);
        first = last + 1;
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
