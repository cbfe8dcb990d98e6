/* What drift counts as practically nothing, by the axis (scorer audit 5.3). */
#include <math.h>
#include <string.h>

#include "audit/scorer/study.h"

#define MARGIN_LIGHTNESS 1.5 /* L*; this and the next: scorer audit 5.3 */
#define MARGIN_WIDTH 0.02    /* of gamma                              */
#define MARGIN_SHARE 0.1     /* of one side of the range (ours)       */

/* An operator whose doses are L*; a table's arm without an operator is taken by its range. */
static bool shifts_lightness(const cube_arm *arm)
{
    return !strcmp(arm->operator_name, "skin") || !strcmp(arm->operator_name, "nonskin");
}

bool same_doses(const cube_arm *x, const cube_arm *y)
{
    bool same = x->doses == y->doses && x->neutral == y->neutral;
    for (size_t d = 0; same && d < x->doses; d++) same = x->dose[d] == y->dose[d];
    return same;
}

/* Of other axes a tenth of one side of the range (ours). */
double dose_margin(const study *t, const cube_arm *arm)
{
    if (!t->o.margins) return NAN;
    if (!isnan(t->o.margin_drift_dose)) return t->o.margin_drift_dose;
    if (shifts_lightness(arm)) return MARGIN_LIGHTNESS;
    if (!strcmp(arm->operator_name, "warp")) return MARGIN_WIDTH;
    double range = arm->dose[arm->doses - 1] - arm->dose[0];
    bool two = arm->neutral > 0 && arm->neutral + 1 < arm->doses;
    return range > 0 ? MARGIN_SHARE * (two ? range / 2 : range) : NAN;
}
