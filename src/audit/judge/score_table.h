/* score_table.h - scores of judges, coded and in canonical order: what matrix, panel and agree (and
 * every later audit of judges) start from (judge audits 0.1 to 0.3).
 *
 * A *unit* is one thing that was judged: a pair (item, author). For captions of an image the item
 * is the image and the author column is called candidate. A *layer* is one (setting, dim). In a
 * layer every unit has one cell per judge: the mean of its ok repeats, or the reason why there is
 * none (absent: no row at all). Axes are sorted by the bytes of their names, units by (item,
 * author), layers by (setting, dim); nothing depends on the order of rows. */
#ifndef AUDIT_JUDGE_SCORE_TABLE_H
#define AUDIT_JUDGE_SCORE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "audit/result.h"
#include "base/context.h"
#include "judge/roster.h"
#include "stats/missing.h"
#include "table/table.h"
#include "tare.h"

#define SCORE_NO_REP UINT32_MAX

typedef struct name_axis { const char **name; size_t count; } name_axis;

typedef struct score_layer {
    uint32_t setting, dim;
    double *score;      /* [units][judges] NaN where there is none                               */
    uint8_t *status;    /* [units][judges] tare_reason; TARE_R_NONE: there is a score; without one
                           the reason of the first repeat                                        */
    double *gold;       /* [units] NaN: none; NULL: the layer has no gold. The mean of the ratings
                           if these were given (whole-numbered ratings: sum / count, exact ties) */
    double *rating;     /* [units][raters] NaN: none; NULL: no human ratings                     */
} score_layer;

typedef struct score_table {
    name_axis item, author, judge, setting, dim, rater;
    size_t units;
    uint32_t *unit_item, *unit_author;  /* [units]                                               */
    uint32_t *item_cluster;             /* [items] index into cluster                            */
    name_axis cluster;                  /* by bytes: canonical order of the draws                */
    score_layer *layer;
    size_t layers;
    double *length;                     /* [units] NaN: none; NULL: no length column. Where rows of
                                           a unit disagree: the middle of the range, a caution   */
    uint32_t *item_fold;                /* [items] of --folds-by; NULL: none                     */
    name_axis fold;
    name_axis label;                    /* scores were text labels: score k means label k        */
    size_t *author_of_judge;            /* [judges] the author that is this judge; SIZE_MAX      */
    const roster *models;               /* NULL: none                                            */
    size_t *author_model, *judge_model; /* [authors], [judges] ROSTER_NONE: not in the roster    */
    /* Rows as they were, for the missingness audit: canonical order, absent ones included.      */
    size_t rows;                        /* 0 without keep_rows                                   */
    uint32_t *row_unit, *row_judge, *row_layer, *row_rep; /* row_rep: SCORE_NO_REP of an absent row
                                           where there are several repeats                       */
    uint8_t *row_status;
    uint32_t *tally;                    /* [layers][authors][judges][TARE_REASON_COUNT] rows by
                                           status, [TARE_R_NONE] those used; NULL: too many      */
    size_t reps, duplicates;            /* repeats seen; equal rows dropped                      */
    bool cells_only;                    /* from cell means: no items; layer.score is the mean    */
    double *cell_sd, *cell_n;           /* [layers][units][judges] of --cells-from; NULL: none   */
} score_table;

/* Where columns are: NULL: the accepted names. */
typedef struct score_columns {
    const char *item, *author, *judge, *score, *status, *reason, *rep, *setting, *dim, *gold,
               *cluster, *length, *fold;
} score_columns;

typedef enum score_shape {
    SHAPE_AUTO,         /* long; wide if judges are named, or if there is neither a judge nor a
                           score column; author_optional and a score column alone: one judge of
                           the column's name. Announced                                          */
    SHAPE_LONG,
    SHAPE_WIDE,         /* a column per judge: `judges`, or every column without a role that holds
                           more numbers than text                                                */
    SHAPE_CELLS         /* author, judge, mean[, sd, n]                                          */
} score_shape;

typedef struct score_table_options {
    score_columns columns;
    score_shape shape;
    const char *const *judges;   /* SHAPE_WIDE: the judge columns; NULL: guess                   */
    size_t judge_count;
    const char *cells_from;      /* "author,judge,mean[,sd[,n]]": SHAPE_CELLS                    */
    const char *roster;          /* file; NULL: none                                             */
    const char *human;           /* file: item, [author,] [dim,] [rater,] rating; NULL: none     */
    const char *raters;          /* "h1,h2,h3": columns of the score table; NULL: those of these
                                    names, unless `gold` or `human` is given                     */
    bool author_optional;        /* agree: without an author column every item is one unit       */
    bool score_expected;         /* --score-kind expect: "score_expect" is the accepted name     */
    bool labels;                 /* scores may be text labels: if one is, all of them, gold and
                                    ratings are codes of `label`; else numbers are kept. Words of
                                    the status vocabulary stay statuses                          */
    bool keep_rows;              /* fill row_*                                                   */
} score_table_options;

/* Reads `path` ("-", .csv, .tsv, .jsonl, each also .gz; "duckdb:SELECT ...", .parquet). Guesses are
 * announced with context_message, and put into the facts of `result` (may be NULL): "Columns"
 * (role: column and how it was found; what is not used), "Judges" (whether each is an author),
 * "Aliases", "Rows" (counts). Cautions: names that differ by letter case, blanks or '-', '_', '.'
 * only (they are different models until the roster says otherwise), names that are not in the
 * roster, lengths that differ in a unit.
 * Errors: DATA ("table.no_role": a required column; "score.text": a score that is neither a number
 * nor a status; "score.status", "score.duplicate", "score.gold_varies", "score.varies" (cluster or
 * fold of an item), "score.duplicate_rating", ... with their lines; a judge without any score is no
 * error), USAGE, LIMIT ("score.cells": units x judges x layers; "score.layers"), IO, MEMORY. */
tare_status score_table_load(score_table *out, arena *a, tare_context *context, const char *path,
                             const score_table_options *options, audit_result *result,
                             tare_error *err);

/* The same from bytes: the name stands for the file in errors, and its extension counts. */
tare_status score_table_load_bytes(score_table *out, arena *a, tare_context *context,
                                   const table_bytes *in, const score_table_options *options,
                                   audit_result *result, tare_error *err);

const double *score_of_unit(const score_table *t, const score_layer *l, size_t unit); /* [judges] */
/* unit of (item, author): SIZE_MAX where there is none. `index` [items * authors] made by the
 * caller's arena with score_table_index. Errors: LIMIT, MEMORY. */
tare_status score_table_index(size_t **index, arena *a, const score_table *t, tare_error *err);
/* Rows of one layer, author and judge (SIZE_MAX: all of them): expected, used, missing by reason. A
 * row is expected for every unit and judge that occur in the layer. */
missing_counts score_table_missing(const score_table *t, size_t layer, size_t author, size_t judge);
/* Share a value of the roster's grouping: models a and b (indices into the roster). */
bool score_table_kin(const score_table *t, size_t grouping, size_t author, size_t judge);

#endif
