/* HEIC and AVIF, where libheif is: the files of tests/ref/format_files/ against what was stored in
 * them (tests/ref/format_files.py). And where it is not: what is said. */
#include "image/heif_boxes.h"
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

int main(void)
{
    m = mem_system();
    const struct CMUnitTest tests[] = {cmocka_unit_test(gives_what_was_stored),
                                       cmocka_unit_test(says_what_is_missing),
                                       cmocka_unit_test(counts_the_pictures_of_a_sequence)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
