/* agree_fixture.h - `tare agree` on a table in memory: written to a scratch file, run as a job. */
#ifndef TESTS_AGREE_FIXTURE_H
#define TESTS_AGREE_FIXTURE_H

#include "audit/job.h"
#include "base/text.h"
#include "support/check.h"

typedef struct agree_bench {
    tare_context *context;
    tare_job *job;
    mem m;
    char folder[64], path[96], human[96];
    text rows;                 /* of the score table */
} agree_bench;

void agree_bench_open(agree_bench *b, unsigned threads);
void agree_bench_close(agree_bench *b);
/* Forget the job and the rows. */
void agree_bench_clear(agree_bench *b);
/* printf into the score table. */
void agree_put(agree_bench *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void agree_set(agree_bench *b, const char *option, const char *value);
/* Writes the table and runs. */
tare_status agree_go(agree_bench *b, tare_error *err);
/* Writes `rows` to a second file and gives it as --human. */
void agree_human(agree_bench *b, const char *rows);

/* The one reading with these; NULL: any. Fails if there is none, or two. */
const tare_reading *agree_get(const agree_bench *b, const char *judge, const char *name,
                              const char *condition);
size_t agree_count(const agree_bench *b, const char *judge, const char *name,
                   const char *condition);
/* A caution that holds the words. */
int agree_has_caution(const agree_bench *b, const char *words);
int agree_says(const agree_bench *b, const char *words);
const result_table *agree_table(const agree_bench *b, const char *name);

/* The toy of tests/ref/agree_reference.py, one column per judge: item, candidate, even, fine,
 * h1, h2, h3. `holes`: three ratings are missing. `shuffled`: another order of the same rows. */
void agree_put_toy(agree_bench *b, int holes, int shuffled);

#endif
