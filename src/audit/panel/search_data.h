/* search_data.h - rows prepared for scoring many panels; private to search_*.c. */
#ifndef AUDIT_PANEL_SEARCH_DATA_H
#define AUDIT_PANEL_SEARCH_DATA_H

#include "audit/panel/panel_search.h"
#include "stats/moments.h"

#define SEARCH_TUPLES 65536 /* of members' values, up to which a table is made */
#define SEARCH_LEVELS 255   /* distinct scores of a coded judge                 */

/* Private to one worker; sizes in search_data.c. */
typedef struct search_scratch {
    uint32_t *tuple, *x, *cell, *order;      /* [n]                      */
    double *value, *key;                     /* [n], [n + 1]             */
    double *full, *panel;                    /* [rows], PANEL_SCRATCH    */
    uint8_t *met;                            /* [SEARCH_TUPLES]          */
    double *of_tuple, *key_of;
    uint32_t *code_of;
    size_t distinct, kx;
    double *member;                          /* [most]                   */
    size_t *judge, *own;
    agree_cells cells;                       /* x, y [most_cells]        */
    uint32_t *count, *weight;                /* [folds + 1][most_cells], [most_cells] */
    size_t *start;                           /* [n + 2]                  */
    neumaier *sum;                           /* [folds + 1][authors]     */
    size_t *number;
    double *phi, *standardised, *residual;   /* [authors][columns + 1]   */
    double *preference;
    void *agree;
} search_scratch;

typedef struct search_data {
    arena a;
    size_t n;                /* rows with a score of every candidate, by gold; then others       */
    size_t *row;             /* [n] index into panel_rows                                        */
    uint32_t *y;             /* [n] code of gold, UINT32_MAX: none, or a candidate is missing    */
    uint32_t *fold;          /* [n] folds: never held out                                        */
    uint32_t *author;        /* [n]                                                              */
    uint8_t *in_matrix;      /* [n]                                                              */
    size_t ky;
    double *vy;
    bool coded;              /* one dim: members' scores have codes where they are few           */
    uint8_t *code;           /* [judges][n]                                                      */
    size_t *levels;          /* [judges] number of codes, one for missing; or too many           */
    size_t most_cells;
    size_t columns;          /* usable judges: columns of the matrix without the panel           */
    double *phi;             /* [subsets][authors][columns]                                      */
    bool *phi_missing;       /* [subsets] a cell is empty                                        */
    search_scratch *scratch; /* [threads]                                                        */
} search_data;

typedef struct search_batch { panel_search *s; size_t first; } search_batch;

/* Does a subset hold fold k (k == folds: what is never held out)? */
static inline bool search_subset_has(size_t folds, size_t subset, size_t k)
{
    if (subset == 0) return true;
    if (subset <= folds) return k != subset - 1;
    return k == subset - 1 - folds;
}

#endif
