/* HEIC and AVIF, where libheif is: the files of tests/ref/format_files/ against what was stored in
 * them (tests/ref/format_files.py). And where it is not: what is said. */
#include "image/heif_boxes.h"
#include "image/heif_coded.h"
#include "support/format_rows.h"

static mem m;
static tare_error err;

static void check(const format_row *row)
{
    format_check_row(&m, row);
}

static void gives_what_was_stored(void **state)
{
    (void)state;
    if (image_heif_check(&err) != TARE_OK) {
        print_message("skipped: %s\n", err.message);
        skip();
    }
    assert_true(format_each(&m, true, check) >= 15);
}

static void says_what_is_missing(void **state)
{
    (void)state;
    size_t length;
    image i;
    char *bytes = format_slurp(&m, "lossy.heic", &length);
    assert_int_equal(setenv("TARE_LIBHEIF", TARE_SOURCE_DIR "/no/libheif.so.1", 1), 0);
    assert_int_equal(image_heif_check(&err), TARE_E_DATA);
    assert_string_equal(err.code, "heif.missing");
    assert_non_null(strstr(err.message, "apt install libheif1"));
    assert_int_equal(image_decode(&i, &m, bytes, length, "x", NULL, &err), TARE_E_DATA);
    assert_int_equal(i.reason, TARE_R_UNSUPPORTED_PIXELS);
    assert_non_null(strstr(i.note, "libheif1"));
    /* A file that is no library. */
    assert_int_equal(setenv("TARE_LIBHEIF", TARE_SOURCE_DIR "/CMakeLists.txt", 1), 0);
    assert_int_equal(image_heif_check(&err), TARE_E_DATA);
    assert_string_equal(err.code, "heif.library");
    assert_int_equal(image_decode(&i, &m, bytes, length, "x", NULL, &err), TARE_E_DATA);
    assert_int_equal(i.reason, TARE_R_UNSUPPORTED_PIXELS);
    assert_int_equal(unsetenv("TARE_LIBHEIF"), 0);
    mem_free(&m, bytes);
}

/* Boxes by hand: a track of three pictures below the holders, beside one of none. */
static void counts_the_pictures_of_a_sequence(void **state)
{
    (void)state;
    static const unsigned char file[] =
        "\0\0\0\x10" "ftypavis\0\0\0\0" "\0\0\0\x08" "meta" "\0\0\0\x48" "moov" "\0\0\0\x08" "trak"
        "\0\0\0\x38" "trak" "\0\0\0\x30" "mdia" "\0\0\0\x28" "minf" "\0\0\0\x20" "stbl"
        "\0\0\0\x14" "stsz\0\0\0\0\0\0\0\x05\0\0\0\x03" "\0\0\0\4";
    size_t length = 16 + 8 + 0x48;
    heif_boxes b = heif_boxes_look(file, length);
    assert_true(b.whole && b.still);
    assert_int_equal(b.samples, 3);
    for (size_t cut = 17; cut < length; cut++)
        if (cut != 24) assert_false(heif_boxes_look(file, cut).whole);
}

/* What avifenc and heif-enc coded; HEVC in blocks of 64. */
static void knows_the_coded_size(void **state)
{
    (void)state;
    static const struct { const char *name; unsigned width, height; } cases[] = {
        {"lossless.avif", 16, 16}, {"turned.avif", 16, 8}, {"deep_10.avif", 16, 16},
        {"lossy.heic", 64, 64}, {"two.heic", 64, 64}, {"no_boxes.heic", 0, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        heif_coded c;
        size_t length;
        char *bytes = format_slurp(&m, cases[k].name, &length);
        assert_ok(heif_coded_look(&c, &m, (unsigned char *)bytes, length, &err));
        assert_int_equal(c.width, cases[k].width);
        assert_int_equal(c.height, cases[k].height);
        mem_free(&m, bytes);
    }
}

/* The sequence header of lossless.avif, 16 x 16 in 4 bits each, made 65,536 x 65,536 in 16: the
 * file goes on saying 16 x 16, and is refused before a decoder sees it. */
static void refuses_a_large_picture_in_a_small_one(void **state)
{
    (void)state;
    static const unsigned char small[] = {0x0a, 0x08, 0x38, 0x0c, 0xff, 0xd8};
    static const unsigned char large[] = {0x0a, 0x08, 0x38, 0x3f, 0xff, 0xff,
                                          0xff, 0xff, 0xff, 0xff};
    heif_coded c = {.too_much = false};
    size_t length, at = 0;
    image i;
    char *bytes = format_slurp(&m, "lossless.avif", &length);
    while (at + sizeof large <= length && memcmp(bytes + at, small, sizeof small) != 0) at++;
    assert_true(at + sizeof large <= length);
    memcpy(bytes + at, large, sizeof large);
    heif_coded_av1(&c, (unsigned char *)bytes + at, 10);
    assert_int_equal(c.width, 65536);
    assert_int_equal(c.height, 65536);
    assert_int_equal(image_decode(&i, &m, bytes, length, "lie", NULL, &err), TARE_E_LIMIT);
    assert_non_null(strstr(i.note, "coded as 65536 x 65536"));
    mem_free(&m, bytes);
}

/* turned.avif by a quarter, by half, not at all, mirrored; and a property of another image. */
static void says_that_it_turned(void **state)
{
    static const struct { const char *kind; char value; bool turned; int width; } cases[] = {
        {"irot", 1, true, 8}, {"irot", 2, true, 16}, {"irot", 0, false, 16},
        {"imir", 0, true, 16}, {"imir", 1, true, 16}, {"free", 1, false, 16}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int policy = IMAGE_STRICT; policy <= IMAGE_PUBLISHED; policy++) {
            size_t length, at = 0;
            image i;
            image_decoding how = IMAGE_DECODING_DEFAULT;
            char *bytes = format_slurp(&m, "turned.avif", &length);
            how.policy = (image_policy)policy;
            while (at + 5 <= length && memcmp(bytes + at, "irot", 4) != 0) at++;
            assert_true(at + 5 <= length);
            memcpy(bytes + at, cases[k].kind, 4);
            bytes[at + 4] = cases[k].value;
            assert_int_equal(heif_turned((unsigned char *)bytes, length), cases[k].turned);
            assert_ok(image_decode(&i, &m, bytes, length, "turned", &how, &err));
            assert_int_equal(strstr(i.note, "turned upright by HEIF") != NULL, cases[k].turned);
            assert_int_equal(i.width, cases[k].width);
            image_free(&i, &m);
            mem_free(&m, bytes);
        }
}

int main(void)
{
    m = mem_system();
    const struct CMUnitTest tests[] = {cmocka_unit_test(gives_what_was_stored),
                                       cmocka_unit_test(says_what_is_missing),
                                       cmocka_unit_test(knows_the_coded_size),
                                       cmocka_unit_test(says_that_it_turned),
                                       cmocka_unit_test(refuses_a_large_picture_in_a_small_one),
                                       cmocka_unit_test(counts_the_pictures_of_a_sequence)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
