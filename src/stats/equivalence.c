/* equivalence.c - see equivalence.h. */
#include "stats/equivalence.h"

#include <math.h>

#include "stats/special.h"

equivalence equivalence_t(double estimate, double se, double df, double margin, double alpha)
{
    equivalence e = {NAN, NAN, NAN, false};
    if (!(margin > 0.0) || isnan(estimate) || !(se >= 0.0)) return e;
    if (se == 0.0) {
        e.p_lower = estimate > -margin ? 0.0 : 1.0;
        e.p_upper = estimate < margin ? 0.0 : 1.0;
    } else {
        e.p_lower = t_sf((estimate + margin) / se, df);
        e.p_upper = t_cdf((estimate - margin) / se, df);
    }
    if (isnan(e.p_lower) || isnan(e.p_upper)) return (equivalence){NAN, NAN, NAN, false};
    e.p = fmax(e.p_lower, e.p_upper);
    e.equivalent = e.p <= alpha;
    return e;
}

bool equivalence_interval(double lo, double hi, double margin)
{
    return margin > 0.0 && lo <= hi && lo > -margin && hi < margin;
}

double detectable_effect(double se, double df, double alpha, double power)
{
    return (t_quantile(1.0 - 0.5 * alpha, df) + t_quantile(power, df)) * se;
}
