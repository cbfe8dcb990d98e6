/* missing_study.h - what the files missing_*.c of judge tables share. Private to them. */
#ifndef AUDIT_JUDGE_MISSING_STUDY_H
#define AUDIT_JUDGE_MISSING_STUDY_H

#include "audit/book.h"
#include "audit/judge/missing_factors.h"

/* The rows of one layer (setting and dim), or of all together. */
typedef struct missing_study {
    book *b;
    const score_table *t;
    arena *a;                    /* scratch                                            */
    size_t layer;                /* MISSING_ALL_LAYERS: settings and dims are compared */
    bool pooled;                 /* all layers, and readings that pool them            */
    const char *setting, *dim;   /* where its readings stand; "": all layers           */
    missing_view view;
    bool *silent;                /* [judges] rows, and no score at all                 */
    missing_factor *factor;
    size_t factors;
    const missing_counts *total; /* of all rows                                        */
} missing_study;

#define MISSING_ALL_LAYERS SIZE_MAX

/* missing_tests.c: p, V, spread of every factor. */
tare_status missing_test_factors(missing_study *s, tare_error *err);
/* q over the factors of all studies, and which of them are informative. */
tare_status missing_adjust(missing_study *s, size_t studies, tare_error *err);
/* missing_list.c: the result's list of what is missing. */
tare_status missing_list_rows(missing_study *s, tare_error *err);
/* missing_report.c: readings. */
tare_status missing_report_total(missing_study *s, tare_error *err);
tare_status missing_report_silent(missing_study *s, tare_error *err);
tare_status missing_report_factor(missing_study *s, const missing_factor *f, tare_error *err);
/* missing_caps.c: caution and caps of what is informative. Layers come before all together. */
bool missing_pools(const missing_study *s, const tare_reading *r); /* several layers in one */
tare_status missing_cap(missing_study *s, const missing_factor *f, tare_error *err);

#endif
