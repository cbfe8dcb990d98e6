/* power_input.h - what the options of `tare power` mean together. */
#ifndef AUDIT_POWER_POWER_INPUT_H
#define AUDIT_POWER_POWER_INPUT_H

#include "audit/job.h"
#include "audit/power/power_study.h"

/* Errors: USAGE. */
tare_status power_read_options(power_options *o, const tare_job *job, bool pilot, tare_error *err);
tare_status power_read_model(stated_model *x, arena *a, const tare_job *job,
                             const power_options *o, tare_error *err);

#endif
