tare_test(test_panel_preference audit)
tare_test(test_panel_shared report LABELS shared)
