/* Any bytes: decoding ends with pixels, or with a reason and none; twice the same. */
#include <string.h>

#include "fuzz.h"
#include "image/image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mem m = mem_system();
    image_decoding how = IMAGE_DECODING_DEFAULT;
    how.limits = (image_limits){1 << 18, 4096, 1 << 20, 1 << 16, 1 << 16, 20};
    image x, y;
    tare_status status = image_decode(&x, &m, data, size, "fuzz", &how, NULL);
    REQUIRE(status == image_decode(&y, &m, data, size, "fuzz", &how, NULL));
    REQUIRE(status == TARE_OK || status == TARE_E_DATA || status == TARE_E_LIMIT);
    REQUIRE((status == TARE_OK) == (x.rgb != NULL) && (x.reason == TARE_R_NONE) == (x.rgb != NULL));
    REQUIRE(strcmp(x.note, y.note) == 0 && memchr(x.note, 0, sizeof x.note) != NULL);
    if (status == TARE_OK) {
        REQUIRE(x.width >= 1 && x.height >= 1 && image_pixels(&x) <= how.limits.pixels);
        REQUIRE(x.orientation >= 1 && x.orientation <= 8);
        REQUIRE(image_pixels(&x) == image_pixels(&y));
        REQUIRE(memcmp(x.rgb, y.rgb, image_pixels(&x) * 3) == 0);
    }
    image_free(&x, &m);
    image_free(&y, &m);
    return 0;
}
