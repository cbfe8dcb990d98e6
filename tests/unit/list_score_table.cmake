tare_test(test_score_table_long audit SOURCES score_desk.c)
