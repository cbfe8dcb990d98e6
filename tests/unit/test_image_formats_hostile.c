/* WebP, TIFF, HEIC and AVIF cut and bent at every place, limits, memory that runs out: an answer or
 * a reason, never a crash, and nothing leaks. */
#include "support/failing_mem.h"
#include "support/format_rows.h"

static mem m;
static tare_error err;
static bool heif_here;

/* Of a damaged AVIF the decoder below libheif may lose a few bytes; ours are counted. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libdav1d\nleak:libaom\nleak:libde265\nleak:libheif\nleak:libstdc++\n";
}

static const char *const victims[] = {
    "lossy.webp", "lossless_alpha.webp", "animated.webp", "icc_p3.webp", "part_of_canvas.webp",
    "rgb_deflate.tif", "rgb_lzw.tif", "rgb_planar_tiles.tif", "rgb_bigtiff.tif", "rgb_jpeg.tif",
    "ycbcr_plain.tif", "bilevel_g4.tif", "rgba_associated.tif", "palette_4.tif", "two_pages.tif",
    "turned_6.tif", "lossless.avif", "alpha.avif", "deep_10.avif", "lossy.heic", "two.heic"};
enum { VICTIMS = sizeof victims / sizeof *victims };

static bool usable(const char *name)
{
    return heif_here || !format_is_heif(name);
}

static image_decoding canonical(void)
{
    image_decoding how = IMAGE_DECODING_DEFAULT;
    how.policy = IMAGE_CANONICAL;
    how.limits.pixels = 100000;
    return how;
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
    assert_true(*i->note != '\0' && strchr(i->note, '\n') == NULL);
}

/* What is left after a cut may be all there is to the picture: then it is the same picture. */
static void cut_anywhere(void **state)
{
    (void)state;
    for (size_t v = 0; v < VICTIMS; v++) {
        size_t length, read = 0;
        image whole;
        image_decoding how = canonical();
        if (!usable(victims[v])) continue;
        char *bytes = format_slurp(&m, victims[v], &length);
        assert_ok(image_decode(&whole, &m, bytes, length, "whole", &how, &err));
        for (size_t cut = 0; cut < length; cut++) {
            image i;
            char *exact = mem_new(&m, cut, 1); /* so that a sanitizer sees the end */
            memcpy(exact, bytes, cut);
            tare_status status = image_decode(&i, &m, exact, cut, "cut", &how, &err);
            must_explain(status, &i);
            if (status == TARE_OK) {
                read++;
                assert_int_equal(image_pixels(&i), image_pixels(&whole));
                assert_memory_equal(i.rgb, whole.rgb, image_pixels(&i) * 3);
            }
            image_free(&i, &m);
            mem_free(&m, exact);
        }
        print_message("%s: %zu of %zu cuts leave the picture whole\n", victims[v], read, length);
        assert_true(read <= 4);
        image_free(&whole, &m);
        mem_free(&m, bytes);
    }
}

static void bent_anywhere(void **state)
{
    (void)state;
    static const unsigned char bends[] = {0xff, 0x01, 0x80};
    for (size_t v = 0; v < VICTIMS; v++) {
        size_t length;
        if (!usable(victims[v])) continue;
        char *bytes = format_slurp(&m, victims[v], &length);
        for (size_t at = 0; at < length; at++)
            for (size_t b = 0; b < sizeof bends; b++) {
                image i;
                image_decoding how = canonical();
                bytes[at] = (char)(bytes[at] ^ bends[b]);
                must_explain(image_decode(&i, &m, bytes, length, "bent", &how, &err), &i);
                image_free(&i, &m);
                bytes[at] = (char)(bytes[at] ^ bends[b]);
            }
        mem_free(&m, bytes);
    }
}

static tare_status limited(const char *name, image_limits limits)
{
    size_t length;
    image i;
    image_decoding how = canonical();
    char *bytes = format_slurp(&m, name, &length);
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
    static const struct { const char *name; unsigned width, height; } cases[] = {
        {"lossy.webp", 21, 13}, {"animated.webp", 21, 13}, {"rgb_deflate.tif", 19, 11},
        {"rgb_lzw.tif", 19, 11}, {"lossless.avif", 16, 16}, {"lossy.heic", 16, 16}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        image_limits l = IMAGE_LIMITS_DEFAULT;
        if (!usable(cases[k].name)) continue;
        l.pixels = cases[k].width * cases[k].height;
        assert_int_equal(limited(cases[k].name, l), TARE_OK);
        l.pixels--;
        assert_int_equal(limited(cases[k].name, l), TARE_E_LIMIT);
        assert_string_equal(err.code, "image.limit");
        l = IMAGE_LIMITS_DEFAULT;
        l.side = cases[k].width - 1;
        assert_int_equal(limited(cases[k].name, l), TARE_E_LIMIT);
    }
    image_limits l = IMAGE_LIMITS_DEFAULT;
    l.icc = 100;
    assert_int_equal(limited("icc_p3.webp", l), TARE_E_LIMIT);
    assert_int_equal(limited("icc_p3.tif", l), TARE_E_LIMIT);
    if (heif_here) assert_int_equal(limited("icc.heic", l), TARE_E_LIMIT);
}

/* The status is MEMORY, without a reason that would blame the file. */
static void memory_runs_out(void **state)
{
    (void)state;
    for (size_t v = 0; v < VICTIMS; v++) {
        size_t length;
        if (!usable(victims[v])) continue;
        char *bytes = format_slurp(&m, victims[v], &length);
        for (long k = 1;; k++) {
            failing_mem f;
            mem scarce = failing_mem_start(&f, k);
            image i;
            image_decoding how = canonical();
            tare_status status = image_decode(&i, &scarce, bytes, length, victims[v], &how, &err);
            bool failed = failing_mem_failed(&f);
            if (status != TARE_OK) {
                assert_true(failed);
                assert_int_equal(status, TARE_E_MEMORY);
                assert_int_equal(i.reason, TARE_R_NONE);
            }
            image_free(&i, &scarce);
            assert_int_equal(failing_mem_live(&f), 0);
            if (!failed) break;
            assert_true(k < 100);
        }
        mem_free(&m, bytes);
    }
}

int main(void)
{
    m = mem_system();
    heif_here = image_heif_check(&err) == TARE_OK;
    if (!heif_here) printf("HEIC and AVIF are left out: %s\n", err.message);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_anywhere), cmocka_unit_test(bent_anywhere),
        cmocka_unit_test(limits_hold), cmocka_unit_test(memory_runs_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
