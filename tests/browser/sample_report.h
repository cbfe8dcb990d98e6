/* sample_report.h - jobs with results written by hand, for the tests of the report. The numbers
 * look like those of a scorer audit and mean nothing. */
#ifndef TESTS_SAMPLE_REPORT_H
#define TESTS_SAMPLE_REPORT_H

#include "audit/job.h"

/* A finished job with an empty result; released with sample_free. NULL: no memory. */
tare_job *sample_job(tare_context *context);
void sample_free(tare_job *job);

/* Two scorers, three arms, all verdicts, all kinds of figures, missing inputs, facts, tables.
 * 1: done. */
int sample_rich(tare_job *job);
/* The same places filled with text that tries to get out of them: markup, quotes, terminal
 * escapes, other writing directions, broken UTF-8, a name of 10 kB. 1: done. */
int sample_hostile(tare_job *job);

/* Thousands of readings. 1: done. */
int sample_large(tare_job *job);

extern const char *const sample_attacks[];
extern const size_t sample_attack_count;

#endif
