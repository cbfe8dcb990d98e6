/* scorer_tables.h - score tables made for the tests of the scorer audit, and looking up what
 * came out. */
#ifndef TESTS_SCORER_TABLES_H
#define TESTS_SCORER_TABLES_H

#include "audit/scorer/analyse.h"
#include "audit/scorer/cube_from_table.h"
#include "base/context.h"
#include "base/text.h"

/* A table under construction, and the audit of it. */
typedef struct bench {
    tare_context *context;
    mem m;
    text csv;
    arena a;
    cube c;
    audit_result result;
    analyse_options options;
    cube_table_options table;
} bench;

void bench_open(bench *b, unsigned threads);
void bench_close(bench *b);
/* Forget the table and the result; options stay. */
void bench_clear(bench *b);
/* Read the table that was put into csv, and analyse it: the status of the first that fails. */
tare_status bench_run(bench *b, tare_error *err);
/* The reading; fails the test if there is none. condition NULL: the first. */
const tare_reading *bench_reading(const bench *b, const char *arm, const char *scorer,
                                  const char *name, const char *condition);
const result_table *bench_table(const bench *b, const char *name);
/* Cell of the first row of the table whose columns `arm` and `scorer` match. */
const cell *bench_cell(const bench *b, const char *table, const char *scorer, const char *column);
/* Everything that came out, as text: for comparing runs byte by byte. */
char *bench_dump(const bench *b);
/* All sentences of the result joined; free with mem_free. */
char *bench_sentences(const bench *b);
/* Toy table of scorer audit 15.5; grouped: groups {1,2} {3,4} {5,6}. */
void put_toy(bench *b, bool grouped);
/* A standard normal number of a seeded stream. */
typedef struct gauss { uint64_t state; } gauss;
double gauss_next(gauss *g);

#endif
