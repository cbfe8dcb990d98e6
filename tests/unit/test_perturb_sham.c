/* The sham stream by its definition, written out a second time: scorer audit 2.5, statistics 2. */
#include <string.h>

#include "base/hash.h"
#include "base/rng.h"
#include "perturb/perturb.h"
#include "support/check.h"

enum { W = 61, H = 47 };

static mem m;
static tare_error err;
static unsigned char rgb[3 * W * H];
static image photo = {.width = W, .height = H, .channels = 3, .rgb = rgb};

static void fill(void)
{
    for (int i = 0; i < W * H; i++) {
        int t = i * 31 % 97;
        rgb[3 * i] = (unsigned char)(i % 5 == 0 ? 255 : 150 + t);
        rgb[3 * i + 1] = (unsigned char)(110 + t);
        rgb[3 * i + 2] = (unsigned char)(70 + t);
        if (i % W > 40) memset(rgb + 3 * i, i % 3 == 0 ? 0 : 20, 3); /* no skin on the right */
    }
}

/* Word `number` of the stream (seed, "sham", replicate, id), from nothing but Philox itself. */
static uint32_t word(uint64_t seed, uint32_t replicate, const char *id, uint64_t number)
{
    unsigned char digest[SHA256_BYTES];
    uint64_t analysis = 0, cluster = 0;
    sha256_of("sham", 4, digest);
    for (int i = 7; i >= 0; i--) analysis = analysis << 8 | digest[i];
    sha256_of(id, strlen(id), digest);
    for (int i = 7; i >= 0; i--) cluster = cluster << 8 | digest[i];
    uint64_t key = seed ^ analysis;
    rng_key k = {{(uint32_t)key, (uint32_t)(key >> 32)}};
    uint32_t counter[4] = {(uint32_t)(number / 4), replicate, (uint32_t)cluster,
                           (uint32_t)(cluster >> 32)}, out[4];
    rng_philox(counter, k, out);
    return out[number % 4];
}

static void check_replicate(const perturb_base *base, double dose, uint32_t replicate)
{
    perturb_variant v = {0};
    size_t clipped = 0;
    assert_ok(perturb_variant_make(&v, base, perturb_operator_find("sham"), dose, &err));
    for (uint64_t i = 0; i < W * H; i++) {
        int out = 0;
        for (uint64_t c = 0; c < 3; c++) {
            int want = rgb[3 * i + c];
            if (base->weight[i] > 0) {
                uint32_t u = word(base->options.seed, replicate, base->id, 3 * i + c);
                want += u < 178956970 ? -1 : u < 357913941 ? 1 : 0;
            }
            out |= want < 0 || want > 255;
            want = want < 0 ? 0 : want > 255 ? 255 : want;
            assert_int_equal(v.picture.rgb[3 * i + c], want);
        }
        clipped += out && base->mask[i];
    }
    assert_close(v.measures.clip_frac, (double)clipped / (double)base->skin_pixels);
    assert_true(fabs(v.measures.tone.lightness - 61) < 20);
    perturb_variant_free(&v, &m);
}

static void draws_by_definition(void **state)
{
    (void)state;
    perturb_base base;
    perturb_options o = PERTURB_OPTIONS_DEFAULT;
    o.seed = UINT64_C(0x123456789abcdef0);
    for (int whole = 0; whole < 2; whole++) {
        o.whole = whole;
        assert_ok(perturb_base_make(&base, &m, &photo, NULL, "faces/a.png", &o, &err));
        assert_true(base.sites.count <= W * H);
        for (int k = -3; k < 0; k++) check_replicate(&base, k, (uint32_t)(k + 4));
        for (int k = 1; k <= 3; k++) check_replicate(&base, k, (uint32_t)(k + 3));
        perturb_base_free(&base);
    }
}

static void frequencies(void **state)
{
    (void)state;
    perturb_base base;
    perturb_variant v = {0};
    size_t count[3] = {0}, n = 0;
    assert_ok(perturb_base_make(&base, &m, &photo, NULL, "x", NULL, &err));
    for (int k = -3; k <= 3; k++) {
        if (k == 0) continue;
        assert_ok(perturb_variant_make(&v, &base, perturb_operator_find("sham"), k, &err));
        for (size_t i = 0; i < W * H; i++) {
            if (!(base.weight[i] > 0)) continue;
            for (int c = 1; c < 3; c++) { /* green and blue stay off the ends on skin */
                if (rgb[3 * i + (size_t)c] == 0) continue;
                count[v.picture.rgb[3 * i + (size_t)c] - rgb[3 * i + (size_t)c] + 1]++;
                n++;
            }
        }
    }
    /* 1/24 within five binomial standard errors */
    double p = 1 / 24.0, slack = 5 * sqrt(p * (1 - p) / (double)n);
    assert_true(n > 15000);
    assert_within((double)count[0] / (double)n, p, 0, slack);
    assert_within((double)count[2] / (double)n, p, 0, slack);
    perturb_variant_free(&v, &m);
    perturb_base_free(&base);
}

static void doses_are_checked(void **state)
{
    (void)state;
    perturb_base base;
    perturb_variant v = {0};
    static const double bad[] = {4, -4, 0.5, 1e300, NAN, INFINITY};
    assert_ok(perturb_base_make(&base, &m, &photo, NULL, "x", NULL, &err));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(perturb_variant_make(&v, &base, perturb_operator_find("sham"), bad[i],
                                              &err), TARE_E_USAGE);
        assert_string_equal(err.code, "perturb.dose");
    }
    assert_int_equal(perturb_variant_make(&v, &base, perturb_operator_find("skin"), NAN, &err),
                     TARE_E_USAGE);
    assert_int_equal(perturb_variant_make(&v, &base, perturb_operator_find("skin"), 101, &err),
                     TARE_E_USAGE);
    perturb_variant_free(&v, &m);
    perturb_base_free(&base);
}

int main(void)
{
    m = mem_system();
    fill();
    const struct CMUnitTest tests[] = {cmocka_unit_test(draws_by_definition),
                                       cmocka_unit_test(frequencies),
                                       cmocka_unit_test(doses_are_checked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
