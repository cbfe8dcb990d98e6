/* result.h - what an audit gives: readings, typed tables, figures of a closed set of kinds, an
 * answer in sentences. The report knows these and nothing about any audit.
 *
 * Everything lives in the result's arena. All text is UTF-8 and unescaped: escaping is the
 * report's. */
#ifndef AUDIT_RESULT_H
#define AUDIT_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "tare.h"

/* ---- tables --------------------------------------------------------------- */

typedef enum cell_kind { CELL_EMPTY, CELL_TEXT, CELL_NUMBER, CELL_INTEGER } cell_kind;
typedef struct cell {
    cell_kind kind;
    const char *text;
    double number; /* NaN prints as empty */
    int64_t integer;
} cell;
/* Makes one row: cells[column_count] come empty, texts may go into `scratch`, which is emptied
 * after it. Called in order of the rows, from one thread. */
typedef tare_status (*result_make_row)(const void *arg, cell *cells, size_t row, arena *scratch,
                                       tare_error *err);
typedef struct result_table {
    const char *name;  /* file name: tables/NAME.tsv  */
    const char *title; /* for people                  */
    const char **columns;
    size_t column_count;
    cell *cells;       /* [row_count][column_count]   */
    size_t row_count, row_capacity;
    /* For a table with a row per variant: rows are made when they are written, since as cells they
     * would be the largest thing in memory. NULL: `cells` holds them. */
    result_make_row make;
    const void *arg;   /* lives as long as the result */
    size_t shown;      /* rows that the terminal shows; 0: the table is for the run folder only */
} result_table;

/* ---- figures --------------------------------------------------------------- */

typedef enum figure_kind {
    FIGURE_CURVE,   /* y over x per series, band lo..hi, margin band around 0    */
    FIGURE_FOREST,  /* estimate with interval per label, one panel per quantity  */
    FIGURE_HEAT,    /* value per (row, column)                                   */
    FIGURE_SCATTER, /* points x, y                                               */
    FIGURE_BARS,    /* value per label and series                                */
    FIGURE_STRIP    /* pictures in a row with captions                           */
} figure_kind;

/* One mark. Unused fields: "" and NaN. */
typedef struct figure_point {
    const char *panel, *series, *label;
    double x, y, lo, hi;
    const char *mark; /* "q" significant after FDR, "raw", "none", "no answer" */
    const char *tip;  /* shown on hover                                        */
    const char *outline; /* of a cell of a heat map: "", "block", "self"       */
} figure_point;

/* One picture of a strip. */
typedef struct figure_cell {
    const char *row_title; /* same for all cells of a row: the base id and why it was picked */
    const char *caption;   /* lines separated by \n                                           */
    const unsigned char *png;
    size_t png_length;
    const char *alt;       /* for screen readers */
} figure_cell;

typedef struct figure {
    figure_kind kind;
    const char *id;      /* file name: figures/ID.vl.json, anchor in the report */
    const char *title, *caption;
    const char *x_title, *y_title;
    double margin;       /* half width of the practical margin; NaN: none       */
    bool own_scales;     /* panels have units of their own                      */
    bool words;          /* of a heat map: cells show their mark, coloured by it */
    double band_lo, band_hi; /* of a forest: a reference band (people among themselves) */
    const char *band_title;  /* what the band is; "": none                              */
    figure_point *points;
    size_t point_count, point_capacity;
    figure_cell *cells;
    size_t cell_count, cell_capacity;
} figure;

/* ---- the result ------------------------------------------------------------ */

/* A fact about how the run was made, in order: ("seed", "1"), ("scorer brisque", "identity 1f…").
 */
typedef struct result_fact { const char *section, *key, *value; } result_fact;

/* Something that was not used, and why; counted, and by group where there are groups. */
typedef struct result_missing {
    const char *what;   /* "base", "score"           */
    const char *arm, *instrument, *group;
    tare_reason reason;
    size_t count, of;
    const char *example; /* first of them and its message */
} result_missing;

/* One line of a validity card: a condition for what may be said of an instrument, and whether it
 * holds. Lines of one arm and instrument stand together in the order in which they come. */
typedef enum check_state { CHECK_PASS, CHECK_MISS, CHECK_NOT_RUN } check_state;
typedef struct result_check {
    const char *arm, *instrument;
    const char *outcome; /* of the whole card: "bias measurement"; "" on the other lines   */
    const char *name;    /* "C1: clean intervention"                                        */
    check_state state;
    const char *why;
} result_check;

typedef struct audit_result {
    const mem *m;
    arena a;
    const char *audit;   /* "scorer audit"                                       */
    const char *title;   /* "Does brisque prefer lighter or darker skin?"        */
    const char *arm_word, *instrument_word, *unit_word; /* what the report calls them:
                            "Arm", "Scorer", "Bases" unless the audit says otherwise */
    const char **answer; /* sentences, most important first                      */
    size_t answer_count, answer_capacity;
    const char **cautions; /* what the reader must know before using the answer  */
    size_t caution_count, caution_capacity;
    tare_reading *readings;
    size_t reading_count, reading_capacity;
    result_table **tables;
    size_t table_count, table_capacity;
    figure **figures;
    size_t figure_count, figure_capacity;
    result_fact *facts;
    size_t fact_count, fact_capacity;
    result_fact *log; /* facts for tare.log only: true of the files, not of the numbers in them */
    size_t log_count, log_capacity;
    result_missing *missing;
    size_t missing_count, missing_capacity;
    result_check *checks;
    size_t check_count, check_capacity;
    bool unmet; /* what the job was to check does not hold, or could not be checked */
} audit_result;

void result_init(audit_result *r, const mem *m);
void result_free(audit_result *r);

/* A new reading with every string "" and every number NaN; valid until the next add. NULL: no
 * memory. */
tare_reading *result_add_reading(audit_result *r);
result_table *result_add_table(audit_result *r, const char *name, const char *title,
                               const char *const *columns, size_t column_count);
cell *result_add_row(audit_result *r, result_table *t); /* column_count empty cells */
/* A row of either kind. `room` [column_count] and `scratch` serve rows that are made. */
tare_status result_row(const cell **out, const result_table *t, size_t row, cell *room,
                       arena *scratch, tare_error *err);
cell number_cell(double x); /* NaN: empty */
cell words_cell(const char *text); /* "" or NULL: empty */
cell count_cell(uint64_t x);
figure *result_add_figure(audit_result *r, figure_kind kind, const char *id, const char *title);
figure_point *result_add_point(audit_result *r, figure *f);
figure_cell *result_add_picture(audit_result *r, figure *f);
/* printf-style sentence into answer or cautions. */
tare_status result_answer(audit_result *r, tare_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
tare_status result_caution(audit_result *r, tare_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
tare_status result_fact_add(audit_result *r, const char *section, const char *key,
                            const char *value, tare_error *err);
tare_status result_log_add(audit_result *r, const char *section, const char *key,
                           const char *value, tare_error *err);
result_missing *result_add_missing(audit_result *r);
result_check *result_add_check(audit_result *r); /* every text "", CHECK_NOT_RUN */

#endif
