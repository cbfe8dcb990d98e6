/* bench_table.c - how fast a table of scores is read and put in order.
 *
 *     bench_table make FILE ROWS      the same table each time, from fixed streams
 *     bench_table time FILE [THREADS] read, sort and check it; TSV: program, step, seconds of the
 *                                     clock and of all processors, check
 *
 * bench/table/run_table.sh runs both beside pandas. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/os.h"
#include "base/rng.h"
#include "table/table.h"

enum { DOSES = 11, SCORERS = 9, REPEATS = 5 };

static const char *const SCORER[SCORERS] = {"laion-v1", "laion-v2",    "pickscore",
                                            "hps-v2",   "imagereward", "clip-iqa",
                                            "nima",     "brisque",     "musiq"};

/* Rows in an order that a parallel run would leave: scorers vary slowest, bases are shuffled. */
static tare_status make(const char *path, size_t rows, tare_error *err)
{
    tare_status status = TARE_OK;
    mem m = mem_system();
    table_writer *w;
    rng_stream s, measured;
    size_t bases = rows / (DOSES * SCORERS) + 1;
    TRY_NEW(w = table_writer_new(&m, ','));
    rng_start(&s, rng_key_of(1, "bench/table"), 0, 0);
    table_put_header(w, "base|dose|scorer|score|attribute|artifact");
    for (size_t i = 0; i < rows; i++) {
        char base[48];
        size_t scorer = i / (bases * DOSES), k = i % (bases * DOSES);
        size_t id = k / DOSES * 7919 % bases;
        double dose = ((double)(k % DOSES) - 5) / 10;
        snprintf(base, sizeof base, "faces/%02zu/img_%06zu.jpg", id % 100, id);
        table_put_text(w, base);
        table_put_number(w, dose);
        table_put_text(w, SCORER[scorer]);
        table_put_number(w, 5 + dose + rng_uniform(&s));          /* 16 or 17 digits */
        /* What is measured on a variant is the same in the rows of all scorers. */
        rng_start(&measured, rng_key_of(1, "bench/table/measured"), (uint32_t)k, 0);
        table_put_number(w, dose * 40 + rng_uniform(&measured));
        table_put_number(w, (double)rng_bounded(&measured, 100000) / 1e5); /* 5 decimals */
        table_end_row(w);
    }
    status = table_writer_save(w, path, err);
done:
    table_writer_free(w);
    return status;
}

typedef struct timing {
    double read, sort, cpu_read, cpu_sort;
    double sum;
    size_t rows, dropped, levels;
} timing;

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void keep_least(double *best, double now, bool first)
{
    if (first || now < *best) *best = now;
}

static tare_status run_once(timing *out, pool *p, const char *path, tare_error *err)
{
    tare_status status = TARE_OK;
    mem m = mem_system();
    table *t = NULL;
    uint32_t *order = NULL, *rank = NULL, *scorer_rank = NULL, *dose_codes = NULL;
    double *doses = NULL;
    size_t dose_levels, kept;
    table_role roles[] = {
        {"base", "base", NULL, true, TABLE_TEXT, 0, 0},
        {"dose", "dose", NULL, true, TABLE_NUMBER, 0, 0},
        {"scorer", "scorer", NULL, true, TABLE_TEXT, 0, 0},
        {"score", "score", NULL, true, TABLE_NUMBER, 0, 0},
        {"attribute", "attribute", NULL, true, TABLE_NUMBER, 0, 0},
        {"artifact", "artifact", NULL, true, TABLE_NUMBER, 0, 0},
    };
    double start = os_seconds(), cpu_start = cpu_seconds();
    TRY(table_open(&t, &m, p, path, NULL, err));
    TRY(table_load_roles(t, roles, sizeof roles / sizeof *roles, err));
    double read = os_seconds(), cpu_read = cpu_seconds();
    table_texts base = table_text_column(t, 0), scorer = table_text_column(t, 2);
    table_numbers dose = table_number_column(t, 1), score = table_number_column(t, 3);
    out->rows = table_rows(t);
    TRY_NEW(rank = mem_new(&m, base.levels, sizeof *rank));
    TRY_NEW(scorer_rank = mem_new(&m, scorer.levels, sizeof *scorer_rank));
    TRY_NEW(dose_codes = mem_new(&m, out->rows, sizeof *dose_codes));
    TRY(table_rank_levels(rank, t, 0, err));
    TRY(table_rank_levels(scorer_rank, t, 2, err));
    TRY(table_code_numbers(dose_codes, &doses, &dose_levels, &m, dose.values, out->rows, err));
    const table_key keys[] = {{"base", base.codes, rank, base.levels},
                              {"dose", dose_codes, NULL, dose_levels},
                              {"scorer", scorer.codes, scorer_rank, scorer.levels}};
    const table_sort what = {t, out->rows, keys, 3, &score.values, 1, NULL, 0};
    TRY(table_sort_rows(&order, &kept, &out->dropped, &m, &what, err));
    double sorted = os_seconds(), cpu_sorted = cpu_seconds();
    out->sum = 0;
    for (size_t i = 0; i < kept; i++) out->sum += score.values[order[i]];
    out->levels = base.levels + scorer.levels + dose_levels;
    out->read = read - start;
    out->sort = sorted - read;
    out->cpu_read = cpu_read - cpu_start;
    out->cpu_sort = cpu_sorted - cpu_read;
done:
    mem_free(&m, doses);
    mem_free(&m, dose_codes);
    mem_free(&m, scorer_rank);
    mem_free(&m, rank);
    mem_free(&m, order);
    table_free(t);
    return status;
}

static tare_status time_file(const char *path, unsigned threads, tare_error *err)
{
    tare_status status = TARE_OK;
    mem m = mem_system();
    pool *p;
    timing best = {0};
    TRY_NEW(p = pool_new(&m, threads));
    for (int i = 0; i < REPEATS; i++) {
        timing now;
        TRY(run_once(&now, p, path, err));
        keep_least(&best.read, now.read, i == 0);
        keep_least(&best.sort, now.sort, i == 0);
        keep_least(&best.cpu_read, now.cpu_read, i == 0);
        keep_least(&best.cpu_sort, now.cpu_sort, i == 0);
        best.rows = now.rows;
        best.levels = now.levels;
        best.dropped = now.dropped;
        best.sum = now.sum;
    }
    printf("tare\tread\t%.4f\t%.4f\t%zu rows, %zu levels\n", best.read, best.cpu_read, best.rows,
           best.levels);
    printf("tare\tsort\t%.4f\t%.4f\t%zu dropped, sum %.6f\n", best.sort, best.cpu_sort,
           best.dropped, best.sum);
done:
    pool_free(p);
    return status;
}

int main(int argc, char **argv)
{
    tare_error err = {TARE_OK, "", "", ""};
    tare_status status = TARE_E_USAGE;
    if (argc == 4 && strcmp(argv[1], "make") == 0) {
        status = make(argv[2], strtoull(argv[3], NULL, 10), &err);
    } else if ((argc == 3 || argc == 4) && strcmp(argv[1], "time") == 0) {
        status = time_file(argv[2], argc == 4 ? (unsigned)atoi(argv[3]) : 0, &err);
    } else {
        snprintf(err.message, sizeof err.message,
                 "bench_table make FILE ROWS | time FILE [THREADS]");
    }
    if (status == TARE_OK) return 0;
    fprintf(stderr, "%s %s %s\n", err.where, err.code, err.message);
    return status == TARE_E_USAGE ? 2 : 1;
}
