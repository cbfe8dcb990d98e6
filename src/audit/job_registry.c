#include "audit/job_registry.h"

const job_class *job_class_at(size_t index)
{
    static const job_class *const jobs[] = {&job_audit, &job_compare, &job_matrix,
                                            &job_panel, &job_agree,   &job_power,
                                            &job_perturb, &job_score, &job_scorer, &job_validate};
    return index < sizeof jobs / sizeof *jobs ? jobs[index] : NULL;
}
