/* op_nonskin.c - lightness of all but the skin: L* + dose (1 - w) (scorer audit 2.5). Its weights
 * and those of `skin` add to 1, so that the two together are a global shift. */
#include "perturb/operators.h"
#include "perturb/shift.h"

static const double doses[] = SHIFT_LIGHTNESS_DOSES;

static tare_status apply(perturb_edit *edit, const perturb_base *base, double dose,
                         tare_error *err)
{
    (void)err;
    perturb_shift(edit, base, shift_lightness, dose, true);
    return TARE_OK;
}

/* No attribute: what moves in the tone of the skin is the fringe of the feather alone. No sham:
 * that of `skin` shakes other pixels. */
const perturb_operator perturb_op_nonskin = {
    .name = "nonskin",
    .summary = "lightness of all but the skin, L* + dose, feathered",
    .unit = "L*",
    .axis_title = "lightness (L*)",
    .doses = doses,
    .n_doses = sizeof doses / sizeof *doses,
    .least = -100,
    .most = 100,
    .limit = "that is the whole range of L*",
    .neutral = 0,
    .sides = 2,
    .support = PERTURB_OFF_SKIN,
    .needs = PERTURB_NEEDS_SKIN,
    .attribute = PERTURB_NO_ATTRIBUTE,
    .artifact = PERTURB_CLIP_FRAC,
    .claim = "hue, chroma and the skin",
    .plus = "lighter surroundings",
    .minus = "darker surroundings",
    .sham = NULL,
    .sham_only = false,
    .apply = apply,
};
