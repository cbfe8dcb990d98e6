# Recordings.
if(TARE_SOUND)
  tare_test(test_sound sound)
endif()

# Models of sound.
if(TARE_SOUND)
  set(wave_fixture onnx_fixture.c ${CMAKE_SOURCE_DIR}/tests/support/tiny_onnx.c
    ${CMAKE_SOURCE_DIR}/tests/support/ort_excuses.c)
  tare_test(test_onnx_wave scorer SOURCES ${wave_fixture})
  tare_test(test_onnx_dnsmos scorer LABELS shared SOURCES ${wave_fixture})
endif()
