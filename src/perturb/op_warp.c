/* op_warp.c - width of the torso: the band of the silhouette stretched by gamma about its centre,
 * the background beside it pressed together and back at rest (scorer audit 2.6). */
#include "perturb/operators.h"
#include "perturb/warp_rows.h"

static const double doses[] = {0.80, 0.87, 0.93, 1, 1.07, 1.13, 1.20};

static tare_status apply(perturb_edit *edit, const perturb_base *base, double dose,
                         tare_error *err)
{
    (void)err;
    warp_rows(edit, base, torso_source, dose);
    return TARE_OK;
}

const perturb_operator perturb_op_warp = {
    .name = "warp",
    .summary = "width of the torso times the dose",
    .unit = "gamma",
    .axis_title = "width (factor)",
    .doses = doses,
    .n_doses = sizeof doses / sizeof *doses,
    .least = 0.37, /* |gamma - 1| < 2/pi = 0.6366, since F = R */
    .most = 1.63,
    .limit = "beyond that the picture folds over itself",
    .neutral = 1,
    .sides = 2,
    .support = PERTURB_TORSO,
    .needs = PERTURB_NEEDS_TORSO,
    .attribute = PERTURB_WIDTH_RATIO,
    .artifact = PERTURB_WARP_ARTIFACT,
    .claim = "every row above and below the torso, and what is far beside it",
    .plus = "wider torso",
    .minus = "narrower torso",
    .sham = "warpsham",
    .sham_only = false,
    .apply = apply,
    .source = torso_source,
};
