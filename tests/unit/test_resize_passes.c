/* The wide passes give the bytes of the plain ones: all numbers of channels, sizes at which
 * windows, groups and blocks are cut. Where there is no AVX2 there is nothing to compare.
 * Premultiplied alpha by its definition. */
#include <string.h>

#include "base/rng.h"
#include "image/resize_alpha.h"
#include "image/resize_pass.h"
#include "support/check.h"

static mem m;
static tare_error err;

static unsigned char *random_bytes(rng_stream *s, size_t n)
{
    unsigned char *p = mem_new(&m, n, 1);
    assert_non_null(p);
    for (size_t k = 0; k < n; k++) { /* the ends often: sums then leave 0..255 */
        uint64_t v = rng_bounded(s, 512);
        p[k] = (unsigned char)(v < 256 ? v : v & 1 ? 255 : 0);
    }
    return p;
}

static void make_taps(taps *t, int in, int out, resize_kernel kernel, int group)
{
    assert_ok(taps_exact(t, &m, in, out, kernel, &err));
    assert_ok(taps_round(t, &m, &err));
    assert_ok(taps_split(t, &m, group, &err));
    assert_non_null(t->halves);
}

static void check_across(rng_stream *s, int in, int out, int rows, int channels)
{
    taps t = {0};
    make_taps(&t, in, out, (resize_kernel)(1 + rng_bounded(s, RESIZE_LANCZOS)),
              pass_across_group(channels));
    size_t bytes = (size_t)out * (size_t)rows * (size_t)channels;
    unsigned char *from = random_bytes(s, (size_t)in * (size_t)rows * (size_t)channels);
    unsigned char *plain = mem_new(&m, bytes, 1), *wide = mem_new(&m, bytes, 1);
    unsigned char *scratch = mem_new(&m, pass_scratch_bytes(in, channels), 1);
    pass_across_plain(&(pass_rows){plain, from, rows, in, channels}, &t);
    pass_across_wide(&(pass_rows){wide, from, rows, in, channels}, &t, scratch);
    if (memcmp(plain, wide, bytes) != 0)
        fail_msg("across: %d to %d, %d rows of %d channels", in, out, rows, channels);
    mem_free(&m, from);
    mem_free(&m, plain);
    mem_free(&m, wide);
    mem_free(&m, scratch);
    taps_free(&t, &m);
}

static void check_down(rng_stream *s, int in, int out, int row)
{
    taps t = {0};
    make_taps(&t, in, out, (resize_kernel)(1 + rng_bounded(s, RESIZE_LANCZOS)), PASS_DOWN_GROUP);
    size_t bytes = (size_t)out * (size_t)row;
    unsigned char *from = random_bytes(s, (size_t)in * (size_t)row);
    unsigned char *plain = mem_new(&m, bytes, 1), *wide = mem_new(&m, bytes, 1);
    pass_down_plain(plain, from, (size_t)row, &t);
    pass_down_wide(wide, from, (size_t)row, &t);
    if (memcmp(plain, wide, bytes) != 0) fail_msg("down: %d to %d, rows of %d", in, out, row);
    mem_free(&m, from);
    mem_free(&m, plain);
    mem_free(&m, wide);
    taps_free(&t, &m);
}

static void wide_as_plain(void **state)
{
    (void)state;
    rng_stream s;
    if (!pass_wide_available()) skip();
    rng_start(&s, rng_key_of(1, "test/passes"), 0, 0);
    for (int k = 0; k < 600; k++) {
        int most = k % 3 == 0 ? 300 : 20;
        int in = 1 + (int)rng_bounded(&s, (uint64_t)most), rows = 1 + (int)rng_bounded(&s, 11);
        int out = 1 + (int)rng_bounded(&s, (uint64_t)most);
        check_across(&s, in, out, rows, 1 + k % 4);
        check_down(&s, in, out, 1 + (int)rng_bounded(&s, 130));
    }
}

/* Weights that 16 bits and 11 do not hold are left to the plain pass. */
static void large_weights_are_not_split(void **state)
{
    (void)state;
    taps t = {0};
    assert_ok(taps_exact(&t, &m, 4, 2, RESIZE_BOX, &err));
    t.exact[0] = 17;
    assert_ok(taps_round(&t, &m, &err));
    assert_ok(taps_split(&t, &m, 4, &err));
    assert_null(t.halves);
    taps_free(&t, &m);
}

/* All pairs against the definitions: round(colour alpha / 255), and floor(255 colour / alpha). */
static void alpha_of_all_pairs(void **state)
{
    (void)state;
    for (int channels = 2; channels <= 4; channels += 2)
        for (int alpha = 0; alpha < 256; alpha++)
            for (int colour = 0; colour < 256; colour++) {
                unsigned char in[4], out[4];
                for (int c = 0; c < channels - 1; c++) in[c] = (unsigned char)colour;
                in[channels - 1] = (unsigned char)alpha;
                alpha_multiply(out, in, 1, channels);
                assert_int_equal(out[0], lround(colour * alpha / 255.0));
                assert_int_equal(out[channels - 2], out[0]);
                assert_int_equal(out[channels - 1], alpha);
                alpha_divide(in, 1, channels);
                int want = alpha == 0 ? colour : 255 * colour / alpha;
                assert_int_equal(in[0], want > 255 ? 255 : want);
                assert_int_equal(in[channels - 1], alpha);
            }
}

int main(void)
{
    m = mem_system();
    const struct CMUnitTest tests[] = {cmocka_unit_test(wide_as_plain),
                                       cmocka_unit_test(large_weights_are_not_split),
                                       cmocka_unit_test(alpha_of_all_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
