tare_test(test_tokens scorer)
tare_test(test_tokens_refused scorer)
