# Tests of permutations of models, of tables of variance components and of ordered outcomes.
tare_test(test_identity stats)
tare_test(test_identity_data stats LABELS shared)
tare_test(test_gstudy stats)
tare_test(test_ordinal stats)
