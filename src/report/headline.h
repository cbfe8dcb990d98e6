/* headline.h - the readings that a person should see first: those that were tested within a
 * named FDR grid, and those of the same family, name and condition that gave no answer. A
 * result without grids shows all that carry a test; cells of large tables (detail) are left to the
 * list of all readings. Which scorer they belong to is counted here as well. */
#ifndef REPORT_HEADLINE_H
#define REPORT_HEADLINE_H

#include "audit/result.h"
#include "base/hash.h"
#include "base/text.h"

#define HEADLINE_VERDICTS 6

typedef struct headline {
    const mem *m;
    bool *shown;              /* [reading_count]                                      */
    size_t shown_count;
    size_t *instrument, *arm, *family; /* [reading_count] indices into these maps:     */
    map *instruments, *arms, *families; /* names in order of appearance; of arms with the
                                           dimension                                  */
} headline;

/* 0: out of memory; free in either case. */
int headline_init(headline *h, const audit_result *r);
void headline_free(headline *h);
/* What a reading stands under within its instrument: arm, dimension, or both. */
void headline_arm(text *out, const tare_reading *r);
/* Verdicts of the readings i with of[i] == which and, where `shown` is not NULL, shown[i]. */
void headline_tally(size_t tally[HEADLINE_VERDICTS], const audit_result *r, const size_t *of,
                    size_t which, const bool *shown);

#endif
