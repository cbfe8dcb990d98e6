/* bench_agreement.c - Kendall's tau, its bootstrap, and Krippendorff's alpha.
 *
 *     bench_agreement FOLDER THREADS REPEATS
 *
 * makes the data, writes them to FOLDER as raw doubles for the peers, and prints lines
 * "task TAB program TAB seconds TAB cpu_seconds TAB value", the fastest of REPEATS runs each:
 *   tau_*     1,296,000 pairs. real: all values distinct; gold: of the second variable 5; ties: of
 *             the first 101 besides
 *   boot_*    tau-b of 6,500 rows in 1,300 clusters, 2,000 resamples of clusters, draws and
 *             interval included; the value is the SE
 *   alpha_*   10,000 units x 5 raters, a tenth missing, of 5 and of 100 values: each level by
 *             itself, as the peer does, and all four at once */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/os.h"
#include "stats/agreement.h"
#include "stats/infer.h"
#include "stats/kendall.h"

enum { PAIRS = 1296000, ROWS = 6500, CLUSTERS = 1300, B = 2000, UNITS = 10000, RATERS = 5,
       CELLS = UNITS * RATERS };

typedef struct bench {
    mem m;
    pool *pool;
    const char *folder;
    int repeats;
    double *x, *y;            /* [PAIRS] */
    double ratings[CELLS];
    uint32_t cluster[ROWS];
    char names[CLUSTERS][8];
    const char *ids[CLUSTERS];
    void *scratch;
} bench;

static double uniform(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static int write_doubles(const bench *b, const char *name, const double *x, size_t n)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", b->folder, name);
    FILE *f = fopen(path, "wb");
    if (!f) return 0;
    int good = fwrite(x, sizeof *x, n, f) == n;
    return fclose(f) == 0 && good;
}

/* The fastest run by each clock. */
typedef struct watch {
    double start, start_cpu, seconds, cpu;
} watch;

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void begin(watch *w)
{
    w->start = os_seconds();
    w->start_cpu = cpu_seconds();
}

static void end(watch *w)
{
    w->cpu = fmin(w->cpu, cpu_seconds() - w->start_cpu);
    w->seconds = fmin(w->seconds, os_seconds() - w->start);
}

static void say(const char *task, const watch *w, double value)
{
    printf("%s\ttare\t%.6f\t%.6f\t%.15g\n", task, w->seconds, w->cpu, value);
    fflush(stdout);
}

/* A judge and gold that share a quality. */
static int make_pairs(bench *b, const char *name, int judge_ties, int gold_ties)
{
    uint64_t state = 1;
    char file[64];
    for (size_t i = 0; i < PAIRS; i++) {
        double quality = uniform(&state);
        b->x[i] = quality + uniform(&state);
        b->y[i] = quality + .5 * uniform(&state);
        if (judge_ties) b->x[i] = floor(b->x[i] * 50);
        if (gold_ties) b->y[i] = floor(b->y[i] * 3.3);
    }
    snprintf(file, sizeof file, "%s.x", name);
    if (!write_doubles(b, file, b->x, PAIRS)) return 0;
    snprintf(file, sizeof file, "%s.y", name);
    return write_doubles(b, file, b->y, PAIRS);
}

static tare_status run_tau(bench *b, const char *task, tare_error *err)
{
    tare_status status = TARE_OK;
    watch w = {.seconds = 1e9, .cpu = 1e9};
    kendall k;
    for (int run = 0; run < b->repeats; run++) {
        begin(&w);
        TRY(kendall_tau(&k, b->x, b->y, PAIRS, &b->m, err));
        end(&w);
    }
    say(task, &w, k.tau_b);
done:
    return status;
}

static void tau_of(double *values, const uint8_t *w, const void *user, void *scratch)
{
    kendall k;
    kendall_clustered(&k, user, w, scratch);
    values[0] = k.tau_b;
}

static void tau_of_lanes(double *values, const uint8_t *lanes, const uint8_t *w, const void *user,
                         void *scratch)
{
    kendall k[KENDALL_LANES];
    kendall_lanes(k, user, &(kendall_sets){lanes, w, CLUSTERS}, scratch);
    for (size_t i = 0; i < KENDALL_LANES; i++) values[i] = k[i].tau_b;
}

static tare_status run_boot(bench *b, const char *task, tare_error *err)
{
    tare_status status = TARE_OK;
    watch w = {.seconds = 1e9, .cpu = 1e9};
    kendall_rows *rows = NULL;
    inference r;
    infer_plan plan = {.m = &b->m, .pool = b->pool, .seed = 1, .analysis = "bench", .ids = b->ids,
                       .clusters = CLUSTERS, .boot_b = B, .perm_p = B, .alpha = .05, .power = .8};
    for (int run = 0; run < b->repeats; run++) {
        begin(&w);
        TRY(kendall_rows_new(&rows, b->x, b->y, ROWS, &b->m, err));
        TRY(kendall_rows_cluster(rows, b->cluster, err));
        infer_weighted what = {.evaluate = tau_of, .evaluate_lanes = tau_of_lanes, .user = rows,
                               .outputs = 1, .n = ROWS, .scratch_bytes = kendall_lanes_bytes(rows)};
        TRY(infer_weights(&r, &plan, &what, NULL, err));
        end(&w);
        kendall_rows_free(rows);
        rows = NULL;
    }
    say(task, &w, r.se);
done:
    kendall_rows_free(rows);
    return status;
}

static tare_status run_alpha(bench *b, unsigned kinds, tare_error *err)
{
    static const char *const names[ALPHA_LEVELS] = {"nominal", "ordinal", "interval", "ratio"};
    tare_status status = TARE_OK;
    uint64_t state = kinds;
    alpha_rows *rows = NULL;
    alpha_result a;
    char task[64];
    for (size_t i = 0; i < CELLS; i += RATERS) {
        double quality = uniform(&state);
        for (size_t j = i; j < i + RATERS; j++) {
            double x = floor((.7 * quality + .3 * uniform(&state)) * kinds) + 1;
            b->ratings[j] = uniform(&state) < .1 ? NAN : x;
        }
    }
    snprintf(task, sizeof task, "alpha_%u", kinds);
    if (!write_doubles(b, task, b->ratings, CELLS))
        FAIL(err, TARE_E_IO, "bench.write", b->folder, "cannot write");
    for (int level = 0; level <= ALPHA_LEVELS; level++) {
        int all = level == ALPHA_LEVELS, shown = all ? ALPHA_INTERVAL : level;
        watch w = {.seconds = 1e9, .cpu = 1e9};
        for (int run = 0; run < b->repeats; run++) {
            begin(&w);
            TRY(alpha_rows_new(&rows, b->ratings, UNITS, RATERS, &b->m, err));
            if (!all) alpha_rows_levels(rows, 1u << level);
            alpha_weighted(&a, rows, NULL, b->scratch);
            end(&w);
            alpha_rows_free(rows);
            rows = NULL;
        }
        snprintf(task, sizeof task, "alpha_%u_%s", kinds, all ? "all" : names[level]);
        say(task, &w, a.alpha[shown]);
    }
done:
    alpha_rows_free(rows);
    return status;
}

static tare_status run(bench *b, tare_error *err)
{
    static const char *const names[3] = {"real", "gold", "ties"};
    tare_status status = TARE_OK;
    char task[64];
    for (int kind = 0; kind < 3; kind++) {
        if (!make_pairs(b, names[kind], kind == 2, kind >= 1))
            FAIL(err, TARE_E_IO, "bench.write", b->folder, "cannot write");
        snprintf(task, sizeof task, "tau_%s", names[kind]);
        TRY(run_tau(b, task, err));
        snprintf(task, sizeof task, "boot_%s", names[kind]);
        TRY(run_boot(b, task, err));
    }
    TRY(run_alpha(b, 5, err));
    TRY(run_alpha(b, 100, err));
done:
    return status;
}

int main(int argc, char **argv)
{
    static bench b;
    tare_error err;
    if (argc != 4) {
        fprintf(stderr, "usage: bench_agreement FOLDER THREADS REPEATS\n");
        return 2;
    }
    b.m = mem_system();
    b.folder = argv[1];
    b.pool = pool_new(&b.m, (unsigned)atoi(argv[2]));
    b.repeats = atoi(argv[3]) > 0 ? atoi(argv[3]) : 1;
    b.x = malloc(PAIRS * sizeof *b.x);
    b.y = malloc(PAIRS * sizeof *b.y);
    b.scratch = malloc(1 << 20);
    if (!b.pool || !b.x || !b.y || !b.scratch) return 1;
    for (size_t i = 0; i < ROWS; i++) b.cluster[i] = (uint32_t)(i / (ROWS / CLUSTERS));
    for (size_t i = 0; i < CLUSTERS; i++) {
        snprintf(b.names[i], sizeof b.names[i], "%05zu", i);
        b.ids[i] = b.names[i];
    }
    int failed = run(&b, &err) != TARE_OK;
    if (failed) fprintf(stderr, "bench_agreement: %s\n", err.message);
    pool_free(b.pool);
    free(b.x);
    free(b.y);
    free(b.scratch);
    return failed;
}
