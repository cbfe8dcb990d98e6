# The NSFW filter: base64, TF.js files and modules, the layers of a Keras topology; against nsfwjs
# itself where tools/fetch_nsfwjs.sh has put its model.
tare_test(test_base64 base)
tare_test(test_tfjs scorer)
set(nsfw_fixture ${CMAKE_SOURCE_DIR}/tests/support/ort_fixture.c
  ${CMAKE_SOURCE_DIR}/tests/support/ort_excuses.c ${CMAKE_SOURCE_DIR}/tests/support/tiny_onnx.c)
tare_test(test_keras_layers scorer SOURCES ${nsfw_fixture})
tare_test(test_mobilenet scorer SOURCES ${nsfw_fixture})
add_test(NAME test_mobilenet_oldest COMMAND test_mobilenet)
set_tests_properties(test_mobilenet_oldest PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 120 ENVIRONMENT
  "TARE_ORT_LIB=${CMAKE_SOURCE_DIR}/build/deps/ort-1.17/libonnxruntime.so.1.17.0")
