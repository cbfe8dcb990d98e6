#include "audit/scorer/table_options.h"

#include "base/error.h"

/* Instruments named by --lower-is-better, as a plain array. */
static tare_status list_lower(const char *const **out, size_t *count, tare_job *job,
                              tare_error *err)
{
    *count = job_count(job, "lower-is-better");
    const char **list = arena_new(&job->a, *count, sizeof *list);
    if (!list) return error_memory(err);
    for (size_t k = 0; k < *count; k++) list[k] = job_text_at(job, "lower-is-better", k);
    *out = list;
    return TARE_OK;
}

tare_status table_options_read(cube_table_options *out, tare_job *job, tare_error *err)
{
    *out = CUBE_TABLE_OPTIONS_DEFAULT;
    out->columns = (cube_table_columns){
        .base = job_text(job, "base"), .dose = job_text(job, "dose"),
        .scorer = job_text_at(job, "scorer", 0), .score = job_text(job, "score"),
        .arm = job_text(job, "arm"), .cluster = job_text(job, "cluster"),
        .kind = job_text(job, "kind"), .status = job_text(job, "status"),
        .group = job_text(job, "group"), .attribute = job_text(job, "attribute"),
        .artifact = job_text(job, "artifact")};
    out->neutral = job_number(job, "neutral");
    return list_lower(&out->lower, &out->lower_count, job, err);
}

tare_status table_options_check(const cube *c, const char *path, tare_error *err)
{
    size_t bases = 0;
    for (size_t a = 0; a < c->arms; a++) {
        size_t cells = c->arm[a].bases * c->arm[a].doses;
        bases += c->arm[a].bases;
        for (size_t s = 0; s < c->scorers; s++)
            for (size_t i = 0; i < cells; i++)
                if (cube_at(c, a, s)->status[i] == TARE_R_NONE) return TARE_OK;
    }
    if (!bases) return TARE_OK; /* all were excluded before: that is an answer */
    return error_set(err, TARE_E_INSTRUMENT, "scorer.silent", path,
                     "no row has a score: every one is empty, not finite, or has a status");
}

tare_status table_options_facts(const tare_job *job, audit_result *r, tare_error *err)
{
    static const char *const shown[] = {"base",      "dose",     "scorer",   "score", "status",
                                        "attribute", "artifact", "arm",      "cluster", "kind",
                                        "group",     "neutral"};
    tare_status status = TARE_OK;
    for (size_t k = 0; k < sizeof shown / sizeof *shown; k++) {
        const char *value = job_text_at(job, shown[k], 0);
        if (value) TRY(result_fact_add(r, TABLE_OPTIONS_SECTION, shown[k], value, err));
    }
done:
    return status;
}
