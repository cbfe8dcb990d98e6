/* judge_options.h - options that every audit of judge tables shares, as initialisers of
 * tare_option_info, so that no list is typed twice; and their reading. */
#ifndef AUDIT_JUDGE_JUDGE_OPTIONS_H
#define AUDIT_JUDGE_JUDGE_OPTIONS_H

#include "audit/book.h"
#include "audit/job.h"
#include "audit/judge/score_table.h"

#define JUDGE_COLUMNS_SECTION "Columns of a score table"
#define JUDGE_COLUMN(role, what)                                                                   \
    {role, "COLUMN", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 0, "column with " what,                   \
     JUDGE_COLUMNS_SECTION}

#define JUDGE_OPTIONS_INPUT                                                                        \
    {"output", "DIR", TARE_OPTION_PATH, NULL, NULL, 0, 0, 0,                                       \
     "folder for the report, the readings, tables and figures", "Input and output"},               \
    {"roster", "FILE", TARE_OPTION_PATH, NULL, NULL, 0, 0, 0,                                      \
     "models, their aliases, families and other groupings (YAML, JSON or CSV)",                    \
     "Input and output"},                                                                          \
    {"shape", "NAME", TARE_OPTION_CHOICE, "auto", "auto|long|wide", 0, 0, 0,                       \
     "rows of one score each, or a column per judge", "Input and output"},                         \
    {"judges", "LIST", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 0,                                      \
     "of a wide table: the judges' columns, separated by commas", "Input and output"}

#define JUDGE_OPTIONS_COLUMNS                                                                      \
    {"map", "ROLE=COLUMN", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 1,                                  \
     "the column of a role, e.g. author=generator; may be given several times",                    \
     JUDGE_COLUMNS_SECTION},                                                                       \
    JUDGE_COLUMN("item", "the item that was answered: the resampling unit"),                       \
    JUDGE_COLUMN("author", "who really wrote what was judged"),                                    \
    JUDGE_COLUMN("judge", "the judge"), JUDGE_COLUMN("score", "the score"),                        \
    JUDGE_COLUMN("status", "why there is no score"),                                               \
    JUDGE_COLUMN("reason", "the status's reason"),                                                 \
    JUDGE_COLUMN("rep", "the repeat"), JUDGE_COLUMN("setting", "the setting"),                     \
    JUDGE_COLUMN("dim", "the rubric dimension"), JUDGE_COLUMN("gold", "the human or true score"),  \
    JUDGE_COLUMN("cluster", "what is resampled together (the item)"),                              \
    JUDGE_COLUMN("length", "the length of what was judged")

#define JUDGE_OPTIONS_STATISTICS                                                                   \
    {"seed", "N", TARE_OPTION_INTEGER, "1", NULL, 0, 9007199254740992.0, 0,                        \
     "seed of every random draw", "Statistics"},                                                   \
    {"boot-b", "B", TARE_OPTION_INTEGER, NULL, NULL, 99, 999999, 0, "bootstrap replicates (9999)", \
     "Statistics"},                                                                                \
    {"perm-p", "P", TARE_OPTION_INTEGER, NULL, NULL, 99, 999999, 0, "permutations (9999)",         \
     "Statistics"},                                                                                \
    {"boot-ci", "NAME", TARE_OPTION_CHOICE, NULL, "auto|percentile|bca|t", 0, 0, 0,                \
     "interval that leads (auto: by the number of clusters)", "Statistics"},                       \
    {"boot-p", "NAME", TARE_OPTION_CHOICE, NULL, "centred|inversion", 0, 0, 0,                     \
     "p from the bootstrap (centred)", "Statistics"},                                              \
    {"alpha", "A", TARE_OPTION_NUMBER, NULL, NULL, 0.0001, 0.5, 0,                                 \
     "level of tests and intervals (.05)", "Statistics"},                                          \
    {"fdr", "NAME", TARE_OPTION_CHOICE, "bh", "bh|by|maxt", 0, 0, 0,                               \
     "the q that decides; all are printed", "Statistics"},                                         \
    {"margin", "X", TARE_OPTION_NUMBER, NULL, NULL, 0, 1e300, 0,                                   \
     "practical margin of every reading that has one (default: by reading)", "Statistics"}

/* Options of the job as structs. Errors: USAGE (an unknown role in --map, a role named twice). */
tare_status judge_read_table_options(score_table_options *out, tare_job *job, tare_error *err);
book_options judge_read_book_options(const tare_job *job);
/* Facts of every judge audit: version, command, columns, options, and the input's hash for the log.
 */
tare_status judge_facts(tare_job *job, const score_table *t, tare_error *err);

#endif
