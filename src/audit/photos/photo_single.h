/* photo_single.h - one photograph where a folder of them or a table is wanted. */
#ifndef AUDIT_PHOTOS_PHOTO_SINGLE_H
#define AUDIT_PHOTOS_PHOTO_SINGLE_H

#include "tare.h"

/* Said before the reader of tables wonders at its header. A path that cannot be read is left to
 * whoever reads it. Errors: USAGE ("photos.single"). */
tare_status photo_refuse_single(const char *path, tare_error *err);

#endif
