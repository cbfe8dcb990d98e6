/* op_skin.c - lightness of the skin: L* + dose w, nothing else (scorer audit 2.5). */
#include "perturb/operators.h"
#include "perturb/shift.h"

static const double doses[] = SHIFT_LIGHTNESS_DOSES;

static tare_status apply(perturb_edit *edit, const perturb_base *base, double dose,
                         tare_error *err)
{
    (void)err;
    perturb_shift(edit, base, shift_lightness, dose, false);
    return TARE_OK;
}

const perturb_operator perturb_op_skin = {
    .name = "skin",
    .summary = "lightness of the skin, L* + dose, feathered",
    .unit = "L*",
    .axis_title = "lightness (L*)",
    .doses = doses,
    .n_doses = sizeof doses / sizeof *doses,
    .least = -100,
    .most = 100,
    .limit = "that is the whole range of L*",
    .neutral = 0,
    .sides = 2,
    .support = PERTURB_SKIN,
    .needs = PERTURB_NEEDS_SKIN,
    .attribute = PERTURB_ITA,
    .artifact = PERTURB_CLIP_FRAC,
    .claim = "hue, chroma and every pixel off the skin",
    .plus = "lighter skin",
    .minus = "darker skin",
    .sham = "sham",
    .sham_only = false,
    .apply = apply,
};
