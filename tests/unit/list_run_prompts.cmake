# Prompts as facts of a run.
tare_test(test_run_prompts audit SOURCES photo_fixture.c)
