#include <string.h>

#include "base/error.h"
#include "perturb/perturb.h"
#include "perturb/variant_measure.h"

/* Has the base what the operator needs? */
static tare_status may(const perturb_base *base, const perturb_operator *op, double dose,
                       tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(perturb_dose_check(op, dose, err));
    if (op->needs == PERTURB_NEEDS_SKIN && base->reason != TARE_R_NONE)
        FAIL(err, TARE_E_USAGE, "perturb.excluded", base->id, "the base was excluded: %s",
             tare_reason_name(base->reason));
    if (op->needs == PERTURB_NEEDS_TORSO && base->torso_reason != TARE_R_NONE)
        FAIL(err, TARE_E_USAGE, "perturb.excluded", base->id, "%s needs the band of a torso: %s",
             op->name, tare_reason_name(base->torso_reason));
    if (op->support != PERTURB_SKIN && !base->options.whole)
        FAIL(err, TARE_E_USAGE, "perturb.sites", base->id,
             "%s changes more than skin: prepare the base with `whole`", op->name);
done:
    return status;
}

tare_status perturb_variant_make(perturb_variant *out, const perturb_base *base,
                                 const perturb_operator *op, double dose, tare_error *err)
{
    tare_status status = TARE_OK;
    image *picture = &out->picture;
    const image *photo = base->photo;
    perturb_edit edit = {0};
    TRY(may(base, op, dose, err));
    if (picture->rgb == NULL || picture->width != photo->width ||
        picture->height != photo->height) {
        image_free(picture, base->m);
        TRY(image_new(picture, base->m, photo->width, photo->height, err));
    }
    memcpy(picture->rgb, photo->rgb, image_pixels(photo) * 3);
    edit.rgb = picture->rgb;
    edit.clip_map = out->clip_map;
    TRY(op->apply(&edit, base, dose, err));
    TRY(variant_measure(out, base, op, &edit, err));
done:
    return status;
}

void perturb_variant_free(perturb_variant *v, const mem *m)
{
    if (v != NULL) image_free(&v->picture, m);
}
