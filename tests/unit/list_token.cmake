tare_test(test_tokens scorer)
tare_test(test_tokens_refused scorer)
tare_test(test_photo_prompts audit SOURCES photo_fixture.c)
