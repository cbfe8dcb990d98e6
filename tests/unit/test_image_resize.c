/* Resize against Pillow 9.4: scorers 8.2, and tests/ref/image_resize.py for the other cases. */
#include <string.h>

#include "base/hash.h"
#include "image/resize.h"
#include "support/check.h"

static mem m;
static tare_error err;

#define BOX ((resize_how){RESIZE_BOX, RESIZE_ACROSS_FIRST})

static void noise(image *i, int width, int height)
{
    assert_ok(image_new(i, &m, width, height, &err));
    size_t n = image_pixels(i) * 3;
    for (size_t k = 0; k < n; k++) i->rgb[k] = (unsigned char)((uint32_t)(k * 2654435761u) >> 24);
}

static void check_bytes(const image *i, uint64_t sum, const char *sha)
{
    unsigned char digest[SHA256_BYTES];
    char hex[SHA256_HEX];
    uint64_t got = 0;
    for (size_t k = 0; k < image_pixels(i) * 3; k++) got += i->rgb[k];
    if (sum > 0) assert_int_equal(got, sum);
    sha256_of(i->rgb, image_pixels(i) * 3, digest);
    sha256_hex(digest, hex);
    hex[16] = '\0';
    assert_string_equal(hex, sha);
}

static resize_kernel kernel_of(const char *name)
{
    int k = 0;
    while (resize_kernel_name((resize_kernel)k) != NULL &&
           strcmp(resize_kernel_name((resize_kernel)k), name) != 0)
        k++;
    assert_non_null(resize_kernel_name((resize_kernel)k));
    return (resize_kernel)k;
}

static const struct { const char *kernel; int w, h, to_w, to_h; uint64_t sum; const char *sha; }
cases[] = {
    /* scorers 8.2 */
    {"bicubic", 1024, 1024, 224, 224, 19192345, "14eef88858c1b835"},
    {"bicubic", 640, 480, 298, 224, 25532845, "13a991243d80fcc4"},
    {"bicubic", 500, 383, 292, 224, 25018218, "0c88441220cd851c"},
    {"bicubic", 100, 90, 224, 201, 17220120, "a503c436328f2189"},
    {"bicubic", 37, 911, 224, 5515, 472530166, "41dd66f65fd7e3b2"},
    {"bilinear", 512, 512, 224, 224, 19193067, "33543d6f6cbc6899"},
    {"lanczos", 512, 512, 224, 224, 19192231, "ce059ff7bf0aae25"},
    {"box", 333, 517, 100, 155, 5931455, "2754b78f4e9dbe1b"},
    {"hamming", 333, 517, 100, 155, 5928778, "5ef365db912de5d4"},
    {"bicubic", 1, 1, 3, 3, 1962, "514ee347ce671186"},
    /* tests/ref/image_resize.py */
    {"nearest", 640, 480, 224, 168, 14390638, "7ee93b12a95fca7b"},
    {"nearest", 37, 41, 100, 3, 114643, "fa321f5c55c7fb8f"},
    {"box", 100, 90, 33, 200, 2523833, "e732e4f3f6583aea"},
    {"bilinear", 31, 17, 64, 64, 1566332, "8b1582f7509e3a62"},
    {"hamming", 200, 3, 50, 30, 573710, "c33a70b10cf43ff6"},
    {"bicubic", 5, 300, 5, 7, 13386, "550186838f44ed6a"},
    {"lanczos", 300, 5, 7, 5, 13383, "b8965ecc0da4c967"},
    {"lanczos", 2, 2, 333, 1, 124481, "988060a93852a227"},
    {"bicubic", 300, 200, 300, 200, 22949912, "66185901b8c9e888"},
};

static void same_bytes_as_pillow(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        image in, out;
        noise(&in, cases[i].w, cases[i].h);
        assert_ok(image_resize(&out, &m, &in, cases[i].to_w, cases[i].to_h,
                               (resize_how){kernel_of(cases[i].kernel), RESIZE_ACROSS_FIRST},
                               &err));
        check_bytes(&out, cases[i].sum, cases[i].sha);
        image_free(&in, &m);
        image_free(&out, &m);
    }
}

static void prepares(void **state)
{
    static const struct { int w, h, side; const char *sha; } wanted[] = {
        {640, 480, 224, "b9a9744dd7af45b3"}, /* scorers 8.2, CLIP preprocessing */
        {480, 640, 224, "f2a16ea5e1e71150"},
        {227, 224, 224, "fd55a968cd5e0cfd"}, /* an odd margin: ties to even */
        {100, 61, 32, "c3547f9ed8dbb5d8"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        image in, out;
        noise(&in, wanted[i].w, wanted[i].h);
        in.icc = IMAGE_ICC_CONVERTED;
        strcpy(in.note, "kept");
        assert_ok(image_prepare_size(&out, &m, &in, wanted[i].side, &err));
        assert_int_equal(out.width, wanted[i].side);
        assert_int_equal(out.height, wanted[i].side);
        assert_int_equal(out.icc, IMAGE_ICC_CONVERTED);
        assert_string_equal(out.note, "kept");
        check_bytes(&out, 0, wanted[i].sha);
        image_free(&in, &m);
        image_free(&out, &m);
    }
}

static void refuses(void **state)
{
    (void)state;
    image in, out;
    noise(&in, 10, 1);
    assert_int_equal(image_resize(&out, &m, &in, 0, 5, BOX, &err), TARE_E_USAGE);
    assert_null(out.rgb);
    assert_int_equal(image_resize(&out, &m, &in, 5, 70000, BOX, &err), TARE_E_USAGE);
    assert_int_equal(image_resize(&out, &m, &in, 60000, 60000, BOX, &err), TARE_E_LIMIT);
    assert_non_null(strstr(err.message, "above the limit of 100000000 pixels"));
    assert_non_null(strstr(err.message, "leave the image out"));
    assert_int_equal(image_resize(&out, &m, &in, 5, 5,
                                  ((resize_how){(resize_kernel)6, RESIZE_ACROSS_FIRST}), &err),
                     TARE_E_USAGE);
    assert_int_equal(image_crop(&out, &m, &in, (image_rect){5, 0, 6, 1}, &err), TARE_E_USAGE);
    assert_int_equal(image_crop(&out, &m, &in, (image_rect){-1, 0, 2, 1}, &err), TARE_E_USAGE);
    assert_int_equal(image_prepare_size(&out, &m, &in, 0, &err), TARE_E_USAGE);
    assert_int_equal(image_prepare_size(&out, &m, &in, 60000, &err), TARE_E_LIMIT);
    assert_non_null(strstr(err.message, "above the limit of 65535"));
    assert_non_null(strstr(err.message, "leave it out"));
    assert_null(out.rgb);
    assert_null(resize_kernel_name((resize_kernel)6));
    image_free(&in, &m);
}

static void crops(void **state)
{
    (void)state;
    image in, out;
    noise(&in, 7, 5);
    assert_ok(image_crop(&out, &m, &in, (image_rect){2, 1, 5, 4}, &err));
    for (int y = 0; y < 4; y++)
        assert_memory_equal(out.rgb + 15 * y, in.rgb + 3 * (7 * (y + 1) + 2), 15);
    image_free(&in, &m);
    image_free(&out, &m);
}

int main(void)
{
    m = mem_system();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bytes_as_pillow), cmocka_unit_test(prepares),
        cmocka_unit_test(refuses), cmocka_unit_test(crops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
