/* alpha_weighted.c - alpha = 1 - (N - 1) sum o d2 / sum n n d2 under weights of units. */
#include <math.h>
#include <string.h>

#include "stats/alpha_parts.h"
#include "stats/moments.h"

size_t alpha_scratch_bytes(const alpha_rows *r)
{
    return 2 * r->values * sizeof(double);
}

static bool wanted(const alpha_rows *r, alpha_level level)
{
    return r->levels >> level & 1;
}

/* ---- Within units ---------------------------------------------------------------------------- */

typedef struct within {
    neumaier sum[ALPHA_LEVELS];
    double ratings; /* N */
} within;

/* Counts of values n[values] and the disagreements that do not depend on them. */
static void count_units(alpha_result *out, within *o, double *n, const alpha_rows *r,
                        const uint32_t *w)
{
    memset(n, 0, r->values * sizeof *n);
    for (size_t i = 0; i < r->units; i++) {
        const alpha_unit *u = &r->unit[i];
        uint32_t weight = w ? w[u->unit] : 1;
        if (weight == 0) continue;
        out->units += weight;
        o->ratings += (double)weight * u->ratings;
        neumaier_add(&o->sum[ALPHA_NOMINAL], weight * u->nominal);
        neumaier_add(&o->sum[ALPHA_INTERVAL], weight * u->interval);
        neumaier_add(&o->sum[ALPHA_RATIO], weight * u->ratio);
        for (uint32_t e = u->first; e < u->end; e++)
            n[r->entries[e].value] += (double)weight * r->entries[e].count;
    }
    for (size_t i = 0; i < r->singles; i++) out->units_single += w ? w[r->single[i]] : 1;
}

/* The ordinal distance of two values is the difference of their mid-ranks. */
static void count_ordinal(within *o, const double *rank, const alpha_rows *r, const uint32_t *w)
{
    for (size_t i = 0; i < r->units; i++) {
        const alpha_unit *u = &r->unit[i];
        uint32_t weight = w ? w[u->unit] : 1;
        if (weight == 0 || u->end - u->first == 1) continue;
        double m = u->ratings;
        neumaier sum = {0, 0}, square = {0, 0};
        for (uint32_t e = u->first; e < u->end; e++)
            neumaier_add(&sum, r->entries[e].count * rank[r->entries[e].value]);
        double mean = neumaier_total(&sum) / m;
        for (uint32_t e = u->first; e < u->end; e++) {
            double d = rank[r->entries[e].value] - mean;
            neumaier_add(&square, r->entries[e].count * (d * d));
        }
        neumaier_add(&o->sum[ALPHA_ORDINAL], weight * (2 * m * neumaier_total(&square) / (m - 1)));
    }
}

/* ---- Over all values ------------------------------------------------------------------------- */

/* Sum over ordered pairs of ratings of (x - x')^2: 2 N times the squares about the mean. */
static double expected_squares(const double *n, const double *x, size_t values, double ratings)
{
    neumaier sum = {0, 0}, square = {0, 0};
    for (size_t v = 0; v < values; v++) neumaier_add(&sum, n[v] * x[v]);
    double mean = neumaier_total(&sum) / ratings;
    for (size_t v = 0; v < values; v++) {
        double d = x[v] - mean;
        neumaier_add(&square, n[v] * (d * d));
    }
    return 2 * ratings * neumaier_total(&square);
}

static double expected_nominal(const double *n, size_t values, double ratings)
{
    neumaier sum = {0, 0};
    for (size_t v = 0; v < values; v++) neumaier_add(&sum, n[v] * (ratings - n[v]));
    return neumaier_total(&sum);
}

static double expected_ratio(const double *n, const alpha_rows *r)
{
    neumaier sum = {0, 0};
    const double *d = r->ratio;
    for (size_t c = 0; c < r->values; d += r->values - c - 1, c++) {
        neumaier row = {0, 0};
        if (n[c] == 0) continue;
        for (size_t k = c + 1; k < r->values; k++) neumaier_add(&row, n[k] * d[k - c - 1]);
        neumaier_add(&sum, n[c] * neumaier_total(&row));
    }
    return 2 * neumaier_total(&sum);
}

static void mid_ranks(double *rank, const double *n, size_t values)
{
    double below = 0; /* whole numbers: exact */
    for (size_t v = 0; v < values; v++) {
        rank[v] = below + n[v] / 2;
        below += n[v];
    }
}

static double alpha_of(const within *o, alpha_level level, double expected)
{
    return expected > 0 ? 1 - (o->ratings - 1) * neumaier_total(&o->sum[level]) / expected : NAN;
}

void alpha_weighted(alpha_result *out, const alpha_rows *r, const uint32_t *w, void *scratch)
{
    double *n = scratch, *rank = n + r->values;
    within o = {.ratings = 0};
    *out = (alpha_result){.alpha = {NAN, NAN, NAN, NAN}, .ratio_limited = r->ratio_limited};
    count_units(out, &o, n, r, w);
    out->ratings = (size_t)o.ratings;
    for (size_t v = 0; v < r->values; v++) out->values += n[v] != 0;
    if (out->values < 2) return; /* no variation */
    double *alpha = out->alpha;
    if (wanted(r, ALPHA_NOMINAL))
        alpha[ALPHA_NOMINAL] =
            alpha_of(&o, ALPHA_NOMINAL, expected_nominal(n, r->values, o.ratings));
    if (wanted(r, ALPHA_INTERVAL))
        alpha[ALPHA_INTERVAL] =
            alpha_of(&o, ALPHA_INTERVAL, expected_squares(n, r->value, r->values, o.ratings));
    if (wanted(r, ALPHA_RATIO) && r->ratio)
        alpha[ALPHA_RATIO] = alpha_of(&o, ALPHA_RATIO, expected_ratio(n, r));
    if (wanted(r, ALPHA_ORDINAL)) {
        mid_ranks(rank, n, r->values);
        count_ordinal(&o, rank, r, w);
        alpha[ALPHA_ORDINAL] =
            alpha_of(&o, ALPHA_ORDINAL, expected_squares(n, rank, r->values, o.ratings));
    }
}
