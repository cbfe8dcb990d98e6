/* effective_votes.c - how many independent judges a panel is worth. */
#include <math.h>

#include "base/error.h"
#include "stats/agreement.h"
#include "stats/moments.h"

static void count_votes(effective_votes *out, const neumaier *sum, const neumaier *square,
                        size_t pairs)
{
    double n = (double)out->judges;
    if (out->judges == 1) out->kish = out->kish_raw = out->eigen = 1;
    if (out->judges < 2 || pairs == 0) return;
    out->rho = neumaier_total(sum) / (double)pairs;
    double shared = 1 + (n - 1) * out->rho;
    out->kish_raw = n / shared;
    out->kish = shared > 0 ? fmax(1, fmin(n, out->kish_raw)) : n;
    out->eigen = n / (1 + (n - 1) * (neumaier_total(square) / (double)pairs));
}

void effective_votes_matrix(effective_votes *out, const double *correlation, size_t judges)
{
    neumaier sum = {0, 0}, square = {0, 0};
    size_t pairs = 0;
    *out = (effective_votes){.rho = NAN, .kish = NAN, .kish_raw = NAN, .eigen = NAN};
    for (size_t a = 0; a < judges; a++) {
        if (isnan(correlation[a * judges + a])) {
            out->constant++;
            continue;
        }
        out->judges++;
        for (size_t b = 0; b < a; b++) {
            double r = correlation[a * judges + b];
            if (isnan(r) || isnan(correlation[b * judges + b])) continue;
            neumaier_add(&sum, r);
            neumaier_add(&square, r * r);
            pairs++;
        }
    }
    count_votes(out, &sum, &square, pairs);
}

/* One pair of judges (may be the same), on the units that both have. `rows` has two columns. */
static double pair_correlation(const double *columns, const uint32_t *w, size_t units,
                               const size_t pair[2], double *rows, uint32_t *weights)
{
    const double *a = columns + pair[0] * units, *b = columns + pair[1] * units;
    size_t n = 0;
    for (size_t u = 0; u < units; u++) {
        if (isnan(a[u]) || isnan(b[u])) continue;
        rows[n] = a[u];
        rows[units + n] = b[u];
        weights[n++] = w ? w[u] : 1;
    }
    return agree_pearson(rows, rows + units, weights, n);
}

tare_status effective_votes_of(effective_votes *out, double *correlation,
                               const judge_errors *errors, const mem *m, tare_error *err)
{
    const size_t units = errors->units, judges = errors->judges;
    tare_status status = TARE_OK;
    double *matrix = NULL, *columns, *rows;
    uint32_t *weights;
    arena a;
    arena_init(&a, m);
    TRY_NEW(matrix = arena_new(&a, judges, judges * sizeof *matrix));
    TRY_NEW(columns = arena_new(&a, judges, units * sizeof *columns));
    TRY_NEW(rows = arena_new(&a, units, 2 * sizeof *rows));
    TRY_NEW(weights = arena_new(&a, units, sizeof *weights));
    for (size_t u = 0; u < units; u++)
        for (size_t j = 0; j < judges; j++) columns[j * units + u] = errors->e[u * judges + j];
    for (size_t j = 0; j < judges; j++)
        for (size_t k = 0; k <= j; k++) {
            double r = pair_correlation(columns, errors->w, units, (size_t[2]){j, k}, rows,
                                        weights);
            if (j == k && !isnan(r)) r = 1;
            matrix[j * judges + k] = matrix[k * judges + j] = r;
        }
    effective_votes_matrix(out, matrix, judges);
    for (size_t i = 0; correlation && i < judges * judges; i++) correlation[i] = matrix[i];
done:
    arena_free(&a);
    return status;
}
