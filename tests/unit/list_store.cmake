tare_test(test_store store)
