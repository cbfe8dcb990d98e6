tare_test(test_agree_toy audit SOURCES agree_fixture.c)
tare_test(test_agree_flickr audit LABELS shared SOURCES agree_fixture.c)
tare_test(test_agree_textbook audit SOURCES agree_fixture.c)
tare_test(test_agree_bad audit SOURCES agree_fixture.c)
