#include "audit/photos/photo_single.h"

#include <string.h>

#include "base/error.h"
#include "base/os.h"
#include "image/image.h"

tare_status photo_refuse_single(const char *path, tare_error *err)
{
    unsigned char head[IMAGE_SNIFF_BYTES];
    size_t n = 0;
    if (os_gives_once(path) || os_read_start(head, &n, sizeof head, path, NULL) != TARE_OK)
        return TARE_OK;
    if (image_sniff(head, n) == IMAGE_NOT) return TARE_OK;
    return error_set(err, TARE_E_USAGE, "photos.single", path,
                     "this is one photograph: give the folder that holds all of them");
}
