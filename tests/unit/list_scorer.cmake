tare_test(test_scorer_brisque scorer)
