# The published scorers' own packages, recorded (published/make_reference.py), against the recipes
# and back ends. Tiny checkpoints are written at test time by formula.
set(published ${CMAKE_CURRENT_SOURCE_DIR}/published)
add_executable(published_tensor ${published}/published_tensor.c)
target_link_libraries(published_tensor PRIVATE room_scorer)
set(portraits "TARE_SHARED_FACES=${CMAKE_SOURCE_DIR}/../shared/data/faces")
function(published_test name)
  cmake_parse_arguments(arg "" "LABELS;ENVIRONMENT" "COMMAND" ${ARGN})
  add_test(NAME ${name} COMMAND /usr/bin/python3 ${arg_COMMAND})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600
    LABELS "${arg_LABELS}" ENVIRONMENT "${arg_ENVIRONMENT}")
endfunction()
set(inputs ${published}/published_inputs.py $<TARGET_FILE:published_tensor>)
published_test(ref_published_inputs COMMAND ${inputs})
published_test(ref_published_grey
  COMMAND ${published}/published_grey.py $<TARGET_FILE:published_tensor>)
published_test(ref_published_inputs_portraits COMMAND ${inputs} LABELS shared
  ENVIRONMENT ${portraits})
if(TARGET tare)
  # on the newest library, on portraits, and on the oldest library
  set(libraries ${CMAKE_SOURCE_DIR}/build/deps)
  set(scores ${published}/published_scores.py $<TARGET_FILE:tare>)
  published_test(ref_published_scores COMMAND ${scores} ${libraries}/libonnxruntime.so.1)
  published_test(ref_published_scores_portraits
    COMMAND ${scores} ${libraries}/libonnxruntime.so.1 LABELS shared ENVIRONMENT ${portraits})
  published_test(ref_published_scores_oldest
    COMMAND ${scores} ${libraries}/ort-1.17/libonnxruntime.so.1.17.0)
endif()
