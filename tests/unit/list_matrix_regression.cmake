# Tests of the regressions, blocks and model level of tare matrix.
tare_test(test_cell_regression audit)
