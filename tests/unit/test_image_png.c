/* What is written comes back with the same bytes, without ancillary chunks. */
#include <string.h>

#include "image/encode.h"
#include "support/check.h"

static mem m;
static tare_error err;

static void texture(image *i, int width, int height)
{
    assert_ok(image_new(i, &m, width, height, &err));
    for (size_t k = 0; k < image_pixels(i) * 3; k++)
        i->rgb[k] = (unsigned char)(k / 5 + (k * 2654435761u >> 29));
}

/* Names of the chunks in order, "IHDR IDAT IEND ". */
static void chunks(char *out, size_t room, const unsigned char *png, size_t length)
{
    size_t used = 0;
    for (size_t at = 8; at + 12 <= length;) {
        const unsigned char *p = png + at;
        size_t n = (size_t)p[0] << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3];
        used += (size_t)snprintf(out + used, room - used, "%.4s ", (const char *)p + 4);
        at += 12 + n;
    }
}

static void round_trips(void **state)
{
    static const int sizes[][2] = {{1, 1}, {3, 2}, {224, 224}, {301, 77}};
    (void)state;
    for (size_t k = 0; k < 4; k++)
        for (int level = 0; level <= 9; level += k == 2 ? 1 : 8) {
            image i, back;
            unsigned char *png, *again;
            size_t length, length_again;
            char names[200] = "";
            texture(&i, sizes[k][0], sizes[k][1]);
            assert_ok(image_png_encode(&png, &length, &m, &i, level, &err));
            assert_ok(image_png_encode(&again, &length_again, &m, &i, level, &err));
            assert_int_equal(length, length_again);
            assert_memory_equal(png, again, length);
            assert_ok(image_decode(&back, &m, png, length, "made", NULL, &err));
            assert_int_equal(back.width, i.width);
            assert_int_equal(back.height, i.height);
            assert_memory_equal(back.rgb, i.rgb, image_pixels(&i) * 3);
            assert_string_equal(back.note, "");
            chunks(names, sizeof names, png, length);
            assert_memory_equal(names, "IHDR IDAT ", 10);
            assert_null(strstr(names, "sRGB"));
            assert_string_equal(names + strlen(names) - 5, "IEND ");
            image_free(&back, &m);
            image_free(&i, &m);
            mem_free(&m, png);
            mem_free(&m, again);
        }
}

static void refuses(void **state)
{
    (void)state;
    image i = {0};
    unsigned char *png;
    size_t length;
    assert_int_equal(image_png_encode(&png, &length, &m, &i, 1, &err), TARE_E_USAGE);
    assert_null(png);
    texture(&i, 2, 2);
    assert_int_equal(image_png_encode(&png, &length, &m, &i, 10, &err), TARE_E_USAGE);
    assert_int_equal(image_png_encode(&png, &length, &m, &i, -1, &err), TARE_E_USAGE);
    image_free(&i, &m);
    image_free(NULL, &m);
}

int main(void)
{
    m = mem_system();
    const struct CMUnitTest tests[] = {cmocka_unit_test(round_trips), cmocka_unit_test(refuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
