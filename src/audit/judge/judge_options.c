#include "audit/judge/judge_options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "audit/input_hash.h"
#include "base/error.h"
#include "base/spelling.h"
#include "base/text.h"

enum { ROLES = 12 };
static const char *const roles[ROLES] = {"item", "author", "judge", "score", "status", "reason",
                                         "rep",  "setting", "dim",  "gold",  "cluster", "length"};

/* Where the column of each role goes, in the order of `roles`. */
static void role_places(const char **out[ROLES], score_columns *c)
{
    const char **const places[ROLES] = {&c->item, &c->author,  &c->judge, &c->score,
                                        &c->status, &c->reason, &c->rep,  &c->setting,
                                        &c->dim,  &c->gold,    &c->cluster, &c->length};
    memcpy(out, places, sizeof places);
}

static tare_status unknown_role(const char *role, tare_error *err)
{
    char known[160] = "";
    const char *near = spelling_nearest(role, roles, ROLES);
    for (size_t k = 0; k < ROLES; k++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", k ? ", " : "", roles[k]);
    }
    return error_set(err, TARE_E_USAGE, "map.role", "--map",
                     "\"%.80s\" is no role%s%s%s; roles: %s", role, near ? ": did you mean " : "",
                     near ? near : "", near ? "?" : "", known);
}

/* One "role=COLUMN". The column's name may hold "=" too: the first one parts them. */
static tare_status read_map(const char **place[ROLES], tare_job *job, const char *given,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    const char *equals = strchr(given, '=');
    const char *role;
    if (!equals || equals == given || !equals[1])
        FAIL(err, TARE_E_USAGE, "map.form", "--map",
             "\"%.200s\" is not ROLE=COLUMN, such as author=generator", given);
    TRY_NEW(role = arena_text(&job->a, given, (size_t)(equals - given)));
    size_t k = 0;
    while (k < ROLES && strcmp(roles[k], role) != 0) k++;
    if (k == ROLES) TRY(unknown_role(role, err));
    if (*place[k])
        FAIL(err, TARE_E_USAGE, "map.twice", "--map",
             "the column of %s is named twice: \"%.100s\" and \"%.100s\"", role, *place[k],
             equals + 1);
    *place[k] = equals + 1;
done:
    return status;
}

/* The names of a list, separated by commas, without the blanks around them. */
static tare_status read_judges(score_table_options *out, tare_job *job, const char *list,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    size_t count = 1;
    const char **names;
    for (const char *at = list; *at; at++) count += *at == ',';
    TRY_NEW(names = arena_new(&job->a, count, sizeof *names));
    for (size_t k = 0; k < count; k++) {
        size_t length = strcspn(list, ","), first = strspn(list, " \t");
        size_t end = length;
        while (end > first && (list[end - 1] == ' ' || list[end - 1] == '\t')) end--;
        if (first >= end)
            FAIL(err, TARE_E_USAGE, "judges.empty", "--judges", "name %zu of the list is empty",
                 k + 1);
        TRY_NEW(names[k] = arena_text(&job->a, list + first, end - first));
        for (size_t j = 0; j < k; j++)
            if (!strcmp(names[j], names[k]))
                FAIL(err, TARE_E_USAGE, "judges.twice", "--judges", "\"%.100s\" is named twice",
                     names[k]);
        list += length + 1;
    }
    out->judges = names;
    out->judge_count = count;
done:
    return status;
}

tare_status judge_read_table_options(score_table_options *out, tare_job *job, tare_error *err)
{
    tare_status status = TARE_OK;
    const char **place[ROLES];
    const char *shape = job_text(job, "shape"), *judges = job_text(job, "judges");
    memset(out, 0, sizeof *out);
    role_places(place, &out->columns);
    for (size_t k = 0; k < ROLES; k++) *place[k] = job_text(job, roles[k]);
    for (size_t k = 0; k < job_count(job, "map"); k++)
        TRY(read_map(place, job, job_text_at(job, "map", k), err));
    out->shape = !strcmp(shape, "long")   ? SHAPE_LONG
                 : !strcmp(shape, "wide") ? SHAPE_WIDE
                                          : SHAPE_AUTO;
    out->roster = job_text(job, "roster");
    if (!judges) goto done;
    if (out->shape == SHAPE_LONG)
        FAIL(err, TARE_E_USAGE, "judges.shape", "--judges",
             "it names columns of a wide table, and --shape is long");
    TRY(read_judges(out, job, judges, err));
    out->shape = SHAPE_WIDE;
done:
    return status;
}

/* What holds where the option is not given: presets of other jobs decide these, so the tables of
 * options that they share name no default. */
static const char *value_or_default(const tare_job *job, const char *option)
{
    static const char *const defaults[][2] = {{"boot-b", "9999"}, {"perm-p", "9999"},
                                              {"boot-ci", "auto"}, {"boot-p", "centred"},
                                              {"alpha", "0.05"}};
    const char *value = job_text(job, option);
    for (size_t k = 0; !value && k < sizeof defaults / sizeof *defaults; k++)
        if (strcmp(option, defaults[k][0]) == 0) value = defaults[k][1];
    return value;
}

static double number_or_default(const tare_job *job, const char *option)
{
    double value = NAN;
    const char *text = value_or_default(job, option);
    number_parse(text, strlen(text), &value);
    return value;
}

book_options judge_read_book_options(const tare_job *job)
{
    return (book_options){.seed = (uint64_t)job_integer(job, "seed"),
                          .boot_b = (uint32_t)number_or_default(job, "boot-b"),
                          .perm_p = (uint32_t)number_or_default(job, "perm-p"),
                          .alpha = number_or_default(job, "alpha"),
                          .ci = value_or_default(job, "boot-ci"),
                          .boot_p = value_or_default(job, "boot-p"),
                          .fdr = job_text(job, "fdr"),
                          .margin = job_number(job, "margin")};
}

/* ---- Facts ----------------------------------------------------------------------------------- */

/* All values of a repeatable option; else the one that holds, be it the default. */
static tare_status option_fact(tare_job *job, const tare_option_info *o, tare_error *err)
{
    tare_status status = TARE_OK;
    audit_result *r = &job->result;
    if (!o->repeats) {
        const char *value = value_or_default(job, o->name);
        if (value) TRY(result_fact_add(r, o->section, o->name, value, err));
    }
    for (size_t k = 0; o->repeats && k < job_count(job, o->name); k++)
        TRY(result_fact_add(r, o->section, o->name, job_text_at(job, o->name, k), err));
done:
    return status;
}

tare_status judge_facts(tare_job *job, const score_table *t, tare_error *err)
{
    tare_status status = TARE_OK;
    audit_result *r = &job->result;
    const tare_job_info *info = &job->class_->info;
    TRY(result_fact_add(r, "Run", "tare", tare_version(), err));
    TRY(result_fact_add(r, "Run", "command", info->name, err));
    if (job->hash) {
        input_hash *hash = job->hash;
        job->hash = NULL;
        TRY(input_hash_finish(hash, r, err));
    } else {
        TRY(input_hash_log(r, job->inputs[0], err));
    }
    for (size_t k = 0; k < info->option_count; k++) {
        const tare_option_info *o = &info->options[k];
        /* Paths are this machine's: what the files hold is a fact, where they lie is not. */
        if (o->type != TARE_OPTION_PATH) {
            TRY(option_fact(job, o, err));
        } else if (strcmp(o->name, "output") != 0) {
            for (size_t i = 0; i < job_count(job, o->name); i++)
                TRY(input_hash_log(r, job_text_at(job, o->name, i), err));
        }
    }
    if (t->models) {
        const char *models;
        TRY_NEW(models = arena_printf(&r->a, "%zu models", t->models->count));
        TRY(result_fact_add(r, "Input and output", "roster", models, err));
    }
done:
    return status;
}
