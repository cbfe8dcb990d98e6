/* pair_accuracy.h - how often a judge prefers the candidate that people prefer (judge audits C.3,
 * pascal50s): by category and as the mean of the categories, under three policies for ties. */
#ifndef AUDIT_AGREE_PAIR_ACCURACY_H
#define AUDIT_AGREE_PAIR_ACCURACY_H

#include "audit/agree/pair_rows.h"
#include "audit/agree/protocols.h"
#include "audit/book.h"
#include "audit/job.h"

typedef enum tie_policy {
    TIE_LOSS, /* a tie is wrong                  */
    TIE_HALF, /* it counts one half              */
    TIE_DROP, /* its pair is left out            */
    TIE_POLICIES
} tie_policy;

typedef struct pair_options {
    book_options book;
    const protocol *protocol;
    tie_policy ties;           /* that leads; all are printed */
} pair_options;

/* Readings, tables, figure and answer. Errors: MEMORY, LIMIT (more than 200 categories). */
tare_status pair_accuracy_run(audit_result *out, tare_context *context, const pair_rows *p,
                              const pair_options *options, tare_error *err);

/* Does what judges miss depend on the judge or the category? pair_missing.c. Errors: MEMORY. */
tare_status pair_missing_run(book *b, const pair_rows *p, tare_error *err);

#endif
