add_executable(image_dump image_dump.c)
target_link_libraries(image_dump PRIVATE room_image)
add_executable(image_make_jpeg image_make_jpeg.c)
target_link_libraries(image_make_jpeg PRIVATE PkgConfig::JPEG)
add_test(NAME ref_image_policies
  COMMAND /usr/bin/python3 ${CMAKE_CURRENT_SOURCE_DIR}/image_policies.py
    $<TARGET_FILE:image_dump> $<TARGET_FILE:image_make_jpeg>)
set_tests_properties(ref_image_policies PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
