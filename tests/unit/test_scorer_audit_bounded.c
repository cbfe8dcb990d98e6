/* Clip-bounded readings (scorer audit 7): what stays, and what is the reading itself where nothing
 * goes. */
#include <string.h>

#include "scorer_tables.h"
#include "support/check.h"

#define BASES 40

typedef double (*artifact_of)(int base, double dose);

static double nowhere(int base, double dose) { return (void)base, (void)dose, 0; }
static double everywhere(int base, double dose) { return (void)base, dose == 0 ? 0 : .2; }
/* The outermost dose of the + side of half of the bases. */
static double outermost(int base, double dose) { return base % 2 && dose > 11 ? .2 : .01; }

static double score_of(int base, double dose)
{
    return base % 7 + .01 * dose - .02 * fabs(dose) + .1 * ((base * 5 + (int)fabs(dose) * 3) % 11);
}

static void run(bench *b, const double *doses, size_t count, artifact_of artifact)
{
    tare_error err = {0};
    bench_clear(b);
    b->options.boot_b = b->options.perm_p = 199;
    b->options.seeds = 0;
    text_add(&b->csv, "arm,base,dose,scorer,score,artifact\n");
    for (int i = 0; i < BASES; i++)
        for (size_t d = 0; d < count; d++)
            text_add_format(&b->csv, "skin,f%02d,%.17g,s,%.17g,%.17g\n", i, doses[d],
                            score_of(i, doses[d]), artifact(i, doses[d]));
    assert_ok(bench_run(b, &err));
}

static const tare_reading *get(const bench *b, const char *name, const char *condition)
{
    return bench_reading(b, "skin", "s", name, condition);
}

static void assert_same_numbers(const tare_reading *x, const tare_reading *y)
{
    assert_true(x->estimate == y->estimate && x->lo == y->lo && x->hi == y->hi);
    assert_int_equal(x->n_base, y->n_base);
}

static const double even[] = {-15, -10, -5, 0, 5, 10, 15};
static const double uneven[] = {-12, -9, -4, 0, 5, 10, 16};

/* In both forms, and on a grid whose doses have no like on the other side. */
static void nothing_goes(void **state)
{
    (void)state;
    static const char *const forms[2][2] = {{"all", "all doses"}, {"extreme", "extreme doses"}};
    bench b;
    bench_open(&b, 1);
    for (size_t grid = 0; grid < 2; grid++)
        for (size_t k = 0; k < 2; k++) {
            b.options.doses = forms[k][0];
            b.options.bon_draws = k ? 30 : 0; /* drawn subsets too */
            run(&b, grid ? uneven : even, 7, nowhere);
            assert_same_numbers(get(&b, "FI", "clip-bounded"), get(&b, "FI", forms[k][1]));
            assert_same_numbers(get(&b, "A", "clip-bounded"), get(&b, "A", forms[k][1]));
            assert_same_numbers(get(&b, "net_drift", "clip-bounded"),
                                get(&b, "net_drift", "dose"));
            assert_non_null(strstr(get(&b, "FI", "clip-bounded")->marks, "pass"));
            const char *drift = get(&b, "net_drift", "clip-bounded")->marks;
            assert_true(!strstr(drift, "pass") && !strstr(drift, "fail"));
            assert_null(strstr(drift, "smaller pools"));
        }
    bench_close(&b);
}

/* Means over bases by hand: half of them lose the dose that clips, and its like if it has one. */
static double fi_by_hand(const double *doses, const bool *clips, bool extreme)
{
    double sum = 0;
    for (int i = 0; i < BASES; i++) {
        double side[2] = {0, 0}, far[2] = {0, 0};
        int n[2] = {0, 0};
        for (size_t d = 0; d < 7; d++) {
            if (doses[d] == 0 || (i % 2 && clips[d])) continue;
            int above = doses[d] > 0;
            double delta = score_of(i, doses[d]) - score_of(i, 0);
            side[above] += delta;
            if (above || n[above] == 0) far[above] = delta; /* last above, first below */
            n[above]++;
        }
        sum -= extreme ? (far[0] + far[1]) / 2 : (side[0] / n[0] + side[1] / n[1]) / 2;
    }
    return sum / BASES;
}

static void pairs_go_by_value(void **state)
{
    (void)state;
    static const bool pair[7] = {true, 0, 0, 0, 0, 0, true}, alone[7] = {0, 0, 0, 0, 0, 0, true};
    bench b;
    bench_open(&b, 1);
    for (int extreme = 0; extreme < 2; extreme++) {
        b.options.doses = extreme ? "extreme" : "all";
        run(&b, even, 7, outermost);
        assert_within(get(&b, "FI", "clip-bounded")->estimate, fi_by_hand(even, pair, extreme),
                      1e-12, 0);
        run(&b, uneven, 7, outermost);
        assert_within(get(&b, "FI", "clip-bounded")->estimate, fi_by_hand(uneven, alone, extreme),
                      1e-12, 0);
        /* shown, and not judged: half of the pools are smaller */
        const char *drift = get(&b, "net_drift", "clip-bounded")->marks;
        assert_non_null(strstr(drift, "from smaller pools"));
        assert_true(!strstr(drift, "pass") && !strstr(drift, "fail"));
    }
    bench_close(&b);
}

static const result_check *check_of(const bench *b, const char *name)
{
    for (size_t k = 0; k < b->result.check_count; k++)
        if (strcmp(b->result.checks[k].name, name) == 0) return &b->result.checks[k];
    return NULL;
}

static void every_dose_goes(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    run(&b, even, 7, everywhere);
    const tare_reading *fi = get(&b, "FI", "clip-bounded");
    assert_string_equal(fi->reason, "not_run");
    assert_string_equal(fi->marks, "not possible: every dose of every base clips");
    assert_int_equal(fi->n_base, 0);
    const result_check *card = check_of(&b, "FI, clip-bounded");
    assert_non_null(card);
    assert_int_equal(card->state, CHECK_NOT_RUN);
    assert_string_equal(card->why, "not possible: every dose of every base clips");
    assert_null(check_of(&b, "net_drift, clip-bounded"));
    run(&b, even, 7, nowhere);
    assert_int_equal(check_of(&b, "FI, clip-bounded")->state, CHECK_PASS);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_goes),
        cmocka_unit_test(pairs_go_by_value),
        cmocka_unit_test(every_dose_goes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
