# Segmenters, silhouettes and custom axes.
tare_test(test_onnx_segment scorer SOURCES ${onnx_fixture})
tare_test(test_onnx_manifest_map scorer)
tare_test(test_photo_bands audit SOURCES photo_fixture.c)
tare_test(test_photo_custom audit SOURCES photo_fixture.c)
tare_test(test_photo_silhouette audit SOURCES photo_fixture.c ${onnx_fixture})

# Masks against Pillow and NumPy.
add_executable(segment_program ${CMAKE_CURRENT_SOURCE_DIR}/segment_program.c)
target_link_libraries(segment_program PRIVATE room_scorer)
add_test(NAME onnx_segment_numpy COMMAND ${TARE_NUMPY_PYTHON}
  ${CMAKE_SOURCE_DIR}/tests/ref/onnx_segment_numpy.py $<TARGET_FILE:segment_program>
  ${CMAKE_SOURCE_DIR}/build/deps/libonnxruntime.so.1)
set_tests_properties(onnx_segment_numpy PROPERTIES SKIP_RETURN_CODE 77)
