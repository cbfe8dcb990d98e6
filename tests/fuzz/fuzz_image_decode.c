/* Any bytes, by every policy: decoding ends with pixels, or with a reason and none; twice the same;
 * and what is kept in another mode becomes RGB. */
#include <string.h>

#include "fuzz.h"
#include "image/image.h"

static void check(const image *x, const image_decoding *how)
{
    size_t n = image_pixels(x);
    REQUIRE(x->width >= 1 && x->height >= 1 && n <= how->limits.pixels);
    REQUIRE(x->orientation >= 1 && x->orientation <= 8);
    REQUIRE(x->channels == image_mode_channels(x->mode));
    REQUIRE(x->mode == IMAGE_RGB || how->policy == IMAGE_PUBLISHED);
    REQUIRE((x->palette != NULL) == (x->mode == IMAGE_PALETTE));
    for (size_t i = 0; x->mode == IMAGE_BILEVEL && i < n; i++)
        REQUIRE(x->rgb[i] == 0 || x->rgb[i] == 255);
}

static void try(const uint8_t *data, size_t size, image_policy policy)
{
    mem m = mem_system();
    image_decoding how = IMAGE_DECODING_DEFAULT;
    how.policy = policy;
    how.limits = (image_limits){1 << 18, 4096, 1 << 20, 1 << 16, 1 << 16, 20};
    image x, y;
    tare_status status = image_decode(&x, &m, data, size, "fuzz", &how, NULL);
    REQUIRE(status == image_decode(&y, &m, data, size, "fuzz", &how, NULL));
    REQUIRE(status == TARE_OK || status == TARE_E_DATA || status == TARE_E_LIMIT);
    REQUIRE((status == TARE_OK) == (x.rgb != NULL) && (x.reason == TARE_R_NONE) == (x.rgb != NULL));
    REQUIRE(strcmp(x.note, y.note) == 0 && memchr(x.note, 0, sizeof x.note) != NULL);
    if (status == TARE_OK) {
        check(&x, &how);
        REQUIRE(image_pixels(&x) == image_pixels(&y) && x.mode == y.mode);
        REQUIRE(memcmp(x.rgb, y.rgb, image_pixels(&x) * (size_t)x.channels) == 0);
        REQUIRE(image_to_rgb(&x, &m, NULL) == TARE_OK && x.mode == IMAGE_RGB && x.channels == 3);
    }
    image_free(&x, &m);
    image_free(&y, &m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (image_policy p = IMAGE_STRICT; p <= IMAGE_PUBLISHED; p++) try(data, size, p);
    return 0;
}
