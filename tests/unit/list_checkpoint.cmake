set(checkpoint_fixture ${CMAKE_CURRENT_SOURCE_DIR}/checkpoint_fixture.c)
tare_test(test_safetensors scorer SOURCES ${checkpoint_fixture})
tare_test(test_checkpoint_values scorer SOURCES ${checkpoint_fixture})
tare_test(test_zip_directory scorer)
