# ONNX Runtime. Models are written by tests/support/tiny_onnx.c; make_models writes them for
# scenarios.
set(tiny_onnx ${CMAKE_SOURCE_DIR}/tests/support/tiny_onnx.c)
add_executable(make_models ${CMAKE_SOURCE_DIR}/tests/support/make_models.c ${tiny_onnx})
target_link_libraries(make_models PRIVATE room_scorer m)
target_include_directories(make_models PRIVATE ${CMAKE_SOURCE_DIR}/tests)
tare_test(test_stop_watch base)
tare_test(test_base_library base)

# Each of these runs on the newest library and, as NAME_oldest, on the oldest; without them it is
# skipped (tools/fetch_onnxruntime.sh).
set(ort_fixture ${CMAKE_SOURCE_DIR}/tests/support/ort_fixture.c
  ${CMAKE_SOURCE_DIR}/tests/support/ort_excuses.c ${tiny_onnx})
function(ort_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "LABELS" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  tare_test(${name} scorer TIMEOUT ${arg_TIMEOUT} LABELS ${arg_LABELS} SOURCES ${ort_fixture})
  add_test(NAME ${name}_oldest COMMAND ${name})
  set_tests_properties(${name}_oldest PROPERTIES LABELS "${arg_LABELS}" SKIP_RETURN_CODE 77
    TIMEOUT ${arg_TIMEOUT} ENVIRONMENT
    "TARE_ORT_LIB=${CMAKE_SOURCE_DIR}/build/deps/ort-1.17/libonnxruntime.so.1.17.0")
endfunction()
ort_test(test_ort_session)
ort_test(test_ort_bad)
ort_test(test_ort_stop)
ort_test(test_ort_failing TIMEOUT 300)
ort_test(test_model_weights)
tare_test(test_model_hash scorer)

# a library that is not good enough
add_library(fake_ort MODULE ${CMAKE_SOURCE_DIR}/tests/support/fake_ort.c)
tare_test(test_ort_library scorer)
target_compile_definitions(test_ort_library PRIVATE FAKE_ORT="$<TARGET_FILE:fake_ort>")
add_dependencies(test_ort_library fake_ort)

ort_test(test_ort_ultraface LABELS shared)
find_path(ORT_HEADER onnxruntime_c_api.h PATH_SUFFIXES onnxruntime
  onnxruntime/core/session)
if(ORT_HEADER)
  tare_test(test_ort_slots base)
  target_include_directories(test_ort_slots SYSTEM PRIVATE ${ORT_HEADER})
endif()
