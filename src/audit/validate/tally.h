/* tally.h - what all trials together say: rates with binomial limits, and whether each keeps to
 * what was planned. */
#ifndef AUDIT_VALIDATE_TALLY_H
#define AUDIT_VALIDATE_TALLY_H

#include "audit/result.h"
#include "audit/validate/trial.h"

typedef struct claim_count {
    uint64_t trials, hits, none; /* none: trials without such a reading */
} claim_count;

/* Is the rate what it has to be, as far as this number of trials can tell: within 4 standard
 * errors (statistics 17). No trial: false. */
bool claim_kept(const claim *c, claim_count n);

/* Readings, a table, the card of every plant and the answer. counts[claims]. */
tare_status tally_report(audit_result *r, const claim_count *counts, const trial_design *design,
                         tare_error *err);

#endif
