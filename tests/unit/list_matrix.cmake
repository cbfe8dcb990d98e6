tare_test(test_wilcoxon stats)
