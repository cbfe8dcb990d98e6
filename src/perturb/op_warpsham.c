/* op_warpsham.c - the resampling of a warp without its change of width: the torso band moved
 * sideways by dose h(y) pixels (scorer audit 2.5). */
#include "perturb/operators.h"
#include "perturb/warp_rows.h"

static const double doses[] = {-0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75};

static double source(const torso *t, double x, double h, double dose)
{
    (void)t;
    return x - dose * h;
}

static tare_status apply(perturb_edit *edit, const perturb_base *base, double dose,
                         tare_error *err)
{
    (void)err;
    warp_rows(edit, base, source, dose);
    return TARE_OK;
}

const perturb_operator perturb_op_warpsham = {
    .name = "warpsham",
    .summary = "the torso moved sideways by the dose, no change of width",
    .unit = "px",
    .axis_title = "sideways (px)",
    .doses = doses,
    .n_doses = sizeof doses / sizeof *doses,
    .least = -8, /* ours */
    .most = 8,
    .limit = "farther, it is no small step any more",
    .neutral = 0,
    .sides = 2,
    .support = PERTURB_TORSO,
    .needs = PERTURB_NEEDS_TORSO,
    .attribute = PERTURB_WIDTH_RATIO,
    .artifact = PERTURB_WARP_ARTIFACT,
    .claim = "the width of the torso and every row above and below it",
    .plus = "moved right",
    .minus = "moved left",
    .sham = NULL,
    .sham_only = true,
    .apply = apply,
    .source = source,
};
