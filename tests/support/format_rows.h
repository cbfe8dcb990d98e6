/* format_rows.h - the table tests/ref/format_files.tsv, row by row. */
#ifndef TESTS_FORMAT_ROWS_H
#define TESTS_FORMAT_ROWS_H

#include <string.h>

#include "base/hash.h"
#include "base/os.h"
#include "image/image.h"
#include "support/check.h"

#define FORMAT_FOLDER TARE_SOURCE_DIR "/tests/ref/format_files/"
enum { FORMAT_FIELDS = 11, FORMAT_COLOUR_SLACK = 6 };

/* The columns as format_files.py explains them. */
typedef struct format_row {
    const char *file, *strict, *mode;
    int width, height;
    const char *published, *rgb, *remark;
    int orientation;
    const char *icc, *upright;
} format_row;

static inline bool format_is_heif(const char *name)
{
    const char *dot = strrchr(name, '.');
    return strcmp(dot, ".heic") == 0 || strcmp(dot, ".avif") == 0;
}

static inline char *format_slurp(const mem *m, const char *name, size_t *length)
{
    char path[512], *bytes = NULL;
    tare_error err = {TARE_OK, "", "", ""};
    snprintf(path, sizeof path, FORMAT_FOLDER "%s", name);
    assert_ok(os_read_file(&bytes, length, m, path, 1 << 20, &err));
    return bytes;
}

/* Calls `check` on the rows of HEIF or of the others; gives how many. */
static inline size_t format_each(const mem *m, bool heif, void (*check)(const format_row *row))
{
    char *table = NULL, *line, *next;
    size_t length, count = 0;
    tare_error err = {TARE_OK, "", "", ""};
    assert_ok(os_read_file(&table, &length, m, TARE_SOURCE_DIR "/tests/ref/format_files.tsv",
                           1 << 20, &err));
    for (line = strchr(table, '\n') + 1; *line != '\0'; line = next) {
        const char *f[FORMAT_FIELDS] = {0};
        size_t n = 0;
        next = strchr(line, '\n');
        assert_non_null(next);
        *next++ = '\0';
        for (char *at = strtok(line, "\t"); at != NULL && n < FORMAT_FIELDS;
             at = strtok(NULL, "\t"))
            f[n++] = at;
        assert_int_equal(n, FORMAT_FIELDS);
        format_row row = {f[0], f[1], f[2], atoi(f[3]), atoi(f[4]), f[5], f[6], f[7], atoi(f[8]),
                          f[9], f[10]};
        if (format_is_heif(row.file) != heif) continue;
        check(&row);
        count++;
    }
    mem_free(m, table);
    return count;
}

/* want: a SHA-256 of the samples; or a mean colour, of what was stored with loss; or "-". */
static inline void format_check_pixels(const image *i, const char *want)
{
    unsigned char digest[SHA256_BYTES];
    char hex[SHA256_HEX];
    double mean[3];
    size_t n = image_pixels(i), channels = (size_t)i->channels;
    if (strcmp(want, "-") == 0) return;
    if (sscanf(want, "%lf,%lf,%lf", &mean[0], &mean[1], &mean[2]) == 3) {
        for (size_t c = 0; c < 3; c++) {
            double sum = 0;
            for (size_t k = 0; k < n; k++) sum += i->rgb[k * channels + c];
            assert_within(sum / (double)n, mean[c], 0, FORMAT_COLOUR_SLACK);
        }
        return;
    }
    sha256_of(i->rgb, n * channels, digest);
    sha256_hex(digest, hex);
    assert_string_equal(hex, want);
}

/* Published: the file's own samples, then RGB of them. Strict: upright sRGB, or why not. */
static inline void format_check_row(const mem *m, const format_row *row)
{
    size_t length;
    image i;
    tare_error err = {TARE_OK, "", "", ""};
    image_decoding how = IMAGE_DECODING_DEFAULT;
    char *bytes = format_slurp(m, row->file, &length);
    print_message("%s\n", row->file);
    how.policy = IMAGE_PUBLISHED;
    tare_status status = image_decode(&i, m, bytes, length, row->file, &how, &err);
    if (strcmp(row->mode, "none") != 0) {
        assert_ok(status);
        assert_string_equal(image_mode_name(i.mode), row->mode);
        assert_int_equal(i.width, row->width);
        assert_int_equal(i.height, row->height);
        format_check_pixels(&i, row->published);
        if (strcmp(row->remark, "-") != 0) assert_non_null(strstr(i.note, row->remark));
        assert_ok(image_to_rgb(&i, m, &err));
        format_check_pixels(&i, row->rgb);
    } else {
        assert_true(status == TARE_E_DATA || status == TARE_E_LIMIT);
        assert_string_equal(tare_reason_name(i.reason), row->strict);
    }
    image_free(&i, m);
    how.policy = IMAGE_STRICT;
    status = image_decode(&i, m, bytes, length, row->file, &how, &err);
    if (strcmp(row->strict, "ok") == 0) {
        assert_ok(status);
        assert_int_equal(i.channels, 3);
        assert_int_equal(i.orientation, row->orientation);
        assert_string_equal(image_icc_name(i.icc), row->icc);
        format_check_pixels(&i, row->upright);
    } else {
        assert_true(status == TARE_E_DATA || status == TARE_E_LIMIT);
        assert_string_equal(tare_reason_name(i.reason), row->strict);
        assert_null(i.rgb);
        assert_true(strlen(i.note) > 0);
    }
    image_free(&i, m);
    mem_free(m, bytes);
}

#endif
