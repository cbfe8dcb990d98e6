/* scorer_commands.h - what `tare scorer WORD` does; one file for each word. */
#ifndef AUDIT_INSTRUMENT_SCORER_COMMANDS_H
#define AUDIT_INSTRUMENT_SCORER_COMMANDS_H

#include "audit/job.h"
#include "scorer/recipe/recipe.h"

/* The inputs after the word. */
static inline size_t scorer_argument_count(const struct tare_job *job)
{
    return job->input_count - 1;
}
static inline const char *scorer_argument(const struct tare_job *job, size_t k)
{
    return job->inputs[k + 1];
}

/* list FILE: container, tensors, and which recipes fit. */
tare_status scorer_list(struct tare_job *job, tare_error *err);
/* `c`, which is open, against the file at PATH: the same weights, whatever layout and type? */
tare_status scorer_same_weights(struct tare_job *job, const checkpoint *c, const char *path,
                                tare_error *err);
/* where [NAME...]: what to fetch, and where it is looked for. */
tare_status scorer_where(struct tare_job *job, tare_error *err);
/* verify NAME: do the published values hold? */
tare_status scorer_verify(struct tare_job *job, tare_error *err);

#endif
