# Recordings.
if(TARE_SOUND)
  tare_test(test_sound sound)
endif()
