/* Columns of whole numbers in the product: exact sums in integers, made here one by one. */
#include "stats/resample.h"

#include <string.h>

#include "base/error.h"
#include "base/rng.h"
#include "stats/resample_whole_kernel.c" /* the ways one machine would not choose */
#include "support/check.h"

enum { M = 203, P = 9, B = 77 };

/* Column by column: scores, halves, 0..100, two digits, three, counts, and three that are not
 * whole: thirds, too fine, too large. */
static double cell(rng_stream *s, int column)
{
    double u = rng_uniform(s);
    switch (column) {
    case 0: return floor(10 * u);
    case 1: return floor(20 * u) / 2;
    case 2: return floor(255 * u) - 127;
    case 3: return floor(32639 * u) - 16319;
    case 4: return floor(4177791 * u) - 2088895;
    case 5: return 1;
    case 6: return floor(30 * u) / 3;
    case 7: return floor(10 * u) + ldexp(1, -11);
    default: return 2088896 + floor(10 * u);
    }
}

typedef struct fixture {
    mem m;
    pool *pool;
    uint64_t h64[M];
    double z[M * P];
} fixture;

static void fixture_init(fixture *f, unsigned threads)
{
    rng_stream s;
    f->m = mem_system();
    f->pool = pool_new(&f->m, threads);
    rng_start(&s, rng_key_of(2, "whole/test"), 0, 0);
    for (int i = 0; i < M; i++) f->h64[i] = rng_u64(&s);
    for (int i = 0; i < M * P; i++) f->z[i] = cell(&s, i % P);
    /* the ends */
    f->z[2] = 127;
    f->z[P + 2] = -127;
    f->z[3] = 16319;
    f->z[P + 3] = -16319;
    f->z[4] = 2088895;
    f->z[P + 4] = -2088895;
}

static resample_draws draws_of(const fixture *f, resample_kind kind)
{
    return (resample_draws){.m = &f->m, .pool = f->pool, .kind = kind,
                            .key = rng_key_of(1, "x/boot"), .h64 = f->h64, .clusters = M,
                            .replicates = B};
}

static void test_exact(void **state)
{
    (void)state;
    static double totals[B * P];
    fixture f;
    tare_error err;
    fixture_init(&f, 2);
    for (int kind = RESAMPLE_MULTINOMIAL; kind <= RESAMPLE_POISSON; kind++) {
        resample_draws d = draws_of(&f, (resample_kind)kind);
        assert_ok(resample_totals(totals, &d, f.z, P, &err));
        for (uint32_t r = 0; r < B; r++) {
            uint8_t w[M];
            assert_ok(resample_weights(w, &d, r, &err));
            for (int j = 0; j < P; j++) {
                double sum = 0; /* exact for the whole columns: all below 2^53 */
                for (int k = 0; k < M; k++) sum += w[k] * f.z[k * P + j];
                double got = totals[r * P + (uint32_t)j];
                if (j < 6) assert_true(got == sum);
                else assert_within(got, sum, 1e-12, 0);
            }
        }
    }
    pool_free(f.pool);
}

/* A column by itself, in other company, with weights kept: the same bits. */
static void test_company_does_not_matter(void **state)
{
    (void)state;
    static double all[B * P], alone[B], column[M];
    fixture f;
    tare_error err;
    fixture_init(&f, 3);
    resample_draws d = draws_of(&f, RESAMPLE_MULTINOMIAL);
    assert_ok(resample_totals(all, &d, f.z, P, &err));
    assert_ok(resample_keep(&d, &err));
    for (int j = 0; j < P; j++) {
        for (int k = 0; k < M; k++) column[k] = f.z[k * P + j];
        assert_ok(resample_totals(alone, &d, column, 1, &err));
        for (int r = 0; r < B; r++) assert_memory_equal(&alone[r], &all[r * P + j], sizeof *alone);
    }
    resample_forget(&d);
    pool_free(f.pool);
}

/* More clusters than one piece of the sums holds, all weights and digits at their ends. */
static void test_kernels_at_their_ends(void **state)
{
    (void)state;
    enum { GROUPS = WHOLE_GROUPS };
    int8_t *z = malloc(GROUPS * 64 * 2);
    uint8_t *w = malloc(GROUPS * 4 + 8);
    const uint8_t *rows[WHOLE_ROWS];
    whole_fn kernels[3] = {whole_plain, whole_plain, whole_plain};
#if WHOLE_X86
    if (__builtin_cpu_supports("avx2")) kernels[1] = whole_avx2;
    if (__builtin_cpu_supports("avx512vnni")) kernels[2] = whole_vnni;
#endif
    for (int end = -127; end <= 127; end += 254) {
        memset(z, end, GROUPS * 64 * 2);
        memset(w, 255, GROUPS * 4 + 8);
        for (int i = 0; i < WHOLE_ROWS; i++) {
            rows[i] = w + i;
            w[i] = (uint8_t)i;
        }
        for (int v = 0; v < 3; v++) {
            int32_t sum[WHOLE_ROWS][32] = {{0}};
            kernels[v](sum, rows, z, GROUPS * 64, GROUPS);
            for (int i = 0; i < WHOLE_ROWS; i++) {
                int64_t want = 0;
                for (int k = 0; k < GROUPS * 4; k++) want += end * rows[i][k];
                for (int j = 0; j < 32; j++) assert_int_equal(sum[i][j], want);
            }
        }
    }
    free(z);
    free(w);
}

/* The pieces of many clusters put together: 70,001 clusters are two pieces and a rest of one. */
static void test_many_clusters(void **state)
{
    (void)state;
    enum { MANY = 70001, FEW = 9 };
    mem m = mem_system();
    pool *p = pool_new(&m, 2);
    uint64_t *h64 = malloc(MANY * sizeof *h64);
    double *z = malloc(MANY * sizeof *z), totals[FEW];
    uint8_t *w = malloc(MANY);
    tare_error err;
    for (size_t k = 0; k < MANY; k++) {
        h64[k] = 977 * k;
        z[k] = (double)(k % 1000) / 4;
    }
    resample_draws d = {.m = &m, .pool = p, .kind = RESAMPLE_POISSON, .key = rng_key_of(1, "y"),
                        .h64 = h64, .clusters = MANY, .replicates = FEW};
    assert_ok(resample_totals(totals, &d, z, 1, &err));
    for (uint32_t r = 0; r < FEW; r++) {
        double sum = 0;
        assert_ok(resample_weights(w, &d, r, &err));
        for (size_t k = 0; k < MANY; k++) sum += w[k] * z[k];
        assert_true(totals[r] == sum);
    }
    free(h64);
    free(z);
    free(w);
    pool_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_company_does_not_matter),
        cmocka_unit_test(test_kernels_at_their_ends),
        cmocka_unit_test(test_many_clusters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
