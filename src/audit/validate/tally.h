/* tally.h - what all trials together say: rates with binomial limits, and whether each keeps to
 * what was planned. */
#ifndef AUDIT_VALIDATE_TALLY_H
#define AUDIT_VALIDATE_TALLY_H

#include "audit/result.h"
#include "audit/validate/trial.h"

typedef struct claim_count {
    uint64_t trials, hits, none; /* none: trials without such a reading */
} claim_count;

/* Answers of all trials, [trials][claims]. */
typedef struct trial_book {
    const trial_answer *answers;
    size_t trials, claims;
} trial_book;

claim_count claim_counted(const trial_book *b, size_t claim);
/* Is the rate what it has to be, as far as this number of trials can tell: not beyond what four
 * standard errors of a normal leave to chance (statistics 17). No trial: false; a rate that is
 * only shown: true. */
bool claim_kept(const claim *c, claim_count n);
const char *claim_planned(arena *a, const claim *c); /* "at least 0.9"; NULL: no memory */
const char *claim_family(const claim *c); /* "detection", "false positives", "coverage", "shown" */

/* All claims of one kind together, over the trials: the mean share of them that hold, its standard
 * error from trial to trial (they are not independent in one), and the mean of what is planned. */
typedef struct claim_pool {
    size_t claims;
    double rate, se, plan;
    bool kept; /* within four standard errors of the plan */
} claim_pool;
claim_pool claims_pooled(const trial_book *b, claim_rate kind);

/* Shares that a single claim may have and still be kept, with this number of trials: what the
 * validation cannot see. */
double least_kept(double rate, uint64_t trials);
double most_kept(double rate, uint64_t trials);

/* Readings, tables, the card of every plant and the answer. */
tare_status tally_report(audit_result *r, const trial_book *b, const trial_design *design,
                         tare_error *err);

#endif
