#include <math.h>
#include <string.h>

#include "base/error.h"
#include "image/colour.h"
#include "perturb/skin_sets.h"

enum { BLOCK = 512 };

static void sites_free(perturb_sites *s, const mem *m)
{
    mem_free(m, s->pixel);
    mem_free(m, s->l);
    mem_free(m, s->a);
    mem_free(m, s->b);
    mem_free(m, s->w);
    mem_free(m, s->inside);
    mem_free(m, s->sets);
    *s = (perturb_sites){0};
}

static tare_status sites_make(perturb_base *base, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = base->m;
    perturb_sites *s = &base->sites;
    const unsigned char *rgb = base->photo->rgb;
    size_t n = image_pixels(base->photo), soft = 0, count, room, next = 0;
    for (size_t i = 0; base->weight != NULL && i < n; i++) soft += base->weight[i] > 0;
    count = base->options.whole ? n : soft;
    room = count > 0 ? count : 1;
    TRY_NEW(s->pixel = mem_resize(m, NULL, room, sizeof *s->pixel));
    TRY_NEW(s->l = mem_resize(m, NULL, room, sizeof *s->l));
    TRY_NEW(s->a = mem_resize(m, NULL, room, sizeof *s->a));
    TRY_NEW(s->b = mem_resize(m, NULL, room, sizeof *s->b));
    TRY_NEW(s->w = mem_resize(m, NULL, room, sizeof *s->w));
    TRY_NEW(s->inside = mem_resize(m, NULL, room, 1));
    s->soft = soft;
    s->count = count;
    for (size_t i = 0; i < n; i++) {
        double w = base->weight != NULL ? base->weight[i] : 0;
        if (!(w > 0) && !base->options.whole) continue;
        size_t at = w > 0 ? next++ : soft + i - next;
        s->pixel[at] = (uint32_t)i;
        s->w[at] = w;
        s->inside[at] = base->weight != NULL && base->mask[i];
    }
    for (size_t at = 0; at < count; at += BLOCK) {
        unsigned char bytes[3 * BLOCK];
        size_t k = count - at < BLOCK ? count - at : BLOCK;
        for (size_t i = 0; i < k; i++)
            memcpy(bytes + 3 * i, rgb + 3 * (size_t)s->pixel[at + i], 3);
        colour_lab_of_rgb_row((colour_planes){{s->l + at, s->a + at, s->b + at}}, bytes, k);
    }
done:
    return status;
}

static tare_status find_torso(perturb_base *base, const perturb_guides *guides, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t n = image_pixels(base->photo);
    int width = base->photo->width, height = base->photo->height;
    base->torso_reason = TARE_R_NO_SILHOUETTE;
    if (guides == NULL || guides->silhouette == NULL) goto done;
    TRY_NEW(base->silhouette = mem_resize(base->m, NULL, n, 1));
    for (size_t i = 0; i < n; i++) base->silhouette[i] = guides->silhouette[i] != 0;
    if (torso_find(&base->torso, base->silhouette, width, height, guides->band_top,
                   guides->band_bottom))
        base->torso_reason = TARE_R_NONE;
done:
    return status;
}

tare_status perturb_base_make(perturb_base *out, const mem *m, const image *photo,
                              const perturb_guides *guides, const char *id,
                              const perturb_options *options, tare_error *err)
{
    tare_status status = TARE_OK;
    const image *user = guides != NULL ? guides->mask : NULL;
    size_t n = image_pixels(photo);
    *out = (perturb_base){.m = m, .photo = photo, .id = id, .user_mask = user != NULL,
                          .options = options != NULL ? *options : PERTURB_OPTIONS_DEFAULT};
    const perturb_options *o = &out->options;
    TRY_NEW(out->mask = mem_resize(m, NULL, n, 1));
    if (user != NULL) TRY(mask_of_image(out->mask, photo, user, err));
    else mask_of_skin(out->mask, photo, o->set);
    out->skin_pixels = mask_count(out->mask, n);
    out->skin_share = (double)out->skin_pixels / (double)n;
    out->mostly_skin = out->skin_share > MASK_SHARE_MOST;
    TRY(find_torso(out, guides, err));
    if (out->skin_share < MASK_SHARE_LEAST) {
        out->reason = TARE_R_NO_SKIN;
    } else {
        TRY_NEW(out->weight = mem_resize(m, NULL, n, sizeof *out->weight));
        TRY(mask_feather(out->weight, m, out->mask, photo->width, photo->height,
                         mask_sigma(photo, o->feather_sigma), err));
    }
    TRY(sites_make(out, err));
    TRY(skin_sets_prepare(out, err));
done:
    if (status != TARE_OK) perturb_base_free(out);
    return status;
}

void perturb_base_free(perturb_base *base)
{
    if (base == NULL || base->m == NULL) return;
    mem_free(base->m, base->mask);
    mem_free(base->m, base->weight);
    mem_free(base->m, base->silhouette);
    sites_free(&base->sites, base->m);
    base->mask = base->silhouette = NULL;
    base->weight = NULL;
}
