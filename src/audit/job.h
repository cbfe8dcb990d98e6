/* job.h - an audit or one of its steps: one table entry each, run by name.
 *
 * A job is one `job_class` in its own file: what it is called, its options (from which the command
 * line, help, man page and documentation are made) and one function. job_registry.c is the only
 * list. */
#ifndef AUDIT_JOB_H
#define AUDIT_JOB_H

#include "audit/input_hash.h"
#include "audit/result.h"
#include "base/context.h"
#include "tare.h"

typedef struct job_class {
    tare_job_info info;
    tare_status (*run)(struct tare_job *job, tare_error *err);
} job_class;

const job_class *job_class_at(size_t index); /* NULL past the end */

struct job_value { size_t option; const char *text; };

struct tare_job {
    tare_context *context;
    const job_class *class_;
    arena a;
    struct job_value *values;
    size_t value_count, value_capacity;
    const char **inputs;
    size_t input_count, input_capacity;
    const char *folder; /* run folder, once it is known; NULL: the option `output` */
    input_hash *hash;   /* of the first input, once it is under way; NULL */
    audit_result result;
    int has_result;
};

/* Options as they were set, else the default of the table. An option that is not in the job's table
 * is a bug (assertion). */
const char *job_text(const tare_job *job, const char *option); /* NULL if unset, no default */
double job_number(const tare_job *job, const char *option);    /* NaN if unset, no default  */
int64_t job_integer(const tare_job *job, const char *option);
uint64_t job_integer_or(const tare_job *job, const char *option, uint64_t fallback); /* unset */
int job_flag(const tare_job *job, const char *option);
size_t job_count(const tare_job *job, const char *option); /* of a repeatable option    */
bool job_has(const tare_job *job, const char *option);     /* is it in the job's table?     */
const char *job_text_at(const tare_job *job, const char *option, size_t k);

#endif
