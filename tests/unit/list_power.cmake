tare_test(test_power stats)
tare_test(test_power_job audit SOURCES power_fixture.c)
tare_test(test_power_simulation audit TIMEOUT 300 SOURCES power_fixture.c)
tare_test(test_power_failing audit TIMEOUT 300 SOURCES power_fixture.c)
