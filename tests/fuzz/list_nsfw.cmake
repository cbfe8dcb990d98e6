tare_fuzz(tfjs scorer)
target_compile_definitions(fuzz_tfjs PRIVATE TARE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
