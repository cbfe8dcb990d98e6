/* ref_copies.h - candidates that are copies of one of their own references (judge audits C.1): a
 * judge that is shown the references recognises them, so the Flickr8k rule drops them. */
#ifndef AUDIT_AGREE_REF_COPIES_H
#define AUDIT_AGREE_REF_COPIES_H

#include <stdbool.h>

#include "audit/job.h"
#include "audit/judge/score_table.h"

typedef struct ref_columns {
    const char *item, *author;      /* as in the score table; NULL: the accepted names            */
    const char *copy;               /* says it: 1, yes, true, or 0, no, false; NULL: "ref_copy"   */
    const char *candidate;          /* text; NULL: none                                           */
    const char *const *references;  /* text columns                                               */
    size_t reference_count;
} ref_columns;

/* copy[units] of the score table. Texts are compared after each run of white space has become one
 * blank. Errors: USAGE (standard input, which is read already), DATA ("ref_copies.column": neither
 * a column that says it nor texts to compare; "ref_copies.word"), those of the table. */
tare_status ref_copies_find(bool *copy, const score_table *t, tare_context *context,
                            const char *path, const ref_columns *columns, tare_error *err);

#endif
