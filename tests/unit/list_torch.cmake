# Readers of torch's files. tests/unit/make_checkpoints.py writes tests/data/checkpoints.
tare_test(test_torch_heads scorer LABELS shared)
tare_test(test_torch_files scorer)
set(torch_fixture ${CMAKE_CURRENT_SOURCE_DIR}/torch_fixture.c)
tare_test(test_pickle scorer SOURCES ${torch_fixture})
tare_test(test_torch_hostile scorer SOURCES ${torch_fixture})
tare_test(test_torch_archives scorer SOURCES ${torch_fixture})
