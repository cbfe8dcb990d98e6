tare_test(test_perturb_mask perturb)
tare_test(test_perturb_eight perturb)
tare_test(test_perturb_sham perturb)
tare_test(test_perturb_invariants perturb)
tare_test(test_perturb_measure perturb)
tare_test(test_perturb_faces perturb LABELS shared)
tare_test(test_perturb_operators perturb)
tare_test(test_perturb_torso perturb)
tare_test(test_perturb_sets perturb)
tare_test(test_perturb_failing perturb)
tare_test(test_image_jpeg_encode image)

# beside Pillow and NumPy in one run
add_executable(operator_peer operator_peer.c)
target_link_libraries(operator_peer PRIVATE room_perturb)
add_test(NAME check_operators
  COMMAND /usr/bin/python3 ${CMAKE_CURRENT_SOURCE_DIR}/check_operators.py
    $<TARGET_FILE:operator_peer>)
set_tests_properties(check_operators PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
