/* table: precomputed scores (scorers 1.6). */
#include <string.h>

#include "base/context.h"
#include "base/os.h"
#include "scorer/scorer.h"
#include "support/check.h"

static tare_context *context;
static tare_error err;
static char path[64];
static int warnings;

static void count_warnings(void *user, tare_level level, const char *text)
{
    (void)user;
    warnings += level == TARE_WARNING && strstr(text, "three decimals") != NULL;
}

static int set_up(void **state)
{
    (void)state;
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    o.message = count_warnings;
    strcpy(path, "/tmp/tare-table-XXXXXX");
    int fd = mkstemp(path);
    if (fd < 0) return 1;
    close(fd);
    return tare_context_new(&context, &o, &err) != TARE_OK;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(path);
    tare_context_free(context);
    return 0;
}

static tare_status open_table(scorer **out, const char *text, const char *scorer_name)
{
    char spec[128];
    assert_ok(os_write_file(path, text, strlen(text), &err));
    snprintf(spec, sizeof spec, "table:%s%s%s", path, scorer_name ? "#" : "",
             scorer_name ? scorer_name : "");
    return scorer_open(out, context, spec, NULL, &err);
}

static scorer_result ask(scorer *s, const char *base, const char *arm, double dose)
{
    scorer_result r;
    scorer_item item = {.key = base, .base = base, .arm = arm, .group = "", .prompt = "",
                        .dose = dose, .attribute = NAN, .artifact = NAN, .pixels = NULL};
    assert_ok(scorer_score(s, &r, &item, 1, &err));
    return r;
}

static void test_lookup(void **state)
{
    (void)state;
    scorer *s = NULL;
    warnings = 0;
    assert_ok(open_table(&s, "base,dose,arm,scorer,score,status\n"
                             "b1,0,skin,laion,5.12345,\n"
                             "b1,-5.0,skin,laion,5.2,ok\n"
                             "b1,0,sham,laion,4.9,\n"
                             "b2,0,skin,laion,NA,\n"
                             "b3,0,skin,laion,,no_skin\n"
                             "b4,0,skin,laion,1.5,timeout\n"
                             "b5,0,skin,laion,,lamp broken\n"
                             "b6,0,skin,laion,inf,\n", NULL));
    const scorer_description *d = scorer_describe(s);
    assert_string_equal(d->name, "laion");
    assert_true(!d->repeatable && !d->needs_pixels && !d->identified && d->parallel);
    assert_true(ask(s, "b1", "skin", 0).value == 5.12345);
    assert_true(ask(s, "b1", "skin", -0.0).value == 5.12345);
    assert_true(ask(s, "b1", "skin", -5).value == 5.2);
    assert_true(ask(s, "b1", "sham", 0).value == 4.9);
    assert_int_equal(ask(s, "b2", "skin", 0).status, TARE_R_MISSING);
    assert_int_equal(ask(s, "b3", "skin", 0).status, TARE_R_NO_SKIN);
    assert_int_equal(ask(s, "b4", "skin", 0).status, TARE_R_TIMEOUT);
    assert_true(isnan(ask(s, "b4", "skin", 0).value));
    assert_int_equal(ask(s, "b5", "skin", 0).status, TARE_R_SCORER_ERROR);
    assert_string_equal(ask(s, "b5", "skin", 0).note, "lamp broken");
    assert_int_equal(ask(s, "b6", "skin", 0).status, TARE_R_SCORE_NONFINITE);
    assert_int_equal(ask(s, "b1", "skin", 5).status, TARE_R_MISSING);
    assert_int_equal(ask(s, "b1", "hue", 0).status, TARE_R_MISSING);
    assert_int_equal(ask(s, "b9", "skin", 0).status, TARE_R_MISSING);
    assert_string_equal(ask(s, "b9", "skin", 0).note, "not in the table");
    assert_int_equal(warnings, 0);
    scorer_close(s);
}

static void test_several_scorers(void **state)
{
    (void)state;
    static const char text[] = "base,dose,scorer,score,fingerprint\n"
                               "b1,0,hps,.25001,aa\nb1,0,pick,20.12345,bb\n"
                               "b2,0,pick,21.12345,bb\n";
    scorer *s = NULL, *again = NULL;
    assert_int_equal(open_table(&s, text, NULL), TARE_E_USAGE);
    assert_non_null(strstr(err.message, "hps, pick"));
    assert_int_equal(open_table(&s, text, "clip"), TARE_E_USAGE);
    assert_ok(open_table(&s, text, "pick"));
    assert_string_equal(scorer_describe(s)->name, "pick");
    assert_true(scorer_describe(s)->identified);
    assert_true(ask(s, "b1", "any", 0).value == 20.12345);
    assert_true(ask(s, "b2", "any", 0).value == 21.12345);
    /* Another table of the same instrument has the same identity; another instrument has not. */
    assert_ok(open_table(&again, "base,dose,scorer,score,fingerprint\n"
                                 "b9,0,pick,1.23456,bb\n", NULL));
    assert_string_equal(scorer_describe(s)->identity_hash, scorer_describe(again)->identity_hash);
    scorer_close(again);
    assert_ok(open_table(&again, text, "hps"));
    assert_string_not_equal(scorer_describe(s)->identity_hash,
                            scorer_describe(again)->identity_hash);
    scorer_close(again);
    scorer_close(s);
    assert_int_equal(open_table(&s, "base,dose,score,fingerprint\nb,0,1,aa\nb,1,2,bb\n", NULL),
                     TARE_E_DATA);
    assert_non_null(strstr(err.message, "two fingerprints"));
}

static void test_duplicates(void **state)
{
    (void)state;
    scorer *s = NULL;
    assert_ok(open_table(&s, "base,dose,score\nb,0,1.25\nb,0.0,1.25\nb,1,NA\nb,1,\n", NULL));
    assert_true(ask(s, "b", "", 0).value == 1.25);
    assert_string_equal(scorer_describe(s)->name, "table");
    scorer_close(s);
    s = NULL;
    assert_int_equal(open_table(&s, "base,dose,score\nb,0,1.25\nb,0,1.26\n", NULL), TARE_E_DATA);
    assert_non_null(strstr(err.where, ":3:"));
    assert_int_equal(open_table(&s, "base,dose,score\nb,0,1.25\nb,0,NA\n", NULL), TARE_E_DATA);
    assert_null(s);
}

static void test_files(void **state)
{
    (void)state;
    scorer *s = NULL;
    assert_ok(open_table(&s, "file,score\nskin/+5/b.jpg,1.2345\nb.jpg,2.3456\n", NULL));
    scorer_result r;
    scorer_item item = {.key = "skin/+5/b.jpg", .base = "b.jpg", .arm = "skin", .dose = 5};
    assert_ok(scorer_score(s, &r, &item, 1, &err));
    assert_true(r.value == 1.2345);
    item.key = "skin/-5/b.jpg"; /* the photograph's score is not that of a variant */
    item.dose = -5;
    assert_ok(scorer_score(s, &r, &item, 1, &err));
    assert_int_equal(r.status, TARE_R_MISSING);
    item.key = "anything";
    item.dose = NAN;
    assert_ok(scorer_score(s, &r, &item, 1, &err));
    assert_true(r.value == 2.3456);
    scorer_close(s);
    /* Bases without doses: photographs as they are. */
    assert_ok(open_table(&s, "base,score\nb,1.2345\n", NULL));
    assert_true(ask(s, "b", "", 0).value == 1.2345);
    assert_true(ask(s, "b", "", NAN).value == 1.2345);
    assert_int_equal(ask(s, "b", "", 5).status, TARE_R_MISSING);
    scorer_close(s);
}

static void test_coarse_scores_warn(void **state)
{
    (void)state;
    scorer *s = NULL;
    warnings = 0;
    assert_ok(open_table(&s, "base,dose,score\nb,0,1.25\nb,1,3\nb,2,2.125\n", NULL));
    scorer_close(s);
    assert_int_equal(warnings, 1);
    assert_ok(open_table(&s, "base,dose,score\nb,0,1.25\nb,1,3\nb,2,2.1255\n", NULL));
    scorer_close(s);
    assert_int_equal(warnings, 1);
}

static void test_bad_tables(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "", "base,dose\nb,0\n", "dose,score\n0,1\n", "base,dose,score\n",
        "base,dose,score\nb,x,1\n", "base,dose,score\nb,,1\n", "base,dose,score\nb,0,high\n",
        "base,dose,score\nb,0\n",
        "base,dose,score\nb,inf,1\n"};
    scorer *s = NULL;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (open_table(&s, bad[i], NULL) != TARE_E_DATA) fail_msg("accepted: %s", bad[i]);
    assert_int_equal(open_table(&s, "base,score\nb,1\n", "x"), TARE_E_DATA);
    assert_int_equal(scorer_open(&s, context, "table:", NULL, &err), TARE_E_USAGE);
    assert_int_equal(scorer_open(&s, context, "table:/nonexistent.csv", NULL, &err), TARE_E_IO);
    assert_int_equal(scorer_open(&s, context, "table:/nonexistent.csv#a", NULL, &err), TARE_E_IO);
    assert_null(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lookup), cmocka_unit_test(test_several_scorers),
        cmocka_unit_test(test_duplicates), cmocka_unit_test(test_files),
        cmocka_unit_test(test_coarse_scores_warn), cmocka_unit_test(test_bad_tables),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
