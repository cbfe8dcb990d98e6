tare_test(test_agree_toy audit SOURCES agree_fixture.c)
