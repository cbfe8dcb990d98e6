/* bench_stats.c - 48 regressions x 2,000 cluster resamples of 500 items x 9 doses, 3 covariates,
 * OLS within item. From raw columns to estimate, SE, interval and p of 144 coefficients.
 *
 *     bench_stats THREADS REPEATS OUT.tsv
 *
 * prints lines "name TAB seconds TAB parts", the fastest of REPEATS runs each:
 *   tare engine   sums, draws, product, solves, percentile interval, centred p: what the peers do
 *   tare infer    infer_totals: the same and, for each coefficient, the cluster jackknife, the
 *                 warnings and both intervals of the equivalence test
 * OUT.tsv gets test, covariate, estimate, se, lo, hi, p of the last one. The data are those of
 * problem.py, to the bit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/os.h"
#include "stats/draws.h"
#include "stats/infer.h"
#include "stats/interval.h"
#include "stats/linear.h"
#include "stats/moments.h"
#include "stats/resample.h"

enum { TESTS = 48, ITEMS = 500, DOSES = 9, P = 3, B = 2000, ROWS = ITEMS * DOSES,
       WIDTH = P * (P + 1) / 2 + P, COLUMNS = TESTS * WIDTH, OUTPUTS = TESTS * P, PARTS = 5 };

typedef struct bench {
    mem m;
    pool *pool;
    double *x, *y;           /* [TESTS][P][ROWS], [TESTS][ROWS]               */
    uint32_t item[ROWS];
    char names[ITEMS][8];
    const char *ids[ITEMS];
    double *z;               /* [ITEMS][COLUMNS]                              */
    double *star;            /* [OUTPUTS][B]                                  */
    double *work;            /* [workers][4 ROWS + ITEMS widths]              */
    size_t work_each;
    inference out[OUTPUTS];
    double seconds[PARTS];
} bench;

static double mixed(uint64_t start, uint64_t index)
{
    uint64_t z = (start + index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-53 - 0.5;
}

static void make(bench *b)
{
    for (int t = 0; t < TESTS; t++)
        for (int r = 0; r < ROWS; r++) {
            uint64_t row = (uint64_t)t * ROWS + (uint64_t)r;
            double *x = b->x + (size_t)t * P * ROWS + r;
            for (int j = 0; j < P; j++) x[j * ROWS] = mixed(0, row * P + (uint64_t)j);
            double item = mixed((uint64_t)1 << 40, (uint64_t)(t * ITEMS + r / DOSES));
            double noise = mixed((uint64_t)1 << 41, row);
            b->y[row] = item + t / 400.0 * x[0] - 0.05 * x[ROWS] + noise;
        }
    for (int r = 0; r < ROWS; r++) b->item[r] = (uint32_t)(r / DOSES);
    for (int i = 0; i < ITEMS; i++) {
        snprintf(b->names[i], sizeof b->names[i], "%05d", i);
        b->ids[i] = b->names[i];
    }
}

/* ---- Sums: demean within items, then cross products per item --------------------------------- */

static tare_status sums_range(void *arg, size_t begin, size_t end, unsigned worker,
                              tare_error *err)
{
    bench *b = arg;
    tare_status status = TARE_OK;
    double *x = b->work + worker * b->work_each, *y = x + P * ROWS, *z = y + ROWS;
    double *sums = z + ITEMS * LINEAR_SUMS_WIDTH(P);
    size_t *counts = (size_t *)(void *)(sums + 3 * ITEMS);
    for (size_t t = begin; t < end; t++) {
        memcpy(x, b->x + t * P * ROWS, P * ROWS * sizeof *x);
        memcpy(y, b->y + t * ROWS, ROWS * sizeof *y);
        for (int j = 0; j < P; j++)
            linear_demean(x + j * ROWS, b->item, ROWS, ITEMS, counts, sums);
        linear_demean(y, b->item, ROWS, ITEMS, counts, sums);
        linear_model model = {.n = ROWS, .p = P, .x = x, .y = y, .absorbed = ITEMS};
        linear_clusters clusters = {.id = b->item, .count = ITEMS};
        TRY(linear_sums(z, &model, &clusters, &b->m, err));
        for (int i = 0; i < ITEMS; i++)
            memcpy(b->z + (size_t)i * COLUMNS + t * WIDTH, z + i * LINEAR_SUMS_WIDTH(P),
                   WIDTH * sizeof *z);
    }
done:
    return status;
}

/* ---- Engine ---------------------------------------------------------------------------------- */

static tare_status solve_block(void *arg, const resample_block *block, unsigned worker,
                               tare_error *err)
{
    bench *b = arg;
    (void)worker;
    (void)err;
    for (size_t i = 0; i < block->count; i++)
        for (size_t t = 0; t < TESTS; t++) {
            double beta[P];
            linear_solve_spd(beta, block->totals + i * block->stride + t * WIDTH, P);
            for (size_t j = 0; j < P; j++) b->star[(t * P + j) * B + block->first + i] = beta[j];
        }
    return TARE_OK;
}

static tare_status interval_range(void *arg, size_t begin, size_t end, unsigned worker,
                                  tare_error *err)
{
    bench *b = arg;
    double *t = b->work + worker * b->work_each;
    (void)err;
    for (size_t k = begin; k < end; k++) {
        inference *out = &b->out[k];
        size_t defined = boot_defined(t, b->star + k * B, B);
        out->se = moments_sd(t, defined, 1);
        out->p = boot_p_centred(t, defined, out->estimate, out->se);
        interval ends = interval_percentile(t, defined, .05);
        out->lo = ends.lo;
        out->hi = ends.hi;
    }
    return TARE_OK;
}

static tare_status run_engine(bench *b, uint64_t seed, tare_error *err)
{
    tare_status status = TARE_OK;
    uint64_t h64[ITEMS];
    double total[COLUMNS] = {0}, mark = os_seconds(), now;
    resample_draws d = {.m = &b->m, .pool = b->pool, .kind = RESAMPLE_MULTINOMIAL,
                        .key = rng_key_of(seed, "bench/boot"), .h64 = h64, .clusters = ITEMS,
                        .replicates = B};
    TRY(pool_for(b->pool, TESTS, 1, sums_range, b, err));
    b->seconds[0] = (now = os_seconds()) - mark, mark = now;
    draws_hash(h64, b->ids, ITEMS);
    TRY(resample_keep(&d, err));
    b->seconds[1] = (now = os_seconds()) - mark, mark = now;
    for (size_t i = 0; i < ITEMS; i++)
        for (size_t j = 0; j < COLUMNS; j++) total[j] += b->z[i * COLUMNS + j];
    for (size_t t = 0; t < TESTS; t++) {
        double beta[P];
        linear_solve_spd(beta, total + t * WIDTH, P);
        for (size_t j = 0; j < P; j++) b->out[t * P + j].estimate = beta[j];
    }
    TRY(resample_product(&d, b->z, COLUMNS, solve_block, b, err));
    b->seconds[2] = (now = os_seconds()) - mark, mark = now;
    TRY(pool_for(b->pool, OUTPUTS, 4, interval_range, b, err));
    b->seconds[3] = (now = os_seconds()) - mark, mark = now;
done:
    resample_forget(&d);
    return status;
}

/* ---- infer_totals ---------------------------------------------------------------------------- */

static void slopes(double *values, const double *total, size_t p, const void *user)
{
    (void)p;
    (void)user;
    linear_solve_spd(values, total, P);
}

static tare_status run_infer(bench *b, uint64_t seed, tare_error *err)
{
    tare_status status = TARE_OK;
    infer_smooth functions[TESTS];
    double mark = os_seconds(), now;
    infer_plan plan = {.m = &b->m, .pool = b->pool, .seed = seed, .analysis = "bench",
                       .clusters = ITEMS, .ids = b->ids, .boot_b = B, .perm_p = B, .alpha = .05,
                       .power = .8};
    TRY(pool_for(b->pool, TESTS, 1, sums_range, b, err));
    b->seconds[0] = (now = os_seconds()) - mark, mark = now;
    for (size_t t = 0; t < TESTS; t++)
        functions[t] = (infer_smooth){.many = slopes, .outputs = P, .first = t * WIDTH,
                                      .count = WIDTH, .n = ROWS};
    TRY(infer_totals(b->out, &plan, &(infer_sums){b->z, COLUMNS}, functions, TESTS, NULL, err));
    b->seconds[1] = os_seconds() - mark;
done:
    return status;
}

/* ---- Around ---------------------------------------------------------------------------------- */

typedef tare_status (*run_fn)(bench *b, uint64_t seed, tare_error *err);

static tare_status measure(bench *b, const char *name, run_fn run, int repeats, tare_error *err)
{
    tare_status status = TARE_OK;
    double best = INFINITY, parts[PARTS] = {0};
    for (int i = 0; i < repeats; i++) {
        memset(b->seconds, 0, sizeof b->seconds);
        double start = os_seconds();
        TRY(run(b, (uint64_t)i, err));
        double seconds = os_seconds() - start;
        if (seconds >= best) continue;
        best = seconds;
        memcpy(parts, b->seconds, sizeof parts);
    }
    printf("%s\t%.6f\tms: sums %.2f", name, best, parts[0] * 1e3);
    if (run == run_engine)
        printf(" draws %.2f product and solve %.2f intervals %.2f\n", parts[1] * 1e3,
               parts[2] * 1e3, parts[3] * 1e3);
    else
        printf(" inference %.2f\n", parts[1] * 1e3);
done:
    return status;
}

static bool write_out(const bench *b, const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f) return false;
    for (int k = 0; k < OUTPUTS; k++) {
        const inference *r = &b->out[k];
        fprintf(f, "%d\t%d\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g\n", k / P, k % P, r->estimate, r->se,
                r->lo, r->hi, r->p);
    }
    return fclose(f) == 0;
}

int main(int argc, char **argv)
{
    static bench b;
    tare_error error, *err = &error;
    tare_status status = TARE_OK;
    if (argc != 4) {
        fprintf(stderr, "usage: bench_stats THREADS REPEATS OUT.tsv\n");
        return 2;
    }
    unsigned threads = (unsigned)atoi(argv[1]);
    b.m = mem_system();
    b.work_each = (P + 1) * ROWS + ITEMS * (LINEAR_SUMS_WIDTH(P) + 4);
    TRY_NEW(b.pool = pool_new(&b.m, threads));
    TRY_NEW(b.x = mem_new(&b.m, TESTS * P, ROWS * sizeof *b.x));
    TRY_NEW(b.y = mem_new(&b.m, TESTS, ROWS * sizeof *b.y));
    TRY_NEW(b.z = mem_new(&b.m, ITEMS, COLUMNS * sizeof *b.z));
    TRY_NEW(b.star = mem_new(&b.m, OUTPUTS, B * sizeof *b.star));
    TRY_NEW(b.work = mem_new(&b.m, pool_threads(b.pool), b.work_each * sizeof *b.work));
    make(&b);
    TRY(measure(&b, "tare engine", run_engine, atoi(argv[2]), err));
    TRY(measure(&b, "tare infer", run_infer, atoi(argv[2]), err));
    if (!write_out(&b, argv[3])) status = error_set(err, TARE_E_IO, "bench.out", argv[3], "write");
done:
    if (status != TARE_OK) fprintf(stderr, "bench_stats: %s: %s\n", error.code, error.message);
    mem_free(&b.m, b.x);
    mem_free(&b.m, b.y);
    mem_free(&b.m, b.z);
    mem_free(&b.m, b.star);
    mem_free(&b.m, b.work);
    pool_free(b.pool);
    return status != TARE_OK;
}
