tare_test(test_matrix_answer audit SOURCES matrix_fixture.c)
