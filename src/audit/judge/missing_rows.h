/* missing_rows.h - the missingness audit of judge tables (judge audits G.7, 0.3): does what is
 * missing depend on author, judge, setting, dim, repeat or roster grouping? Entered into the book
 * as family "missing"; entries that rest on affected judges are capped. */
#ifndef AUDIT_JUDGE_MISSING_ROWS_H
#define AUDIT_JUDGE_MISSING_ROWS_H

#include "audit/book.h"
#include "audit/judge/score_table.h"

/* For every factor: rate of each non-ok status by level (Wilson), largest difference, Cramer's V, p
 * by permutation of the factor within item where it varies within items, else over clusters;
 * chi-square (Fisher's exact test for 2 x 2 with an expected count below 5) as descriptive; q over
 * the factors (family "missing"). Fills the result's list of what is missing. Call it before
 * book_settle: where a factor is informative (q <= alpha, spread >= 2 points) all entries of the
 * other families are capped (of one judge only, if the factor differs inside that judge alone).
 * Errors: MEMORY. */
tare_status missing_rows_audit(book *b, const score_table *t, tare_error *err);

#endif
