/* fuzz_image.h - what the targets of the image formats share. The first byte of an input chooses
 * the policy and what becomes of alpha; the rest is the file. */
#ifndef TESTS_FUZZ_IMAGE_H
#define TESTS_FUZZ_IMAGE_H

#include <string.h>

#include "fuzz.h"
#include "image/image.h"

static inline image_decoding fuzz_image_how(unsigned choice)
{
    image_decoding how = IMAGE_DECODING_DEFAULT;
    how.limits = (image_limits){1 << 16, 2048, 1 << 20, 1 << 14, 1 << 14, 10};
    how.policy = (image_policy)(choice % 3);
    how.alpha = (image_alpha)(choice / 3 % 3);
    how.background[1] = (unsigned char)choice;
    return how;
}

static inline void fuzz_image_check(const image *i, tare_status status, const image_decoding *how)
{
    REQUIRE(status == TARE_OK || status == TARE_E_DATA || status == TARE_E_LIMIT);
    REQUIRE((status == TARE_OK) == (i->rgb != NULL));
    REQUIRE((i->reason == TARE_R_NONE) == (i->rgb != NULL));
    REQUIRE(memchr(i->note, 0, sizeof i->note) != NULL);
    if (status != TARE_OK) {
        REQUIRE(*i->note != '\0' && i->palette == NULL);
        return;
    }
    REQUIRE(i->width >= 1 && i->height >= 1 && image_pixels(i) <= how->limits.pixels);
    REQUIRE(i->orientation >= 1 && i->orientation <= 8);
    REQUIRE(i->channels == image_mode_channels(i->mode));
    REQUIRE(how->policy == IMAGE_PUBLISHED || i->mode == IMAGE_RGB);
    REQUIRE((i->palette != NULL) == (i->mode == IMAGE_PALETTE));
    for (size_t k = 0; k < image_pixels(i) && i->mode == IMAGE_BILEVEL; k++)
        REQUIRE(i->rgb[k] == 0 || i->rgb[k] == 255);
}

/* The file ends with pixels or with a reason; twice the same; strict takes no more than canonical;
 * what published keeps becomes RGB. */
static inline int fuzz_image_file(const uint8_t *data, size_t size, image_format format)
{
    if (size < 1 || image_sniff(data + 1, size - 1) != format) return -1; /* not into the corpus */
    mem m = mem_system();
    image_decoding how = fuzz_image_how(data[0]), other = how;
    image x, y;
    tare_status status = image_decode(&x, &m, data + 1, size - 1, "fuzz", &how, NULL);
    fuzz_image_check(&x, status, &how);
    if (how.policy == IMAGE_STRICT) other.policy = IMAGE_CANONICAL;
    tare_status again = image_decode(&y, &m, data + 1, size - 1, "fuzz", &other, NULL);
    fuzz_image_check(&y, again, &other);
    if (how.policy == other.policy) {
        REQUIRE(status == again && strcmp(x.note, y.note) == 0);
    } else {
        REQUIRE(status != TARE_OK || again == TARE_OK);
    }
    if (status == TARE_OK && again == TARE_OK) {
        REQUIRE(x.width == y.width && x.height == y.height && x.channels == y.channels);
        REQUIRE(memcmp(x.rgb, y.rgb, image_pixels(&x) * (size_t)x.channels) == 0);
    }
    if (status == TARE_OK) {
        REQUIRE(image_to_rgb(&x, &m, NULL) == TARE_OK && x.mode == IMAGE_RGB && x.channels == 3);
        volatile unsigned char last = x.rgb[image_pixels(&x) * 3 - 1]; /* it is there */
        (void)last;
    }
    image_free(&x, &m);
    image_free(&y, &m);
    return 0;
}

#endif
