# ONNX Runtime. Models are written by tests/support/tiny_onnx.c; make_models writes them for scenarios.
set(tiny_onnx ${CMAKE_SOURCE_DIR}/tests/support/tiny_onnx.c)
add_executable(make_models ${CMAKE_SOURCE_DIR}/tests/support/make_models.c ${tiny_onnx})
target_link_libraries(make_models PRIVATE room_scorer m)
target_include_directories(make_models PRIVATE ${CMAKE_SOURCE_DIR}/tests)
tare_test(test_stop_watch base)
tare_test(test_base_library base)
