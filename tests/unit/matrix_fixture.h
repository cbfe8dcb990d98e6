/* matrix_fixture.h - running tare matrix on tables made in a test or on files, and looking up what
 * came out. */
#ifndef TESTS_MATRIX_FIXTURE_H
#define TESTS_MATRIX_FIXTURE_H

#include "audit/job.h"
#include "base/text.h"

typedef struct matrix_bench {
    tare_context *context;
    tare_job *job;
    mem m;
    text csv, roster; /* written to files if not empty */
    char path[64], roster_path[64];
} matrix_bench;

void matrix_bench_open(matrix_bench *b, unsigned threads);
void matrix_bench_close(matrix_bench *b);
/* Run on `path`, NULL: on b->csv. Options "name=value", NULL at the end. */
tare_status matrix_bench_run(matrix_bench *b, const char *path, const char *const *options,
                             tare_error *err);
/* The reading; fails the test if there is none. judge, condition NULL: any. */
const tare_reading *matrix_bench_reading(const matrix_bench *b, const char *family,
                                         const char *name, const char *judge,
                                         const char *condition);
/* A number of the first row in which `key` stands in the column `by`. */
double matrix_bench_number(const matrix_bench *b, const char *table, const char *by,
                           const char *key, const char *column);
/* Answer and cautions, one a line; free with mem_free. */
char *matrix_bench_sentences(const matrix_bench *b);
/* All readings, tables and sentences as text; free with mem_free. */
char *matrix_bench_dump(const matrix_bench *b);
/* A standard normal number of (seed, n), the same on every machine. */
double matrix_bench_gauss(uint64_t seed, uint32_t n);
double matrix_bench_uniform(uint64_t seed, uint32_t n);

#endif
