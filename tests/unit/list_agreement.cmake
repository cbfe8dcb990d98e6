# stats: rank correlation, agreement, statistics computed again for each replicate.
tare_test(test_kendall stats)
tare_test(test_kendall_data stats LABELS shared)
tare_test(test_infer_weights stats)
tare_test(test_agreement stats)
tare_test(test_agreement_data stats LABELS shared)
tare_test(test_agreement_boot scorer LABELS shared)
