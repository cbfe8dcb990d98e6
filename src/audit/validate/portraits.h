/* portraits.h - photographs for a validation where the user gives none: drawn faces whose skin runs
 * from light to dark, so that some clip at the top and some at the bottom of the range (ours). */
#ifndef AUDIT_VALIDATE_PORTRAITS_H
#define AUDIT_VALIDATE_PORTRAITS_H

#include "base/mem.h"
#include "image/image.h"

/* Portrait `index` of a seed: side x side RGB, a shaded, textured ellipse of skin before a
 * background that the default mask does not take. A pure function of its arguments. out->rgb is
 * the caller's, to be freed by image_free. Errors: MEMORY. */
tare_status portrait_draw(image *out, const mem *m, int side, uint64_t seed, uint32_t index,
                          tare_error *err);

/* `count` of them as PNG files FOLDER/pNNNNN.png; those that are there are left. Errors: IO,
 * MEMORY. */
tare_status portraits_write(const mem *m, const char *folder, size_t count, int side,
                            uint64_t seed, tare_error *err);

#endif
