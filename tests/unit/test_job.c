/* Jobs: the tables are sound, options are checked, a job without a run has no results. */
#include "audit/job.h"

#include <string.h>

#include "photo_fixture.h"
#include "support/check.h"

static tare_context *context;
static tare_error err;

static int open_context(void **state)
{
    (void)state;
    memset(&err, 0, sizeof err);
    scratch_make();
    return tare_context_new(&context, NULL, &err) != TARE_OK;
}

static int close_context(void **state)
{
    (void)state;
    tare_context_free(context);
    scratch_remove();
    return 0;
}

/* ---- tables ---------------------------------------------------------------------- */

static void check_option(const tare_job_info *info, const tare_option_info *o)
{
    int flag = o->type == TARE_OPTION_FLAG, choice = o->type == TARE_OPTION_CHOICE;
    if (!o->name || !*o->name || !o->help || !*o->help || !o->section || !*o->section)
        fail_msg("%s: an option without name, help or section", info->name);
    if (strspn(o->name, "abcdefghijklmnopqrstuvwxyz-") != strlen(o->name))
        fail_msg("--%s is no name of an option", o->name);
    if (strchr(o->help, '\n')) fail_msg("--%s: its help has more than one line", o->name);
    if (flag != !o->argument) fail_msg("--%s: only flags take nothing", o->name);
    if (choice != !!o->choices) fail_msg("--%s: only choices have words", o->name);
    if (!(o->minimum <= o->maximum)) fail_msg("--%s: an empty range", o->name);
    if (flag && o->fallback && strcmp(o->fallback, "no"))
        fail_msg("--%s: a flag is off unless it is given", o->name);
    if (o->repeats && o->fallback) fail_msg("--%s: a list has no default", o->name);
}

static void test_tables_are_sound(void **state)
{
    (void)state;
    for (size_t j = 0; tare_job_info_at(j); j++) {
        const tare_job_info *info = tare_job_info_at(j);
        tare_job *job = job_with(context, info->name, NULL, NULL);
        assert_true(*info->summary && *info->inputs && *info->details && *info->examples);
        for (size_t k = 0; k < j; k++)
            assert_string_not_equal(info->name, tare_job_info_at(k)->name);
        for (size_t i = 0; i < info->option_count; i++) {
            const tare_option_info *o = &info->options[i];
            check_option(info, o);
            for (size_t k = 0; k < i; k++)
                assert_string_not_equal(o->name, info->options[k].name);
            if (o->fallback) assert_ok(tare_job_set(job, o->name, o->fallback, &err));
        }
        tare_job_free(job);
    }
    assert_null(tare_job_info_at(10));
    assert_null(tare_job_info_at(SIZE_MAX));
}

/* An option that two jobs have means the same in both. */
static void test_jobs_agree(void **state)
{
    (void)state;
    size_t shared = 0;
    const tare_job_info *first = tare_job_info_at(0);
    for (size_t j = 1; tare_job_info_at(j); j++)
        for (size_t i = 0; i < tare_job_info_at(j)->option_count; i++)
            for (size_t k = 0; k < first->option_count; k++) {
                const tare_option_info *a = &first->options[k];
                const tare_option_info *b = &tare_job_info_at(j)->options[i];
                if (strcmp(a->name, b->name)) continue;
                shared++;
                assert_int_equal(a->type, b->type);
                assert_int_equal(a->repeats, b->repeats);
                assert_string_equal(a->section, b->section);
                /* Audits compare, so they are strict; scoring takes what it can. */
                if (strcmp(a->name, "decoding"))
                    assert_string_equal(a->fallback ? a->fallback : "",
                                        b->fallback ? b->fallback : "");
                assert_true(a->minimum == b->minimum && a->maximum == b->maximum);
            }
    assert_true(shared > 10);
}

/* ---- options --------------------------------------------------------------------- */

static void refused(tare_job *job, const char *option, const char *value, const char *code)
{
    memset(&err, 0, sizeof err);
    if (tare_job_set(job, option, value, &err) != TARE_E_USAGE)
        fail_msg("--%s \"%s\" was accepted", option, value);
    assert_int_equal(err.status, TARE_E_USAGE);
    if (strcmp(err.code, code))
        fail_msg("--%s \"%s\": %s, wanted %s", option, value, err.code, code);
    assert_string_equal(err.where, option);
    assert_int_equal(tare_job_set(job, option, value, NULL), TARE_E_USAGE);
}

static void test_bad_values_are_refused(void **state)
{
    (void)state;
    tare_job *job = job_with(context, "audit", NULL, NULL);
    static const char *const no_integers[] = {"", " ", "4.0", "4x", "1e3", "0x10", "four", "+",
                                              "99999999999999999999", "\xd9\xa1"};
    for (size_t i = 0; i < sizeof no_integers / sizeof *no_integers; i++)
        refused(job, "batch", no_integers[i], "option.number");
    static const char *const no_numbers[] = {"", " 1", "1 ", "nan", "inf", "-Infinity", "1,5",
                                             "1e", "1e999"};
    for (size_t i = 0; i < sizeof no_numbers / sizeof *no_numbers; i++)
        refused(job, "timeout", no_numbers[i], "option.number");
    refused(job, "batch", "-1", "option.range");
    refused(job, "batch", "4097", "option.range");
    refused(job, "timeout", "0.009", "option.range");
    refused(job, "timeout", "86400.5", "option.range");
    refused(job, "seed", "-1", "option.range");
    refused(job, "seed", "9007199254740993", "option.range"); /* 2^53 + 1 */
    refused(job, "mask-set", "", "option.choice");
    refused(job, "mask-set", "Tight", "option.choice");
    refused(job, "mask-set", "tight|loose", "option.choice");
    refused(job, "mask-set", "tigh", "option.choice");
    refused(job, "keep-variants", "", "option.flag");
    refused(job, "keep-variants", "true", "option.flag");
    refused(job, "prompt", "", "option.empty");
    refused(job, "output", "", "option.empty");
    refused(job, "prompt", "caf\xe9", "option.utf8");
    refused(job, "output", "\xc0\x80", "option.utf8");
    refused(job, "prompt", " \t ", "option.empty");
    refused(job, "mask-set", "\xff", "option.utf8");
    refused(job, "no-such", "1", "option.name");
    refused(job, "", "1", "option.name");
    assert_null(job_text_at(job, "batch", 0)); /* nothing was kept */
    tare_job_free(job);
}

static void test_good_values_are_kept(void **state)
{
    (void)state;
    static const char *const options[] = {
        "batch", "4096", "timeout", "0.01", "seed", "9007199254740992", "mask-set", "loose",
        "keep-variants", "yes", "neutral", "-1e300", "prompt", "un caf\xc3\xa9", "scorer", "a",
        "scorer", "b", "scorer", "a", "mask-set", "tight", NULL};
    tare_job *job = job_with(context, "audit", NULL, options);
    assert_int_equal(job_integer(job, "batch"), 4096);
    assert_true(job_number(job, "timeout") == 0.01);
    assert_int_equal(job_integer(job, "seed"), INT64_C(9007199254740992));
    assert_true(job_number(job, "neutral") == -1e300); /* equal bounds: no limit */
    assert_string_equal(job_text(job, "prompt"), "un caf\xc3\xa9");
    assert_int_equal(job_flag(job, "keep-variants"), 1);
    assert_string_equal(job_text(job, "mask-set"), "tight"); /* the last one holds */
    assert_int_equal(job_count(job, "mask-set"), 1);
    assert_int_equal(job_count(job, "scorer"), 3); /* a list grows */
    assert_string_equal(job_text_at(job, "scorer", 1), "b");
    assert_null(job_text_at(job, "scorer", 3));
    tare_job_free(job);
}

static void test_defaults(void **state)
{
    (void)state;
    tare_job *job = job_with(context, "audit", NULL, NULL);
    assert_int_equal(job_integer(job, "seed"), 1);
    assert_int_equal(job_integer(job, "prepare-size"), 0);
    assert_true(job_number(job, "feather-sigma") == 3);
    assert_string_equal(job_text(job, "mask-set"), "default");
    assert_int_equal(job_flag(job, "keep-variants"), 0);
    assert_int_equal(job_flag(job, "bon-replace"), 0);
    assert_null(job_text(job, "manifest"));
    assert_true(isnan(job_number(job, "alpha"))); /* unset, the analysis decides */
    assert_int_equal(job_count(job, "scorer"), 0);
    tare_job_free(job);
}

/* ---- jobs ------------------------------------------------------------------------ */

static void test_unknown_job(void **state)
{
    (void)state;
    tare_job *job = NULL;
    static const char *const names[] = {"", "Audit", "audits", "aud"};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(tare_job_new(&job, context, names[i], &err), TARE_E_USAGE);
        assert_null(job);
        assert_string_equal(err.code, "job.name");
        for (size_t j = 0; tare_job_info_at(j); j++)
            assert_non_null(strstr(err.message, tare_job_info_at(j)->name));
    }
}

static void test_no_results_before_a_run(void **state)
{
    (void)state;
    for (size_t j = 0; tare_job_info_at(j); j++) {
        tare_job *job = job_with(context, tare_job_info_at(j)->name, NULL, NULL);
        assert_int_equal(tare_job_reading_count(job), 0);
        assert_null(tare_job_reading(job, 0));
        assert_null(tare_job_answer(job, 0));
        assert_null(tare_job_folder(job));
        assert_ok(tare_job_set(job, "output", "/nowhere/out", &err));
        assert_string_equal(tare_job_folder(job), "/nowhere/out");
        assert_int_equal(tare_job_input(job, "", &err), TARE_E_USAGE);
        if (tare_job_info_at(j)->inputs[0] != '[') { /* no input, where one is needed */
            assert_int_equal(tare_job_run(job, &err), TARE_E_USAGE);
            assert_string_equal(err.code, "job.inputs");
        }
        assert_ok(tare_job_input(job, "a", &err));
        assert_ok(tare_job_input(job, "b", &err));
        assert_ok(tare_job_input(job, "c", &err));
        assert_int_equal(tare_job_run(job, &err), TARE_E_USAGE); /* three: no job takes as many */
        assert_string_equal(err.code, "job.inputs");
        tare_job_free(job);
    }
    tare_job_free(NULL);
}

static void test_what_a_run_on_photographs_needs(void **state)
{
    (void)state;
    write_photos("photos", 1);
    tare_job *job = job_with(context, "audit", in_scratch("photos"), NULL);
    assert_int_equal(tare_job_run(job, &err), TARE_E_USAGE);
    assert_string_equal(err.code, "job.output");
    assert_ok(tare_job_set(job, "output", in_scratch("out"), &err));
    assert_int_equal(tare_job_run(job, &err), TARE_E_USAGE);
    assert_string_equal(err.code, "scorer.none");
    assert_ok(tare_job_set(job, "scorer", "planted:dose=1", &err));
    assert_ok(tare_job_set(job, "scorer", "planted:dose=1", &err));
    assert_int_equal(tare_job_run(job, &err), TARE_E_USAGE);
    assert_string_equal(err.code, "scorer.twice");
    tare_job_free(job);
    const char *const options[] = {"output", in_scratch("out"), NULL};
    job = job_with(context, "perturb", in_scratch("absent"), options);
    assert_int_equal(tare_job_run(job, &err), TARE_E_IO);
    assert_non_null(strstr(err.where, "absent"));
    tare_job_free(job);
}

/* One job run again: by the same folder, and by what it made; a run that fails has no results. */
static void test_one_job_runs_again(void **state)
{
    (void)state;
    write_photos("photos", 2);
    const char *const options[] = {"output", in_scratch("out"), "scorer", "planted:noise=1", NULL};
    tare_job *job = job_with(context, "score", in_scratch("photos"), options);
    for (int turn = 0; turn < 2; turn++) {
        assert_ok(tare_job_run(job, &err));
        assert_non_null(strstr(tare_job_answer(job, 0), "of 2 photographs"));
        assert_string_equal(tare_job_folder(job), in_scratch("out"));
        assert_null(tare_job_answer(job, 1));
    }
    write_photo("photos/late.png", 3, 20, 20);
    assert_int_equal(tare_job_run(job, &err), TARE_E_DATA);
    assert_null(tare_job_answer(job, 0));
    tare_job_free(job);
    job = job_with(context, "score", in_scratch("out"), NULL);
    for (int turn = 0; turn < 2; turn++) {
        assert_ok(tare_job_run(job, &err));
        assert_non_null(strstr(tare_job_answer(job, 0), "of 2 photographs"));
        assert_string_equal(tare_job_folder(job), in_scratch("out"));
    }
    tare_job_free(job);
}

int main(void)
{
#define WITH_CONTEXT(test) cmocka_unit_test_setup_teardown(test, open_context, close_context)
    const struct CMUnitTest tests[] = {
        WITH_CONTEXT(test_tables_are_sound),
        WITH_CONTEXT(test_jobs_agree),
        WITH_CONTEXT(test_bad_values_are_refused),
        WITH_CONTEXT(test_good_values_are_kept),
        WITH_CONTEXT(test_defaults),
        WITH_CONTEXT(test_unknown_job),
        WITH_CONTEXT(test_no_results_before_a_run),
        WITH_CONTEXT(test_what_a_run_on_photographs_needs),
        WITH_CONTEXT(test_one_job_runs_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
