/* Streams: Random123's known answers and the goldens of statistics 16.1. */
#include "base/rng.h"

#include <string.h>

#include "support/check.h"

static void known_answers_of_random123(void **state)
{
    (void)state;
    static const struct { uint32_t counter[4]; rng_key key; uint32_t want[4]; } cases[] = {
        {{0, 0, 0, 0}, {{0, 0}}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}, {{UINT32_MAX, UINT32_MAX}},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {{0xa4093822, 0x299f31d0}},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < 3; i++) {
        uint32_t out[4];
        rng_philox(cases[i].counter, cases[i].key, out);
        assert_memory_equal(out, cases[i].want, sizeof out);
    }
}

static void start(rng_stream *s, uint32_t replicate, const char *cluster)
{
    rng_start(s, rng_key_of(1, "example"), replicate, rng_h64(cluster, strlen(cluster)));
}

static void golden_key_and_words(void **state)
{
    (void)state;
    static const uint32_t block[2][4] = {{0x6b1877c0, 0xb96d2c35, 0x94625403, 0x443d5b37},
                                         {0xea079770, 0x80c1920e, 0x2909b54f, 0x316f3191}};
    assert_true(rng_h64("a", 1) == 0xcabd1bca128197ca);
    assert_true(rng_h64("example", 7) == 0x7fcc5e98e058d850);
    rng_key key = rng_key_of(1, "example");
    assert_int_equal(key.word[0], 0xe058d851);
    assert_int_equal(key.word[1], 0x7fcc5e98);
    for (uint32_t r = 0; r < 2; r++) {
        rng_stream s;
        start(&s, r, "a");
        for (int i = 0; i < 4; i++) assert_int_equal(rng_u32(&s), block[r][i]);
        start(&s, r, "a");
        assert_true(rng_u64(&s) == ((uint64_t)block[r][1] << 32 | block[r][0]));
    }
}

static void golden_uniforms(void **state)
{
    (void)state;
    static const double want[2] = {0.7243220930496095, 0.5029536520396773};
    for (uint32_t r = 0; r < 2; r++) {
        rng_stream s;
        start(&s, r, "a");
        assert_true(rng_uniform(&s) == want[r]);
        start(&s, r, "a");
        assert_true(rng_uniform_open(&s) == want[r] + 0x1p-54);
    }
}

/* Multinomial weights, signs and permutation order of five clusters, as the table gives them. */
static void golden_weights(void **state)
{
    (void)state;
    static const int weights[3][5] = {{1, 0, 1, 1, 2}, {1, 0, 2, 0, 2}, {0, 0, 1, 3, 1}};
    static const char *const signs[3] = {"+++--", "++-++", "--++-"};
    static const char *const orders[3] = {"dbace", "dbcae", "abdec"};
    for (uint32_t r = 0; r < 3; r++) {
        int w[5] = {0};
        char sign[6] = "", order[6] = "abcde";
        uint64_t draw[5];
        for (int k = 0; k < 5; k++) {
            char id[2] = {(char)('a' + k), '\0'};
            rng_stream s;
            start(&s, r, id);
            w[rng_bounded(&s, 5)]++;
            start(&s, r, id);
            sign[k] = rng_u32(&s) & 1 ? '-' : '+';
            start(&s, r, id);
            draw[k] = rng_u64(&s);
        }
        for (int i = 1; i < 5; i++) {
            for (int j = i; j > 0 && draw[order[j] - 'a'] < draw[order[j - 1] - 'a']; j--) {
                char c = order[j];
                order[j] = order[j - 1];
                order[j - 1] = c;
            }
        }
        assert_memory_equal(w, weights[r], sizeof w);
        assert_string_equal(sign, signs[r]);
        assert_string_equal(order, orders[r]);
    }
}

static void bounded_draws_are_in_range_and_even(void **state)
{
    (void)state;
    rng_stream s;
    start(&s, 0, "bounded");
    for (int i = 0; i < 100; i++) assert_int_equal(rng_bounded(&s, 1), 0);
    /* 3 * 2^30: a quarter of all words must be drawn again. */
    uint32_t n = 3u << 30;
    int third[3] = {0};
    for (int i = 0; i < 30000; i++) {
        uint32_t x = rng_bounded(&s, n);
        assert_true(x < n);
        third[x >> 30]++;
    }
    for (int i = 0; i < 3; i++) assert_in_range(third[i], 9590, 10410); /* 5 binomial SD */
    for (int i = 0; i < 1000; i++) {
        double u = rng_uniform_open(&s);
        assert_true(u > 0 && u < 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers_of_random123),
        cmocka_unit_test(golden_key_and_words),
        cmocka_unit_test(golden_uniforms),
        cmocka_unit_test(golden_weights),
        cmocka_unit_test(bounded_draws_are_in_range_and_even),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
