tare_test(test_image_formats image)
tare_test(test_image_heif image)
tare_test(test_image_formats_hostile image TIMEOUT 300)
