/* The files of tests/ref/image_files/ against the table that image_files.py made by Pillow. */
#include <string.h>

#include "base/hash.h"
#include "base/os.h"
#include "image/image.h"
#include "support/check.h"

#define FOLDER TARE_SOURCE_DIR "/tests/ref/"
enum { FIELDS = 7 };

static mem m;
static tare_error err;

static size_t split(char *line, char *field[FIELDS])
{
    size_t n = 0;
    for (char *at = strtok(line, "\t"); at != NULL && n < FIELDS; at = strtok(NULL, "\t"))
        field[n++] = at;
    return n;
}

static void check_good(const image *i, char *const field[FIELDS])
{
    unsigned char digest[SHA256_BYTES];
    char hex[SHA256_HEX];
    assert_int_equal(i->channels, 3);
    assert_int_equal(i->width, atoi(field[2]));
    assert_int_equal(i->height, atoi(field[3]));
    assert_int_equal(i->orientation, atoi(field[4]));
    assert_string_equal(image_icc_name(i->icc), field[5]);
    assert_int_equal(i->reason, TARE_R_NONE);
    sha256_of(i->rgb, image_pixels(i) * 3, digest);
    sha256_hex(digest, hex);
    assert_string_equal(hex, field[6]);
}

static void check_file(char *const field[FIELDS])
{
    char path[512], *bytes = NULL;
    size_t length;
    image i;
    snprintf(path, sizeof path, FOLDER "image_files/%s", field[0]);
    assert_ok(os_read_file(&bytes, &length, &m, path, 1 << 20, &err));
    tare_status status = image_decode(&i, &m, bytes, length, field[0], NULL, &err);
    print_message("%s: %s\n", field[0], i.note);
    if (strcmp(field[1], "ok") == 0) {
        assert_ok(status);
        check_good(&i, field);
    } else {
        assert_true(status == TARE_E_DATA || status == TARE_E_LIMIT);
        assert_string_equal(tare_reason_name(i.reason), field[1]);
        assert_null(i.rgb);
        assert_true(strlen(i.note) > 0);
        assert_string_equal(err.where, field[0]);
        assert_string_equal(err.message, i.note);
    }
    image_free(&i, &m);
    mem_free(&m, bytes);
}

static void same_bytes_as_pillow(void **state)
{
    char *table = NULL, *line, *next;
    size_t length, files = 0;
    (void)state;
    assert_ok(os_read_file(&table, &length, &m, FOLDER "image_files.tsv", 1 << 20, &err));
    line = strchr(table, '\n') + 1; /* after the heading */
    for (; *line != '\0'; line = next, files++) {
        char *field[FIELDS];
        next = strchr(line, '\n');
        assert_non_null(next);
        *next++ = '\0';
        assert_int_equal(split(line, field), FIELDS);
        check_file(field);
    }
    assert_true(files > 80);
    mem_free(&m, table);
}

static void sniffs(void **state)
{
    (void)state;
    static const struct { const char *bytes; size_t length; image_format format; } cases[] = {
        {"\xff\xd8\xff\xe0", 4, IMAGE_JPEG}, {"\xff\xd8", 2, IMAGE_NOT},
        {"\x89PNG\r\n\x1a\n", 8, IMAGE_PNG}, {"\x89PNG\r\n\x1a", 7, IMAGE_NOT},
        {"RIFF\1\2\3\4WEBPVP8 ", 16, IMAGE_WEBP}, {"RIFF\1\2\3\4WAVE", 12, IMAGE_NOT},
        {"II*\0\x08\0\0\0", 8, IMAGE_TIFF}, {"MM\0*\0\0\0\x08", 8, IMAGE_TIFF},
        {"GIF89a", 6, IMAGE_GIF}, {"\0\0\0\x18" "ftypheic", 12, IMAGE_HEIF},
        {"\0\0\0\x18" "ftypisom", 12, IMAGE_NOT}, {"BMW is no bitmap, BM", 20, IMAGE_NOT},
        {"", 0, IMAGE_NOT}, {"base,dose\n", 10, IMAGE_NOT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(image_sniff(cases[i].bytes, cases[i].length), cases[i].format);
    assert_string_equal(image_format_name(IMAGE_JPEGXL), "jpegxl");
}

int main(void)
{
    m = mem_system();
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bytes_as_pillow),
                                       cmocka_unit_test(sniffs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
