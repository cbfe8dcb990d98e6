tare_test(test_judge_options audit)
