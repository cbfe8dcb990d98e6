tare_test(test_wilcoxon stats)
tare_test(test_matrix_toy audit SOURCES matrix_fixture.c)
tare_test(test_matrix_golden audit LABELS shared SOURCES matrix_fixture.c)
tare_test(test_matrix_simulation audit LABELS slow TIMEOUT 600 SOURCES matrix_fixture.c)
