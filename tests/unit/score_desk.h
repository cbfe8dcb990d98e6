/* score_desk.h - judges' score tables for tests: read from text, and everything compared. */
#ifndef TESTS_SCORE_DESK_H
#define TESTS_SCORE_DESK_H

#include "audit/judge/score_table.h"
#include "base/context.h"
#include "base/text.h"

typedef struct score_desk {
    tare_context *context;
    mem m;
    arena a;
    score_table t;
    score_table_options o;
    audit_result result;
    text said;      /* messages of the context, one a line */
} score_desk;

void desk_open(score_desk *d, unsigned threads);
void desk_close(score_desk *d);
/* Forget the table and what was said; options stay. */
void desk_clear(score_desk *d);
/* Read the text as a table of this name ("scores.csv"). */
tare_status desk_read_as(score_desk *d, const char *name, const char *bytes, tare_error *err);
tare_status desk_read(score_desk *d, const char *csv, tare_error *err);
tare_status desk_load(score_desk *d, const char *path, tare_error *err);
/* Every array and name of the table as text; free with mem_free. */
char *desk_dump(const score_desk *d);
/* Value of the fact, "" if there is none. */
const char *desk_fact(const score_desk *d, const char *section, const char *key);
/* Does a caution hold the words? */
bool desk_cautions(const score_desk *d, const char *words);
/* Cells of the first layer, by names. */
double desk_score(const score_desk *d, const char *item, const char *author, const char *judge);
tare_reason desk_reason(const score_desk *d, const char *item, const char *author,
                        const char *judge);
size_t desk_unit(const score_desk *d, const char *item, const char *author);
size_t desk_place(const name_axis *axis, const char *name);
/* A new file in the working folder: unlink it. */
void desk_file(char path[64], const char *extension, const char *bytes);

#endif
