# Readers of torch's files. tests/unit/make_checkpoints.py writes tests/data/checkpoints.
tare_test(test_torch_heads scorer LABELS shared)
tare_test(test_torch_files scorer)
