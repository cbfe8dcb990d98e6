#include "perturb/variant_measure.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "image/colour.h"
#include "image/wide.h"
#include "perturb/lanes.h"
#include "perturb/skin_sets.h"
#include "perturb/tone.h"

enum { BLOCK = 256 };

/* One walk over the final bytes of the sites: all else is as in the base. */
typedef struct tally {
    tone_sums tone;
    lane_sums l, a, b, inside, all; /* the last two: CIE76 differences */
    lane_sums set_l[SKIN_SETS], set_b[SKIN_SETS];
    neumaier difference_inside, difference_all;
} tally;

/* One block of sites. Those past the end have weight 0 and finite numbers. */
typedef struct block {
    unsigned char bytes[3 * BLOCK];
    double lab[3][BLOCK], was[3][BLOCK], difference[BLOCK], inside[BLOCK], used[BLOCK];
    double set[SKIN_SETS][BLOCK];
} block;

/* The bytes of the sites now; have any changed? */
static bool gather(block *k, const perturb_base *base, const unsigned char *rgb, size_t first,
                   size_t count)
{
    const unsigned char *before = base->photo->rgb;
    unsigned changed = 0;
    for (size_t i = 0; i < count; i++) {
        size_t at = 3 * (size_t)base->sites.pixel[first + i];
        unsigned r = rgb[at], g = rgb[at + 1], b = rgb[at + 2];
        unsigned char *p = k->bytes + 3 * i;
        changed |= (r ^ before[at]) | (g ^ before[at + 1]) | (b ^ before[at + 2]);
        p[0] = (unsigned char)r;
        p[1] = (unsigned char)g;
        p[2] = (unsigned char)b;
    }
    return changed != 0;
}

IMAGE_WIDE
static void differences(double *restrict out, double (*lab)[BLOCK], const double *const was[3])
{
    const double *l = was[0], *a = was[1], *b = was[2];
    for (size_t i = 0; i < BLOCK; i++) {
        double dl = lab[0][i] - l[i], da = lab[1][i] - a[i], db = lab[2][i] - b[i];
        out[i] = sqrt(dl * dl + da * da + db * db);
    }
}

IMAGE_WIDE
static void to_doubles(double *restrict out, const unsigned char *restrict in)
{
    for (size_t i = 0; i < BLOCK; i++) out[i] = in[i];
}

/* Weights of the block, and where to find the base's Lab: in place, or copied at the end. */
static void lay_out(block *k, const double *was[3], const perturb_sites *s, size_t first,
                    size_t count)
{
    const double *before[3] = {s->l + first, s->a + first, s->b + first};
    for (size_t c = 0; c < 3; c++) was[c] = before[c];
    if (count == BLOCK) {
        to_doubles(k->inside, s->inside + first);
        return;
    }
    for (size_t c = 0; c < 3; c++) {
        memset(k->was[c], 0, sizeof k->was[c]);
        memcpy(k->was[c], before[c], count * sizeof *before[c]);
        was[c] = k->was[c];
    }
    for (size_t i = 0; i < BLOCK; i++) {
        k->used[i] = i < count;
        k->inside[i] = i < count ? s->inside[first + i] : 0;
    }
}

/* What the forms other than the mean need of each pixel. */
static void add_pixels(tally *t, const block *k, const double *const lab[3], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (k->inside[i] > 0) tone_count(&t->tone, lab[0][i], lab[2][i], k->bytes + 3 * i);
}

/* The sums of L* and b* over the two other sets. */
static void add_sets(tally *t, block *k, const perturb_sites *s, const double *const lab[3],
                     size_t first, size_t count)
{
    for (size_t j = 0; j < SKIN_SETS; j++) {
        for (size_t i = 0; i < BLOCK; i++)
            k->set[j][i] = i < count ? s->sets[first + i] >> j & 1 : 0;
        lanes_add(&t->set_l[j], lab[0], k->set[j], BLOCK);
        lanes_add(&t->set_b[j], lab[2], k->set[j], BLOCK);
    }
}

static void add_block(tally *t, block *k, const perturb_base *base, const unsigned char *rgb,
                      size_t first, size_t end)
{
    const double *was[3], *now[3];
    size_t count = end - first < BLOCK ? end - first : BLOCK;
    bool changed = gather(k, base, rgb, first, count);
    lay_out(k, was, &base->sites, first, count);
    for (size_t c = 0; c < 3; c++) now[c] = changed ? k->lab[c] : was[c]; /* same bytes, same Lab */
    if (changed) {
        colour_lab_of_rgb_row((colour_planes){{k->lab[0], k->lab[1], k->lab[2]}}, k->bytes, count);
        differences(k->difference, k->lab, was);
        lanes_add(&t->all, k->difference, k->used, BLOCK);
        lanes_add(&t->inside, k->difference, k->inside, BLOCK);
    }
    lanes_add(&t->l, now[0], k->inside, BLOCK);
    lanes_add(&t->a, now[1], k->inside, BLOCK);
    lanes_add(&t->b, now[2], k->inside, BLOCK);
    if (base->sites.sets != NULL) add_sets(t, k, &base->sites, now, first, count);
    if (base->options.form != ITA_MEAN) {
        add_pixels(t, k, now, count);
        return;
    }
    for (size_t i = 0; i < count; i++) t->tone.bluish += (now[2][i] <= 0) & (k->inside[i] > 0);
}

static void fold(tally *t)
{
    lanes_fold(&t->tone.l, &t->l);
    lanes_fold(&t->tone.a, &t->a);
    lanes_fold(&t->tone.b, &t->b);
    lanes_fold(&t->difference_inside, &t->inside);
    lanes_fold(&t->difference_all, &t->all);
}

static double per(double sum, size_t n)
{
    return n > 0 ? sum / (double)n : NAN;
}

/* Pixels in the rows of the torso band: a warp moves no other. */
static size_t band_pixels(const perturb_base *base)
{
    int begin, end;
    torso_rows(&begin, &end, &base->torso, base->photo->height);
    return (size_t)(end - begin) * (size_t)base->photo->width;
}

static void edit_energy(perturb_measures *out, const tally *t, const perturb_base *base,
                        perturb_support support)
{
    size_t n = image_pixels(base->photo), skin = base->skin_pixels;
    double inside = neumaier_total(&t->difference_inside);
    double all = neumaier_total(&t->difference_all);
    out->edit_image = per(all, n);
    switch (support) {
    case PERTURB_SKIN: out->edit_support = per(inside, skin); break;
    case PERTURB_OFF_SKIN: out->edit_support = per(all - inside, n - skin); break;
    case PERTURB_TORSO: out->edit_support = per(all, band_pixels(base)); break;
    case PERTURB_WHOLE: out->edit_support = out->edit_image; break;
    }
}

static void artifacts(perturb_measures *out, const perturb_base *base, const perturb_operator *op,
                      const perturb_edit *edit)
{
    size_t n = base->skin_pixels;
    if (op->support == PERTURB_OFF_SKIN) n = image_pixels(base->photo) - n;
    if (op->artifact == PERTURB_CLIP_FRAC) {
        out->clip_frac = per((double)edit->clipped, n);
        out->clip_mag = per(neumaier_total(&edit->clip_sum) * 255 / 3, n);
    }
    if (op->artifact == PERTURB_WARP_ARTIFACT)
        out->warp_artifact = edit->farthest / base->photo->width;
}

/* The tone of the picture over the mask of a set of thresholds. */
static tare_status tone_of_set(measure_tone *out, const perturb_base *base, const image *picture,
                               mask_set set, tare_error *err)
{
    tare_status status = TARE_OK;
    const perturb_options *o = &base->options;
    unsigned char *mask;
    TRY_NEW(mask = mem_resize(base->m, NULL, image_pixels(picture), 1));
    mask_of_skin(mask, o->resegment ? picture : base->photo, set);
    status = measure_tone_of(out, base->m, picture, mask, o->form, o->angle, err);
    mem_free(base->m, mask);
done:
    return status;
}

/* The attribute over the masks of the other sets: from the walk, with what no site holds; or,
 * where such sums do not do, anew. */
static tare_status tones_of_sets(perturb_measures *x, const tally *t, const perturb_base *base,
                                 const image *picture, tare_error *err)
{
    tare_status status = TARE_OK;
    double *const of_set[] = {[MASK_DEFAULT] = &x->ita_default, [MASK_TIGHT] = &x->ita_tight,
                              [MASK_LOOSE] = &x->ita_loose};
    for (size_t j = 0; j < SKIN_SETS; j++) {
        mask_set set = skin_set_other(base->options.set, j);
        double *out = of_set[set];
        if (base->sites.sets != NULL) {
            neumaier l = base->rest.l[j], b = base->rest.b[j];
            double n = (double)base->rest.pixels[j];
            lanes_fold(&l, &t->set_l[j]);
            lanes_fold(&b, &t->set_b[j]);
            *out = ita_degrees(neumaier_total(&l) / n, neumaier_total(&b) / n,
                              base->options.angle);
            continue;
        }
        measure_tone tone;
        TRY(tone_of_set(&tone, base, picture, set, err));
        *out = tone.ita;
    }
done:
    return status;
}

tare_status variant_measure(perturb_variant *out, const perturb_base *base,
                            const perturb_operator *op, const perturb_edit *edit, tare_error *err)
{
    tare_status status = TARE_OK;
    const perturb_options *o = &base->options;
    perturb_measures *x = &out->measures;
    tally t = {.difference_all = {0, 0}};
    block k = {.bytes = {0}};
    size_t end = op->support == PERTURB_SKIN ? base->sites.soft : base->sites.count;
    *x = (perturb_measures){.clip_frac = NAN, .clip_mag = NAN, .ita_tight = NAN, .ita_loose = NAN,
                            .ita_default = NAN, .width_ratio = NAN,
                            .warp_artifact = NAN};
    TRY(tone_start(&t.tone, base->m, base->skin_pixels, o->form, err));
    for (size_t i = 0; i < BLOCK; i++) k.used[i] = 1;
    for (size_t at = 0; at < end; at += BLOCK) add_block(&t, &k, base, out->picture.rgb, at, end);
    fold(&t);
    t.tone.pixels = base->reason == TARE_R_NONE ? base->skin_pixels : 0;
    tone_finish(&x->tone, &t.tone, o->form, o->angle);
    if (o->resegment && !base->user_mask && base->reason == TARE_R_NONE)
        TRY(tone_of_set(&x->tone, base, &out->picture, o->set, err));
    if (o->sets && op->attribute == PERTURB_ITA && !base->user_mask && base->reason == TARE_R_NONE)
        TRY(tones_of_sets(x, &t, base, &out->picture, err));
    edit_energy(x, &t, base, op->support);
    artifacts(x, base, op, edit);
done:
    tone_free(&t.tone, base->m);
    return status;
}
