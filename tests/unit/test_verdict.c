/* Equivalence, verdicts, missingness. */
#include "support/check.h"

#include <string.h>

#include "stats/equivalence.h"
#include "stats/missing.h"
#include "stats/special.h"
#include "stats/verdict.h"

/* statistics 16.2 (R): toy FI, delta .5, df 5. FI_i of scorer audit 15.5; n = 6. */
static void equivalence_golden(void **state)
{
    (void)state;
    const double mean = 13.0 / 120, half = .55927191882 - mean;
    const double se = half / t_quantile(.975, 5);
    equivalence e = equivalence_t(mean, se, 5, .5, .05);
    assert_within(e.p_lower, .00894567966508, 1e-8, 0);
    assert_within(e.p_upper, .0379535166121, 1e-8, 0);
    assert_true(e.p == e.p_upper && e.equivalent);
    assert_within(detectable_effect(se, 5, .05, .8), .612247502326, 1e-9, 0);
    assert_within(t_p(mean / se, 5), .563905086206, 1e-9, 0);
    assert_true(equivalence_interval(-.245152033505, .461818700172, .5));
}

/* statistics 17: TOST passes iff the 90 % t interval is inside the margin. */
static void tost_is_interval(void **state)
{
    (void)state;
    int passed = 0, total = 0;
    for (int i = -30; i <= 30; i++) {
        for (int k = 1; k < 40; k++) {
            for (double df = 2.5; df < 400; df *= 2.3) {
                double estimate = .031 * i, se = .013 * k, tq = t_quantile(.95, df);
                bool inside = equivalence_interval(estimate - tq * se, estimate + tq * se, .7);
                bool tost = equivalence_t(estimate, se, df, .7, .05).equivalent;
                assert_int_equal(inside, tost);
                passed += tost;
                total++;
            }
        }
    }
    assert_true(passed > total / 10 && passed < total);
}

static void equivalence_degenerate(void **state)
{
    (void)state;
    assert_true(equivalence_t(0, 0, 5, .1, .05).equivalent);
    assert_false(equivalence_t(.2, 0, 5, .1, .05).equivalent);
    assert_true(isnan(equivalence_t(0, 1, 5, NAN, .05).p));
    assert_true(isnan(equivalence_t(0, 1, 5, 0, .05).p));
    assert_false(equivalence_t(NAN, 1, 5, 1, .05).equivalent);
    assert_false(equivalence_t(0, NAN, 5, 1, .05).equivalent);
    assert_false(equivalence_t(0, .1, NAN, 1, .05).equivalent);
    assert_true(equivalence_interval(0, 0, .1));
    assert_false(equivalence_interval(-.1, 0, .1));
    assert_false(equivalence_interval(NAN, 0, .1));
    assert_false(equivalence_interval(0, 0, NAN));
    assert_true(isnan(detectable_effect(NAN, 5, .05, .8)));
}

static verdict_input sound(void)
{
    return (verdict_input){.estimate = .5, .p = .001, .q = .01, .lo = .2, .hi = .8,
                           .alpha = .05, .margin = NAN};
}

static void four_combinations(void **state)
{
    (void)state;
    verdict_input in = sound();
    in.margin = .3;
    assert_int_equal(verdict_decide(&in).verdict, TARE_FOUND);
    assert_int_equal(verdict_decide(&in).marks, 0);
    in.equivalent = true;
    assert_int_equal(verdict_decide(&in).verdict, TARE_SMALL);
    in.q = .2;
    in.p = .1;
    in.lo = -.1;
    assert_int_equal(verdict_decide(&in).verdict, TARE_NEGLIGIBLE);
    in.equivalent = false;
    assert_int_equal(verdict_decide(&in).verdict, TARE_INCONCLUSIVE);
    in.margin = NAN; /* without a margin equivalence cannot be claimed */
    in.equivalent = true;
    assert_int_equal(verdict_decide(&in).verdict, TARE_INCONCLUSIVE);
    in = sound();
    in.equivalent = true;
    assert_int_equal(verdict_decide(&in).verdict, TARE_FOUND);
}

static void marks(void **state)
{
    (void)state;
    char words[VERDICT_MARKS_MAX];
    verdict_input in = sound();
    in.margin = .2;
    assert_int_equal(verdict_decide(&in).marks, VERDICT_AT_LEAST_MARGIN);
    in.estimate = -.5;
    in.lo = -.8;
    in.hi = -.2;
    assert_int_equal(verdict_decide(&in).marks, VERDICT_AT_LEAST_MARGIN);
    in.q = .06;
    assert_int_equal(verdict_decide(&in).marks, VERDICT_RAW_ONLY);
    assert_int_equal(verdict_decide(&in).verdict, TARE_INCONCLUSIVE);
    in.q = .05; /* q <= alpha, but 0 is the end of the interval */
    in.hi = 0;
    assert_int_equal(verdict_decide(&in).marks, VERDICT_DISAGREE);
    assert_int_equal(verdict_decide(&in).verdict, TARE_INCONCLUSIVE);
    in = sound();
    for (int equivalent = 0; equivalent < 2; equivalent++) {
        in.missing_informative = true;
        in.margin = .3;
        in.equivalent = equivalent;
        assert_int_equal(verdict_decide(&in).verdict, TARE_INCONCLUSIVE);
        assert_int_equal(verdict_decide(&in).marks, VERDICT_MISSING_INFORMATIVE);
    }
    assert_int_equal(verdict_marks_text(words, 0), 0);
    assert_int_equal(verdict_marks_text(words, VERDICT_RAW_ONLY | VERDICT_DISAGREE), 33);
    assert_string_equal(words, "raw only, p and interval disagree");
    assert_true(verdict_marks_text(words, ~0u) < VERDICT_MARKS_MAX);
    for (int v = TARE_FOUND; v <= TARE_DESCRIPTIVE; v++)
        assert_true(strlen(verdict_sentence((tare_verdict)v)) > 0);
}

static void every_reason(void **state)
{
    (void)state;
    static const char *const reasons[] = {
        "degenerate", "too_few_clusters", "degenerate_replicates", "inseparable",
        "below_resolution", "not_run", "not_converged",
    };
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        verdict_input in = sound();
        in.reason = reasons[i];
        assert_true(verdict_reason_known(reasons[i]));
        assert_int_equal(verdict_decide(&in).verdict, TARE_NO_ANSWER);
        assert_string_equal(verdict_decide(&in).reason, reasons[i]);
    }
    assert_false(verdict_reason_known("because"));
    verdict_input in = sound();
    in.reason = "";
    in.floor = .6;
    assert_string_equal(verdict_decide(&in).reason, "below_resolution");
    in.floor = .5;
    assert_int_equal(verdict_decide(&in).verdict, TARE_FOUND);
    assert_string_equal(verdict_decide(&in).reason, "");
    in.lo = .9; /* ends the wrong way round */
    assert_string_equal(verdict_decide(&in).reason, "undefined");
}

/* Every field set to every awkward value: nothing that rests on a NaN is ever found. */
static void no_nan_is_found(void **state)
{
    (void)state;
    static const double odd[] = {NAN, INFINITY, -INFINITY, 0, -0.0, 1, -1, .01, 1e308, 2};
    enum { ODD = sizeof odd / sizeof odd[0] };
    int found = 0;
    for (int code = 0; code < ODD * ODD * ODD * ODD; code++) {
        verdict_input in = sound();
        in.estimate = odd[code % ODD];
        in.q = odd[code / ODD % ODD];
        in.lo = odd[code / (ODD * ODD) % ODD];
        in.hi = odd[code / (ODD * ODD * ODD)];
        in.margin = odd[code % 7];
        in.floor = odd[code % 3];
        in.p = odd[code % 9];
        in.equivalent = code % 2;
        verdict_result out = verdict_decide(&in);
        bool claims = out.verdict == TARE_FOUND || out.verdict == TARE_SMALL
                      || out.verdict == TARE_NEGLIGIBLE;
        bool missing = isnan(in.estimate) || isnan(in.q) || isnan(in.lo) || isnan(in.hi);
        assert_false(claims && missing);
        if (out.verdict == TARE_NO_ANSWER) assert_true(out.reason[0] != '\0');
        found += out.verdict == TARE_FOUND;
    }
    assert_true(found > 0);
    verdict_input in = sound();
    in.alpha = NAN;
    assert_int_equal(verdict_decide(&in).verdict, TARE_NO_ANSWER);
}

static void missingness(void **state)
{
    (void)state;
    missing_counts a = {0}, b = {0};
    missing_add(&a, TARE_R_NONE);
    missing_add(&a, TARE_R_NO_SKIN);
    missing_add(&b, TARE_R_NO_SKIN);
    missing_add(&b, (tare_reason)9999); /* never lost */
    missing_merge(&a, &b);
    assert_int_equal(a.expected, 4);
    assert_int_equal(a.used, 1);
    assert_int_equal(a.by_reason[TARE_R_NO_SKIN], 2);
    assert_int_equal(missing_total(&a), 3);
    tare_reason reason;
    assert_true(missing_reason_parse(&reason, "no_skin") && reason == TARE_R_NO_SKIN);
    assert_false(missing_reason_parse(&reason, "no skin"));

    const double rates[] = {.12, NAN, .10, .11}, none[] = {NAN, .5};
    assert_within(missing_rate_spread(rates, 4), .02, 1e-12, 0);
    assert_true(missing_rate_spread(none, 2) == 0);
    assert_true(missing_informative(.05, .05, missing_rate_spread(rates, 4)));
    assert_false(missing_informative(.05, .05, .0199));
    assert_false(missing_informative(.051, .05, .5));
    assert_false(missing_informative(NAN, .05, .5));

    double lo, hi;
    missing_bounds(&lo, &hi, 4, 6, 2, (const double[]){1, 5});
    assert_close(lo, 3.25);
    assert_close(hi, 4.25);
    missing_bounds(&lo, &hi, NAN, 0, 3, (const double[]){1, 5});
    assert_true(lo == 1 && hi == 5);
    missing_bounds(&lo, &hi, NAN, 0, 0, (const double[]){1, 5});
    assert_true(isnan(lo) && isnan(hi));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equivalence_golden), cmocka_unit_test(tost_is_interval),
        cmocka_unit_test(equivalence_degenerate), cmocka_unit_test(four_combinations),
        cmocka_unit_test(marks), cmocka_unit_test(every_reason),
        cmocka_unit_test(no_nan_is_found), cmocka_unit_test(missingness),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
