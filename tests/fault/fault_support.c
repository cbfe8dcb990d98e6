#include "fault_support.h"

#include <string.h>

#include "support/check.h"

static void add_number(text *out, double x)
{
    if (isnan(x)) text_add(out, " nan");
    else text_add_format(out, " %a", x);
}

static void add_readings(text *out, const tare_job *job)
{
    for (size_t i = 0; i < tare_job_reading_count(job); i++) {
        const tare_reading *r = tare_job_reading(job, i);
        const double numbers[] = {r->estimate, r->se, r->df, r->lo, r->hi, r->p, r->q, r->mde,
                                  r->margin, r->floor, r->p_floor};
        text_add_format(out, "%s|%s|%s|%s|%s|%s|%s|%s", r->family, r->arm, r->instrument, r->name,
                        r->condition, tare_verdict_name(r->verdict), r->reason, r->words);
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) add_number(out, numbers[k]);
        text_add_format(out, " %llu %llu\n", (unsigned long long)r->n_base,
                        (unsigned long long)r->n_cluster);
    }
    for (size_t i = 0; tare_job_answer(job, i); i++) {
        text_add(out, tare_job_answer(job, i));
        text_add_char(out, '\n');
    }
    text_add(out, "done\n"); /* of jobs that answer nothing */
}

static tare_status run_job(text *readings, tare_job *job, const fault_audit *audit,
                           tare_error *err)
{
    tare_status status = tare_job_input(job, audit->input, err);
    for (const char *const *o = audit->options; status == TARE_OK && *o; o += 2)
        status = tare_job_set(job, o[0], o[1], err);
    if (status == TARE_OK) status = tare_job_run(job, err);
    if (status == TARE_OK && audit->report) status = tare_report_write(job, audit->report, err);
    if (status == TARE_OK && readings) add_readings(readings, job);
    return status;
}

tare_status fault_run(text *readings, const fault_audit *audit,
                      const tare_context_options *options, tare_error *err)
{
    static mem system;
    tare_context *context = NULL;
    tare_job *job = NULL;
    memset(err, 0, sizeof *err);
    system = mem_system();
    if (readings) text_init(readings, &system);
    tare_status status = tare_context_new(&context, options, err);
    if (status == TARE_OK)
        status = tare_job_new(&job, context, audit->job ? audit->job : "audit", err);
    if (status == TARE_OK) status = run_job(readings, job, audit, err);
    tare_job_free(job);
    tare_context_free(context);
    if (status != TARE_OK && (err->status != status || !*err->code || !*err->message))
        fail_msg("%s without a word", tare_status_name(status));
    return status;
}

void fault_reference(text *readings, const fault_audit *audit)
{
    tare_error err;
    assert_ok(fault_run(readings, audit, NULL, &err));
    assert_false(readings->failed);
    assert_true(readings->length > 2000);
}

void fault_goes_on(const fault_audit *audit, const text *wanted, const char *what)
{
    tare_error err;
    text got;
    if (fault_run(&got, audit, NULL, &err))
        fail_msg("%s, then: %s [%s] %s", what, err.where, err.code, err.message);
    if (strcmp(got.data, wanted->data)) fail_msg("%s, then other readings", what);
    text_free(&got);
}
