/* op_sham.c - rounding noise without any change of tone: each channel of the skin moves by -1, 0 or
 * +1 with probabilities 1/24, 22/24, 1/24, whose variance is that of rounding (scorer audit 2.5).
 *
 * Doses -3..-1 are the replicates 1..3 and +1..+3 the replicates 4..6, so that the original stands
 * between them as it does for the two-sided operators (ours). Dose 0 draws nothing. */
#include <string.h>

#include "base/rng.h"
#include "perturb/operators.h"

#define DOWN_BELOW UINT32_C(178956970)
#define UP_BELOW UINT32_C(357913941)

static const double doses[] = {-3, -2, -1, 0, 1, 2, 3};

static int step_of(uint32_t word)
{
    return word < DOWN_BELOW ? -1 : word < UP_BELOW ? 1 : 0;
}

typedef struct draws {
    rng_key key;
    uint32_t counter[4], words[4];
    uint64_t block; /* that `words` holds; UINT64_MAX: none */
} draws;

static uint32_t word_at(draws *d, uint64_t number)
{
    if (number >> 2 != d->block) {
        d->block = number >> 2;
        d->counter[0] = (uint32_t)d->block;
        rng_philox(d->counter, d->key, d->words);
    }
    return d->words[number & 3];
}

/* Out of range by one step is what a clamp removes: counted like any other clipping. */
static void shake(perturb_edit *edit, const perturb_base *base, draws *d)
{
    const perturb_sites *s = &base->sites;
    for (size_t i = 0; i < s->count; i++) {
        uint64_t pixel = s->pixel[i];
        unsigned char *p = edit->rgb + 3 * pixel;
        int out = 0;
        if (!(s->w[i] > 0)) continue;
        for (unsigned c = 0; c < 3; c++) {
            int v = p[c] + (d != NULL ? step_of(word_at(d, 3 * pixel + c)) : 0);
            out += v < 0 || v > 255;
            p[c] = (unsigned char)(v < 0 ? 0 : v > 255 ? 255 : v);
        }
        if (out > 0 && s->inside[i]) {
            edit->clipped++;
            if (edit->clip_map != NULL) edit->clip_map[pixel] = 1;
            neumaier_add(&edit->clip_sum, out / 255.0);
        }
    }
}

static tare_status apply(perturb_edit *edit, const perturb_base *base, double dose,
                         tare_error *err)
{
    (void)err;
    uint64_t cluster = rng_h64(base->id, strlen(base->id));
    uint32_t replicate = (uint32_t)(dose < 0 ? dose + 4 : dose + 3);
    draws d = {.key = rng_key_of(base->options.seed, "sham"), .block = UINT64_MAX,
               .counter = {0, replicate, (uint32_t)cluster, (uint32_t)(cluster >> 32)}};
    shake(edit, base, dose == 0 ? NULL : &d);
    return TARE_OK;
}

const perturb_operator perturb_op_sham = {
    .name = "sham",
    .summary = "rounding noise on the skin, no change of tone",
    .unit = "replicate",
    .axis_title = "sham replicates",
    .doses = doses,
    .n_doses = sizeof doses / sizeof *doses,
    .least = -3,
    .most = 3,
    .whole_doses = true,
    .limit = "there are three replicates on each side of the original",
    .neutral = 0,
    .sides = 2,
    .support = PERTURB_SKIN,
    .needs = PERTURB_NEEDS_SKIN,
    .attribute = PERTURB_ITA,
    .artifact = PERTURB_CLIP_FRAC,
    .claim = "the tone of the skin and every pixel off it",
    .plus = "replicates 4 to 6",
    .minus = "replicates 1 to 3",
    .sham = NULL,
    .sham_only = true,
    .apply = apply,
};
