/* noise_report.h - what the trials of a scorer say: readings, a table, an answer. */
#ifndef AUDIT_INSTRUMENT_NOISE_REPORT_H
#define AUDIT_INSTRUMENT_NOISE_REPORT_H

#include "audit/instrument/noise_measure.h"

/* The scorer, after it was closed. */
typedef struct noise_about {
    const char *name, *spec, *identity, *identity_hash, *runtime;
    size_t batch;
    bool repeatable;
} noise_about;
/* A copy in the arena. Errors: MEMORY. */
tare_status noise_about_read(noise_about *out, const scorer_description *d, arena *a,
                             tare_error *err);
/* Into the job's result. Errors: MEMORY. */
tare_status noise_report(noise_bench *b, const noise_about *about, tare_error *err);

#endif
