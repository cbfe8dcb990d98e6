/* The arithmetic of samples, exhaustively, against the formulas of scorers 5 written plainly; the
 * rules of decode_settle for what no JPEG or PNG says; remarks that do not fit. */
#include <string.h>

#include "image/decode.h"
#include "image/mode_samples.h"
#include "support/check.h"

static mem m;
static tare_error err;

static void to_bytes(void **state)
{
    static const unsigned maxima[] = {256, 511, 1000, 1023, 4095, 16383, 32767, 65534, 65535};
    static uint16_t wide[65536];
    (void)state;
    for (size_t k = 0; k < sizeof maxima / sizeof *maxima; k++) {
        unsigned top = maxima[k];
        for (unsigned v = 0; v < 65536; v++) wide[v] = (uint16_t)v;
        samples_to_bytes(wide, 65536, top);
        for (unsigned v = 0; v < 65536; v++) {
            unsigned c = v < top ? v : top, want = (c * 255 + top / 2) / top;
            if (((unsigned char *)wide)[v] != want) fail_msg("%u of %u", v, top);
        }
    }
    for (unsigned top = 1; top <= 255; top++) {
        unsigned char bytes[256];
        for (unsigned v = 0; v < 256; v++) bytes[v] = (unsigned char)v;
        samples_to_bytes(bytes, 256, top);
        for (unsigned v = 0; v <= top; v++)
            assert_int_equal(bytes[v], (v * 255 + top / 2) / top);
    }
}

static void high_bytes(void **state)
{
    uint16_t v[] = {0x00ff, 0x0100, 0x7fff, 0x8000, 0xfeff}; /* scorers 8.2, modes */
    uint16_t ten[] = {0, 3, 4, 1023, 0xffff};
    uint16_t grey[] = {0, 255, 256, 32768, 65535};
    (void)state;
    samples_high_byte(v, 5, 65535);
    assert_memory_equal(v, "\0\1\177\200\376", 5);
    samples_high_byte(ten, 5, 1023);
    assert_memory_equal(ten, "\0\0\1\377\377", 5);
    samples_clip(grey, 5);
    assert_memory_equal(grey, "\0\377\377\377\377", 5);
}

static void cmyk(void **state)
{
    unsigned char known[4] = {100, 50, 25, 60}; /* scorers 8.2, modes */
    (void)state;
    samples_cmyk_formula(known, 1);
    assert_int_equal(known[0], 119);
    assert_int_equal(known[1], 157);
    assert_int_equal(known[2], 176);
    for (int c = 0; c < 256; c++)
        for (int k = 0; k < 256; k++) {
            unsigned char ink[4] = {(unsigned char)c, 0, 255, (unsigned char)k};
            samples_cmyk_formula(ink, 1);
            assert_int_equal(ink[0], 255 - k - (int)floor(c * (255 - k) / 255.0 + 0.5));
            assert_int_equal(ink[1], 255 - k);
            assert_int_equal(ink[2], 0);
        }
}

static void over_the_ground(void **state)
{
    static unsigned char rgba[65536 * 4];
    samples_ground ground = {false, {255, 0, 99}};
    (void)state;
    for (unsigned i = 0; i < 65536; i++) {
        memset(rgba + 4 * i, (int)(i >> 8), 3);
        rgba[4 * i + 3] = (unsigned char)i;
    }
    assert_int_equal(samples_flatten(rgba, 65536, ground), 65536 - 256);
    for (unsigned i = 0; i < 65536; i++)
        for (unsigned k = 0; k < 3; k++) {
            unsigned c = i >> 8, a = i & 255;
            if (rgba[3 * i + k] != (c * a + ground.colour[k] * (255 - a) + 127) / 255)
                fail_msg("colour %u, alpha %u", c, a);
        }
}

/* A job as a decoder of another format would leave it. */
static tare_status settle(image *out, image_policy policy, image_mode mode, unsigned maximum,
                          unsigned frames)
{
    static const unsigned char samples[2 * 2 * 4 * 2] = {1, 2, 3, 4, 5, 6, 7, 8};
    image_decoding how = IMAGE_DECODING_DEFAULT;
    how.policy = policy;
    *out = (image){.format = IMAGE_TIFF, .orientation = 1};
    decode_job job = {.m = &m, .name = "made", .how = how, .out = out, .err = &err, .width = 2,
                      .height = 2, .mode = mode, .maximum = maximum, .frames = frames};
    job.pixels = mem_new(&m, sizeof samples, 1);
    memcpy(job.pixels, samples, sizeof samples);
    tare_status status = decode_settle(&job);
    mem_free(&m, job.pixels);
    return status;
}

static void what_other_formats_say(void **state)
{
    image i;
    (void)state;
    assert_int_equal(settle(&i, IMAGE_STRICT, IMAGE_RGB, 1023, 1), TARE_E_DATA);
    assert_string_equal(i.note, "10 bits per channel: convert it to 8");
    assert_int_equal(settle(&i, IMAGE_STRICT, IMAGE_RGB, 255, 3), TARE_E_DATA);
    assert_string_equal(i.note, "3 pages in one file: save the one that is meant");
    assert_int_equal(settle(&i, IMAGE_CANONICAL, IMAGE_GREY, 15, 3), TARE_OK);
    assert_string_equal(i.note, "first of 3 pages; grey repeated");
    assert_memory_equal(i.rgb, "\x11\x11\x11\x22\x22\x22\x33\x33\x33\x44\x44\x44", 12);
    image_free(&i, &m);
    assert_int_equal(settle(&i, IMAGE_PUBLISHED, IMAGE_GREY, 15, 1), TARE_OK);
    assert_memory_equal(i.rgb, "\x11\x22\x33\x44", 4);
    assert_int_equal(i.mode, IMAGE_GREY);
    image_free(&i, &m);
    assert_int_equal(settle(&i, IMAGE_CANONICAL, IMAGE_CMYK, 65535, 1), TARE_OK);
    assert_string_equal(i.note, "CMYK without a profile: by the formula; 16 bits to 8");
    image_free(&i, &m);
}

static void remarks_end(void **state)
{
    image i = {.note = ""};
    char text[IMAGE_NOTE_MAX];
    (void)state;
    memset(text, 'x', sizeof text);
    text[100] = '\0';
    decode_remark(&i, text);
    decode_remark(&i, text);
    decode_remark(&i, text);
    assert_int_equal(strlen(i.note), 105);
    assert_string_equal(i.note + 100, "; ...");
}

int main(void)
{
    m = mem_system();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(to_bytes), cmocka_unit_test(high_bytes), cmocka_unit_test(cmyk),
        cmocka_unit_test(over_the_ground), cmocka_unit_test(what_other_formats_say),
        cmocka_unit_test(remarks_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
