#include <math.h>
#include <string.h>

#include "base/error.h"
#include "image/colour.h"
#include "perturb/perturb.h"
#include "perturb/tone.h"

enum { BLOCK = 256 };

/* One walk over the final bytes of the sites: all else is as in the base. */
typedef struct tally {
    tone_sums tone;
    neumaier inside, image; /* CIE76 differences */
} tally;

static void add_block(tally *t, const perturb_base *base, const unsigned char *rgb, size_t first,
                      size_t count)
{
    const perturb_sites *s = &base->sites;
    unsigned char bytes[3 * BLOCK];
    double l[BLOCK], a[BLOCK], b[BLOCK], difference[BLOCK];
    for (size_t i = 0; i < count; i++)
        memcpy(bytes + 3 * i, rgb + 3 * (size_t)s->pixel[first + i], 3);
    colour_lab_of_rgb_row((colour_planes){{l, a, b}}, bytes, count);
    for (size_t i = 0; i < count; i++) {
        double dl = l[i] - s->l[first + i], da = a[i] - s->a[first + i],
               db = b[i] - s->b[first + i];
        difference[i] = sqrt(dl * dl + da * da + db * db);
    }
    for (size_t i = 0; i < count; i++) {
        neumaier_add(&t->image, difference[i]);
        if (!s->inside[first + i]) continue;
        neumaier_add(&t->inside, difference[i]);
        tone_add(&t->tone, l[i], a[i], b[i], bytes + 3 * i);
    }
}

static double per(double sum, size_t n)
{
    return n > 0 ? sum / (double)n : NAN;
}

static void edit_energy(perturb_measures *out, const tally *t, const perturb_base *base,
                        perturb_support support)
{
    size_t n = image_pixels(base->photo), skin = base->skin_pixels;
    double inside = neumaier_total(&t->inside), all = neumaier_total(&t->image);
    out->edit_image = per(all, n);
    switch (support) {
    case PERTURB_SKIN: out->edit_support = per(inside, skin); break;
    case PERTURB_OFF_SKIN: out->edit_support = per(all - inside, n - skin); break;
    case PERTURB_WHOLE: out->edit_support = out->edit_image; break;
    }
}

/* The tone over a mask taken anew on the variant. */
static tare_status measure_again(measure_tone *out, const perturb_base *base,
                                 const image *picture, tare_error *err)
{
    tare_status status = TARE_OK;
    const perturb_options *o = &base->options;
    unsigned char *mask;
    TRY_NEW(mask = mem_resize(base->m, NULL, image_pixels(picture), 1));
    mask_of_skin(mask, picture, o->set);
    status = measure_tone_of(out, base->m, picture, mask, o->form, o->angle, err);
    mem_free(base->m, mask);
done:
    return status;
}

static tare_status measure(perturb_variant *out, const perturb_base *base,
                           const perturb_operator *op, const perturb_edit *edit, tare_error *err)
{
    tare_status status = TARE_OK;
    const perturb_options *o = &base->options;
    perturb_measures *x = &out->measures;
    tally t = {.image = {0, 0}};
    TRY(tone_start(&t.tone, base->m, base->skin_pixels, o->form, err));
    for (size_t at = 0; at < base->sites.count; at += BLOCK) {
        size_t left = base->sites.count - at;
        add_block(&t, base, out->picture.rgb, at, left < BLOCK ? left : BLOCK);
    }
    tone_finish(&x->tone, &t.tone, o->form, o->angle);
    if (o->resegment && !base->user_mask)
        TRY(measure_again(&x->tone, base, &out->picture, err));
    edit_energy(x, &t, base, op->support);
    x->clip_frac = per((double)edit->clipped, base->skin_pixels);
    x->clip_mag = per(neumaier_total(&edit->clip_sum) * 255 / 3, base->skin_pixels);
done:
    tone_free(&t.tone, base->m);
    return status;
}

tare_status perturb_variant_make(perturb_variant *out, const perturb_base *base,
                                 const perturb_operator *op, double dose, tare_error *err)
{
    tare_status status = TARE_OK;
    image *picture = &out->picture;
    const image *photo = base->photo;
    perturb_edit edit = {0};
    if (base->reason != TARE_R_NONE)
        FAIL(err, TARE_E_USAGE, "perturb.excluded", base->id, "the base was excluded: %s",
             tare_reason_name(base->reason));
    if (op->support != PERTURB_SKIN && !base->options.whole)
        FAIL(err, TARE_E_USAGE, "perturb.sites", base->id,
             "%s changes more than skin: prepare the base with `whole`", op->name);
    if (picture->rgb == NULL || picture->width != photo->width ||
        picture->height != photo->height) {
        image_free(picture, base->m);
        TRY(image_new(picture, base->m, photo->width, photo->height, err));
    }
    memcpy(picture->rgb, photo->rgb, image_pixels(photo) * 3);
    edit.rgb = picture->rgb;
    edit.clip_map = out->clip_map;
    TRY(op->apply(&edit, base, dose, err));
    TRY(measure(out, base, op, &edit, err));
done:
    return status;
}

void perturb_variant_free(perturb_variant *v, const mem *m)
{
    if (v != NULL) image_free(&v->picture, m);
}
