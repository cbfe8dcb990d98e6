/* strip_pictures.h - small pictures of a base and its variants, with what was done drawn in. */
#ifndef AUDIT_PHOTOS_STRIP_PICTURES_H
#define AUDIT_PHOTOS_STRIP_PICTURES_H

#include "perturb/perturb.h"

#define STRIP_HEIGHT 168 /* px of a picture in the report */

/* A thumbnail of `in`; where `marks` (may be NULL; [height][width] of `in`) is set, magenta. */
tare_status strip_thumbnail(image *out, const mem *m, const image *in, const unsigned char *marks,
                            tare_error *err);
/* The photograph of the base with the border of its mask in red and the feather shaded. */
tare_status strip_mask(image *out, const perturb_base *base, tare_error *err);
/* ... with the border of the silhouette in red and the torso band shaded. */
tare_status strip_torso(image *out, const perturb_base *base, tare_error *err);

#endif
