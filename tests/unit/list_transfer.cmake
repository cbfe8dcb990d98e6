tare_test(test_transfer_class audit)
tare_test(test_transfer audit SOURCES scorer_tables.c)
tare_test(test_cube_merge audit SOURCES scorer_tables.c)
tare_test(test_compare_failing audit)
