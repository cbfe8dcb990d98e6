/* Limits, and files cut and bent at every place: an answer or a reason, never a crash. */
#include <string.h>

#include "base/os.h"
#include "image/image.h"
#include "support/check.h"

#define FOLDER TARE_SOURCE_DIR "/tests/ref/image_files/"

static mem m;
static tare_error err;

static char *slurp(const char *name, size_t *length)
{
    char path[512], *bytes = NULL;
    snprintf(path, sizeof path, FOLDER "%s", name);
    assert_ok(os_read_file(&bytes, length, &m, path, 1 << 20, &err));
    return bytes;
}

static void must_explain(tare_status status, const image *i)
{
    if (status == TARE_OK) {
        assert_non_null(i->rgb);
        assert_int_equal(i->reason, TARE_R_NONE);
        return;
    }
    assert_true(status == TARE_E_DATA || status == TARE_E_LIMIT);
    assert_null(i->rgb);
    assert_true(i->reason == TARE_R_DECODE || i->reason == TARE_R_UNSUPPORTED_PIXELS);
}

static const char *const victims[] = {"icc_and_exif.jpg", "progressive.jpg", "grey.jpg",
                                      "icc_p3.png", "exif_6.png", "palette_opaque.png",
                                      "interlaced_small.png"};

static void cut_anywhere(void **state)
{
    (void)state;
    for (size_t v = 0; v < sizeof victims / sizeof *victims; v++) {
        size_t length;
        char *bytes = slurp(victims[v], &length);
        for (size_t cut = 0; cut < length; cut++) {
            image i;
            char *exact = mem_new(&m, cut, 1); /* so that a sanitizer sees the end */
            memcpy(exact, bytes, cut);
            tare_status status = image_decode(&i, &m, exact, cut, "cut", NULL, &err);
            if (status == TARE_OK) fail_msg("%s cut at %zu of %zu", victims[v], cut, length);
            must_explain(status, &i);
            mem_free(&m, exact);
        }
        mem_free(&m, bytes);
    }
}

static void bent_anywhere(void **state)
{
    (void)state;
    for (size_t v = 0; v < sizeof victims / sizeof *victims; v++) {
        size_t length;
        char *bytes = slurp(victims[v], &length);
        for (size_t at = 0; at < length; at++) {
            image i;
            char was = bytes[at];
            bytes[at] = (char)(was ^ (at % 3 == 0 ? 0xff : at % 3 == 1 ? 0x01 : 0x80));
            image_decoding small = IMAGE_DECODING_DEFAULT;
            small.limits.pixels = 100000;
            must_explain(image_decode(&i, &m, bytes, length, "bent", &small, &err), &i);
            image_free(&i, &m);
            bytes[at] = was;
        }
        mem_free(&m, bytes);
    }
}

static tare_status with_limits(const char *name, image_limits limits)
{
    size_t length;
    char *bytes = slurp(name, &length);
    image i;
    image_decoding how = IMAGE_DECODING_DEFAULT;
    how.limits = limits;
    tare_status status = image_decode(&i, &m, bytes, length, name, &how, &err);
    must_explain(status, &i);
    image_free(&i, &m);
    mem_free(&m, bytes);
    return status;
}

static void limits_hold(void **state)
{
    (void)state;
    image_limits l = IMAGE_LIMITS_DEFAULT;
    assert_int_equal(with_limits("rgb_64x48_sub2.jpg", l), TARE_OK);
    l.pixels = 64 * 48;
    assert_int_equal(with_limits("rgb_64x48_sub2.jpg", l), TARE_OK);
    l.pixels = 64 * 48 - 1;
    assert_int_equal(with_limits("rgb_64x48_sub2.jpg", l), TARE_E_LIMIT);
    assert_string_equal(err.code, "image.limit");
    l = IMAGE_LIMITS_DEFAULT;
    l.side = 63;
    assert_int_equal(with_limits("rgb_64x48_sub2.jpg", l), TARE_E_LIMIT);
    l = IMAGE_LIMITS_DEFAULT;
    l.file = 100;
    assert_int_equal(with_limits("rgb.png", l), TARE_E_LIMIT);
    l = IMAGE_LIMITS_DEFAULT;
    l.icc = 1000;
    assert_int_equal(with_limits("icc_two_pieces.jpg", l), TARE_E_LIMIT);
    l.icc = 100;
    assert_int_equal(with_limits("icc_p3.png", l), TARE_E_LIMIT);
    l = IMAGE_LIMITS_DEFAULT;
    l.scans = 3;
    assert_int_equal(with_limits("progressive.jpg", l), TARE_E_LIMIT);
    assert_non_null(strstr(err.message, "scans"));
    l.scans = 20;
    assert_int_equal(with_limits("progressive.jpg", l), TARE_OK);
    l = IMAGE_LIMITS_DEFAULT;
    l.chunk = 64;
    assert_int_not_equal(with_limits("icc_p3.png", l), TARE_OK);
}

/* An allocator that refuses: the status is MEMORY, without a reason that would blame the file. */
static void *refuse(void *user, void *pointer, size_t bytes)
{
    int *left = user;
    if (bytes == 0) {
        free(pointer);
        return NULL;
    }
    return (*left)-- > 0 ? realloc(pointer, bytes) : NULL;
}

static void memory_runs_out(void **state)
{
    (void)state;
    const char *const names[] = {"icc_and_exif.jpg", "icc_grey.png", "rgba_opaque.png"};
    for (size_t k = 0; k < 3; k++) {
        size_t length;
        char *bytes = slurp(names[k], &length);
        tare_status status = TARE_E_MEMORY;
        for (int allowed = 0; allowed < 10 && status != TARE_OK; allowed++) {
            int left = allowed;
            mem scarce = {refuse, &left};
            image i;
            status = image_decode(&i, &scarce, bytes, length, names[k], NULL, &err);
            if (status == TARE_OK) assert_true(allowed > 0);
            else {
                assert_int_equal(status, TARE_E_MEMORY);
                assert_int_equal(i.reason, TARE_R_NONE);
            }
            image_free(&i, &scarce);
        }
        assert_int_equal(status, TARE_OK);
        mem_free(&m, bytes);
    }
}

int main(void)
{
    m = mem_system();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_anywhere), cmocka_unit_test(bent_anywhere),
        cmocka_unit_test(limits_hold), cmocka_unit_test(memory_runs_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
