/* op_hue.c - hue of the skin: (a, b) turned by dose w degrees (scorer audit 2.5). As a rotation,
 * never by way of the angle, which grey has not (2.2). */
#include "perturb/operators.h"
#include "perturb/shift.h"

static const double doses[] = {-30, -20, -10, 0, 10, 20, 30};

/* Sine and cosine of |x| <= pi within 2e-15, by arithmetic alone, so that the bits are the same on
 * every machine: the series of x/8, doubled three times. */
static inline void sine_cosine(double *sine, double *cosine, double x)
{
    double y = x / 8, z = y * y;
    double s = y * (1 + z * (-1.0 / 6 + z * (1.0 / 120 + z * (-1.0 / 5040 + z * (1.0 / 362880 +
               z * (-1.0 / 39916800 + z * (1.0 / 6227020800)))))));
    double c = 1 + z * (-1.0 / 2 + z * (1.0 / 24 + z * (-1.0 / 720 + z * (1.0 / 40320 +
               z * (-1.0 / 3628800 + z * (1.0 / 479001600))))));
    for (int i = 0; i < 3; i++) {
        double twice = 2 * s * c;
        c = 1 - 2 * s * s;
        s = twice;
    }
    *sine = s;
    *cosine = c;
}

static void turn(double *l, double *a, double *b, const double *w, size_t count, double dose)
{
    (void)l;
    for (size_t i = 0; i < count; i++) {
        double s, c, p = a[i], q = b[i];
        sine_cosine(&s, &c, dose * w[i] * (3.14159265358979323846 / 180));
        a[i] = p * c - q * s;
        b[i] = p * s + q * c;
    }
}

static tare_status apply(perturb_edit *edit, const perturb_base *base, double dose,
                         tare_error *err)
{
    (void)err;
    perturb_shift(edit, base, turn, dose, false);
    return TARE_OK;
}

const perturb_operator perturb_op_hue = {
    .name = "hue",
    .summary = "hue of the skin, turned by the dose, feathered",
    .unit = "degrees of hue",
    .axis_title = "hue (degrees)",
    .doses = doses,
    .n_doses = sizeof doses / sizeof *doses,
    .least = -180,
    .most = 180,
    .limit = "that is the whole circle",
    .neutral = 0,
    .sides = 2,
    .support = PERTURB_SKIN,
    .needs = PERTURB_NEEDS_SKIN,
    .attribute = PERTURB_ITA, /* moves with b* though L* stands still: hazard 13 */
    .artifact = PERTURB_CLIP_FRAC,
    .claim = "lightness, chroma and every pixel off the skin",
    .plus = "yellower skin",
    .minus = "redder skin",
    .sham = "sham",
    .sham_only = false,
    .apply = apply,
};
