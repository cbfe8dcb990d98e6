tare_test(test_judge_options audit)
tare_test(test_proportion stats)
