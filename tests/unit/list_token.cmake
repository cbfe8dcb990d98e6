tare_test(test_tokens scorer)
tare_test(test_tokens_refused scorer)
tare_test(test_photo_prompts audit SOURCES photo_fixture.c)
tare_test(test_onnx_prompts scorer SOURCES onnx_fixture.c
  ${CMAKE_SOURCE_DIR}/tests/support/tiny_onnx.c ${CMAKE_SOURCE_DIR}/tests/support/ort_excuses.c)
add_test(NAME test_onnx_prompts_oldest COMMAND test_onnx_prompts)
set_tests_properties(test_onnx_prompts_oldest PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 120 ENVIRONMENT
  TARE_ORT_LIB=${CMAKE_SOURCE_DIR}/build/deps/ort-1.17/libonnxruntime.so.1.17.0)
