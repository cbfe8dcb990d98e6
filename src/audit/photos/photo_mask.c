#include "audit/photos/photo_mask.h"

#include <stdio.h>
#include <string.h>

#include "audit/photos/photo_decoding.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/os.h"

const char *photo_drawn_shown(const photo_plan *plan, const char *path)
{
    size_t length = strlen(plan->root);
    if (!path) path = "";
    return !strncmp(path, plan->root, length) && path[length] == '/' ? path + length + 1 : path;
}

const char *photo_mask_shown(const photo_plan *plan, const plan_base *base)
{
    return photo_drawn_shown(plan, base->mask);
}

static tare_status refuse(image *out, const char *path, const char *why, tare_error *err)
{
    out->reason = TARE_R_UNSUPPORTED_PIXELS;
    snprintf(out->note, sizeof out->note, "%s", why);
    return error_set(err, TARE_E_DATA, "mask.unsupported", path, "%s", why);
}

static bool is_transparent(const image *i)
{
    size_t n = image_pixels(i), step = (size_t)i->channels, last = step - 1;
    if (i->mode == IMAGE_PALETTE) {
        for (size_t k = 0; k < n; k++)
            if (i->palette[i->rgb[k]][3] < 255) return true;
    } else if (i->mode == IMAGE_RGBA || i->mode == IMAGE_GREY_ALPHA) {
        for (size_t k = 0; k < n; k++)
            if (i->rgb[k * step + last] < 255) return true;
    }
    return false;
}

static tare_status settle_as_stored(image *out, const mem *m, const char *path, tare_error *err)
{
    if (is_transparent(out))
        return refuse(out, path, "it is transparent somewhere: save it without alpha", err);
    return image_to_rgb(out, m, err);
}

/* Grey of more than 8 bits comes as white above 255 when it is read as stored, so it is scaled by
 * the canonical policy, which would also look at a profile and turn it. */
static bool is_deep(const image *i)
{
    return i->rgb && i->stored == IMAGE_GREY && i->bits > 8;
}

static tare_status settle_deep(image *out, const mem *m, const char *path, tare_error *err)
{
    (void)m;
    if (out->icc != IMAGE_ICC_CONVERTED && out->orientation <= 1) return TARE_OK;
    return refuse(out, path, "more than 8 bits and a colour profile or an EXIF orientation, which "
                             "would change it: save it with 8 bits", err);
}

tare_status photo_drawn_load(image *out, tare_reason *reason, char *why, const photo_run *run,
                             const photo_drawn *drawn, const image *photo, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &run->context->mem;
    const char *shown = photo_drawn_shown(run->plan, drawn->path);
    char what[PHOTO_WHY_MAX] = "";
    memset(out, 0, sizeof *out);
    *reason = TARE_R_NONE;
    if (!drawn->path) return TARE_OK;
    photo_source file = {drawn->path, photo_decoding_mask(&run->plan->decoding), settle_as_stored};
    TRY(photo_load_file(out, reason, what, run, &file, err));
    if (is_deep(out)) {
        image_free(out, m);
        file.how.policy = IMAGE_CANONICAL;
        file.how.alpha = IMAGE_ALPHA_REFUSE;
        file.settle = settle_deep;
        TRY(photo_load_file(out, reason, what, run, &file, err));
    }
    if (out->rgb && (out->width != photo->width || out->height != photo->height)) {
        snprintf(what, sizeof what, "it has %d x %d pixels, the photograph %d x %d", out->width,
                 out->height, photo->width, photo->height);
        *reason = TARE_R_UNSUPPORTED_PIXELS;
        image_free(out, m);
    }
    /* The name is cut before the words are. */
    if (*reason)
        snprintf(why, PHOTO_WHY_MAX, "the %s %.*s: %.*s", drawn->what, PHOTO_WHY_MAX / 2, shown,
                 PHOTO_WHY_MAX / 3, what);
done:
    return status;
}

tare_status photo_mask_load(image *out, tare_reason *reason, char *why, const photo_run *run,
                            const plan_base *base, const image *photo, tare_error *err)
{
    const photo_drawn mask = {"mask", base->mask};
    return photo_drawn_load(out, reason, why, run, &mask, photo, err);
}

tare_status photo_mask_load_again(image *out, const photo_run *run, const plan_base *base,
                                  const image *photo, tare_error *err)
{
    tare_reason reason = TARE_R_NONE;
    char why[PHOTO_WHY_MAX] = "";
    tare_status status = photo_mask_load(out, &reason, why, run, base, photo, err);
    if (status || !reason) return status;
    return error_set(err, TARE_E_DATA, "run.changed", base->mask,
                     "the mask of %s changed since the run began: %s", base->id, why);
}

static tare_status settle_one(photo_run *run, size_t index, const photo_drawn *drawn,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &run->context->mem;
    unsigned char digest[SHA256_BYTES];
    char hex[SHA256_HEX], key[32], *bytes = NULL;
    const char *kept = NULL;
    size_t length;
    TRY(os_read_plain(&bytes, &length, m, drawn->path, IMAGE_LIMITS_DEFAULT.file, err));
    sha256_of(bytes, length, digest);
    sha256_hex(digest, hex);
    snprintf(key, sizeof key, "%s.%zu", drawn->what, index);
    TRY(store_get(&kept, run->store, run->a, key, err));
    if (!kept) TRY(store_set(run->store, key, hex, err));
    else if (strcmp(kept, hex))
        FAIL(err, TARE_E_DATA, "run.changed", drawn->path,
             "the %s of %s changed since the run began: start anew in another folder", drawn->what,
             run->plan->bases[index].id);
done:
    mem_free(m, bytes);
    return status;
}

/* Is anything made by it? A picture that no axis looks at may be missing. */
static bool is_used(const photo_plan *plan, size_t base, perturb_needs needs)
{
    for (size_t x = 0; x < plan->axis_count; x++) {
        const perturb_operator *op = plan->axes[x].op;
        if (op && op->needs == needs && !plan_axis_reason(plan, base, x)) return true;
    }
    return false;
}

tare_status photo_masks_settle(photo_run *run, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(photo_group_enter(run, err));
    for (size_t i = 0; i < run->plan->base_count; i++) {
        const plan_base *base = &run->plan->bases[i];
        const photo_drawn mask = {"mask", base->mask}, person = {"silhouette", base->silhouette};
        if (mask.path && is_used(run->plan, i, PERTURB_NEEDS_SKIN))
            TRY(settle_one(run, i, &mask, err));
        if (person.path && is_used(run->plan, i, PERTURB_NEEDS_TORSO))
            TRY(settle_one(run, i, &person, err));
    }
    TRY(photo_group_leave(run, true, err));
done:
    return status;
}
