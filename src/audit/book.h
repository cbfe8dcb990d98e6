/* book.h - what the audits of judges share: every estimate is entered once with its family; at the
 * end the book gives each family its q (BH, BY and, from common replicates, max-T), and each
 * entry its verdict and words (judge audits 0.5, 0.6; statistics 6 and 8).
 *
 *     TRY(book_open(&b, &job->result, job->context, &options, err));
 *     TRY(book_add(&b, &spec, &inf, &index, err));   ...
 *     TRY(book_settle(&b, err));                      q, verdicts, words
 *     book_close(&b);
 *
 * Between settle and close the audit writes tables, figures and its answer from the entries. */
#ifndef AUDIT_BOOK_H
#define AUDIT_BOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "audit/estimate.h"
#include "audit/result.h"
#include "base/context.h"
#include "stats/missing.h"

typedef struct book_options {
    uint64_t seed;           /* 1 */
    uint32_t boot_b, perm_p; /* 9999 */
    double alpha;            /* .05 */
    const char *ci;          /* auto percentile bca t */
    const char *boot_p;      /* centred inversion */
    const char *fdr;         /* bh by maxt: the q that decides */
    double margin;           /* user's, for every reading with a margin; NaN: the chapter's */
} book_options;

/* How an estimate is entered. Zero-initialise; then margin must be set (NaN: none). Texts must live
 * in the result's arena or be literals; NULL means "". */
typedef struct entry_spec {
    const char *family, *arm, *instrument, *name, *condition, *dim, *unit;
    const char *grid;           /* family of tests; NULL or "": none, q = p                      */
    double margin;
    bool descriptive;           /* no test, no verdict                                           */
    bool one_of_several;        /* a reading of which only the leading twin enters the grid      */
    bool detail;                /* one cell of a large table: tested, not shown first            */
    const char *reason;         /* no answer, whatever the inference says                        */
    const char *extra;          /* marks, comma-separated                                        */
    const char *plus, *minus;   /* what a resolved estimate says, by sign; NULL: "resolved"      */
    const missing_counts *missing; /* rows expected, missing by reason; NULL: unknown            */
} entry_spec;

typedef struct entry {
    size_t reading;             /* index into the result's readings                              */
    inference inf;              /* its replicates, if kept, enter max-T                          */
    const char *extra, *plus, *minus;
    bool descriptive, equivalent, significant;
    bool capped;                /* missing_informative: set before book_settle                   */
    const char *condition_note; /* a further condition failed ("depends on scale"): `found` turns
                                   into inconclusive, `small` into negligible (ours); set before
                                   book_settle                                                   */
} entry;

/* Size of a family after settling. */
typedef struct book_grid { const char *name; size_t planned, tested, significant; } book_grid;

typedef struct book {
    audit_result *out;
    tare_context *context;
    const mem *m;
    book_options o;
    arena scratch;              /* freed by book_close */
    entry *entries;
    size_t count, capacity;
    book_grid *grids;
    size_t grid_count, grid_capacity;
} book;

tare_status book_open(book *b, audit_result *out, tare_context *context,
                      const book_options *options, tare_error *err);
void book_close(book *b);

#define BOOK_NONE SIZE_MAX
/* `index` (may be NULL) receives the place in entries. Errors: MEMORY. */
tare_status book_add(book *b, const entry_spec *spec, const inference *inf, size_t *index,
                     tare_error *err);
/* A number without a test. */
tare_status book_number(book *b, const entry_spec *spec, double value, tare_error *err);
tare_reading *book_reading(const book *b, size_t index); /* valid until the next add */
/* Add a mark to an entry. Errors: MEMORY. */
tare_status book_mark(book *b, size_t index, const char *mark, tare_error *err);
/* q, verdicts and words of everything entered; warns where replicates are too few for a family. */
tare_status book_settle(book *b, tare_error *err);
const book_grid *book_grid_of(const book *b, const char *name); /* NULL: no such family */

/* The plan of draws for clusters `ids` (canonical order) under the book's options; `analysis` names
 * the base set, e.g. "items". Texts and ids must outlive the plan. */
infer_plan book_plan(const book *b, const char *analysis, const char *const *ids, size_t clusters);

#endif
