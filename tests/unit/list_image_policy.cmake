tare_test(test_image_policy image)
tare_test(test_image_samples image)
tare_test(test_image_room image TIMEOUT 120)
tare_test(test_image_cicp image)
