tare_fuzz(image_decode image)
tare_fuzz(image_exif image)
tare_fuzz(image_icc image)
