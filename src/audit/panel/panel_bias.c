#include <math.h>

#include "audit/panel/panel_search.h"

double panel_bias(bias_kind kind, const bias_input *in)
{
    size_t E = in->columns, last = E - 1;
    double sum = 0, most = 0, G = (double)in->authors;
    if (kind == BIAS_RMS) {
        for (size_t g = 0; g < in->authors; g++) {
            double v = in->standardised[g * E + last];
            sum += v * v;
        }
        return sqrt(sum / G);
    }
    /* D = R E/(E-1) G/(G-1) in a complete matrix (A.3). */
    double scale = (double)E / (double)(E - 1) * (G / (G - 1));
    for (size_t k = 0; k < in->owns; k++) {
        size_t at = in->own[k] * E + last;
        double v = kind == BIAS_D ? fabs(in->residual[at]) * scale : fabs(in->standardised[at]);
        sum += v;
        if (!(v <= most)) most = v;
    }
    if (in->owns == 0) return 0;
    return kind == BIAS_MAX ? most : sum / (double)in->owns;
}
