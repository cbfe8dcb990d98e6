/* What all panels of a table are measured by: rows that they share, and the mean of all judges. */
#include <math.h>

#include "audit/panel/panel_rows.h"

#define SAME_DIGITS 1e-12

bool panel_row_complete(const panel_rows *r, const size_t *judge, size_t judges, size_t row)
{
    for (size_t k = 0; k < judges; k++)
        for (size_t d = 0; d < r->dims; d++)
            if (isnan(r->dim_score[d][row * r->judges + judge[k]])) return false;
    return true;
}

bool panel_is_yardstick(const panel_rows *r, const double *score)
{
    size_t compared = 0;
    for (size_t i = 0; i < r->rows; i++) {
        double sum = 0, most = 0;
        if (!r->in_matrix[i] || isnan(score[i])) continue;
        for (size_t j = 0; j < r->judges; j++) {
            double v = r->score[i * r->judges + j];
            if (!r->usable[j]) continue;
            sum += v;
            most = fabs(v) > most ? fabs(v) : most;
        }
        if (isnan(sum)) continue;
        if (!(fabs(sum / (double)r->usable_count - score[i]) <= SAME_DIGITS * most)) return false;
        compared++;
    }
    return compared > 0;
}
