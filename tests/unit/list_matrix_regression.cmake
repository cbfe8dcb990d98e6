# Tests of the regressions, blocks and model level of tare matrix.
tare_test(test_cell_regression audit)
tare_test(test_matrix_regression audit LABELS shared SOURCES matrix_fixture.c)
tare_test(test_matrix_blocks audit SOURCES matrix_fixture.c)
tare_test(test_matrix_memory audit)
tare_test(test_matrix_claims audit SOURCES matrix_fixture.c)
