tare_test(test_scorer_audit_toy audit SOURCES scorer_tables.c)
tare_test(test_scorer_audit_planted audit SOURCES scorer_tables.c)
tare_test(test_scorer_audit_grids audit SOURCES scorer_tables.c)
tare_test(test_scorer_audit_invariance audit SOURCES scorer_tables.c)
