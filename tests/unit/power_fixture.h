/* power_fixture.h - running tare power in a test, and looking up what came out. */
#ifndef TESTS_POWER_FIXTURE_H
#define TESTS_POWER_FIXTURE_H

#include "audit/job.h"
#include "base/text.h"

typedef struct power_bench {
    tare_context *context;
    tare_job *job;
    mem m;
    text csv; /* not empty: a pilot, written to a file */
    char path[64];
} power_bench;

void power_bench_open(power_bench *b, unsigned threads);
void power_bench_close(power_bench *b);
/* Run with options "name=value", NULL at the end. */
tare_status power_bench_run(power_bench *b, const char *const *options, tare_error *err);
#define POWER_RUN(b, ...) power_bench_run((b), (const char *const[]){__VA_ARGS__, NULL}, &err)
/* Cell of the first row with this reading (and condition, if not NULL). */
const cell *power_bench_cell(const power_bench *b, const char *table, const char *reading,
                             const char *condition, const char *column);
double power_bench_number(const power_bench *b, const char *reading, const char *column);
/* Is the text in an answer, a caution or a sentence of a reading? */
int power_bench_says(const power_bench *b, const char *text);

#endif
