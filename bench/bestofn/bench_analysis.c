/* bench_analysis.c - the whole analysis of a score table, by family of readings.
 *
 *     bench_analysis THREADS [SCORERS [BASES [B]]]
 *
 * Three arms (skin, its sham, nonskin) of BASES (210) bases x 7 doses x SCORERS (8) scorers with
 * attribute, artifact and seven groups. Prints "family TAB seconds TAB cpu_seconds TAB readings" in
 * the order of the calls, and their sum. B (9999): bootstrap and permutation replicates. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "audit/scorer/cube_from_table.h"
#include "audit/scorer/study.h"
#include "base/error.h"
#include "base/os.h"
#include "base/text.h"
#include "stats/special.h"

enum { DOSES = 7 };

typedef struct size_of_table {
    size_t scorers, bases;
} size_of_table;

static double normal(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return norm_quantile(((double)((z ^ (z >> 31)) >> 11) + .5) * 0x1p-53);
}

static void put_table(text *csv, size_of_table size)
{
    static const char *const arms[3] = {"skin", "sham", "nonskin"};
    uint64_t state = 1;
    text_add(csv, "arm,base,dose,scorer,score,ita,artifact,group\n");
    for (size_t a = 0; a < 3; a++)
        for (size_t i = 0; i < size.bases; i++)
            for (int d = -3; d <= 3; d++) {
                double shift = a == 0 ? 5 * d : 0, ita = 30 + 1.9 * shift + normal(&state);
                double clipped = d ? fabs(.01 * d + .02 * normal(&state)) : 0;
                for (size_t k = 0; k < size.scorers; k++)
                    text_add_format(csv, "%s,b%05zu,%d,s%zu,%.9g,%.9g,%.9g,g%zu\n", arms[a], i,
                                    5 * d, k,
                                    .01 * (double)k * shift - .03 * abs(d) + normal(&state), ita,
                                    clipped, i % 7);
            }
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The families of analyse.c; their names are for this table only. */
static const struct {
    const char *name;
    tare_status (*run)(study *t, tare_error *err);
} families[] = {
    {"noise", noise_run}, {"fidelity", fidelity_run}, {"calibration", calibration_run},
    {"regression", regression_run}, {"bestofn", bestofn_run}, {"crossimage", crossimage_run},
    {"placebo", placebo_run}, {"missing", missing_run}, {"population", population_run},
    {"floors", floors_run}, {"shape, joint p", shape_joint_run}, {"robust", robust_run},
    {"robust, masks", robust_masks_run}, {"robust, seeds", robust_seeds_run},
    {"criterion", criterion_run}, {"grids", grids_run}, {"shape", shape_class_run},
    {"influence", influence_run}, {"wording", wording_run}, {"tables", tables_run},
    {"figures", figures_run}, {"facts", facts_run}, {"answer", answer_run}};

static tare_status run(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    double all = os_seconds(), all_cpu = cpu_seconds();
    for (size_t k = 0; k < sizeof families / sizeof *families; k++) {
        double start = os_seconds(), cpu = cpu_seconds();
        size_t before = t->out->reading_count;
        TRY(families[k].run(t, err));
        printf("%s\t%.4f\t%.4f\t%zu\n", families[k].name, os_seconds() - start,
               cpu_seconds() - cpu, t->out->reading_count - before);
        fflush(stdout);
    }
    printf("all\t%.4f\t%.4f\t%zu\n", os_seconds() - all, cpu_seconds() - all_cpu,
           t->out->reading_count);
done:
    return status;
}

static size_t number(int argc, char **argv, int at, size_t fallback)
{
    return argc > at ? strtoul(argv[at], NULL, 10) : fallback;
}

int main(int argc, char **argv)
{
    tare_error err = {0};
    tare_context *context = NULL;
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    mem m = mem_system();
    arena a;
    cube c;
    audit_result result;
    study t = {0};
    text csv;
    o.threads = (unsigned)number(argc, argv, 1, 0);
    size_of_table size = {number(argc, argv, 2, 8), number(argc, argv, 3, 210)};
    analyse_options options = ANALYSE_OPTIONS_DEFAULT;
    options.boot_b = options.perm_p = (uint32_t)number(argc, argv, 4, 9999);
    cube_table_options columns = CUBE_TABLE_OPTIONS_DEFAULT;
    arena_init(&a, &m);
    text_init(&csv, &m);
    result_init(&result, &m);
    put_table(&csv, size);
    tare_status status = tare_context_new(&context, &o, &err);
    table_bytes bytes = {"scores.csv", csv.data, csv.length};
    double start = os_seconds(), cpu = cpu_seconds();
    printf("family\tseconds\tcpu_seconds\treadings\n");
    if (status == TARE_OK) status = cube_from_table_bytes(&c, &a, context, &bytes, &columns, &err);
    printf("read the table\t%.4f\t%.4f\t0\n", os_seconds() - start, cpu_seconds() - cpu);
    start = os_seconds();
    cpu = cpu_seconds();
    if (status == TARE_OK) status = study_open(&t, &result, context, &c, &options, &err);
    printf("draws\t%.4f\t%.4f\t0\n", os_seconds() - start, cpu_seconds() - cpu);
    if (status == TARE_OK) status = run(&t, &err);
    if (status != TARE_OK) fprintf(stderr, "%s: %s\n", err.where, err.message);
    study_close(&t);
    result_free(&result);
    text_free(&csv);
    arena_free(&a);
    tare_context_free(context);
    return status != TARE_OK;
}
