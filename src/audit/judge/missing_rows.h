/* missing_rows.h - the missingness audit of judge tables (judge audits G.7, 0.3): does what is
 * missing depend on author, judge, setting, dim, repeat or roster grouping? Entered into the book
 * as family "missing"; entries that rest on affected judges are capped. */
#ifndef AUDIT_JUDGE_MISSING_ROWS_H
#define AUDIT_JUDGE_MISSING_ROWS_H

#include "audit/book.h"
#include "audit/judge/score_table.h"

/* For every factor (author, judge, setting, dim, rep, tertiles of length, roster groupings of the
 * authors): the rates of missing rows by level, of every status as well, with Wilson's intervals;
 * one tested reading "rate_spread", the largest difference, by permutation within item where the
 * factor varies within any item, else over clusters (items, within clusters that hold several
 * levels); Cramer's V with the p of chi-square (Fisher's exact test for 2 x 2 with an expected
 * count below 5) as a description. Family and grid "missing". Fills the
 * result's list of what is missing. Nothing missing: one reading, "missing_rate" 0.
 *
 * Rows of each layer (setting and dim) are looked at by themselves (ours): a table of several has
 * the readings of each in that setting and dim. Setting and dim compare all rows, and the other
 * factors do so too where a reading pools layers. q is over factors and layers.
 *
 * Call it before book_settle: where a factor is informative (q <= alpha, spread >= 2 points) the
 * entries of other families that rest on the layer are capped, and a caution names the factor.
 * What a layer misses does not cap another; setting and dim cap what pools or compares (ours). Of
 * these entries only those of some judges, and those of no single judge, are capped where (ours)
 *   - the factor is the judge: judges that miss 2 points more than the one that misses least;
 *   - the factor's rates differ inside one judge alone (2 points, chi-square p <= alpha): this
 *     judge; and where the factor is of authors, those that miss 2 points more than the least: the
 *     judges that are these authors, and entries whose condition is such an author.
 * A judge without any score is told of in a caution and takes no part: there is nothing of it that
 * could be distorted, and beside it every other judge would look complete (ours).
 * Without row_* (cell means) a fact says that what is missing is not known.
 * Errors: MEMORY. */
tare_status missing_rows_audit(book *b, const score_table *t, tare_error *err);

#endif
