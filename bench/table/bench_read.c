/* bench_read.c - how fast a table of judge scores is read, as CSV, JSON lines, compressed, Parquet.
 *
 *     bench_read make FILE            the same table each time: 12 judges x 12 authors x 4,500
 *                                     items x 2 settings; FILE ends in .csv or .jsonl
 *     bench_read time PATH [THREADS]  read all columns, one run; TSV: seconds of the clock and of
 *                                     all processors, MB at most, check
 *
 * One run a process, so that the peak of memory is that of one file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/error.h"
#include "base/json.h"
#include "base/os.h"
#include "base/rng.h"
#include "table/table.h"

enum { MODELS = 12, ITEMS = 4500, SETTINGS = 2 };

static const char *const MODEL[MODELS] = {
    "alder-7b", "aspen-13b", "birch-chat", "cedar-70b", "elm-vision", "fir-large",
    "hazel-mini", "larch-8x7b", "maple-instruct", "oak-2", "pine-405b", "willow"};

static void put_row(table_writer *w, json_writer *j, const char *const *cells, double score)
{
    static const char *const names[] = {"item", "author", "judge", "setting"};
    if (w != NULL) {
        for (int i = 0; i < 4; i++) table_put_text(w, cells[i]);
        table_put_number(w, score);
        table_end_row(w);
        return;
    }
    json_object(j);
    for (int i = 0; i < 4; i++) {
        json_key(j, names[i]);
        json_string(j, cells[i]);
    }
    json_key(j, "score");
    json_number(j, score);
    json_object_end(j);
    text_add_char(j->out, '\n');
}

static tare_status make(const char *path, tare_error *err)
{
    tare_status status = TARE_OK;
    mem m = mem_system();
    table_writer *w = NULL;
    json_writer j;
    text lines;
    rng_stream s;
    size_t n = strlen(path);
    text_init(&lines, &m);
    if (n > 4 && strcmp(path + n - 4, ".csv") == 0) {
        TRY_NEW(w = table_writer_new(&m, ','));
        table_put_header(w, "item|author|judge|setting|score");
    }
    rng_start(&s, rng_key_of(1, "bench/read"), 0, 0);
    for (unsigned item = 0; item < ITEMS; item++) {
        char id[32];
        snprintf(id, sizeof id, "question-%05u", item * 7919 % ITEMS);
        for (unsigned k = 0; k < MODELS * MODELS * SETTINGS; k++) {
            const char *cells[] = {id, MODEL[k / MODELS % MODELS], MODEL[k % MODELS],
                                   k < MODELS * MODELS ? "reference" : "free"};
            double score = (double)rng_bounded(&s, 1000000) / 1e5; /* up to 5 decimals */
            json_begin(&j, &lines, 0);
            put_row(w, &j, cells, score);
        }
    }
    if (w != NULL) {
        status = table_writer_save(w, path, err);
    } else {
        if (lines.failed) FAIL_MEMORY(err);
        status = os_write_file(path, lines.data, lines.length, err);
    }
done:
    text_free(&lines);
    table_writer_free(w);
    return status;
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static tare_status time_once(const char *path, unsigned threads, tare_error *err)
{
    tare_status status = TARE_OK;
    mem m = mem_system();
    table *t = NULL;
    table_role roles[] = {
        {"item", "item", NULL, true, TABLE_TEXT, 0, 0},
        {"author", "author", NULL, true, TABLE_TEXT, 0, 0},
        {"judge", "judge", NULL, true, TABLE_TEXT, 0, 0},
        {"setting", "setting", NULL, true, TABLE_TEXT, 0, 0},
        {"score", "score", NULL, true, TABLE_NUMBER, 0, 0},
    };
    pool *p;
    TRY_NEW(p = pool_new(&m, threads));
    double start = os_seconds(), cpu_start = cpu_seconds(), sum = 0;
    TRY(table_open(&t, &m, p, path, NULL, err));
    TRY(table_load_roles(t, roles, sizeof roles / sizeof *roles, err));
    double took = os_seconds() - start, cpu = cpu_seconds() - cpu_start;
    table_numbers score = table_number_column(t, roles[4].column);
    size_t levels = 0;
    for (size_t i = 0; i < 4; i++) levels += table_text_column(t, roles[i].column).levels;
    for (size_t i = 0; i < table_rows(t); i++) sum += score.values[i];
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%.4f\t%.4f\t%.0f\t%zu rows, %zu levels, sum %.2f\n", took, cpu,
           (double)usage.ru_maxrss / 1024, table_rows(t), levels, sum);
done:
    table_free(t);
    pool_free(p);
    return status;
}

int main(int argc, char **argv)
{
    tare_error err = {TARE_OK, "", "", ""};
    tare_status status = TARE_E_USAGE;
    if (argc == 3 && strcmp(argv[1], "make") == 0) {
        status = make(argv[2], &err);
    } else if ((argc == 3 || argc == 4) && strcmp(argv[1], "time") == 0) {
        status = time_once(argv[2], argc == 4 ? (unsigned)atoi(argv[3]) : 0, &err);
    } else {
        snprintf(err.message, sizeof err.message, "bench_read make FILE | time PATH [THREADS]");
    }
    if (status == TARE_OK) return 0;
    fprintf(stderr, "%s %s %s\n", err.where, err.code, err.message);
    return status == TARE_E_USAGE ? 2 : 1;
}
