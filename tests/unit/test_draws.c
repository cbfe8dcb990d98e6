/* Streams, weights, signs and orders: golden lines of statistics 16.1 (made with Random123's known
 * answers and an independent Python program) and the properties of section 17. */
#include "stats/draws.h"

#include <string.h>

#include "stats/philox_lanes.c" /* the widths one machine would not choose */
#include "stats/special.h"
#include "support/check.h"

static const char *const letters[5] = {"a", "b", "c", "d", "e"};

typedef struct example {
    rng_key key;
    uint64_t h64[5];
} example;

static example example_new(void)
{
    example x = {.key = rng_key_of(1, "example")};
    draws_hash(x.h64, letters, 5);
    return x;
}

static void test_key_and_words(void **state)
{
    (void)state;
    example x = example_new();
    assert_int_equal(x.h64[0], 0xcabd1bca128197ca);
    assert_int_equal(x.key.word[0], 0xe058d851);
    assert_int_equal(x.key.word[1], 0x7fcc5e98);
    uint64_t first[5];
    draws_first(first, x.key, 0, x.h64, 5);
    assert_int_equal(first[0], 0xb96d2c356b1877c0);
    draws_first(first, x.key, 1, x.h64, 5);
    assert_int_equal(first[0], 0x80c1920eea079770);
}

static void test_key_joins_names(void **state)
{
    (void)state;
    mem m = mem_system();
    tare_error err;
    rng_key a, b = rng_key_of(7, "toy/fi");
    assert_ok(draws_key(&a, 7, "toy", "fi", &m, &err));
    assert_memory_equal(&a, &b, sizeof a);
}

/* Every lane width must give the words of the plain generator: 37 = 4 x 8 + 4 + 1. */
static void test_lanes_are_streams(void **state)
{
    (void)state;
    uint64_t h64[37], first[37];
    rng_key key = rng_key_of(99, "lanes");
    for (int i = 0; i < 37; i++) h64[i] = (uint64_t)(i + 1) * 0x9e3779b97f4a7c15u;
    for (size_t n = 0; n <= 37; n++) {
        memset(first, 0, sizeof first);
        draws_first(first, key, 12345, h64, n);
        for (size_t i = 0; i < n; i++) {
            rng_stream s;
            rng_start(&s, key, 12345, h64[i]);
            assert_int_equal(first[i], rng_u64(&s));
        }
        if (n < 37) assert_int_equal(first[n], 0);
    }
#if LANES_X86
    uint64_t scalar[37];
    first_scalar(scalar, key, 7, h64, 37);
    if (__builtin_cpu_supports("avx2")) {
        assert_int_equal(first_avx2(first, key, 7, h64, 37), 36);
        assert_memory_equal(first, scalar, 36 * sizeof *first);
    }
    if (__builtin_cpu_supports("avx512f")) {
        assert_int_equal(first_avx512(first, key, 7, h64, 37), 32);
        assert_memory_equal(first, scalar, 32 * sizeof *first);
    }
#endif
}

static void test_example_lines(void **state)
{
    (void)state;
    static const uint8_t multinomial[3][5] = {{1, 0, 1, 1, 2}, {1, 0, 2, 0, 2}, {0, 0, 1, 3, 1}};
    static const uint8_t flips[3][5] = {{0, 0, 0, 1, 1}, {0, 0, 1, 0, 0}, {1, 1, 0, 0, 1}};
    static const char *const orders[3] = {"dbace", "dbcae", "abdec"};
    static const uint8_t poisson[3][5] = {{1, 1, 2, 0, 3}, {1, 0, 1, 0, 3}, {0, 0, 2, 1, 1}};
    example x = example_new();
    for (uint32_t r = 0; r < 3; r++) {
        uint8_t w[5];
        uint32_t order[5];
        uint64_t scratch[DRAWS_ORDER_SCRATCH(5)];
        assert_true(draws_multinomial(w, x.key, r, x.h64, 5));
        assert_memory_equal(w, multinomial[r], 5);
        draws_flips(w, x.key, r, x.h64, 5);
        assert_memory_equal(w, flips[r], 5);
        draws_poisson(w, x.key, r, x.h64, 5);
        assert_memory_equal(w, poisson[r], 5);
        draws_order(order, scratch, x.key, r, x.h64, 5);
        for (int i = 0; i < 5; i++) assert_int_equal(letters[order[i]][0], orders[r][i]);
    }
}

static void names_of(char names[][16], const char **ids, uint64_t *h64, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        snprintf(names[i], 16, "item-%05zu", i);
        ids[i] = names[i];
    }
    draws_hash(h64, ids, n);
}

static void test_weights_sum_and_mean(void **state)
{
    (void)state;
    enum { M = 210, B = 5000 };
    static char names[M][16];
    const char *ids[M];
    uint64_t h64[M];
    double total[M] = {0};
    rng_key key = rng_key_of(5, "skin/boot");
    names_of(names, ids, h64, M);
    for (uint32_t r = 0; r < B; r++) {
        uint8_t w[M];
        unsigned sum = 0;
        assert_true(draws_multinomial(w, key, r, h64, M));
        for (int k = 0; k < M; k++) {
            sum += w[k];
            total[k] += w[k];
        }
        assert_int_equal(sum, M);
    }
    /* Each weight is binomial(M, 1/M): variance 1 - 1/M. */
    double se = sqrt((1 - 1.0 / M) / B);
    for (int k = 0; k < M; k++) assert_within(total[k] / B, 1, 0, 5 * se);
}

static void test_poisson_moments(void **state)
{
    (void)state;
    enum { N = 200000 };
    double sum = 0, square = 0;
    static uint64_t h64[N];
    static uint8_t w[N];
    for (int i = 0; i < N; i++) h64[i] = (uint64_t)i * 0xd1342543de82ef95u;
    draws_poisson(w, rng_key_of(3, "poisson"), 0, h64, N);
    for (int i = 0; i < N; i++) {
        sum += w[i];
        square += (w[i] - 1.0) * (w[i] - 1.0);
    }
    assert_within(sum / N, 1, 0, 5 * sqrt(1.0 / N));
    assert_within(square / N, 1, 0, 5 * sqrt(3.0 / N)); /* fourth central moment of Poisson(1): 4 */
}

static void assert_uniform(const double *count, size_t n, double draws)
{
    double chi2 = 0, expected = draws / (double)n;
    for (size_t i = 0; i < n; i++) chi2 += (count[i] - expected) * (count[i] - expected) / expected;
    double upper = chi2_sf(chi2, (double)n - 1);
    assert_true(upper > 1e-6 && upper < 1 - 1e-6);
}

static void test_bounded_uniform(void **state)
{
    (void)state;
    static const uint32_t sizes[3] = {5, 7, 210};
    for (int s = 0; s < 3; s++) {
        double count[210] = {0};
        rng_stream stream;
        rng_start(&stream, rng_key_of(11, "bounded"), (uint32_t)s, 42);
        for (int i = 0; i < 300000; i++) count[rng_bounded(&stream, sizes[s])]++;
        assert_uniform(count, sizes[s], 300000);
    }
}

static void test_all_orders_of_five(void **state)
{
    (void)state;
    enum { R = 120000 };
    static double count[5 * 5 * 5 * 5 * 5];
    double used[120];
    size_t distinct = 0;
    example x = example_new();
    uint32_t order[5];
    uint64_t scratch[DRAWS_ORDER_SCRATCH(5)];
    for (uint32_t r = 0; r < R; r++) {
        draws_order(order, scratch, x.key, r, x.h64, 5);
        size_t code = 0;
        for (int i = 0; i < 5; i++) code = 5 * code + order[i];
        count[code]++;
    }
    for (size_t i = 0; i < 5 * 5 * 5 * 5 * 5; i++) {
        if (count[i] == 0) continue;
        assert_true(distinct < 120);
        used[distinct++] = count[i];
    }
    assert_int_equal(distinct, 120);
    assert_uniform(used, 120, R);
}

/* The bucket sort against its definition, ties and clumped keys included. */
static void test_order_of_any_keys(void **state)
{
    (void)state;
    enum { N = 300 };
    static uint64_t keys[N], scratch[2 * N + 1];
    uint32_t order[N];
    rng_stream s;
    rng_start(&s, rng_key_of(1, "keys"), 0, 0);
    for (int kind = 0; kind < 3; kind++) {
        for (int i = 0; i < N; i++)
            keys[i] = kind == 0 ? rng_u64(&s) : kind == 1 ? rng_bounded(&s, 4) : UINT64_MAX;
        draws_order_keys(order, scratch, keys, N);
        for (int i = 1; i < N; i++) {
            uint64_t a = keys[order[i - 1]], b = keys[order[i]];
            assert_true(a < b || (a == b && order[i - 1] < order[i]));
        }
    }
}

static void test_canonical_order(void **state)
{
    (void)state;
    static const char *const ids[5] = {"b", "a10", "\xc3\xa9", "a2", "A"};
    static const size_t want[5] = {4, 1, 3, 0, 2};
    static const char *const twice[3] = {"x", "y", "x"};
    mem m = mem_system();
    tare_error err;
    size_t order[5];
    assert_ok(draws_canonical(order, ids, 5, &m, &err));
    assert_memory_equal(order, want, sizeof want);
    assert_int_equal(draws_canonical(order, twice, 3, &m, &err), TARE_E_DATA);
    assert_string_equal(err.code, "cluster.duplicate");
    assert_ok(draws_canonical(order, NULL, 0, &m, &err));
}

/* Taking a cluster away changes nothing for the others. */
static void test_removing_a_cluster(void **state)
{
    (void)state;
    example x = example_new();
    uint64_t four[4] = {x.h64[0], x.h64[1], x.h64[3], x.h64[4]};
    static const int from[4] = {0, 1, 3, 4};
    for (uint32_t r = 0; r < 200; r++) {
        uint8_t all[5], some[4];
        draws_flips(all, x.key, r, x.h64, 5);
        draws_flips(some, x.key, r, four, 4);
        for (int i = 0; i < 4; i++) assert_int_equal(some[i], all[from[i]]);
        draws_poisson(all, x.key, r, x.h64, 5);
        draws_poisson(some, x.key, r, four, 4);
        for (int i = 0; i < 4; i++) assert_int_equal(some[i], all[from[i]]);
    }
}

static void test_one_cluster(void **state)
{
    (void)state;
    uint64_t h64 = 1;
    uint8_t w;
    assert_true(draws_multinomial(&w, rng_key_of(0, ""), 0, &h64, 1));
    assert_int_equal(w, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_key_and_words),
        cmocka_unit_test(test_key_joins_names),
        cmocka_unit_test(test_lanes_are_streams),
        cmocka_unit_test(test_example_lines),
        cmocka_unit_test(test_weights_sum_and_mean),
        cmocka_unit_test(test_poisson_moments),
        cmocka_unit_test(test_bounded_uniform),
        cmocka_unit_test(test_all_orders_of_five),
        cmocka_unit_test(test_order_of_any_keys),
        cmocka_unit_test(test_canonical_order),
        cmocka_unit_test(test_removing_a_cluster),
        cmocka_unit_test(test_one_cluster),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
