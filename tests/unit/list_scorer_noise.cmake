# The noise of instruments, by the job itself. The part on ONNX Runtime is skipped without it.
tare_test(test_scorer_noise audit SOURCES onnx_fixture.c
  ${CMAKE_SOURCE_DIR}/tests/support/tiny_onnx.c ${CMAKE_SOURCE_DIR}/tests/support/ort_excuses.c)
