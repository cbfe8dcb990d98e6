/* verdict.h - from numbers to the fixed words of statistics 8.
 *
 * sig   = q <= alpha and the interval excludes 0
 * equiv = equivalence shown (needs a margin)
 *   sig, not equiv: found      sig, equiv: small
 *   not sig, equiv: negligible  neither: inconclusive
 * A reason, or a number that is not there, gives no answer. */
#ifndef STATS_VERDICT_H
#define STATS_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "tare.h"

/* Reasons for no answer; they are results, not errors. The texts are the vocabulary of the
 * reports. */
#define REASON_DEGENERATE "degenerate"                       /* no variation where some is needed */
#define REASON_TOO_FEW_CLUSTERS "too_few_clusters"           /* M < 6                             */
#define REASON_DEGENERATE_REPLICATES "degenerate_replicates" /* over 1 % undefined                */
#define REASON_INSEPARABLE "inseparable"                     /* collinear                         */
#define REASON_BELOW_RESOLUTION "below_resolution"           /* instrument noise                  */
#define REASON_NOT_RUN "not_run"
#define REASON_NOT_CONVERGED "not_converged"
#define REASON_UNDEFINED "undefined" /* (ours) a needed number is NaN and nobody said why */
bool verdict_reason_known(const char *reason);

typedef struct verdict_input {
    double estimate, p, q; /* q: in the home family; equals p where there is no family */
    double lo, hi;         /* 1 - alpha interval                                       */
    double alpha;
    double margin;         /* NaN: none                                                */
    bool equivalent;       /* TOST passed; ignored without a margin                    */
    double floor;          /* instrument noise floor of the estimate; NaN or 0: none   */
    bool missing_informative; /* statistics 13: caps the verdict at inconclusive       */
    const char *reason;    /* NULL or "": the estimate stands                          */
} verdict_input;

/* Bits of verdict_result.marks. */
enum {
    VERDICT_RAW_ONLY = 1,          /* p <= alpha, q > alpha                           */
    VERDICT_DISAGREE = 2,          /* q <= alpha while the interval holds 0           */
    VERDICT_AT_LEAST_MARGIN = 4,   /* found, and the near end is at or beyond margin  */
    VERDICT_MISSING_INFORMATIVE = 8 /* capped                                         */
};

typedef struct verdict_result {
    tare_verdict verdict;
    const char *reason; /* "" unless no answer */
    unsigned marks;
} verdict_result;

/* |estimate| < floor gives no answer `below_resolution`, also where sig. */
verdict_result verdict_decide(const verdict_input *in);

#define VERDICT_MARKS_MAX 128
/* "raw only, p and interval disagree"; "" for none. Returns the length. */
size_t verdict_marks_text(char out[VERDICT_MARKS_MAX], unsigned marks);
/* The fixed sentence of statistics 8 ("any effect is below the margin"). Never NULL. */
const char *verdict_sentence(tare_verdict verdict);

#endif
