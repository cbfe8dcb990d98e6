tare_test(test_scorer_exec_hostile scorer TIMEOUT 300)
