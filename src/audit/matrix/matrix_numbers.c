#include "audit/matrix/matrix_numbers.h"

#include <math.h>

#include "stats/moments.h"

/* Judge e's score of the author against the mean of the others, on the judge's scale. */
static double against_others(const double *phi, size_t G, size_t E, const matrix_contrast *c,
                             size_t e)
{
    neumaier others = {0, 0};
    size_t n = 0;
    for (size_t g = 0; g < G; g++) {
        if (g == c->author || (c->kin && c->kin[g * E + c->judge])) continue;
        neumaier_add(&others, phi[g * E + e]);
        n++;
    }
    if (n == 0) return NAN;
    double contrast = phi[c->author * E + e] - neumaier_total(&others) / (double)n;
    if (!c->judge_sd) return contrast;
    return c->judge_sd[e] > 0 ? contrast / c->judge_sd[e] : NAN;
}

double matrix_contrast_of(const double *phi, size_t G, size_t E, const matrix_contrast *c)
{
    neumaier others = {0, 0};
    size_t n = 0;
    for (size_t e = 0; e < E; e++) {
        if (e == c->judge || (c->kin && c->kin[c->author * E + e])) continue;
        neumaier_add(&others, against_others(phi, G, E, c, e));
        n++;
    }
    if (n == 0) return NAN;
    return against_others(phi, G, E, c, c->judge) - neumaier_total(&others) / (double)n;
}

double matrix_contrast_factor(size_t G, size_t E)
{
    return (double)E / ((double)E - 1) * (double)G / ((double)G - 1);
}

void matrix_without(double *r, double *z, double *phi2, const double *phi,
                    const matrix_dropped *what)
{
    double less[MATRIX_CELLS_MOST], scratch[MATRIX_SCRATCH];
    size_t G = what->G, E = what->E;
    for (size_t g = 0; g < G; g++)
        for (size_t e = 0, to = 0; e < E; e++)
            if (e != what->judge) less[g * (E - 1) + to++] = phi[g * E + e];
    preference out = {.residual = r, .z = z, .standardised = phi2};
    preference_of(&out, less, &(preference_shape){G, E - 1, what->ddof}, scratch);
}
