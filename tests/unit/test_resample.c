/* The product: against its definition, for all kinds of draws, blocks, threads and neighbours. */
#include "stats/resample.h"

#include <string.h>

#include "base/error.h"
#include "stats/draws.h"
#include "stats/moments.h"
#include "stats/resample_kernel.c" /* the widths one machine would not choose */
#include "support/check.h"

enum { M = 203, P = 71, B = 333 };

typedef struct fixture {
    mem m;
    pool *pool;
    uint64_t h64[M];
    double *z;
} fixture;

static void fixture_init(fixture *f, unsigned threads)
{
    f->m = mem_system();
    f->pool = pool_new(&f->m, threads);
    f->z = malloc(M * P * sizeof *f->z);
    rng_stream s;
    rng_start(&s, rng_key_of(1, "resample/test"), 0, 0);
    for (int i = 0; i < M; i++) f->h64[i] = rng_u64(&s);
    for (int i = 0; i < M * P; i++) f->z[i] = 1000 * (i % P) + rng_uniform(&s);
}

static void fixture_free(fixture *f)
{
    free(f->z);
    pool_free(f->pool);
}

static resample_draws draws_of(const fixture *f, resample_kind kind)
{
    return (resample_draws){.m = &f->m, .pool = f->pool, .kind = kind,
                            .key = rng_key_of(1, "x/boot"), .h64 = f->h64, .clusters = M,
                            .replicates = B};
}

/* One total by the formula in the header, nothing clever. */
static double by_definition(const fixture *f, const uint8_t *w, resample_kind kind, int column)
{
    neumaier sum = {0, 0};
    double total = 0, mass = 0;
    for (int k = 0; k < M; k++) neumaier_add(&sum, f->z[k * P + column]);
    double mean = neumaier_total(&sum) / M;
    for (int k = 0; k < M; k++) {
        double z = f->z[k * P + column];
        if (kind == RESAMPLE_SIGNS) total += -2.0 * w[k] * z;
        else total += w[k] * (z - mean);
        mass += w[k];
    }
    return kind == RESAMPLE_SIGNS ? total + neumaier_total(&sum) : total + mass * mean;
}

static void test_definition_to_the_bit(void **state)
{
    (void)state;
    static double totals[B * P];
    fixture f;
    fixture_init(&f, 2);
    tare_error err;
    for (int kind = RESAMPLE_MULTINOMIAL; kind <= RESAMPLE_SIGNS; kind++) {
        resample_draws d = draws_of(&f, (resample_kind)kind);
        assert_ok(resample_totals(totals, &d, f.z, P, &err));
        for (uint32_t r = 0; r < B; r++) {
            uint8_t w[M];
            assert_ok(resample_weights(w, &d, r, &err));
            for (int j = 0; j < P; j += 7) {
                double want = by_definition(&f, w, d.kind, j), got = totals[r * P + (uint32_t)j];
                assert_memory_equal(&got, &want, sizeof want);
            }
        }
    }
    fixture_free(&f);
}

static void test_threads_kept_and_neighbours(void **state)
{
    (void)state;
    static const unsigned threads[4] = {1, 2, 3, 8};
    static double first[B * P], totals[B * P], one[B];
    tare_error err;
    for (int t = 0; t < 4; t++) {
        fixture f;
        fixture_init(&f, threads[t]);
        resample_draws d = draws_of(&f, RESAMPLE_MULTINOMIAL);
        double *column = malloc(M * sizeof *column);
        assert_ok(resample_totals(totals, &d, f.z, P, &err));
        if (t == 0) memcpy(first, totals, sizeof first);
        assert_memory_equal(first, totals, sizeof first);
        assert_ok(resample_keep(&d, &err));
        assert_non_null(d.kept);
        assert_ok(resample_totals(totals, &d, f.z, P, &err));
        assert_memory_equal(first, totals, sizeof first);
        for (int k = 0; k < M; k++) column[k] = f.z[k * P + 40];
        assert_ok(resample_totals(one, &d, column, 1, &err));
        for (int r = 0; r < B; r++)
            assert_memory_equal(&one[r], &first[r * P + 40], sizeof(double));
        resample_forget(&d);
        free(column);
        fixture_free(&f);
    }
}

static void test_widths_agree(void **state)
{
    (void)state;
    enum { N = 500 };
    static _Alignas(64) double slice[KERNEL_CLUSTERS * KERNEL_COLUMNS], sum[3][KERNEL_COLUMNS];
    kernel_entry entries[N];
    double value[256];
    rng_stream s;
    rng_start(&s, rng_key_of(1, "kernel"), 0, 0);
    for (int i = 0; i < 256; i++) value[i] = i;
    for (int i = 0; i < KERNEL_CLUSTERS * KERNEL_COLUMNS; i++) slice[i] = rng_uniform(&s) - 0.3;
    for (int i = 0; i < N; i++)
        entries[i] = (kernel_entry){(uint16_t)rng_bounded(&s, KERNEL_CLUSTERS),
                                    (uint16_t)rng_bounded(&s, 256)};
    kernel_plain(sum[0], slice, entries, N, value);
    assert_true(sum[0][0] != 0);
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx")) {
        kernel_avx(sum[1], slice, entries, N, value);
        assert_memory_equal(sum[0], sum[1], sizeof sum[0]);
    }
    if (__builtin_cpu_supports("avx512f")) {
        kernel_avx512(sum[2], slice, entries, N, value);
        assert_memory_equal(sum[0], sum[2], sizeof sum[0]);
    }
#endif
}

static void test_shapes(void **state)
{
    (void)state;
    /* One cluster, one column, one replicate; and cluster counts around a slice of 64. */
    static const size_t clusters[6] = {1, 2, 63, 64, 65, 128};
    fixture f;
    fixture_init(&f, 2);
    tare_error err;
    for (int i = 0; i < 6; i++) {
        resample_draws d = draws_of(&f, RESAMPLE_MULTINOMIAL);
        double z[128], totals[3];
        d.clusters = clusters[i];
        d.replicates = 3;
        for (size_t k = 0; k < clusters[i]; k++) z[k] = (double)k;
        assert_ok(resample_totals(totals, &d, z, 1, &err));
        for (uint32_t r = 0; r < 3; r++) {
            uint8_t w[128];
            double want = 0;
            assert_ok(resample_weights(w, &d, r, &err));
            for (size_t k = 0; k < clusters[i]; k++) want += w[k] * z[k];
            assert_close(totals[r], want);
        }
    }
    fixture_free(&f);
}

static void test_too_large_to_keep(void **state)
{
    (void)state;
    fixture f;
    fixture_init(&f, 1);
    tare_error err;
    resample_draws d = draws_of(&f, RESAMPLE_MULTINOMIAL);
    d.clusters = RESAMPLE_KEEP_BYTES;
    assert_ok(resample_keep(&d, &err));
    assert_null(d.kept);
    fixture_free(&f);
}

static tare_status refuse(void *arg, const resample_block *block, unsigned worker, tare_error *err)
{
    (void)worker;
    size_t *limit = arg;
    if (block->first + block->count > *limit)
        return error_set(err, TARE_E_DATA, "test.refuse", NULL, "block at %zu", block->first);
    return TARE_OK;
}

static void test_errors_of_the_visitor(void **state)
{
    (void)state;
    fixture f;
    fixture_init(&f, 2);
    tare_error err;
    size_t limit = 100;
    resample_draws d = draws_of(&f, RESAMPLE_POISSON);
    assert_int_equal(resample_product(&d, f.z, P, refuse, &limit, &err), TARE_E_DATA);
    assert_string_equal(err.message, "block at 96");
    fixture_free(&f);
}

/* The bootstrap mean of a mean is the mean, within 5 Monte Carlo standard errors. */
static void test_mean_of_means(void **state)
{
    (void)state;
    static double totals[B * P];
    fixture f;
    fixture_init(&f, 2);
    tare_error err;
    resample_draws d = draws_of(&f, RESAMPLE_MULTINOMIAL);
    assert_ok(resample_totals(totals, &d, f.z, P, &err));
    for (int j = 0; j < P; j++) {
        double column[B], z[M];
        for (int r = 0; r < B; r++) column[r] = totals[r * P + j] / M;
        for (int k = 0; k < M; k++) z[k] = f.z[k * P + j];
        double se = moments_sd(z, M, 0) / sqrt((double)M * B);
        assert_within(moments_mean(column, B), moments_mean(z, M), 0, 5 * se);
    }
    fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definition_to_the_bit),
        cmocka_unit_test(test_threads_kept_and_neighbours),
        cmocka_unit_test(test_widths_agree),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_too_large_to_keep),
        cmocka_unit_test(test_errors_of_the_visitor),
        cmocka_unit_test(test_mean_of_means),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
