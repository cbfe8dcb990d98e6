tare_test(test_saturation audit)
tare_test(test_noise_trial scorer)
tare_test(test_photo_decoding audit SOURCES photo_fixture.c)
tare_test(test_photo_limits audit SOURCES photo_fixture.c)
