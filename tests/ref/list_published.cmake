# The published scorers' own packages, recorded (published/make_reference.py), against the recipes and
# back ends. Tiny checkpoints are written at test time by formula.
set(published ${CMAKE_CURRENT_SOURCE_DIR}/published)
add_executable(published_tensor ${published}/published_tensor.c)
target_link_libraries(published_tensor PRIVATE room_scorer)
add_test(NAME ref_published_inputs
  COMMAND /usr/bin/python3 ${published}/published_inputs.py $<TARGET_FILE:published_tensor>)
set_tests_properties(ref_published_inputs PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
if(TARGET tare)
  add_test(NAME ref_published_scores
    COMMAND /usr/bin/python3 ${published}/published_scores.py $<TARGET_FILE:tare>
      ${CMAKE_SOURCE_DIR}/build/deps)
  set_tests_properties(ref_published_scores PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
endif()
