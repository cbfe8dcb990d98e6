tare_test(test_simultaneous stats)
tare_test(test_bestofn_draws audit)
tare_test(test_bestofn_curve audit SOURCES scorer_tables.c)
tare_test(test_bestofn_mixed audit SOURCES scorer_tables.c)
