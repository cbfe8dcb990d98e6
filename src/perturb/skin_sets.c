#include "perturb/skin_sets.h"

#include "base/error.h"
#include "image/colour.h"

mask_set skin_set_other(mask_set own, size_t j)
{
    static const mask_set others[][SKIN_SETS] = {[MASK_DEFAULT] = {MASK_TIGHT, MASK_LOOSE},
                                                 [MASK_TIGHT] = {MASK_DEFAULT, MASK_LOOSE},
                                                 [MASK_LOOSE] = {MASK_DEFAULT, MASK_TIGHT}};
    return others[own][j];
}

/* One set: its bit on the sites in reach of an edit, and the sums over its other pixels. */
static void add_set(perturb_base *base, size_t j, const unsigned char *mask)
{
    perturb_sites *s = &base->sites;
    perturb_rest *rest = &base->rest;
    size_t n = image_pixels(base->photo);
    rest->pixels[j] = mask_count(mask, n);
    for (size_t i = 0; i < s->soft; i++)
        s->sets[i] |= (unsigned char)((mask[s->pixel[i]] != 0) << j);
    for (size_t i = 0; i < n; i++) {
        double lab[3];
        if (!mask[i] || base->weight[i] > 0) continue;
        colour_lab_of_rgb(lab, base->photo->rgb + 3 * i);
        neumaier_add(&rest->l[j], lab[0]);
        neumaier_add(&rest->b[j], lab[2]);
    }
}

tare_status skin_sets_prepare(perturb_base *base, tare_error *err)
{
    tare_status status = TARE_OK;
    const perturb_options *o = &base->options;
    unsigned char *mask = NULL;
    size_t count = base->sites.count > 0 ? base->sites.count : 1;
    if (!o->sets || base->user_mask || base->reason != TARE_R_NONE) goto done;
    if (o->resegment || o->form != ITA_MEAN) goto done;
    TRY_NEW(mask = mem_resize(base->m, NULL, image_pixels(base->photo), 1));
    TRY_NEW(base->sites.sets = mem_new(base->m, count, 1));
    for (size_t j = 0; j < SKIN_SETS; j++) {
        mask_of_skin(mask, base->photo, skin_set_other(o->set, j));
        add_set(base, j, mask);
    }
done:
    mem_free(base->m, mask);
    return status;
}
