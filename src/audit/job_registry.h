/* job_registry.h - every job, one line each. */
#ifndef AUDIT_JOB_REGISTRY_H
#define AUDIT_JOB_REGISTRY_H

#include "audit/job.h"

extern const job_class job_agree;
extern const job_class job_audit;
extern const job_class job_compare;
extern const job_class job_matrix;
extern const job_class job_panel;
extern const job_class job_perturb;
extern const job_class job_power;
extern const job_class job_score;
extern const job_class job_scorer;
extern const job_class job_validate;

#endif
