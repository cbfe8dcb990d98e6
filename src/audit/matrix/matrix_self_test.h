/* matrix_self_test.h - the tests of D over clusters, and what missing scores could make of it. */
#ifndef AUDIT_MATRIX_MATRIX_SELF_TEST_H
#define AUDIT_MATRIX_MATRIX_SELF_TEST_H

#include "audit/matrix/matrix_study.h"

/* t, sign flip and Wilcoxon over clusters; below 30 clusters, or where --test says so, the
 * inferences of D change to the test that leads. */
tare_status matrix_self_tests(matrix_view *v, matrix_study *s, tare_error *err);
/* Sets worst_lo and worst_hi (G.7). */
tare_status matrix_worst_case(matrix_view *v, matrix_study *s, tare_error *err);

#endif
