# Two files of the same weights.
tare_test(test_weight_views scorer SOURCES recipe_fixture.c
  ${CMAKE_SOURCE_DIR}/tests/support/formula_weights.c ${CMAKE_SOURCE_DIR}/tests/support/tiny_onnx.c)
tare_test(test_scorer_same audit SOURCES photo_fixture.c
  ${CMAKE_SOURCE_DIR}/tests/support/formula_weights.c ${CMAKE_SOURCE_DIR}/tests/support/tiny_onnx.c)
