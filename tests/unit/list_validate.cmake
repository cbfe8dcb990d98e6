tare_test(test_validate audit)
