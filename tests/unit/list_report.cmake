set(report_sample ${CMAKE_SOURCE_DIR}/tests/browser/sample_report.c
  ${CMAKE_SOURCE_DIR}/tests/browser/sample_hostile.c
  ${CMAKE_SOURCE_DIR}/tests/browser/sample_picture.c)
tare_test(test_report_plain report)
tare_test(test_report_html report)
tare_test(test_report_display report)
tare_test(test_report_files report SOURCES ${report_sample})
tare_test(test_report_page report SOURCES ${report_sample})
tare_test(test_report_summary report SOURCES ${report_sample})
