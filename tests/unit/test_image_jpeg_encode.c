/* JPEG out. That its bytes are Pillow's is seen by check_operators.py, in what they decode to. */
#include <string.h>

#include "image/jpeg_encode.h"
#include "support/check.h"

enum { W = 300, H = 260 };

static mem m;
static tare_error err;
static unsigned char rgb[3 * W * H];
static image photo = {.width = W, .height = H, .channels = 3, .rgb = rgb};

static void paint(void)
{
    uint32_t s = 1;
    for (size_t i = 0; i < sizeof rgb; i++) {
        s = s * 1664525 + 1013904223;
        rgb[i] = (unsigned char)(s >> 24);
    }
}

/* Noise, so that the bytes outgrow the first buffers; the same from call to call; of its size, and
 * nearer to the photograph the higher the quality. */
static void there_and_back(void **state)
{
    (void)state;
    double before = INFINITY;
    for (int quality = 1; quality <= 100; quality += 33) {
        unsigned char *bytes, *twin;
        size_t length, twin_length;
        image again = {0};
        assert_ok(image_jpeg_encode(&bytes, &length, &m, &photo, quality, &err));
        assert_ok(image_jpeg_encode(&twin, &twin_length, &m, &photo, quality, &err));
        assert_int_equal(length, twin_length);
        assert_memory_equal(bytes, twin, length);
        assert_true(quality < 100 || length > 65536);
        assert_ok(image_decode(&again, &m, bytes, length, "x", NULL, &err));
        assert_true(again.width == W && again.height == H && again.format == IMAGE_JPEG);
        double sum = 0;
        for (size_t i = 0; i < sizeof rgb; i++) sum += abs(again.rgb[i] - rgb[i]);
        assert_true(sum < before);
        before = sum;
        image_free(&again, &m);
        mem_free(&m, bytes);
        mem_free(&m, twin);
    }
    assert_true(before / sizeof rgb < 1.5); /* quality 100: rounding of YCbCr alone */
}

static void refusals(void **state)
{
    (void)state;
    unsigned char *bytes = rgb;
    size_t length = 1;
    static unsigned char line[3 * 65501];
    const image none = {.width = 3, .height = 3, .channels = 3};
    const image longer = {.width = 65501, .height = 1, .channels = 3, .rgb = line};
    image grey = photo;
    grey.mode = IMAGE_GREY;
    assert_int_equal(image_jpeg_encode(&bytes, &length, &m, &photo, 0, &err), TARE_E_USAGE);
    assert_string_equal(err.code, "jpeg.quality");
    assert_true(bytes == NULL && length == 0);
    assert_int_equal(image_jpeg_encode(&bytes, &length, &m, &photo, 101, &err), TARE_E_USAGE);
    assert_int_equal(image_jpeg_encode(&bytes, &length, &m, &none, 90, &err), TARE_E_USAGE);
    assert_int_equal(image_jpeg_encode(&bytes, &length, &m, &grey, 90, &err), TARE_E_USAGE);
    assert_int_equal(image_jpeg_encode(&bytes, &length, &m, &longer, 90, &err), TARE_E_LIMIT);
    assert_string_equal(err.code, "jpeg.side");
    const image fits = {.width = 65500, .height = 1, .channels = 3, .rgb = line};
    assert_ok(image_jpeg_encode(&bytes, &length, &m, &fits, 90, &err));
    mem_free(&m, bytes);
}

int main(void)
{
    m = mem_system();
    paint();
    const struct CMUnitTest tests[] = {cmocka_unit_test(there_and_back),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
