tare_test(test_scorer_audit_labels audit SOURCES scorer_tables.c)
tare_test(test_scorer_audit_population audit SOURCES scorer_tables.c)
tare_test(test_scorer_audit_exclusion audit SOURCES scorer_tables.c)
tare_test(test_scorer_audit_maxt audit SOURCES scorer_tables.c)
