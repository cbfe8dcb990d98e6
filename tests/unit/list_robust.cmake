tare_test(test_scorer_audit_robust audit SOURCES scorer_tables.c)
tare_test(test_scorer_audit_axes audit SOURCES scorer_tables.c)
tare_test(test_scorer_audit_placebos audit SOURCES scorer_tables.c)
tare_test(test_scorer_audit_paper audit SOURCES scorer_tables.c photo_fixture.c)
