#include <math.h>
#include <string.h>

#include "audit/panel/aggregate.h"
#include "stats/moments.h"
#include "stats/rank.h"

#define STEPS 1000
#define CLOSE 1e-10
#define ROUNDING 1e-12

typedef struct cloud {
    const double *x;
    size_t n, dims;
} cloud;

static bool present(const cloud *c, size_t i)
{
    for (size_t d = 0; d < c->dims; d++)
        if (isnan(c->x[i * c->dims + d])) return false;
    return true;
}

static double distance(const double *a, const double *b, size_t dims)
{
    double sum = 0;
    for (size_t d = 0; d < dims; d++) sum += (a[d] - b[d]) * (a[d] - b[d]);
    return sqrt(sum);
}

/* One step from y to `next`; `pull` is scratch. At data points Weiszfeld's map is not defined: the
 * pull of the others must beat the weight of those that lie here (Vardi and Zhang 2000). */
static void step(double *next, double *pull, const double *y, const cloud *c)
{
    double weight = 0, here = 0, strength = 0;
    for (size_t d = 0; d < c->dims; d++) next[d] = pull[d] = 0;
    for (size_t i = 0; i < c->n; i++) {
        if (!present(c, i)) continue;
        const double *x = c->x + i * c->dims;
        double far = distance(x, y, c->dims);
        if (far < CLOSE) {
            here++;
            continue;
        }
        weight += 1 / far;
        for (size_t d = 0; d < c->dims; d++) {
            next[d] += x[d] / far;
            pull[d] += (x[d] - y[d]) / far;
        }
    }
    if (weight == 0) {
        memcpy(next, y, c->dims * sizeof *y);
        return;
    }
    for (size_t d = 0; d < c->dims; d++) strength += pull[d] * pull[d];
    strength = sqrt(strength);
    double stay = strength > 0 && here > 0 ? fmin(1, here / strength) : here > 0 ? 1 : 0;
    for (size_t d = 0; d < c->dims; d++) next[d] = (1 - stay) * next[d] / weight + stay * y[d];
}

/* Is data point `at` a minimum: is the others' pull no more than the weight that lies here? */
static bool is_minimum(const cloud *c, size_t at, double *pull)
{
    const double *y = c->x + at * c->dims;
    double here = 0, strength = 0;
    for (size_t d = 0; d < c->dims; d++) pull[d] = 0;
    for (size_t i = 0; i < c->n; i++) {
        const double *x = c->x + i * c->dims;
        double far = present(c, i) ? distance(x, y, c->dims) : NAN;
        if (isnan(far)) continue;
        here += far == 0;
        for (size_t d = 0; d < c->dims && far > 0; d++) pull[d] += (x[d] - y[d]) / far;
    }
    for (size_t d = 0; d < c->dims; d++) strength += pull[d] * pull[d];
    return sqrt(strength) <= here * (1 + ROUNDING);
}

/* The data point that is the minimum, to the last digit: Weiszfeld's steps come near it slowly and
 * tear ties apart. Two of them lie on a line with all others, and so does the coordinatewise median
 * in `out`, halfway between: it stays. */
static bool settle_on_data(double *out, const cloud *c, double *pull)
{
    const double *found = NULL;
    for (size_t i = 0; i < c->n; i++) {
        const double *x = c->x + i * c->dims;
        if (!present(c, i) || !is_minimum(c, i, pull)) continue;
        if (found && distance(found, x, c->dims) > 0) return true;
        found = x;
    }
    if (found) memcpy(out, found, c->dims * sizeof *out);
    return found != NULL;
}

void aggregate_geomedian(double *out, const aggregator *a, const double *x, size_t n, size_t dims,
                         double *scratch)
{
    cloud c = {x, n, dims};
    double *column = scratch, *next = scratch + n, *pull = next + dims;
    size_t have = 0;
    for (size_t i = 0; i < n; i++) have += present(&c, i);
    if (have == 0 || have < aggregate_needs(a, n)) {
        for (size_t d = 0; d < dims; d++) out[d] = NAN;
        return;
    }
    for (size_t d = 0; d < dims; d++) {
        size_t kept = 0;
        for (size_t i = 0; i < n; i++)
            if (present(&c, i)) column[kept++] = x[i * dims + d];
        out[d] = rank_median(column, kept);
    }
    if (dims > 1 && settle_on_data(out, &c, pull)) return;
    for (int k = 0; dims > 1 && k < STEPS; k++) {
        step(next, pull, out, &c);
        double moved = distance(next, out, dims);
        memcpy(out, next, dims * sizeof *out);
        if (moved < CLOSE) break;
    }
}
