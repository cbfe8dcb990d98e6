tare_test(test_embedding_cache scorer)
tare_test(test_onnx_prepare scorer)
set(onnx_fixture onnx_fixture.c ${CMAKE_SOURCE_DIR}/tests/support/tiny_onnx.c
  ${CMAKE_SOURCE_DIR}/tests/support/ort_excuses.c)
tare_test(test_onnx_backend scorer SOURCES ${onnx_fixture})
tare_test(test_onnx_tower scorer SOURCES ${onnx_fixture})
tare_test(test_onnx_ultraface scorer LABELS shared SOURCES ${onnx_fixture})
# The same with the oldest ONNX Runtime that is supported; skipped where it was not fetched.
set(oldest_ort ${CMAKE_SOURCE_DIR}/build/deps/ort-1.17/libonnxruntime.so.1.17.0)
foreach(test test_onnx_backend test_onnx_tower test_onnx_ultraface)
  add_test(NAME ${test}_oldest COMMAND ${test})
  set_tests_properties(${test}_oldest PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 120
    ENVIRONMENT TARE_ORT_LIB=${oldest_ort})
endforeach()
