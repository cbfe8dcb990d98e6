/* What is compared between groups: FI and A of each base, and both with the artifact's share taken
 * out. */
#include <math.h>
#include <string.h>

#include "audit/scorer/group_set.h"
#include "base/error.h"
#include "stats/moments.h"

const char *metric_name(int metric)
{
    static const char *const names[METRICS] = {"FI", "A", "FI_adj", "A_adj"};
    return names[metric];
}

bool metric_adjusted(int metric)
{
    return metric == METRIC_FI_ADJ || metric == METRIC_A_ADJ;
}

/* Mean over the doses of one side of the score's change less gamma times the artifact's. What is
 * left of two equal numbers is the rounding of both: `scale` grows with their size. */
static double side_adjusted(double *scale, const view *v, size_t i, double gamma, bool above,
                            bool extreme)
{
    const cube_arm *arm = v->arm;
    const double *s = v->scores->s + i * arm->doses, *c = arm->artifact + i * arm->doses;
    size_t d0 = arm->neutral, first = above ? d0 + 1 : 0, last = above ? arm->doses : d0;
    if (extreme && above) first = last - 1;
    if (extreme && !above) last = 1;
    neumaier sum = {0, 0};
    for (size_t d = first; d < last; d++) {
        double score = s[d] - s[d0], share = gamma * (c[d] - c[d0]);
        neumaier_add(&sum, score - share);
        *scale = fmax(*scale, fabs(score) + fabs(share));
    }
    return neumaier_total(&sum) / (double)(last - first);
}

static tare_status adjusted_metrics(const double *x[METRICS], study *t, const view *v,
                                    tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *arm = v->arm;
    bool extreme = strcmp(t->o.doses, "extreme") == 0;
    bool below = arm->neutral > 0, above = arm->neutral + 1 < arm->doses;
    double *fi, *a;
    if (!arm->artifact || isnan(v->gamma_adjust)) return TARE_OK;
    TRY_NEW(fi = study_array(t, arm->bases));
    TRY_NEW(a = study_array(t, arm->bases));
    for (size_t i = 0; i < arm->bases; i++) {
        if (!v->f.used[i]) continue;
        double scale = 0, n = 0, p = 0;
        if (below) n = side_adjusted(&scale, v, i, v->gamma_adjust, false, extreme);
        if (above) p = side_adjusted(&scale, v, i, v->gamma_adjust, true, extreme);
        fi[i] = snap_zero(below && above ? -(n + p) / 2 : -(n + p), scale);
        a[i] = snap_zero(p - n, scale);
    }
    x[METRIC_FI_ADJ] = fi;
    if (below && above) x[METRIC_A_ADJ] = a;
done:
    return status;
}

tare_status group_metrics(const double *x[METRICS], study *t, const view *v, tare_error *err)
{
    x[METRIC_FI] = v->tested.fi;
    x[METRIC_A] = study_get(t, v, RD_A) ? v->tested.a : NULL;
    x[METRIC_FI_ADJ] = x[METRIC_A_ADJ] = NULL;
    return adjusted_metrics(x, t, v, err);
}
