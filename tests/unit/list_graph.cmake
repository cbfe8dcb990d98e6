# Graphs of ours over formula weights. The first run on the newest and, as NAME_oldest, on the
# oldest ONNX Runtime; without them they are skipped.
set(tower_fixture tower_fixture.c tower_peer.c ${CMAKE_SOURCE_DIR}/tests/support/formula_weights.c
  ${CMAKE_SOURCE_DIR}/tests/support/ort_fixture.c ${CMAKE_SOURCE_DIR}/tests/support/ort_excuses.c
  ${CMAKE_SOURCE_DIR}/tests/support/tiny_onnx.c)
foreach(test test_graph_golden test_graph_peer test_graph_mutants test_graph_weights)
  tare_test(${test} scorer TIMEOUT 600 SOURCES ${tower_fixture})
  add_test(NAME ${test}_oldest COMMAND ${test})
  set_tests_properties(${test}_oldest PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600 ENVIRONMENT
    "TARE_ORT_LIB=${CMAKE_SOURCE_DIR}/build/deps/ort-1.17/libonnxruntime.so.1.17.0")
endforeach()
tare_test(test_graph_failing scorer TIMEOUT 600 SOURCES ${tower_fixture})
tare_test(test_graph_plan scorer SOURCES ${tower_fixture})
tare_test(test_graph_heads scorer LABELS shared SOURCES ${tower_fixture})
