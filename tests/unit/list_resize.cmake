tare_test(test_resize_modes image)
tare_test(test_resize_passes image)
tare_test(test_planes image)

# beside Pillow and NumPy in one run; TARE_PILLOW in the environment names another Pillow
add_executable(resize_peer resize_peer.c)
target_link_libraries(resize_peer PRIVATE room_image)
foreach(name check_resize check_planes)
  add_test(NAME ${name}
    COMMAND /usr/bin/python3 ${CMAKE_CURRENT_SOURCE_DIR}/${name}.py $<TARGET_FILE:resize_peer>)
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
endforeach()
