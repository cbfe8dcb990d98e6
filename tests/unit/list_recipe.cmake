# Published scorers as data: what the shipped recipes say, where their files are found, and which
# checkpoints they take.
set(recipe_fixture recipe_fixture.c ${CMAKE_SOURCE_DIR}/tests/support/formula_weights.c
  ${CMAKE_SOURCE_DIR}/tests/support/tiny_onnx.c)
tare_test(test_recipe_shipped scorer)
tare_test(test_recipe_refused scorer)
tare_test(test_recipe_verified scorer SOURCES ${recipe_fixture})
tare_test(test_recipe_find scorer SOURCES ${recipe_fixture})
tare_test(test_recipe_match scorer SOURCES ${recipe_fixture})
tare_test(test_recipe_head scorer LABELS shared SOURCES ${recipe_fixture})
find_program(PYTHON3 python3 REQUIRED)
add_test(NAME check_recipes COMMAND ${PYTHON3} ${CMAKE_SOURCE_DIR}/tests/docs/check_recipes.py
  ${CMAKE_SOURCE_DIR})
set_tests_properties(check_recipes PROPERTIES LABELS check)
tare_test(test_scorer_verify audit TIMEOUT 240 SOURCES photo_fixture.c
  ${CMAKE_SOURCE_DIR}/tests/support/ort_fixture.c ${CMAKE_SOURCE_DIR}/tests/support/ort_excuses.c
  ${CMAKE_SOURCE_DIR}/tests/support/formula_weights.c ${CMAKE_SOURCE_DIR}/tests/support/tiny_onnx.c)
