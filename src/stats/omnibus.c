#include "stats/omnibus.h"

#include <math.h>

double omnibus_mean(const omnibus_group *g)
{
    return g->sum / g->count;
}

/* sum (S - n m)^2 k/(k-1) / N^2: s^2/n for one value per cluster. */
double omnibus_variance(const omnibus_group *g)
{
    if (g->clusters < 2) return NAN;
    double k = (double)g->clusters, m = omnibus_mean(g);
    double square = g->sum_sum - 2 * m * g->sum_count + m * m * g->count_count;
    /* What is left of equal values is the rounding of the first term. */
    if (!(square > 1e-13 * g->sum_sum)) square = 0;
    return square * k / (k - 1) / (g->count * g->count);
}

static void add_up(const omnibus_data *data, const uint32_t *label, omnibus_group *group)
{
    for (size_t g = 0; g < data->groups; g++) group[g] = (omnibus_group){0};
    for (size_t i = 0; i < data->n; i++) {
        omnibus_group *g = &group[label[i]];
        double s = data->sum[i];
        g->sum += s;
        g->sum_sum += s * s;
        g->clusters++;
        if (data->one_each) continue;
        double c = data->count[i];
        g->count += c;
        g->sum_count += s * c;
        g->count_count += c * c;
    }
    if (!data->one_each) return;
    for (size_t g = 0; g < data->groups; g++) {
        group[g].count = group[g].count_count = (double)group[g].clusters;
        group[g].sum_count = group[g].sum;
    }
}

omnibus_value omnibus_value_of(const omnibus_data *data, const uint32_t *label,
                               omnibus_group *group)
{
    omnibus_value out = {0, NAN, 0, 0};
    add_up(data, label, group);
    for (size_t g = 1; g < data->groups; g++) {
        if (omnibus_mean(&group[g]) > omnibus_mean(&group[out.high])) out.high = g;
        if (omnibus_mean(&group[g]) < omnibus_mean(&group[out.low])) out.low = g;
    }
    out.range = omnibus_mean(&group[out.high]) - omnibus_mean(&group[out.low]);
    double largest = -1;
    for (size_t g = 1; g < data->groups; g++) {
        if (group[g].clusters < 2) continue;
        double mean = omnibus_mean(&group[g]), v = omnibus_variance(&group[g]);
        for (size_t h = 0; h < g; h++) {
            if (group[h].clusters < 2) continue;
            double d = fabs(mean - omnibus_mean(&group[h]));
            double variance = v + omnibus_variance(&group[h]);
            /* Squared until the end: one root instead of one per pair. */
            double t2 = variance > 0 ? d * d / variance : d > 0 ? INFINITY : 0;
            if (t2 > largest) largest = t2;
        }
    }
    if (largest >= 0) out.student = sqrt(largest);
    return out;
}
