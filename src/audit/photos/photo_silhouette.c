#include "audit/photos/photo_silhouette.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "audit/photos/photo_mask.h"
#include "base/error.h"

static void refuse(photo_silhouette *s, const mem *m, tare_reason reason, const char *why)
{
    photo_silhouette_free(s, m);
    s->reason = reason;
    if (why != s->why) snprintf(s->why, sizeof s->why, "%s", why);
}

static tare_status by_file(photo_silhouette *out, const photo_run *run, const plan_base *base,
                           const image *photo, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &run->context->mem;
    const photo_drawn drawn = {"silhouette", base->silhouette};
    image user = {0};
    TRY(photo_drawn_load(&user, &out->reason, out->why, run, &drawn, photo, err));
    if (out->reason) refuse(out, m, out->reason, out->why);
    else TRY(mask_of_image(out->mask, photo, &user, err));
done:
    image_free(&user, m);
    return status;
}

static tare_status by_segmenter(photo_silhouette *out, const photo_run *run, const image *photo,
                                tare_error *err)
{
    segmenter_failure failure;
    tare_status status = segmenter_run(run->silhouettes, out->mask, photo, &failure, err);
    if (status != TARE_OK || !failure.reason) return status;
    refuse(out, &run->context->mem, failure.reason, "");
    snprintf(out->why, sizeof out->why, "the segmenter %.200s: %s",
             segmenter_describe(run->silhouettes)->name, failure.why);
    return TARE_OK;
}

/* Somebody must be in it, and where the band is. */
static void check_torso(photo_silhouette *s, const photo_run *run, const plan_base *base,
                        const image *photo)
{
    torso found;
    char whose[PHOTO_WHY_MAX / 2 + 16];
    if (torso_find(&found, s->mask, photo->width, photo->height, base->band_top,
                   base->band_bottom))
        return;
    if (base->silhouette)
        snprintf(whose, sizeof whose, "silhouette %.*s", PHOTO_WHY_MAX / 2,
                 photo_drawn_shown(run->plan, base->silhouette));
    else snprintf(whose, sizeof whose, "segmenter's silhouette");
    bool given = base->band_top != 0 || base->band_bottom != 0;
    if (!mask_count(s->mask, image_pixels(photo)))
        snprintf(s->why, sizeof s->why, "the %s is empty%s", whose,
                 base->silhouette ? ": the person is where its mean is 128 or more" : "");
    else if (given && base->band_bottom > photo->height)
        snprintf(s->why, sizeof s->why, "the band of rows %g to %g that the manifest gives reaches "
                 "out of the photograph, which has %d", base->band_top, base->band_bottom,
                 photo->height);
    else if (given)
        snprintf(s->why, sizeof s->why, "the %s shows nobody, or a single column, in the rows %g "
                 "to %g that the manifest gives", whose, base->band_top, base->band_bottom);
    else
        snprintf(s->why, sizeof s->why, "the %s shows nobody, or a single column, where the torso "
                 "should be", whose);
    refuse(s, &run->context->mem, TARE_R_NO_SILHOUETTE, s->why);
}

tare_status photo_silhouette_load(photo_silhouette *out, const photo_run *run,
                                  const plan_base *base, const image *photo, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &run->context->mem;
    memset(out, 0, sizeof *out);
    if (!base->silhouette && !run->silhouettes) {
        refuse(out, m, TARE_R_NO_SILHOUETTE, "no silhouette: name a mask of the person in the "
               "manifest's column silhouette, or a model that finds it by --segmenter");
        goto done;
    }
    TRY_NEW(out->mask = mem_new(m, image_pixels(photo), 1));
    if (base->silhouette) TRY(by_file(out, run, base, photo, err));
    else TRY(by_segmenter(out, run, photo, err));
    if (out->mask) check_torso(out, run, base, photo);
done:
    if (status != TARE_OK) photo_silhouette_free(out, m);
    return status;
}

void photo_silhouette_free(photo_silhouette *s, const mem *m)
{
    mem_free(m, s->mask);
    s->mask = NULL;
}

/* ---- Width ----------------------------------------------------------------------------------- */

/* The base's silhouette as the operator moves it: each pixel takes the nearest of where it comes
 * from. NULL: nothing is moved. */
static void warp_along(unsigned char *out, const perturb_base *made, const perturb_operator *op,
                       double dose)
{
    int width = made->photo->width, height = made->photo->height;
    for (int y = 0; y < height; y++) {
        const unsigned char *in = made->silhouette + (size_t)y * (size_t)width;
        unsigned char *row = out + (size_t)y * (size_t)width;
        double h = op ? torso_window(&made->torso, made->options.window, y) : 0;
        for (int x = 0; x < width; x++) {
            double from = h > 0 ? op->source(&made->torso, x, h, dose) : x;
            from = fmin(fmax(floor(from + 0.5), 0), width - 1);
            row[x] = in[(size_t)from];
        }
    }
}

tare_status photo_silhouette_measure(perturb_measures *x, const photo_run *run,
                                     const perturb_base *made, const plan_slot *slot,
                                     const image *picture, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &run->context->mem;
    bool warp = slot->op && slot->op->source && slot->op->attribute == PERTURB_WIDTH_RATIO;
    unsigned char *seen = NULL;
    segmenter_failure failure = {TARE_R_NONE, ""};
    if (!warp && slot != &run->plan->slots[run->plan->neutral_slot]) return TARE_OK;
    if (made->torso_reason || !made->silhouette) return TARE_OK;
    x->width_ratio = NAN;
    if (run->segmented && !run->silhouettes) return TARE_OK; /* nobody is here to be asked */
    TRY_NEW(seen = mem_new(m, image_pixels(picture), 1));
    if (run->silhouettes) TRY(segmenter_run(run->silhouettes, seen, picture, &failure, err));
    else warp_along(seen, made, warp ? slot->op : NULL, slot->dose);
    if (!failure.reason)
        x->width_ratio =
            torso_width_ratio(&made->torso, seen, picture->width, picture->height);
done:
    mem_free(m, seen);
    return status;
}
