/* reading_cells.h - a reading as the cells of one row of the page's tables, so that the rows that
 * stand in the page and those that its script adds have the same columns. */
#ifndef REPORT_READING_CELLS_H
#define REPORT_READING_CELLS_H

#include "audit/result.h"
#include "base/text.h"

typedef enum cell_look {
    LOOK_NAME,    /* `text`, somebody's name         */
    LOOK_HEAD,    /* the same: what the row is about */
    LOOK_NUMBER,  /* `value`                         */
    LOOK_P,       /* `value`, at least `floor`       */
    LOOK_COUNT,   /* `count`                         */
    LOOK_VERDICT, /* `verdict`, marks in `text`      */
    LOOK_WORDS    /* `text`, a sentence              */
} cell_look;

typedef struct reading_cell {
    cell_look look;
    const char *title, *hint; /* of the column; hint may be NULL */
    const char *text;
    double value, floor;
    uint64_t count;
    tare_verdict verdict;
} reading_cell;

/* Columns that only some audits fill: shown where a reading of the result has them. */
typedef struct shown_columns { bool dim, by, maxt; } shown_columns;
shown_columns reading_columns(const audit_result *r);

enum { READING_CELLS_MOST = 20 };
/* How many cells there are; x NULL: titles only. */
size_t reading_cells(reading_cell out[READING_CELLS_MOST], const audit_result *r,
                     const tare_reading *x, shown_columns shown);

#endif
