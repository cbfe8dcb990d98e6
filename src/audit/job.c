#include "audit/job.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

const tare_job_info *tare_job_info_at(size_t index)
{
    const job_class *c = job_class_at(index);
    return c ? &c->info : NULL;
}

static tare_status unknown_job(const char *name, tare_error *err)
{
    char known[240] = "";
    for (size_t i = 0; job_class_at(i); i++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "",
                 job_class_at(i)->info.name);
    }
    return error_set(err, TARE_E_USAGE, "job.name", name, "no such job; there are: %s", known);
}

tare_status tare_job_new(tare_job **out, tare_context *context, const char *name, tare_error *err)
{
    for (size_t i = 0; job_class_at(i); i++) {
        if (strcmp(job_class_at(i)->info.name, name)) continue;
        tare_job *job = mem_new(&context->mem, 1, sizeof *job);
        if (!job) return error_memory(err);
        job->context = context;
        job->class_ = job_class_at(i);
        arena_init(&job->a, &context->mem);
        *out = job;
        return TARE_OK;
    }
    return unknown_job(name, err);
}

void tare_job_free(tare_job *job)
{
    if (!job) return;
    const mem *m = &job->context->mem;
    result_free(&job->result);
    mem_free(m, job->values);
    mem_free(m, job->inputs);
    arena_free(&job->a);
    mem_free(m, job);
}

static size_t find_option(const job_class *c, const char *name)
{
    for (size_t i = 0; i < c->info.option_count; i++)
        if (!strcmp(c->info.options[i].name, name)) return i;
    return SIZE_MAX;
}

/* Is `value` one of the words of "a|b|c"? */
static int is_choice(const char *choices, const char *value)
{
    size_t length = strlen(value);
    for (const char *at = choices; *at;) {
        size_t word = strcspn(at, "|");
        if (word == length && !memcmp(at, value, length)) return 1;
        at += word + (at[word] == '|');
    }
    return 0;
}

static tare_status check_number(const tare_option_info *o, const char *value, tare_error *err)
{
    double number = 0;
    int64_t integer = 0;
    size_t length = strlen(value);
    int whole = o->type == TARE_OPTION_INTEGER;
    if (whole ? !integer_parse(value, length, &integer)
              : !number_parse(value, length, &number) || !isfinite(number))
        return error_set(err, TARE_E_USAGE, "option.number", o->name, "\"%s\" is not a %s", value,
                         whole ? "whole number" : "number");
    /* Whole numbers are compared as such: 2^53 + 1 is the same double as 2^53. */
    bool outside = whole ? integer < (int64_t)o->minimum || integer > (int64_t)o->maximum
                         : number < o->minimum || number > o->maximum;
    if (o->minimum < o->maximum && outside)
        return error_set(err, TARE_E_USAGE, "option.range", o->name, "%s is not within %g to %g",
                         value, o->minimum, o->maximum);
    return TARE_OK;
}

static tare_status check_value(const tare_option_info *o, const char *value, tare_error *err)
{
    if (!utf8_valid(value, strlen(value)))
        return error_set(err, TARE_E_USAGE, "option.utf8", o->name,
                         o->type == TARE_OPTION_PATH
                             ? "the path is not UTF-8, and options are written into run folders as "
                               "UTF-8: give a link whose name is"
                             : "the value is not UTF-8");
    switch (o->type) {
    case TARE_OPTION_INTEGER:
    case TARE_OPTION_NUMBER: return check_number(o, value, err);
    case TARE_OPTION_CHOICE:
        if (is_choice(o->choices, value)) return TARE_OK;
        return error_set(err, TARE_E_USAGE, "option.choice", o->name, "\"%s\" is not one of %s",
                         value, o->choices);
    case TARE_OPTION_FLAG:
        if (is_choice("yes|no", value)) return TARE_OK;
        return error_set(err, TARE_E_USAGE, "option.flag", o->name, "\"%s\" is not yes or no",
                         value);
    default:
        if (*value && (o->type == TARE_OPTION_PATH || value[strspn(value, " \t\r\n")]))
            return TARE_OK;
        return error_set(err, TARE_E_USAGE, "option.empty", o->name, "an empty value");
    }
}

tare_status tare_job_set(tare_job *job, const char *option, const char *value, tare_error *err)
{
    const mem *m = &job->context->mem;
    size_t k = find_option(job->class_, option);
    if (k == SIZE_MAX)
        return error_set(err, TARE_E_USAGE, "option.name", option, "%s has no such option",
                         job->class_->info.name);
    const tare_option_info *o = &job->class_->info.options[k];
    tare_status status = check_value(o, value, err);
    if (status) return status;
    char *copy = arena_copy(&job->a, value);
    if (!copy) return error_memory(err);
    if (!o->repeats)
        for (size_t i = 0; i < job->value_count; i++)
            if (job->values[i].option == k) {
                job->values[i].text = copy;
                return TARE_OK;
            }
    if (!mem_reserve(m, &job->values, &job->value_capacity, job->value_count + 1,
                     sizeof *job->values))
        return error_memory(err);
    job->values[job->value_count++] = (struct job_value){k, copy};
    return TARE_OK;
}

tare_status tare_job_input(tare_job *job, const char *path, tare_error *err)
{
    if (!*path) return error_set(err, TARE_E_USAGE, "job.input", NULL, "an input has no name");
    char *copy = arena_copy(&job->a, path);
    if (!copy || !mem_reserve(&job->context->mem, &job->inputs, &job->input_capacity,
                              job->input_count + 1, sizeof *job->inputs))
        return error_memory(err);
    job->inputs[job->input_count++] = copy;
    return TARE_OK;
}

tare_status tare_job_run(tare_job *job, tare_error *err)
{
    result_free(&job->result);
    result_init(&job->result, &job->context->mem);
    job->has_result = 0;
    tare_status status = job->class_->run(job, err);
    job->has_result = status == TARE_OK;
    input_hash_drop(job->hash);
    job->hash = NULL;
    return status;
}

/* ---- options as the job sees them ------------------------------------------- */

const char *job_text_at(const tare_job *job, const char *option, size_t k)
{
    size_t which = find_option(job->class_, option);
    assert(which != SIZE_MAX && "option is not in the table of the job");
    for (size_t i = 0; i < job->value_count; i++)
        if (job->values[i].option == which && k-- == 0) return job->values[i].text;
    return NULL;
}

bool job_has(const tare_job *job, const char *option)
{
    return find_option(job->class_, option) != SIZE_MAX;
}

size_t job_count(const tare_job *job, const char *option)
{
    size_t n = 0;
    while (job_text_at(job, option, n)) n++;
    return n;
}

const char *job_text(const tare_job *job, const char *option)
{
    const char *set = job_text_at(job, option, 0);
    return set ? set : job->class_->info.options[find_option(job->class_, option)].fallback;
}

double job_number(const tare_job *job, const char *option)
{
    const char *value = job_text(job, option);
    double number = NAN;
    if (value) number_parse(value, strlen(value), &number);
    return number;
}

int64_t job_integer(const tare_job *job, const char *option)
{
    const char *value = job_text(job, option);
    int64_t integer = 0;
    if (value) integer_parse(value, strlen(value), &integer);
    return integer;
}

uint64_t job_integer_or(const tare_job *job, const char *option, uint64_t fallback)
{
    return job_count(job, option) ? (uint64_t)job_integer(job, option) : fallback;
}

int job_flag(const tare_job *job, const char *option)
{
    const char *value = job_text(job, option);
    return value && !strcmp(value, "yes");
}

/* ---- results ------------------------------------------------------------------ */

const char *tare_job_folder(const tare_job *job)
{
    if (job->folder) return job->folder;
    return find_option(job->class_, "output") == SIZE_MAX ? NULL : job_text(job, "output");
}

int tare_job_unmet(const tare_job *job)
{
    return job->result.unmet;
}

size_t tare_job_reading_count(const tare_job *job)
{
    return job->has_result ? job->result.reading_count : 0;
}

const tare_reading *tare_job_reading(const tare_job *job, size_t index)
{
    return index < tare_job_reading_count(job) ? &job->result.readings[index] : NULL;
}

const char *tare_job_answer(const tare_job *job, size_t index)
{
    return job->has_result && index < job->result.answer_count ? job->result.answer[index] : NULL;
}
