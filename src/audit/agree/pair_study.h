/* pair_study.h - what the parts of the audit of pairs share. Private to pair_*.c. */
#ifndef AUDIT_AGREE_PAIR_STUDY_H
#define AUDIT_AGREE_PAIR_STUDY_H

#include "audit/agree/pair_accuracy.h"

enum { COUNT_RIGHT, COUNT_TIE, COUNT_ALL, COUNTS };
/* Of a category, and of the mean of the categories: accuracy by policy, and the rate of ties. */
enum { SHARE_TIES = TIE_POLICIES, SHARES };

typedef struct judge_pairs {
    inference *inf;            /* [categories + 1][SHARES], the mean last; then its accuracy with
                                  ties as half less one half, which is what guessing gives       */
    size_t accuracy, above, ties; /* entries of the mean                                         */
    missing_counts missing, *of; /* all pairs; [categories] those of each                        */
    double *total;             /* [categories][COUNTS]                                           */
    bool empty;                /* a category without a pair of scores                            */
    bool all_tied;             /* every pair has equal scores                                    */
} judge_pairs;

typedef struct pair_study {
    audit_result *out;
    book b;
    arena *a;
    const pair_rows *p;
    pair_options o;
    infer_plan plan;
    infer_draws *draws;
    size_t categories, judges;
    judge_pairs *judge;        /* [judges]                                                       */
    size_t *difference;        /* [judges * judges][TIE_POLICIES] entries of a < b               */
} pair_study;

static inline size_t *pair_differences(const pair_study *s, size_t a, size_t b)
{
    return s->difference + (a * s->judges + b) * TIE_POLICIES;
}

const char *tie_policy_name(tie_policy ties);
/* NaN: no pair. */
double pair_accuracy_of(const double counts[COUNTS], tie_policy ties);

#define NOTE_TIE_POLICY "depends on tie policy"

/* Tables, figure and sentences of a settled study. Errors: MEMORY. */
tare_status pair_report(pair_study *s, tare_error *err);

#endif
