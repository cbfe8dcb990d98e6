/* op_codec.c - saved as JPEG and opened again (scorer audit 2.5). The dose is 100 - quality, 0 that
 * nothing is saved (ours): so the doses rise with the damage, and the neutral one is 0. */
#include <string.h>

#include "base/error.h"
#include "image/jpeg_encode.h"
#include "perturb/operators.h"

static const double doses[] = {0, 2, 5, 8, 10, 15, 20};

static tare_status apply(perturb_edit *edit, const perturb_base *base, double dose,
                         tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = base->m;
    unsigned char *bytes = NULL;
    size_t length;
    image again = {0};
    image_decoding how = IMAGE_DECODING_DEFAULT;
    how.limits.pixels = UINT64_MAX; /* the photograph itself was let in */
    if (dose == 0) goto done;
    TRY(image_jpeg_encode(&bytes, &length, m, base->photo, 100 - (int)dose, err));
    TRY(image_decode(&again, m, bytes, length, base->id, &how, err));
    memcpy(edit->rgb, again.rgb, image_pixels(base->photo) * 3);
done:
    image_free(&again, m);
    mem_free(m, bytes);
    return status;
}

const perturb_operator perturb_op_codec = {
    .name = "codec",
    .summary = "saved as JPEG 4:4:4 of quality 100 - dose and opened again; 0: not saved (ours)",
    .unit = "100 - quality",
    .axis_title = "compression",
    .doses = doses,
    .n_doses = sizeof doses / sizeof *doses,
    .least = 0,
    .most = 99,
    .whole_doses = true,
    .limit = "the quality is a whole number from 1 to 99, and a dose of 0 saves nothing",
    .neutral = 0,
    .sides = 1,
    .support = PERTURB_WHOLE,
    .needs = PERTURB_NEEDS_NOTHING,
    .attribute = PERTURB_NO_ATTRIBUTE,
    .artifact = PERTURB_NO_ARTIFACT,
    .claim = "all but what JPEG of quality 100 - dose (ours) leaves out",
    .plus = "saved again",
    .minus = "",
    .sham = NULL,
    .sham_only = false,
    .apply = apply,
};
