# stats: special functions, moments, ranks, families of tests, verdicts, linear models.
tare_test(test_special stats)
tare_test(test_moments stats)
tare_test(test_rank stats)
tare_test(test_multiple stats)
tare_test(test_verdict stats)
tare_test(test_linear stats)
tare_test(test_linear_cov stats)
tare_test(test_model_bands stats LABELS slow TIMEOUT 600)
