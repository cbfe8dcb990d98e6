/* Families of tests through the audit's own path: the BH vectors of scorer audit 15.1 (exact
 * fractions of p = k/2001, R p.adjust), no-answer cells leaving, verdicts and their words. */
#include <string.h>

#include "audit/scorer/study.h"
#include "audit/scorer/wording.h"
#include "base/context.h"
#include "scorer_tables.h"
#include "support/check.h"

/* A study that holds nothing but readings. */
typedef struct bare {
    study t;
    audit_result result;
    cube c;
    bench b;
} bare;

static void bare_open(bare *x)
{
    memset(x, 0, sizeof *x);
    bench_open(&x->b, 1);
    result_init(&x->result, &x->b.m);
    tare_error err = {0};
    assert_ok(study_open(&x->t, &x->result, x->b.context, &x->c, NULL, &err));
}

static void bare_close(bare *x)
{
    study_close(&x->t);
    result_free(&x->result);
    bench_close(&x->b);
}

static const cube_arm some_arm = {.name = "arm", .operator_name = "skin", .kind = "",
                                  .partner = SIZE_MAX, .attribute_unit = ""};

static void enter(bare *x, const char *grid, double p, const char *reason)
{
    tare_error err = {0};
    inference inf = inference_none(reason);
    inf.estimate = 1;
    inf.p = p;
    inf.lo = inf.lo90 = p <= .05 ? .5 : -1;
    inf.hi = inf.hi90 = 2;
    reading_spec spec = {.family = "fidelity", .name = "FI", .grid = grid, .margin = NAN,
                         .floor = NAN};
    assert_ok(study_add(&x->t, NULL, &some_arm, RD_NONE, &spec, &inf, &err));
}

static void grid_iii_of_the_paper(void **state)
{
    (void)state;
    bare x;
    tare_error err = {0};
    bare_open(&x);
    const double p[8] = {12 / 2001.0, 12 / 2001.0, 43 / 2001.0, 100 / 2001.0,
                         .3,          844 / 2001.0, .6,         .8};
    const double q[8] = {.02398801, .02398801, .05730468,  .09995002,
                         .48,       .56238547, .68571429, .8};
    for (size_t k = 0; k < 8; k++) enter(&x, "iii", p[k], "");
    assert_ok(grids_run(&x.t, &err));
    for (size_t k = 0; k < 8; k++) assert_within(x.result.readings[k].q, q[k], 0, 5e-9);
    assert_int_equal(x.t.grid[GRID_III].tested, 8);
    assert_int_equal(x.t.grid[GRID_III].significant, 2);
    assert_int_equal(x.result.readings[1].verdict, TARE_FOUND);
    assert_int_equal(x.result.readings[2].verdict, TARE_INCONCLUSIVE);
    assert_string_equal(x.result.readings[2].marks, "raw only");
    bare_close(&x);
}

static void grid_ii_of_the_paper(void **state)
{
    (void)state;
    bare x;
    tare_error err = {0};
    bare_open(&x);
    for (size_t k = 0; k < 11; k++) enter(&x, "ii", 1 / 2001.0, "");
    const double p[13] = {.015, 44 / 2001.0, 47 / 2001.0, 68 / 2001.0, .4, .5, .6, .7, .8, .85, .9,
                          .95, .99};
    for (size_t k = 0; k < 13; k++) enter(&x, "ii", p[k], "");
    assert_ok(grids_run(&x.t, &err));
    /* ranks 11 to 15 */
    const double q[5] = {.001090363909, .03, .04026558149, .04026558149, .05437281359};
    for (size_t k = 0; k < 5; k++) assert_within(x.result.readings[10 + k].q, q[k], 0, 1e-11);
    assert_int_equal(x.t.grid[GRID_II].planned, 24);
    bare_close(&x);
}

static void cells_without_answer_leave(void **state)
{
    (void)state;
    bare x;
    tare_error err = {0};
    bare_open(&x);
    enter(&x, "ii", .02, "");
    enter(&x, "ii", .04, "");
    enter(&x, "ii", NAN, "degenerate");
    enter(&x, "ii", .001, "below_resolution"); /* has a p, but no answer */
    assert_ok(grids_run(&x.t, &err));
    assert_int_equal(x.t.grid[GRID_II].planned, 4);
    assert_int_equal(x.t.grid[GRID_II].tested, 2);
    assert_close(x.result.readings[0].q, .04);
    assert_close(x.result.readings[1].q, .04);
    assert_true(isnan(x.result.readings[3].q));
    assert_int_equal(x.result.readings[2].verdict, TARE_NO_ANSWER);
    assert_string_equal(x.result.readings[3].reason, "below_resolution");
    bare_close(&x);
}

/* Each state of statistics 8 with its sentence of scorer audit 12. */
static void every_state_has_its_words(void **state)
{
    (void)state;
    static const struct {
        double lo, hi, p, margin;
        const char *reason;
        tare_verdict verdict;
        const char *words;
    } cases[] = {
        {.5, 2, .01, .1, "", TARE_FOUND, "resolved"},
        {.5, 2, .01, 5, "", TARE_SMALL, "there is an effect, and it is below the margin"},
        {-1, 2, .3, 5, "", TARE_NEGLIGIBLE, "any effect is below the margin"},
        {-1, 2, .3, .1, "", TARE_INCONCLUSIVE, "inconclusive"},
        {-1, 2, .3, NAN, "", TARE_INCONCLUSIVE, "inconclusive"},
        {NAN, NAN, NAN, .1, "degenerate", TARE_NO_ANSWER, "no answer: the values do not vary"},
        {NAN, NAN, NAN, .1, "too_few_clusters", TARE_NO_ANSWER,
         "no answer: fewer than 6 independent clusters"},
        {1, 2, .001, .1, "below_resolution", TARE_NO_ANSWER,
         "no answer: below instrument resolution"},
        {1, 2, .001, .1, "inseparable", TARE_NO_ANSWER,
         "no answer: the terms move together and cannot be told apart"},
        {1, 2, .001, .1, "degenerate_replicates", TARE_NO_ANSWER, "no answer: the estimate"},
        {1, 2, .001, .1, "not_run", TARE_NO_ANSWER, "no answer: not run"},
        {1, 2, .001, .1, "not_converged", TARE_NO_ANSWER, "no answer: the fit"},
        {1, 2, .001, .1, "instrument_failed", TARE_NO_ANSWER, "no answer: the measured"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bare x;
        tare_error err = {0};
        bare_open(&x);
        inference inf = inference_none(cases[k].reason);
        inf.estimate = 1;
        inf.lo = inf.lo90 = cases[k].lo;
        inf.hi = inf.hi90 = cases[k].hi;
        inf.p = cases[k].p;
        reading_spec spec = {.family = "fidelity", .name = "x", .margin = cases[k].margin,
                             .floor = NAN};
        assert_ok(study_add(&x.t, NULL, &some_arm, RD_NONE, &spec, &inf, &err));
        assert_ok(grids_run(&x.t, &err));
        assert_ok(wording_run(&x.t, &err));
        const tare_reading *r = &x.result.readings[0];
        assert_int_equal(r->verdict, cases[k].verdict);
        assert_ptr_equal(strstr(r->words, cases[k].words), r->words);
        bare_close(&x);
    }
}

/* "p < 0.001" when the floor is 1/2001 (scorer audit 12). */
static void p_at_its_floor(void **state)
{
    (void)state;
    mem m = mem_system();
    arena a;
    arena_init(&a, &m);
    assert_string_equal(p_text(&a, "p", 1 / 2001.0, 1 / 2001.0), "p < 0.001");
    assert_string_equal(p_text(&a, "p", 1e-4, 1e-4), "p < 0.0002");
    assert_string_equal(p_text(&a, "q", 2.0 / 64, 2.0 / 64), "q < 0.07");
    assert_string_equal(p_text(&a, "p", .034, 1e-4), "p = 0.034");
    arena_free(&a);
}

/* Ten scorers make a grid ii of 20 tests: with B = 99 the floor .01 x 20 exceeds .05, and 399 would
 * do (statistics 6: floor m <= alpha). */
static void too_few_replicates_are_told(void **state)
{
    (void)state;
    for (int enough = 0; enough < 2; enough++) {
        bench b;
        tare_error err = {0};
        bool told = false;
        gauss g = {3};
        bench_open(&b, 1);
        b.options.boot_b = enough ? 999 : 99;
        text_add(&b.csv, "base,dose,scorer,score\n");
        for (int s = 0; s < 10; s++)
            for (int i = 0; i < 40; i++)
                for (int dose = -1; dose <= 1; dose++)
                    text_add_format(&b.csv, "b%02d,%d,s%d,%.17g\n", i, dose, s, gauss_next(&g));
        assert_ok(bench_run(&b, &err));
        for (size_t k = 0; k < b.result.caution_count; k++)
            told = told || (strstr(b.result.cautions[k], "Grid ii:") &&
                            strstr(b.result.cautions[k], "at least 399 replicates"));
        assert_true(told == !enough);
        bench_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grid_iii_of_the_paper),     cmocka_unit_test(grid_ii_of_the_paper),
        cmocka_unit_test(cells_without_answer_leave), cmocka_unit_test(every_state_has_its_words),
        cmocka_unit_test(p_at_its_floor),            cmocka_unit_test(too_few_replicates_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
