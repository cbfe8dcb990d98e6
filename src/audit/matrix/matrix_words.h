/* matrix_words.h - pieces of the answer's sentences. */
#ifndef AUDIT_MATRIX_MATRIX_WORDS_H
#define AUDIT_MATRIX_MATRIX_WORDS_H

#include "audit/matrix/matrix_study.h"
#include "audit/words.h"
#include "base/text.h"

/* The reading that a judge's verdict rests on: D (without the family, if so asked), else R of the
 * self cell; NULL: none. */
const tare_reading *matrix_lead(const matrix_study *s, const matrix_view *v, const matrix_self *x);
const entry *matrix_lead_entry(const matrix_study *s, const matrix_view *v, const matrix_self *x);
const tare_reading *matrix_z(const matrix_study *s, const matrix_view *v, const matrix_self *x);
/* "setting, dim: " or "". NULL: no memory. */
const char *matrix_prefix(matrix_study *s, const matrix_view *v);
/* "0.021 [0.012, 0.03]". NULL: no memory. */
const char *matrix_estimate(arena *a, const tare_reading *r);
/* Names joined: "A, B and C"; at most `most` of them, then "and 7 more". NULL: no memory. */
const char *matrix_names(arena *a, const char *const *names, size_t count, size_t most);

/* Judges of a view by what the answer says of them. */
typedef enum matrix_group {
    GROUP_FAVOUR, GROUP_DISFAVOUR, GROUP_SMALL, GROUP_FAMILY, GROUP_SCALE, GROUP_NEGLIGIBLE,
    GROUP_OPEN, GROUP_MISSING, GROUP_NONE, GROUP_COUNT
} matrix_group;
matrix_group matrix_group_of(const matrix_study *s, const matrix_view *v, const matrix_self *x);

/* Marks D of those in GROUP_FAMILY or held back for it: resolved, and not without the judge's
 * family among those compared with (ours); after the verdicts. */
tare_status matrix_family_run(matrix_study *s, tare_error *err);
/* Whom the regression beside gold confirms, and whom it finds besides (matrix_gold.c). */
tare_status matrix_gold_answer(matrix_study *s, const matrix_view *v, tare_error *err);
/* "; at equal gold score 6 do and 3 do the opposite", of those that are found; "": no gold. */
tare_status matrix_gold_lead(const char **out, matrix_study *s, const matrix_view *v,
                             tare_error *err);
/* Does gold say anything of this judge; and that it is found, for or against its own texts? */
bool matrix_gold_judges(const matrix_study *s, const matrix_view *v, const matrix_self *x);
bool matrix_gold_resolves(const matrix_study *s, const matrix_view *v, const matrix_self *x);
tare_status matrix_cautions_run(matrix_study *s, tare_error *err);

#endif
