# The towers of formula weights (scorers 8.4) in every container, written at test time, on the
# newest and the oldest library; and with their tensors above 4 GiB.
set(golden ${CMAKE_CURRENT_SOURCE_DIR}/golden)
add_executable(golden_tower ${golden}/golden_tower.c
  ${CMAKE_SOURCE_DIR}/tests/support/ort_excuses.c)
target_link_libraries(golden_tower PRIVATE room_scorer)
set(golden_libraries ${CMAKE_SOURCE_DIR}/build/deps)
function(golden_test name library)
  add_test(NAME ${name} COMMAND /usr/bin/python3 ${golden}/golden_check.py
    $<TARGET_FILE:golden_tower> ${golden_libraries}/${library} ${ARGN})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900)
endfunction()
golden_test(ref_golden libonnxruntime.so.1)
golden_test(ref_golden_oldest ort-1.17/libonnxruntime.so.1.17.0)
golden_test(ref_golden_beyond libonnxruntime.so.1 beyond)
set_tests_properties(ref_golden_beyond PROPERTIES LABELS slow)
