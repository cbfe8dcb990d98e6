tare_test(test_scorer_audit_toy audit SOURCES scorer_tables.c)
