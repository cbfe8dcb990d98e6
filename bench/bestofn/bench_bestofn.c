/* bench_bestofn.c - best of n over 210 bases x 7 doses x 4 scorers, one attribute.
 *
 *     bench_bestofn FOLDER THREADS REPEATS
 *
 * writes scores and attribute to FOLDER as raw doubles for the peers, and prints lines
 * "task TAB program TAB seconds TAB cpu_seconds TAB value", the fastest of REPEATS runs each:
 *   exact     net drift in the attribute for n = 2..7 (with saturation, reference, ties and
 *             permutation variance, which the peers do not make); value: its sum over n and scorers
 *   band      9999 resamples of all n, intervals, p and the band over n; value: the width of the
 *             band at n = 4, mean over scorers
 *   mixed     pools of all 1470 variants, n = 4, 9999 resamples; value: the SE, likewise */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "audit/scorer/bestofn.h"
#include "audit/scorer/cube_from_table.h"
#include "base/error.h"
#include "base/os.h"
#include "base/text.h"
#include "stats/special.h"

enum { BASES = 210, DOSES = 7, SCORERS = 4, POINTS = DOSES - 1 };

typedef struct bench {
    tare_context *context;
    mem m;
    arena a;
    cube c;
    audit_result result;
    study t;
    double score[SCORERS][BASES * DOSES], attribute[BASES * DOSES];
    drift_set set[SCORERS];
} bench;

static double normal(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return norm_quantile(((double)((z ^ (z >> 31)) >> 11) + .5) * 0x1p-53);
}

static int write_doubles(const char *folder, const char *name, const double *x, size_t n)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    if (!f) return 0;
    int good = fwrite(x, sizeof *x, n, f) == n;
    return fclose(f) == 0 && good;
}

/* Scores without ties, each with a slope and a dislike of edits of its own. */
static void draw_scores(bench *b)
{
    uint64_t state = 1;
    for (size_t i = 0; i < BASES; i++) {
        double tone = 20 * normal(&state);
        for (size_t d = 0; d < DOSES; d++) {
            double dose = 5 * ((double)d - 3);
            b->attribute[i * DOSES + d] = 20 + tone + 1.9 * dose + .3 * normal(&state);
            for (size_t k = 0; k < SCORERS; k++)
                b->score[k][i * DOSES + d] = .02 * (double)k * dose - .01 * fabs(dose) +
                                             .01 * tone + normal(&state);
        }
    }
}

/* The file that a user would have. */
static tare_status open_study(bench *b, tare_error *err)
{
    tare_status status = TARE_OK;
    cube_table_options options = CUBE_TABLE_OPTIONS_DEFAULT;
    text csv;
    text_init(&csv, &b->m);
    text_add(&csv, "base,dose,scorer,score,ita\n");
    for (size_t i = 0; i < BASES * DOSES; i++)
        for (size_t k = 0; k < SCORERS; k++)
            text_add_format(&csv, "b%03zu,%d,s%zu,%.17g,%.17g\n", i / DOSES,
                            5 * ((int)(i % DOSES) - 3), k, b->score[k][i], b->attribute[i]);
    if (csv.failed) FAIL_MEMORY(err);
    table_bytes bytes = {"scores.csv", csv.data, csv.length};
    TRY(cube_from_table_bytes(&b->c, &b->a, b->context, &bytes, &options, err));
    TRY(study_open(&b->t, &b->result, b->context, &b->c, NULL, err));
done:
    text_free(&csv);
    return status;
}

typedef struct watch {
    double start, start_cpu, seconds, cpu;
} watch;

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static tare_status run_exact(bench *b, double *value, tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *arm = b->c.arm;
    drift_rule rule;
    *value = 0;
    for (size_t k = 0; k < SCORERS; k++) {
        TRY(drift_rule_make(&rule, &b->t, arm, err));
        TRY(drift_set_make(&b->set[k], &b->t, &rule, BASES, err));
        for (size_t i = 0; i < BASES; i++)
            TRY(drift_of_base(&b->set[k], i, &b->t.view[k], arm->attribute + i * DOSES, &rule,
                              err));
        for (size_t n = 0; n < POINTS; n++)
            for (size_t i = 0; i < BASES; i++) *value += b->set[k].at[n].net[i] / BASES;
    }
done:
    return status;
}

static tare_status run_band(bench *b, double *value, tare_error *err)
{
    tare_status status = TARE_OK;
    *value = 0;
    for (size_t k = 0; k < SCORERS; k++) {
        view *v = &b->t.view[k];
        TRY(bestofn_curve(&b->t, v, &b->set[k], true, err));
        *value += (v->curve[0]->at[2].hi - v->curve[0]->at[2].lo) / SCORERS;
    }
done:
    return status;
}

/* In dose units and in those of the attribute, the last of which is shown. */
static tare_status run_mixed(bench *b, double *value, tare_error *err)
{
    tare_status status = TARE_OK;
    *value = 0;
    for (size_t k = 0; k < SCORERS; k++) {
        TRY(bestofn_mixed(&b->t, &b->t.view[k], err));
        *value += b->result.readings[b->result.reading_count - 1].se / SCORERS;
    }
done:
    return status;
}

static tare_status run(bench *b, int repeats, tare_error *err)
{
    static const struct {
        const char *name;
        tare_status (*run)(bench *b, double *value, tare_error *err);
    } tasks[] = {{"exact", run_exact}, {"band", run_band}, {"mixed", run_mixed}};
    tare_status status = TARE_OK;
    for (size_t k = 0; k < sizeof tasks / sizeof *tasks; k++) {
        watch w = {.seconds = 1e9, .cpu = 1e9};
        double value = 0;
        for (int r = 0; r < repeats; r++) {
            w.start = os_seconds();
            w.start_cpu = cpu_seconds();
            TRY(tasks[k].run(b, &value, err));
            w.cpu = fmin(w.cpu, cpu_seconds() - w.start_cpu);
            w.seconds = fmin(w.seconds, os_seconds() - w.start);
        }
        printf("%s\ttare\t%.6f\t%.6f\t%.15g\n", tasks[k].name, w.seconds, w.cpu, value);
        fflush(stdout);
    }
done:
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: bench_bestofn FOLDER THREADS REPEATS\n");
        return 2;
    }
    static bench b;
    tare_error err = {0};
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    o.threads = (unsigned)atoi(argv[2]);
    tare_status status = tare_context_new(&b.context, &o, &err);
    b.m = mem_system();
    arena_init(&b.a, &b.m);
    result_init(&b.result, &b.m);
    draw_scores(&b);
    if (!write_doubles(argv[1], "attribute", b.attribute, BASES * DOSES) ||
        !write_doubles(argv[1], "scores", b.score[0], SCORERS * BASES * DOSES))
        status = error_set(&err, TARE_E_IO, "bench.write", argv[1], "cannot write the data");
    if (status == TARE_OK) status = open_study(&b, &err);
    if (status == TARE_OK) status = run(&b, atoi(argv[3]), &err);
    if (status != TARE_OK) fprintf(stderr, "%s: %s\n", err.where, err.message);
    study_close(&b.t);
    result_free(&b.result);
    arena_free(&b.a);
    tare_context_free(b.context);
    return status != TARE_OK;
}
