/* missing_study.h - what the files missing_*.c of judge tables share. Private to them. */
#ifndef AUDIT_JUDGE_MISSING_STUDY_H
#define AUDIT_JUDGE_MISSING_STUDY_H

#include "audit/book.h"
#include "audit/judge/missing_factors.h"

typedef struct missing_study {
    book *b;
    const score_table *t;
    arena *a;                    /* scratch                            */
    missing_view view;
    uint64_t *used, *all;        /* [judges] rows with a score, rows   */
    bool *silent;                /* [judges] rows, and no score at all */
    missing_counts total;
    missing_factor *factor;
    size_t factors;
} missing_study;

/* missing_tests.c: p, V, spread of every factor, then q. */
tare_status missing_test_factors(missing_study *s, tare_error *err);
/* missing_list.c: the result's list of what is missing. */
tare_status missing_list_rows(missing_study *s, tare_error *err);
/* missing_report.c: readings; cautions and caps of what is informative. */
tare_status missing_report_total(missing_study *s, tare_error *err);
tare_status missing_report_silent(missing_study *s, tare_error *err);
tare_status missing_report_factor(missing_study *s, const missing_factor *f, tare_error *err);
tare_status missing_cap(missing_study *s, const missing_factor *f, tare_error *err);

#endif
