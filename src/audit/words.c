#include "audit/words.h"

#include <math.h>
#include <string.h>

#include "audit/estimate.h"
#include "stats/verdict.h"

const char *number_text(arena *a, double x)
{
    if (isnan(x)) return "n/a";
    return arena_printf(a, "%.3g", x == 0 ? 0.0 : x);
}

const char *p_text(arena *a, const char *letter, double p, double least)
{
    if (isnan(p)) return "no p";
    if (p > 0 && least > 0 && p <= least * (1 + 1e-9)) {
        double twice = 2 * least, unit = pow(10, floor(log10(twice)));
        double up = ceil(twice / unit - 1e-9) * unit;
        return arena_printf(a, "%s < %.1g", letter, fmin(up, 1));
    }
    return arena_printf(a, "%s = %.2g", letter, p);
}

const char *reason_words(const char *reason)
{
    static const char *const words[][2] = {
        {REASON_DEGENERATE, "the values do not vary"},
        {REASON_TOO_FEW_CLUSTERS, "fewer than 6 independent clusters"},
        {REASON_DEGENERATE_REPLICATES, "the estimate is undefined in too many resamples"},
        {REASON_INSEPARABLE, "the terms move together and cannot be told apart"},
        {REASON_BELOW_RESOLUTION, "below instrument resolution"},
        {REASON_NOT_RUN, "not run"},
        {REASON_NOT_CONVERGED, "the fit did not converge"},
        {REASON_OUT_OF_RANGE, "the scores are too large, or too close together, to be squared"},
        {"no_scores", "there is no score"},
        {"one_rater", "there is one rater only"},
        {"incomplete_ratings", "not every rating is there"},
        {"other_scale", "the scores are not on the scale of the human ratings"},
        {"too_many_values", "there are too many different values"},
        {"no_common_rows", "there is no row that both have"},
        {"no_order", "labels have no order"},
        {"other_grid", "one side grades in whole numbers and the other does not (means of repeats "
                       "are no grades)"},
        {"empty_category", "a category has no scores"},
        {"groups_too_small", "fewer than two groups are large enough"},
        {"no_spread_in_groups", "the values do not vary inside groups"},
        {"other_doses", "the doses are not the same on both sides"},
        {"other_attribute", "the attribute is not the same on both sides"},
        {"instrument_failed", "the measured attribute does not follow the dose"},
    };
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strcmp(reason, words[k][0]) == 0) return words[k][1];
    return reason;
}
