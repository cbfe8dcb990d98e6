/* Groups of images compared (scorer audit 9): the pair with its interval, the artifact taken out,
 * the null as a table and a figure, the words. */
#include <string.h>

#include "scorer_tables.h"
#include "stats/special.h"
#include "support/check.h"

static void run(bench *b)
{
    tare_error err = {0};
    b->options.boot_b = b->options.perm_p = 499;
    assert_ok(bench_run(b, &err));
}

/* A of the images of three groups, chosen: group c lies apart. */
static double a_of(int i)
{
    return (i * 7 % 11) * .1 + (i % 3 == 2 ? .6 : 0) + (i % 3 == 1 ? .05 * (i % 5) : 0);
}

static void put_groups(bench *b)
{
    text_add(&b->csv, "base,group,dose,scorer,score\n");
    for (int i = 0; i < 36; i++)
        for (int dose = -1; dose <= 1; dose++)
            text_add_format(&b->csv, "f%02d,%c,%d,s,%.17g\n", i, 'a' + i % 3, dose,
                            i + (dose > 0 ? a_of(i) : 0));
}

/* Welch's interval by its textbook formula, in this file's own sums. */
static void the_pair_has_an_interval(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    put_groups(&b);
    run(&b);
    double mean[3] = {0}, square[3] = {0};
    for (int i = 0; i < 36; i++) mean[i % 3] += a_of(i) / 12;
    for (int i = 0; i < 36; i++) square[i % 3] += pow(a_of(i) - mean[i % 3], 2) / 11;
    assert_true(mean[2] > mean[1] && mean[1] > mean[0]);
    double va = square[2] / 12, vb = square[0] / 12, se = sqrt(va + vb);
    double df = (va + vb) * (va + vb) / (va * va / 11 + vb * vb / 11);
    double half = t_quantile(.975, df) * se, d = mean[2] - mean[0];
    const tare_reading *r = bench_reading(&b, NULL, "s", "largest_pair", "A: c - a");
    assert_within(r->estimate, d, 1e-9, 0);
    assert_within(r->lo, d - half, 1e-9, 0);
    assert_within(r->hi, d + half, 1e-9, 0);
    assert_within(r->p, t_p(d / se, df), 1e-8, 0);
    assert_within(r->df, df, 1e-8, 0);
    assert_int_equal(r->verdict, TARE_DESCRIPTIVE);
    assert_string_equal(r->marks, "cherry-picked");
    assert_string_equal(r->interval_method, "Welch t, unadjusted");
    const tare_reading *m = bench_reading(&b, NULL, "s", "mean_A", "c");
    assert_within(m->estimate, mean[2], 1e-9, 0);
    assert_true(m->lo < mean[2] && m->hi > mean[2]);
    bench_close(&b);
}

static const figure *find_figure(const bench *b, const char *id)
{
    for (size_t i = 0; i < b->result.figure_count; i++)
        if (strcmp(b->result.figures[i]->id, id) == 0) return b->result.figures[i];
    fail_msg("no figure %s", id);
    return NULL;
}

/* The bins hold every permutation; as many lie beyond T as p says. */
static void the_null_is_there(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    put_groups(&b);
    run(&b);
    const tare_reading *r = bench_reading(&b, NULL, "s", "omnibus", "A");
    const result_table *t = bench_table(&b, "omnibus_null");
    int64_t all = 0, beyond = 0, at = 0;
    double pair = 0, end = 0;
    for (size_t i = 0; i < t->row_count; i++) {
        const cell *row = &t->cells[i * t->column_count];
        if (strcmp(row[2].text, "A") != 0) continue;
        assert_close(row[4].number, end);
        end = row[5].number;
        all += row[6].integer;
        pair += row[8].number;
        if (row[4].number > r->estimate) beyond += row[6].integer;
        if (!isnan(row[9].number)) {
            at = row[6].integer;
            assert_close(row[9].number, r->estimate);
            assert_true(row[4].number <= r->estimate && r->estimate <= row[5].number);
        }
    }
    assert_int_equal(all, 499);
    assert_true(pair > .9 && pair <= 1);
    double reached = r->p * 500 - 1;
    assert_true(beyond <= reached + .5 && reached <= (double)(beyond + at) + .5);
    const figure *f = find_figure(&b, "omnibus-null-A-01-s");
    size_t upright = 0;
    for (size_t i = 0; i < f->point_count; i++) {
        const figure_point *p = &f->points[i];
        if (strcmp(p->series, "T, the cherry-picked pair") != 0) continue;
        assert_close(p->x, r->estimate);
        assert_non_null(strstr(p->tip, "cherry-picked: A: c - a, its own unadjusted p"));
        upright++;
    }
    assert_int_equal(upright, 2);
    find_figure(&b, "omnibus-null-FI-01-s");
    bench_close(&b);
}

/* The score follows nothing but the artifact, which one group has more of: FI and A differ between
 * the groups, what is left without the artifact does not. */
static void the_artifact_is_no_difference_of_groups(void **state)
{
    (void)state;
    bench b;
    gauss g = {77};
    bench_open(&b, 1);
    text_add(&b.csv, "base,group,dose,scorer,score,artifact\n");
    for (int i = 0; i < 60; i++)
        for (int dose = -10; dose <= 10; dose += 5) {
            double clip = dose == 0 ? 0 : (i % 2 ? .02 : .004) * abs(dose) *
                                              (1 + .3 * gauss_next(&g)) * (dose > 0 ? 2 : 1);
            text_add_format(&b.csv, "f%02d,g%d,%d,s,%.17g,%.17g\n", i, i % 2, dose,
                            i % 7 - clip + .02 * gauss_next(&g), clip);
        }
    run(&b);
    static const char *const plain[2] = {"FI", "A"}, *const adjusted[2] = {"FI_adj", "A_adj"};
    for (int k = 0; k < 2; k++) {
        const tare_reading *raw = bench_reading(&b, NULL, "s", "omnibus", plain[k]);
        const tare_reading *adj = bench_reading(&b, NULL, "s", "omnibus", adjusted[k]);
        assert_int_equal(raw->verdict, TARE_FOUND);
        assert_string_equal(raw->grid, "iii");
        assert_string_equal(raw->words, "the groups of images differ in this reading");
        assert_int_equal(adj->verdict, TARE_INCONCLUSIVE);
        assert_string_equal(adj->grid, "iii adjusted");
        assert_true(adj->estimate < .2 * raw->estimate && adj->q >= adj->p);
        bench_reading(&b, NULL, "s", k ? "mean_A_adj" : "mean_FI_adj", "g1");
    }
    /* The mean over groups of equal size is the regression's own estimate. */
    double mean = (bench_reading(&b, NULL, "s", "mean_FI_adj", "g0")->estimate +
                   bench_reading(&b, NULL, "s", "mean_FI_adj", "g1")->estimate) / 2;
    assert_within(mean, bench_reading(&b, NULL, "s", "FI_adj", NULL)->estimate, 0, 1e-9);
    bench_close(&b);
}

/* With --fidelity-doses extreme the adjusted readings are those of the outermost doses. */
static void the_adjusted_follow_the_doses(void **state)
{
    (void)state;
    bench b;
    gauss g = {78};
    bench_open(&b, 1);
    b.options.doses = "extreme";
    text_add(&b.csv, "base,group,dose,scorer,score,artifact\n");
    for (int i = 0; i < 40; i++)
        for (int dose = -10; dose <= 10; dose += 5)
            text_add_format(&b.csv, "f%02d,g%d,%d,s,%.17g,%.17g\n", i, i % 2, dose,
                            gauss_next(&g) - .01 * dose * dose,
                            dose ? fabs(gauss_next(&g)) : 0);
    run(&b);
    static const char *const names[2][2] = {{"mean_FI_adj", "FI_adj"}, {"mean_A_adj", "A_adj"}};
    for (int k = 0; k < 2; k++) {
        double mean = (bench_reading(&b, NULL, "s", names[k][0], "g0")->estimate +
                       bench_reading(&b, NULL, "s", names[k][0], "g1")->estimate) / 2;
        assert_within(mean, bench_reading(&b, NULL, "s", names[k][1], NULL)->estimate, 0, 1e-9);
    }
    bench_close(&b);
}

/* Seven groups without any difference: of many tables some have a pair below .05 whose omnibus q is
 * not; some have T and T_s on two sides of .05. Both are said where they are, and only there. */
static void the_words_of_picking(void **state)
{
    (void)state;
    int picked = 0, spread = 0, found = 0;
    for (int trial = 0; trial < 30; trial++) {
        bench b;
        gauss g = {(uint64_t)(500 + trial)};
        bench_open(&b, 1);
        b.options.seed = (uint64_t)trial;
        text_add(&b.csv, "base,group,dose,scorer,score\n");
        for (int i = 0; i < 84; i++)
            for (int dose = 0; dose <= 1; dose++)
                text_add_format(&b.csv, "f%02d,g%d,%d,s,%.17g\n", i, i % 7, dose,
                                gauss_next(&g) * (i % 7 || trial % 2 ? 1 : 4));
        run(&b);
        const tare_reading *o = bench_reading(&b, NULL, "s", "omnibus", "FI");
        const tare_reading *s = bench_reading(&b, NULL, "s", "omnibus_studentised", "FI");
        const tare_reading *pair = bench_reading(&b, NULL, "s", "largest_pair", NULL);
        bool artifact = pair->p <= .05 && o->q > .05;
        bool disagree = (o->p <= .05) != (s->p <= .05);
        assert_true(artifact == (strstr(o->marks, "cherry-picking artifact") != NULL));
        assert_true(artifact == (strcmp(pair->words, "cherry-picking artifact") == 0));
        static const char spreads[] = "groups may differ in spread rather than in mean";
        assert_true(disagree == (strstr(o->marks, spreads) != NULL));
        assert_true(disagree == (strstr(o->words, spreads) != NULL));
        bool answered = false;
        for (size_t i = 0; i < b.result.answer_count; i++)
            answered = answered || strstr(b.result.answer[i], spreads);
        assert_true(disagree == answered);
        found += disagree && o->verdict == TARE_FOUND;
        picked += artifact;
        spread += disagree;
        bench_close(&b);
    }
    print_message("picked %d, spread %d of 30, found %d of them\n", picked, spread, found);
    assert_true(picked > 3 && picked < 27 && spread > 0 && spread < 27 && found > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pair_has_an_interval),
        cmocka_unit_test(the_null_is_there),
        cmocka_unit_test(the_artifact_is_no_difference_of_groups),
        cmocka_unit_test(the_adjusted_follow_the_doses),
        cmocka_unit_test(the_words_of_picking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
