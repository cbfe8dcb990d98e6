tare_test(test_agree_rows audit SOURCES agree_fixture.c)
