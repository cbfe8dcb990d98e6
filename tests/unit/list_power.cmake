tare_test(test_power stats)
