/* WebP and TIFF: the files of tests/ref/format_files/ against what Pillow makes of them
 * (tests/ref/format_files.py); which formats are known and read. */
#include "support/format_rows.h"

static mem m;
static tare_error err;

static void check(const format_row *row)
{
    format_check_row(&m, row);
}

static void same_as_pillow(void **state)
{
    (void)state;
    assert_true(format_each(&m, false, check) > 75);
}

static void knows_by_first_bytes(void **state)
{
    (void)state;
    static const struct { const char *bytes; size_t length; image_format format; } cases[] = {
        {"\0\0\0\x18" "ftypheic", 12, IMAGE_HEIF}, {"\0\0\0\x18" "ftypavif", 12, IMAGE_HEIF},
        {"\0\0\0\x18" "ftypavis", 12, IMAGE_HEIF}, {"\0\0\0\x18" "ftyphevx", 12, IMAGE_HEIF},
        {"\0\0\0\x18" "ftypmif1", 12, IMAGE_HEIF}, {"\0\0\0\x18" "ftypheis", 12, IMAGE_HEIF},
        {"\0\0\0\x18" "ftypMiPr\0\0\0\0MiPrheic", 24, IMAGE_HEIF},
        {"\0\0\0\x14" "ftypMiPr\0\0\0\0MiPrheic", 24, IMAGE_NOT}, /* beyond its box */
        {"\0\0\0\x18" "ftypmp42\0\0\0\0isommp41", 24, IMAGE_NOT},
        {"\0\0\0\x18" "ftypeiche", 13, IMAGE_NOT}, {"\0\0\0\x18" "ftyphei", 11, IMAGE_NOT},
        {"II+\0\x08\0\0\0", 8, IMAGE_TIFF}, {"MM\0+\0\x08\0\0", 8, IMAGE_TIFF},
        {"\x76\x2f\x31\x01\2\0\0\0", 8, IMAGE_OPENEXR}, {"#?RADIANCE\nFORMAT", 17, IMAGE_RADIANCE},
        {"#?RGBE\n", 7, IMAGE_RADIANCE}, {"#?R", 3, IMAGE_NOT}, {"8BPS\0\1", 6, IMAGE_PSD},
        {"II\xbc\x01\x20\0\0\0", 8, IMAGE_JPEGXR}, {"FUJIFILMCCD-RAW 0201", 20, IMAGE_RAW},
        {"IIRO\x08\0\0\0", 8, IMAGE_RAW}, {"IIU\0\x18\0\0\0", 8, IMAGE_RAW},
        {"\0\0\0\x18" "ftypcrx \0\0\0\1crx isom", 24, IMAGE_RAW},
        {"\0\0\1\0\1\0\x10\x10\0\0\1\0\x20\0\x68\4\0\0\x16\0\0\0", 22, IMAGE_ICO},
        {"\0\0\1\0\0\0\x10\x10\0\0\1\0\x20\0\x68\4\0\0\x16\0\0\0", 22, IMAGE_NOT},
        {"\0\0\1\0\1\0\x10\x10\0\0\1\0\x20\0\x68\4\0\0\x15\0\0\0", 22, IMAGE_NOT},
        {"RIFF\1\2\3\4WEBPVP8X", 16, IMAGE_WEBP}, {"<svg xmlns=", 11, IMAGE_NOT},
        {"%PDF-1.7\n", 9, IMAGE_NOT}, {"\x1a\x45\xdf\xa3\1\0\0\0", 8, IMAGE_NOT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        print_message("case %zu\n", i);
        assert_int_equal(image_sniff(cases[i].bytes, cases[i].length), cases[i].format);
    }
}

static void says_what_is_read(void **state)
{
    (void)state;
    const image_format no[] = {IMAGE_NOT, IMAGE_GIF, IMAGE_BMP, IMAGE_JPEG2000, IMAGE_JPEGXL};
    const image_format yes[] = {IMAGE_JPEG, IMAGE_PNG, IMAGE_WEBP, IMAGE_TIFF, IMAGE_HEIF};
    image none;
    assert_int_equal(image_decode(&none, &m, "8BPS\0\1", 6, "x.psd", NULL, &err), TARE_E_DATA);
    assert_int_equal(none.reason, TARE_R_UNSUPPORTED_PIXELS);
    assert_string_equal(none.note, "psd is not read: save it as PNG or JPEG");
    for (image_format f = IMAGE_BMP; f <= IMAGE_RAW; f++) assert_false(image_readable(f));
    for (size_t i = 0; i < sizeof no / sizeof *no; i++) assert_false(image_readable(no[i]));
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) assert_true(image_readable(yes[i]));
}

int main(void)
{
    m = mem_system();
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_pillow),
                                       cmocka_unit_test(knows_by_first_bytes),
                                       cmocka_unit_test(says_what_is_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
