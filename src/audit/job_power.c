/* tare power: what can a study see, before it is made? */
#include <math.h>
#include <string.h>

#include "audit/job_registry.h"
#include "audit/photos/photo_session.h"
#include "audit/power/power_input.h"
#include "audit/power/power_study.h"
#include "audit/scorer/cube_from_input.h"
#include "audit/scorer/table_options.h"
#include "base/error.h"
#include "base/os.h"

#define STUDY "The planned study"
#define STATED "Stated values, without a pilot"
#define INSTRUMENTS "Instruments"
#define STATISTICS "Statistics"
#define NUMBER(name, letter, low, high, help, section)                                             \
    {name, letter, TARE_OPTION_NUMBER, NULL, NULL, low, high, 0, help, section}
static const tare_option_info options[] = {
    {"bases", "N", TARE_OPTION_INTEGER, NULL, NULL, 2, 10000000, 0,
     "photographs of the planned study (the pilot's)", STUDY},
    {"clusters", "M", TARE_OPTION_INTEGER, NULL, NULL, 2, 10000000, 0,
     "clusters that they come in, equally many in each (as many to a base as in the pilot, else "
     "one)", STUDY},
    NUMBER("icc", "R", 0, 1, "how alike bases of one cluster are, 0 to below 1 (the pilot's, "
           "else 0)", STUDY),
    NUMBER("missing", "SHARE", 0, 0.99, "share of bases that will have no score (the pilot's, "
           "else 0)", STUDY),
    {"effect", "[READING=]X", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 1,
     "effect to be found, of N, P, FI, A and contrast, or of the one named: also beta, drift, "
     "drift_dose (the margin)", STUDY},
    {"effect-unit", "NAME", TARE_OPTION_CHOICE, "score", "score|sd0", 0, 0, 0,
     "effects of scores in their own units or in SDs of the neutral scores", STUDY},
    {"tests", "K", TARE_OPTION_INTEGER, NULL, NULL, 1, 1000000, 0,
     "tests in the family of a reading (its home grid)", STUDY},
    {"groups", "G", TARE_OPTION_INTEGER, NULL, NULL, 2, 1000, 0,
     "also: groups of bases that are compared by the omnibus test", STUDY},
    {"group-size", "N", TARE_OPTION_INTEGER, NULL, NULL, 2, 1000000, 0,
     "bases in each group (the bases divided by the groups)", STUDY},
    NUMBER("group-effect", "X", 0, 0, "difference between the two extreme groups (the margin)",
           STUDY),
    NUMBER("sd-base", "X", 0, 1e150, "SD over bases of the true FI and A of a base (0)", STATED),
    NUMBER("sd-noise", "X", 0, 1e150, "SD of a score about the curve of its base (0)", STATED),
    NUMBER("quantum", "X", 0, 1e150, "step of the scores (0: none)", STATED),
    NUMBER("sd-neutral", "X", 0, 1e150, "SD of the neutral scores over bases: margins and "
           "--effect-unit sd0 need it", STATED),
    {"grid", "LIST", TARE_OPTION_TEXT, "-15,-10,-5,0,5,10,15", NULL, 0, 0, 0, "dose grid",
     STATED},
    NUMBER("slope", "X", 0, 0, "the score moves by this with each dose unit", STATED),
    NUMBER("fidelity", "X", 0, 0, "the score falls by this with each dose unit away from neutral",
           STATED),
    {"form", "NAME", TARE_OPTION_CHOICE, "all", "all|extreme", 0, 0, 0,
     "doses that make N, P, FI and A", STATISTICS},
    {"bon-n", "N", TARE_OPTION_INTEGER, NULL, NULL, 2, 64, 0, "n of best-of-n, for drifts (4)",
     STATISTICS},
    NUMBER("alpha", "A", 0.0001, 0.5, "level of tests, below .5 (.05)", STATISTICS),
    {"power", "P", TARE_OPTION_NUMBER, "0.8", NULL, 0.5, 0.999, 0,
     "chance that is enough, for the smallest effect and the bases needed", STATISTICS},
    NUMBER("margin-sd", "X", 0, 100, "margin of N, P, FI and A in SDs of the neutral scores (.10)",
           STATISTICS),
    NUMBER("margin-drift", "X", 0, 360, "margin of the drift in units of the attribute (3)",
           STATISTICS),
    NUMBER("margin-drift-dose", "X", 0, 1000,
           "margin of the drift in dose units (1.5 L*, .02 of a width, else a tenth of one side)",
           STATISTICS),
    {"simulate", "R", TARE_OPTION_INTEGER, "0", NULL, 0, 100000, 0,
     "data sets that are drawn and inferred, beside the formula", STATISTICS},
    {"boot-b", "B", TARE_OPTION_INTEGER, NULL, NULL, 99, 999999, 0,
     "bootstrap replicates of the study (9999)", STATISTICS},
    {"perm-p", "P", TARE_OPTION_INTEGER, NULL, NULL, 99, 999999, 0,
     "permutations of the study (9999)", STATISTICS},
    {"seed", "N", TARE_OPTION_INTEGER, "1", NULL, 0, 9007199254740992.0, 0,
     "seed of every random draw", STATISTICS},
    {"output", "DIR", TARE_OPTION_PATH, NULL, NULL, 0, 0, 0,
     "folder for the report, the readings, tables and figures", "Input and output"},
    {"scorer", "COLUMN", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 1,
     "of a score table: the column that names the scorer", INSTRUMENTS},
    {"lower-is-better", "NAME", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 1,
     "scorer of the table whose lower values are better", INSTRUMENTS},
    TABLE_OPTIONS,
};

/* Options of the other way to say it would be passed over: better told. */
static tare_status refuse_options(const tare_job *job, bool pilot, bool folder, tare_error *err)
{
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const tare_option_info *o = &options[i];
        bool column = !strcmp(o->section, TABLE_OPTIONS_SECTION) ||
                      !strcmp(o->section, INSTRUMENTS);
        bool both = !pilot && !strcmp(o->name, "neutral");
        bool foreign = pilot ? !strcmp(o->section, STATED) || (folder && column) : column && !both;
        if (!foreign || !job_count(job, o->name)) continue;
        return error_set(err, TARE_E_USAGE, "power.option", o->name,
                         !pilot   ? "this option is for a pilot, and none was given"
                         : column ? "this option is for score tables; the pilot is a folder"
                                  : "this option states what the pilot measured: give one of both");
    }
    return TARE_OK;
}

/* The folder of an audit of a table holds its report, and not its scores. */
static tare_status check_report(arena *a, const char *path, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *file;
    if (!os_is_folder(path) || photo_is_run(path)) goto done;
    TRY_NEW(file = arena_printf(a, "%s/readings.json", path));
    if (os_exists(file))
        FAIL(err, TARE_E_DATA, "power.report", path,
             "this folder holds the report of a table: give the table itself, which has the "
             "scores");
done:
    return status;
}

static tare_status read_pilot(power_study *p, cube_input *in, tare_job *job, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *path = job->inputs[0];
    cube_table_options t = CUBE_TABLE_OPTIONS_DEFAULT;
    const char **lower;
    t.columns = (cube_table_columns){
        .base = job_text(job, "base"), .dose = job_text(job, "dose"),
        .scorer = job_text_at(job, "scorer", 0), .score = job_text(job, "score"),
        .arm = job_text(job, "arm"), .cluster = job_text(job, "cluster"),
        .kind = job_text(job, "kind"), .status = job_text(job, "status"),
        .attribute = job_text(job, "attribute"), .artifact = job_text(job, "artifact")};
    t.neutral = job_number(job, "neutral");
    t.lower_count = job_count(job, "lower-is-better");
    TRY_NEW(lower = arena_new(&job->a, t.lower_count + 1, sizeof *lower));
    for (size_t k = 0; k < t.lower_count; k++) lower[k] = job_text_at(job, "lower-is-better", k);
    t.lower = lower;
    p->pilot = path;
    if (job_count(job, "scorer") > 1)
        FAIL(err, TARE_E_USAGE, "power.scorer", "--scorer",
             "it names the one column with the scorer: nothing is scored here");
    TRY(check_report(&job->a, path, err));
    TRY(cube_open(in, job->context, path, &t, err));
    TRY(table_options_check(&in->c, path, err));
    TRY(power_pilot_rows(p, &in->c, err));
    if (!p->rows)
        FAIL(err, TARE_E_DATA, "power.pilot", path,
             "no arm of this pilot can be planned from: it holds placebos only, or no score");
done:
    return status;
}

static tare_status facts(power_study *p, const tare_job *job, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(result_fact_add(p->out, "Run", "tare", tare_version(), err));
    TRY(result_fact_add(p->out, "Run", "command", job->class_->info.name, err));
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const char *name = options[i].name;
        bool stated = !strcmp(options[i].section, STATED);
        const char *value = stated && !p->model ? NULL : job_text(job, name);
        if (!value || !strcmp(name, "output")) continue;
        for (size_t k = 0; k < job_count(job, name) || k == 0; k++) {
            const char *at = job_text_at(job, name, k);
            TRY(result_fact_add(p->out, options[i].section, name, at ? at : value, err));
        }
    }
    if (p->pilot && !os_is_folder(p->pilot)) TRY(input_hash_log(p->out, p->pilot, err));
done:
    return status;
}

static tare_status check_inputs(const tare_job *job, tare_error *err)
{
    const char *folder = job_text(job, "output");
    if (job->input_count > 1)
        return error_set(err, TARE_E_USAGE, "job.inputs", NULL,
                         "give one run folder or score table of a pilot, or none; %zu were given",
                         job->input_count);
    if (folder && photo_is_run(folder))
        return error_set(err, TARE_E_USAGE, "power.output", folder,
                         "this folder holds a run on photographs: its report would be lost; use "
                         "another");
    return TARE_OK;
}

static tare_status run(tare_job *job, tare_error *err)
{
    tare_status status = TARE_OK;
    audit_result *out = &job->result;
    power_study p = {.out = out, .context = job->context, .a = &out->a};
    stated_model model;
    cube_input in;
    memset(&in, 0, sizeof in);
    bool pilot = job->input_count > 0;
    TRY(check_inputs(job, err));
    TRY(refuse_options(job, pilot, pilot && os_is_folder(job->inputs[0]), err));
    TRY(power_read_options(&p.o, job, pilot, err));
    if (pilot) {
        TRY(read_pilot(&p, &in, job, err));
    } else {
        TRY(power_read_model(&model, &out->a, job, &p.o, err));
        p.model = &model;
        TRY(power_stated_rows(&p, err));
    }
    out->audit = "power";
    TRY_NEW(out->title = isnan(p.o.bases)
                             ? "What can a study of this size see?"
                             : arena_printf(&out->a, "What can a study of %.0f bases see?",
                                            p.o.bases));
    TRY(power_effects(&p, err));
    TRY(power_compute(&p, err));
    TRY(power_simulate(&p, err));
    TRY(power_report(&p, err));
    TRY(power_words(&p, err));
    TRY(power_groups(&p, err));
    TRY(power_figures(&p, err));
    if (flip_power_failed(p.flips)) FAIL_MEMORY(err);
    TRY(facts(&p, job, err));
done:
    cube_close(&in);
    flip_power_free(p.flips);
    mem_free(&job->context->mem, p.row);
    return status;
}

const job_class job_power = {
    {"power", "find out what a study can see, and how many photographs it needs",
     "[RUN/ | scores.csv]",
     "Before a scorer is audited in earnest: with so many photographs (bases), how often would an "
     "effect of a stated size be found, which is the smallest effect that is found with a chance "
     "of 80 %, and how many bases are needed? And, if there is no effect, how often does the audit "
     "say so: \"negligible\" instead of \"inconclusive\"?\n\n"
     "The spread comes from a pilot, a finished run folder or a score table: the SD of what each "
     "base contributes to N, P, FI, A, beta, the net drifts and the contrast with a sham, how "
     "alike bases of one cluster are, and how many give no score. The effect never comes from the "
     "pilot: it is stated (--effect), or it is the practical margin. Without a pilot the spread is "
     "stated: --sd-base, --sd-noise and the dose grid.\n\n"
     "Tests are those of the audit: t with the clusters less one as degrees of freedom, at "
     "--alpha, and in the worst case after correction at alpha divided by the tests of the "
     "family. --simulate R draws R data sets and infers them as the audit does, as a check of the "
     "formula. --groups asks the same of differences between groups.",
     "tare power pilot/ --bases 210\n"
     "tare power scores.csv --bases 54 --clusters 9 --effect FI=0.02\n"
     "tare power --bases 210 --sd-base 0.1 --sd-noise 0.02 --sd-neutral 0.5\n"
     "tare power --bases 54 --clusters 9 --icc 0.5 --sd-base 0.1 --effect 0.05 --simulate 500",
     options, sizeof options / sizeof *options},
    run};
