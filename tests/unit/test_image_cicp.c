/* Colours by numbers: conversion to sRGB against the matrices and curves of H.273 in NumPy
 * (linear light, XYZ of both primaries, clipped, rounded); HDR and HEIF. */
#include <string.h>

#include "image/colour_numbers.h"
#include "support/format_rows.h"

static mem m;
static tare_error err;

static tare_status decode(image *out, const char *path, image_policy policy)
{
    size_t length;
    image_decoding how = IMAGE_DECODING_DEFAULT;
    char *bytes = NULL;
    how.policy = policy;
    assert_ok(os_read_file(&bytes, &length, &m, path, 1 << 20, &err));
    tare_status status = image_decode(out, &m, bytes, length, path, &how, &err);
    mem_free(&m, bytes);
    return status;
}

/* red, green, blue, two greys, then 180 120 90, 90 140 120, 200 200 40 */
static void converts(void **state)
{
    static const struct { const char *name; int rgb[8][3]; } cases[] = {
        {"RGB_bt2020.png", {{255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {128, 128, 128},
                            {255, 255, 255}, {209, 110, 83}, {7, 145, 118}, {206, 201, 0}}},
        {"RGB_display_p3.png", {{255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {128, 128, 128},
                                {255, 255, 255}, {190, 117, 84}, {73, 142, 119}, {200, 200, 0}}},
        {"RGB_linear.png", {{255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {188, 188, 188},
                            {255, 255, 255}, {219, 182, 160}, {160, 196, 182}, {229, 229, 110}}}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char path[512];
        image i;
        snprintf(path, sizeof path, TARE_SOURCE_DIR "/tests/ref/image_policies/%s", cases[k].name);
        assert_ok(decode(&i, path, IMAGE_CANONICAL));
        assert_int_equal(i.icc, IMAGE_ICC_CONVERTED);
        assert_int_equal(image_pixels(&i), 8);
        for (size_t p = 0; p < 8; p++)
            for (size_t c = 0; c < 3; c++)
                assert_within(i.rgb[3 * p + c], cases[k].rgb[p][c], 0, 2);
        image_free(&i, &m);
    }
}

static void knows_numbers(void **state)
{
    bool none = false;
    size_t length;
    (void)state;
    assert_string_equal(colour_numbers_hdr((colour_numbers){9, 16}), "PQ");
    assert_string_equal(colour_numbers_hdr((colour_numbers){9, 18}), "HLG");
    assert_null(colour_numbers_hdr((colour_numbers){9, 14}));
    assert_null(colour_numbers_profile(&length, &m, (colour_numbers){9, 16}, &none));
    assert_null(colour_numbers_profile(&length, &m, (colour_numbers){3, 13}, &none));
    assert_false(none);
    for (int n = 1; n < 23; n++) {
        unsigned char *profile = colour_numbers_profile(&length, &m, (colour_numbers){n, 13},
                                                        &none);
        bool known = (n <= 7 && n != 3) || n == 9 || n == 11 || n == 12 || n == 22;
        assert_int_equal(profile != NULL, known);
        assert_int_equal(length > 128, known);
        mem_free(&m, profile);
    }
}

static void heif(const char *name, image_policy policy, const char *note)
{
    char path[512];
    image i;
    snprintf(path, sizeof path, FORMAT_FOLDER "%s", name);
    tare_status status = decode(&i, path, policy);
    print_message("%s: %s\n", name, i.note);
    assert_non_null(strstr(i.note, note));
    if (status != TARE_OK) assert_int_equal(i.reason, TARE_R_UNSUPPORTED_PIXELS);
    assert_int_equal(i.stored, IMAGE_RGB);
    assert_int_equal(i.bits, 8);
    image_free(&i, &m);
}

static void heif_by_numbers(void **state)
{
    (void)state;
    heif("pq.avif", IMAGE_STRICT, "high dynamic range (PQ by nclx)");
    heif("pq.avif", IMAGE_CANONICAL, "high dynamic range (PQ by nclx)");
    heif("pq.avif", IMAGE_PUBLISHED, "nclx (1, 16) ignored");
    heif("p3.avif", IMAGE_STRICT, "other primary colours");
    heif("p3.avif", IMAGE_CANONICAL, "other primary colours than sRGB (nclx); colours converted");
    heif("p3.avif", IMAGE_PUBLISHED, "nclx (12, 13) ignored");
}

/* The box that says so taken away: the coded picture says it still. */
static void hdr_by_the_coded_picture(void **state)
{
    (void)state;
    size_t length;
    image i;
    image_decoding how = IMAGE_DECODING_DEFAULT;
    char *bytes = format_slurp(&m, "pq.avif", &length);
    how.policy = IMAGE_CANONICAL;
    for (size_t at = 0; at + 4 <= length; at++)
        if (memcmp(bytes + at, "colr", 4) == 0) memcpy(bytes + at, "free", 4);
    assert_int_equal(image_decode(&i, &m, bytes, length, "pq", &how, &err), TARE_E_DATA);
    assert_non_null(strstr(i.note, "high dynamic range"));
    mem_free(&m, bytes);
}

int main(void)
{
    m = mem_system();
    const struct CMUnitTest colours[] = {cmocka_unit_test(converts),
                                         cmocka_unit_test(knows_numbers)};
    const struct CMUnitTest pictures[] = {cmocka_unit_test(heif_by_numbers),
                                          cmocka_unit_test(hdr_by_the_coded_picture)};
    int failed = cmocka_run_group_tests(colours, NULL, NULL);
    if (image_heif_check(&err) == TARE_OK) failed += cmocka_run_group_tests(pictures, NULL, NULL);
    else printf("HEIC and AVIF are left out: %s\n", err.message);
    return failed;
}
