/* Input with nothing in it, or too much: named reasons, never a NaN with a verdict (statistics
 * 17). */
#include <string.h>

#include "scorer_tables.h"
#include "support/check.h"

typedef struct shape { int bases, per_cluster; } shape;
typedef double (*value)(int base, int dose);

static double varied(int base, int dose)
{
    return sin(base * 12.9898 + dose * 78.233) + 0.01 * dose;
}
static double infinite_for_some(int base, int dose)
{
    return base == 2 && dose == 5 ? INFINITY : varied(base, dose);
}
static double always_infinite(int base, int dose) { (void)base; (void)dose; return -INFINITY; }
static double zero(int base, int dose) { (void)base; (void)dose; return 0; }
static double the_dose(int base, int dose) { (void)base; return 2 * dose + 1; }
static double distance(int base, int dose) { (void)base; return abs(dose) / 100.0; }

static void put(bench *b, shape n, value score, value attribute, value artifact)
{
    text_add(&b->csv, "base,cluster,dose,scorer,score,attribute,artifact\n");
    for (int i = 0; i < n.bases; i++)
        for (int dose = -15; dose <= 15; dose += 5)
            text_add_format(&b->csv, "b%03d,c%03d,%d,s,%.17g,%.17g,%.17g\n", i, i / n.per_cluster,
                            dose, score(i, dose), attribute(i, dose), artifact(i, dose));
}

/* No reading with a verdict lacks what the verdict rests on; no-answer has a reason. */
static void assert_sound(const bench *b)
{
    for (size_t i = 0; i < b->result.reading_count; i++) {
        const tare_reading *r = &b->result.readings[i];
        if (r->verdict == TARE_NO_ANSWER)
            assert_true(r->reason[0] != '\0');
        else if (r->verdict != TARE_DESCRIPTIVE)
            assert_false(isnan(r->p));
        assert_non_null(r->words);
    }
    for (size_t i = 0; i < b->result.figure_count; i++)
        assert_non_null(b->result.figures[i]->title);
    assert_true(b->result.answer_count > 0);
}

static const tare_reading *run(bench *b, const char *name, const char *condition)
{
    tare_error err = {0};
    assert_ok(bench_run(b, &err));
    assert_sound(b);
    return bench_reading(b, NULL, "s", name, condition);
}

static void too_few_clusters(void **state)
{
    (void)state;
    static const shape shapes[] = {{1, 1}, {2, 1}, {5, 1}, {12, 12}, {30, 6}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        bench b;
        bench_open(&b, 1);
        put(&b, shapes[k], varied, the_dose, distance);
        const tare_reading *fi = run(&b, "FI", "all doses");
        assert_int_equal(fi->verdict, TARE_NO_ANSWER);
        assert_string_equal(fi->reason, "too_few_clusters");
        assert_false(isnan(fi->estimate)); /* the estimate stands alone */
        bench_close(&b);
    }
}

static void everything_missing(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    put(&b, (shape){12, 1}, always_infinite, the_dose, distance);
    const tare_reading *fi = run(&b, "FI", "all doses");
    assert_int_equal(fi->verdict, TARE_NO_ANSWER);
    assert_int_equal(fi->n_base, 0);
    assert_int_equal(fi->n_missing[TARE_R_SCORE_NONFINITE], 12);
    bench_close(&b);
}

static void infinite_scores_are_missing_with_a_reason(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    put(&b, (shape){12, 1}, infinite_for_some, the_dose, distance);
    const tare_reading *fi = run(&b, "FI", "all doses");
    assert_int_equal(fi->n_base, 11);
    assert_int_equal(fi->n_expected, 12);
    assert_int_equal(fi->n_missing[TARE_R_SCORE_NONFINITE], 1);
    assert_int_not_equal(fi->verdict, TARE_NO_ANSWER);
    assert_int_equal(b.result.missing_count, 1);
    assert_string_equal(b.result.missing[0].example, "b002");
    bench_close(&b);
}

static void a_constant_artifact_leaves_beta_alone(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    put(&b, (shape){40, 1}, varied, the_dose, zero);
    const tare_reading *gamma = run(&b, "gamma", NULL);
    assert_int_equal(gamma->verdict, TARE_NO_ANSWER);
    assert_string_equal(gamma->marks, "artifact constant");
    const tare_reading *beta = bench_reading(&b, NULL, "s", "beta", "with artifact");
    const tare_reading *alone = bench_reading(&b, NULL, "s", "beta", "attribute alone");
    assert_true(beta->estimate == alone->estimate && beta->p == alone->p);
    /* nothing to take out: the adjusted curve is the curve */
    assert_close(bench_reading(&b, NULL, "s", "FI_adj", NULL)->estimate,
                 bench_reading(&b, NULL, "s", "FI", "all doses")->estimate);
    bench_close(&b);
}

static void collinear_columns_are_inseparable(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    put(&b, (shape){40, 1}, varied, the_dose, the_dose);
    const tare_reading *beta = run(&b, "beta", "with artifact");
    assert_string_equal(beta->reason, "inseparable");
    assert_string_equal(bench_reading(&b, NULL, "s", "gamma", NULL)->reason, "inseparable");
    /* the artifact is a function of the dose alone: no adjusted curve either, and C1 fails */
    assert_string_equal(bench_reading(&b, NULL, "s", "FI_adj", NULL)->reason, "inseparable");
    assert_close(bench_reading(&b, NULL, "s", "artifact_on_dose_R2", NULL)->estimate, 1);
    assert_within(bench_reading(&b, NULL, "s", "C1", NULL)->estimate, 0, 0, 0);
    bench_close(&b);
}

static void a_failing_instrument_bars_the_attribute(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    put(&b, (shape){40, 1}, varied, varied, distance);
    assert_string_equal(run(&b, "beta", "with artifact")->reason, "instrument_failed");
    assert_string_equal(bench_reading(&b, NULL, "s", "net_drift", "attribute")->reason,
                        "instrument_failed");
    const tare_reading *dose = bench_reading(&b, NULL, "s", "net_drift", "dose");
    assert_string_equal(dose->grid, "i"); /* takes the place in the headline grid */
    assert_int_not_equal(dose->verdict, TARE_NO_ANSWER);
    bench_close(&b);
}

static void a_tied_pool_has_no_drift(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    text_add(&b.csv, "base,dose,score\n");
    for (int i = 0; i < 12; i++)
        for (int dose = -15; dose <= 15; dose += 5)
            text_add_format(&b.csv, "%d,%d,%d\n", i, dose, i);
    tare_error err = {0};
    assert_ok(bench_run(&b, &err));
    assert_sound(&b);
    /* scores differ between images by 1 and never within: half a step cannot be told from 0 */
    const tare_reading *fi = bench_reading(&b, NULL, NULL, "FI", "all doses");
    assert_close(fi->floor, .5);
    assert_string_equal(fi->reason, "below_resolution");
    assert_close(bench_reading(&b, NULL, NULL, "tie_rate", NULL)->estimate, 1);
    assert_string_equal(bench_cell(&b, "shape", "scorer", "class")->text, "no answer");
    bench_close(&b);
}

static void few_doses(void **state)
{
    (void)state;
    static const char *const tables[] = {
        "base,dose,score\na,0,1\nb,0,2\nc,0,3\n",                     /* nothing but neutral */
        "base,dose,score\na,0,1\na,1,2\nb,0,2\nb,1,4\nc,0,3\nc,1,3\n", /* one side, two doses */
        "base,dose,score\na,-1,1\na,0,2\na,1,1\n",                     /* one base            */
    };
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
        bench b;
        tare_error err = {0};
        bench_open(&b, 1);
        text_add(&b.csv, tables[k]);
        assert_ok(bench_run(&b, &err));
        for (size_t i = 0; i < b.result.reading_count; i++)
            assert_true(b.result.readings[i].verdict == TARE_NO_ANSWER ||
                        b.result.readings[i].verdict == TARE_DESCRIPTIVE);
        bench_close(&b);
    }
}

/* Scores lost at one dose only: verdicts are capped (statistics 13). */
static void informative_missingness_caps(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    b.options.perm_p = b.options.boot_b = 999;
    text_add(&b.csv, "base,dose,score\n");
    for (int i = 0; i < 80; i++)
        for (int dose = -15; dose <= 15; dose += 5)
            if (!(dose == 15 && i % 4 == 0))
                text_add_format(&b.csv, "%02d,%d,%.17g\n", i, dose, varied(i, dose) - abs(dose));
    tare_error err = {0};
    assert_ok(bench_run(&b, &err));
    const tare_reading *fi = bench_reading(&b, NULL, NULL, "FI", "all doses");
    assert_int_equal(fi->n_base, 60);
    assert_int_equal(fi->verdict, TARE_INCONCLUSIVE);
    assert_non_null(strstr(fi->marks, "missing scores depend on the condition"));
    assert_non_null(strstr(bench_cell(&b, "shape", "scorer", "words")->text, "inconclusive"));
    assert_non_null(strstr(bench_reading(&b, NULL, NULL, "rate_spread", "doses")->marks,
                           "missing_informative"));
    bench_close(&b);
}

static double at_scale(int base, int dose) { return 1e149 * (varied(base, dose) + base % 3); }
static double too_large(int base, int dose) { return 1e300 * (varied(base, dose) + base % 3); }
static double one_too_large(int base, int dose)
{
    return varied(base, dose) + (base == 3 && dose == 5 ? -1.1e150 : 0);
}

/* Scores that cannot be squared vary all the same: another reason, and no number. */
static void scores_too_large_to_be_squared(void **state)
{
    (void)state;
    static const struct { value score; bool barred; } cases[] = {
        {too_large, true}, {one_too_large, true}, {at_scale, false}};
    static const char *const names[] = {"FI", "A", "N", "net_drift", "beta", "FI_adj", "Delta"};
    for (size_t k = 0; k < 3; k++) {
        bench b;
        bench_open(&b, 1);
        put(&b, (shape){40, 1}, cases[k].score, the_dose, distance);
        const tare_reading *fi = run(&b, "FI", "all doses");
        if (!cases[k].barred) {
            assert_string_equal(fi->reason, "");
            assert_true(isfinite(fi->lo) && isfinite(fi->hi));
            bench_close(&b);
            continue;
        }
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
            const tare_reading *r = bench_reading(&b, NULL, "s", names[n], NULL);
            if (r->verdict != TARE_NO_ANSWER || strcmp(r->reason, "out_of_range") != 0)
                fail_msg("%s: %s %s", names[n], tare_verdict_name(r->verdict), r->reason);
            assert_true(isnan(r->estimate));
        }
        assert_int_equal(fi->n_base, 40);
        assert_string_equal(fi->words, "no answer: the scores are too large, or too close "
                                      "together, to be squared");
        char *all = bench_sentences(&b);
        assert_non_null(strstr(all, "s: no answer: the scores are too large, or too close "
                                    "together, to be squared."));
        assert_null(strstr(all, "do not vary"));
        mem_free(&b.m, all);
        /* what does not rest on the scores stands */
        assert_int_equal(bench_reading(&b, NULL, "s", "random_drift", "dose")->verdict,
                         TARE_DESCRIPTIVE);
        bench_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(too_few_clusters),
        cmocka_unit_test(everything_missing),
        cmocka_unit_test(infinite_scores_are_missing_with_a_reason),
        cmocka_unit_test(a_constant_artifact_leaves_beta_alone),
        cmocka_unit_test(collinear_columns_are_inseparable),
        cmocka_unit_test(a_failing_instrument_bars_the_attribute),
        cmocka_unit_test(scores_too_large_to_be_squared),
        cmocka_unit_test(a_tied_pool_has_no_drift),
        cmocka_unit_test(few_doses),
        cmocka_unit_test(informative_missingness_caps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
