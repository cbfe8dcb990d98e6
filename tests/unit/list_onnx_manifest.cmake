tare_test(test_document table)
tare_test(test_npy scorer)
tare_test(test_onnx_ops scorer)
tare_test(test_onnx_manifest scorer)
tare_test(test_onnx_manifest_refused scorer)
tare_test(test_onnx_manifest_fits scorer)
tare_test(test_onnx_manifest_failing scorer)

# Manifests against the published schema, and operations against NumPy.
add_executable(manifest_program ${CMAKE_CURRENT_SOURCE_DIR}/manifest_program.c)
target_link_libraries(manifest_program PRIVATE room_scorer)
add_test(NAME onnx_manifest_schema COMMAND ${Python3_EXECUTABLE}
  ${CMAKE_SOURCE_DIR}/tests/docs/check_manifests.py $<TARGET_FILE:manifest_program>
  ${CMAKE_SOURCE_DIR})
find_program(TARE_NUMPY_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
if(NOT TARE_NUMPY_PYTHON)
  set(TARE_NUMPY_PYTHON python3)
endif()
add_test(NAME onnx_ops_numpy COMMAND ${TARE_NUMPY_PYTHON}
  ${CMAKE_SOURCE_DIR}/tests/ref/onnx_ops_numpy.py $<TARGET_FILE:manifest_program>)
set_tests_properties(onnx_ops_numpy PROPERTIES SKIP_RETURN_CODE 77)
