tare_test(test_image_formats image)
tare_test(test_image_heif image)
tare_test(test_image_formats_hostile image TIMEOUT 300)
tare_test(test_photo_ignored audit SOURCES photo_fixture.c)
