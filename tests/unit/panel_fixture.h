/* panel_fixture.h - running tare panel on tables made in a test, and looking up what came out. */
#ifndef TESTS_PANEL_FIXTURE_H
#define TESTS_PANEL_FIXTURE_H

#include "audit/job.h"
#include "base/text.h"

typedef struct panel_bench {
    tare_context *context;
    tare_job *job;
    mem m;
    text csv, human; /* written to files if not empty; human is then given as --human */
    char path[64], human_path[64];
} panel_bench;

void panel_bench_open(panel_bench *b, unsigned threads);
void panel_bench_close(panel_bench *b);
/* Run on b->csv. Options "name=value", NULL at the end. */
tare_status panel_bench_run(panel_bench *b, const char *const *options, tare_error *err);
#define PANEL_RUN(b, ...) panel_bench_run((b), (const char *const[]){__VA_ARGS__, NULL}, &err)
/* The reading; fails the test if there is none. condition NULL: any. */
const tare_reading *panel_bench_reading(const panel_bench *b, const char *family,
                                        const char *instrument, const char *name,
                                        const char *condition);
/* Cell of the first row whose columns `by` and (if not NULL) `by2` hold the keys. */
typedef struct panel_key { const char *by, *is, *by2, *is2; } panel_key;
const cell *panel_bench_cell(const panel_bench *b, const char *table, const panel_key *key,
                             const char *column);
/* Answer and cautions, one a line; free with mem_free. */
char *panel_bench_sentences(const panel_bench *b);
/* All readings, tables, figures and sentences as text; free with mem_free. */
char *panel_bench_dump(const panel_bench *b);
/* Standard normal and uniform numbers of (seed, n), the same on every machine. */
double panel_gauss(uint64_t seed, uint32_t n);
double panel_uniform(uint64_t seed, uint32_t n);

#endif
