/* Transfer between the arms of one run: differences against SciPy 1.17.1 (scipy.stats.ttest_ind
 * with equal_var=False, .confidence_interval(0.95)), a planted reversal (scorer audit 15.6), and
 * what is refused. */
#include <string.h>

#include "audit/words.h"
#include "scorer_tables.h"
#include "support/check.h"

static const char header[] = "arm,kind,base,dose,scorer,score,ita\n";

/* Doses -1 0 1 of one base: A is `a`, FI is `fi`. */
static void put_base(bench *b, const char *kind, int base, const char *scorer, double a, double fi)
{
    double level = (base * 7 % 11) / 4.0;
    const double score[3] = {level - a / 2 - fi, level, level + a / 2 - fi};
    if (b->csv.length == 0) text_add(&b->csv, header);
    for (int d = -1; d <= 1; d++)
        text_add_format(&b->csv, "%s/skin,%s,%s-%03d,%d,%s,%.17g,%d\n", kind, kind, kind, base, d,
                        scorer, score[d + 1], 40 + 10 * d + base % 3);
}

static double a_synthetic(int i) { return ((7 * i * i + 3 * i) % 31 - 4) / 100.0; }
static double a_real(int i) { return ((5 * i * i + 11 * i) % 23 - 14) / 100.0; }

static const tare_reading *difference(const bench *b, const char *scorer, const char *name)
{
    return bench_reading(b, "real/skin", scorer, name, "real/skin - synthetic/skin");
}

/* 12 and 20 clusters: below 30 the t of Welch leads. */
static void welch(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 2);
    for (int i = 0; i < 12; i++) put_base(&b, "synthetic", i, "s", a_synthetic(i), 0.1 * i);
    for (int i = 0; i < 20; i++) put_base(&b, "real", i, "s", a_real(i), 0.2);
    assert_ok(bench_run(&b, &err));
    const tare_reading *r = difference(&b, "s", "A_difference");
    assert_close(r->estimate, -0.081166666666666665);
    assert_close(r->df, 22.895250151043516);
    assert_close(r->p, 0.0091299834672813624);
    assert_close(r->lo, -0.14013704471886579);
    assert_close(r->hi, -0.022196288614467527);
    assert_string_equal(r->interval_method, "Welch t");
    assert_string_equal(r->grid, "v");
    assert_int_equal(r->n_base, 32);
    assert_int_equal(r->n_cluster, 32);
    assert_int_equal(r->n_expected, 32);
    bench_close(&b);
}

/* From 30 clusters on the replicates are subtracted: p is one of the bootstrap's. */
static void by_replicate(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 2);
    b.options.boot_b = 999;
    for (int i = 0; i < 40; i++) put_base(&b, "synthetic", i, "s", a_synthetic(i), 0.1);
    for (int i = 0; i < 30; i++) put_base(&b, "real", i, "s", a_real(i), 0.1 * (i % 3));
    assert_ok(bench_run(&b, &err));
    const tare_reading *r = difference(&b, "s", "A_difference");
    assert_string_equal(r->interval_method, "percentile");
    double lattice = r->p * 1000;
    assert_close(lattice, nearbyint(lattice));
    const tare_reading *x = bench_reading(&b, "real/skin", "s", "A", "all doses");
    const tare_reading *y = bench_reading(&b, "synthetic/skin", "s", "A", "all doses");
    assert_close(r->estimate, x->estimate - y->estimate);
    /* Independent draws: the variances add, but for the noise of 999 of them (4 SE: 9 %). */
    assert_within(r->se, sqrt(x->se * x->se + y->se * y->se), 0.09, 0);
    bench_close(&b);
}

/* The planted scorer of 15.6: on real images -0.15 of the slope on synthetic ones. */
static void planted_reversal(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    gauss g = {7};
    bench_open(&b, 2);
    b.options.boot_b = 1999;
    for (int i = 0; i < 54; i++)
        put_base(&b, "synthetic", i, "turns", 2 + 0.3 * gauss_next(&g), 0.01 * gauss_next(&g));
    for (int i = 0; i < 120; i++)
        put_base(&b, "real", i, "turns", -0.15 * (2 + 0.3 * gauss_next(&g)),
                 0.01 * gauss_next(&g));
    assert_ok(bench_run(&b, &err));
    const result_table *t = bench_table(&b, "transfer");
    size_t found = 0;
    for (size_t i = 0; i < t->row_count; i++) {
        const cell *row = t->cells + i * t->column_count;
        if (strcmp(row[2].text, "A") != 0) continue;
        assert_string_equal(row[0].text, "turns");
        assert_string_equal(row[1].text, "skin");
        assert_string_equal(row[17].text, "reversal");
        assert_string_equal(row[18].text, "confirmed");
        assert_within(row[16].number, 0.15, 0.1, 0);
        found++;
    }
    assert_int_equal(found, 1);
    const tare_reading *r = difference(&b, "turns", "A_difference");
    assert_true(r->q <= 0.05);
    assert_string_equal(r->words, "reversal, confirmed");
    assert_non_null(strstr(r->marks, "confirmed"));
    char *said = bench_sentences(&b);
    assert_non_null(strstr(said, "synthetic-arm effects do not transfer to real images"));
    assert_non_null(strstr(said, "SD")); /* a yardstick was there */
    mem_free(&b.m, said);
    bench_close(&b);
}

/* The same scorer on both kinds: nothing is confirmed, and nothing is said. */
static void innocent_twin(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    gauss g = {11};
    bench_open(&b, 2);
    b.options.boot_b = 999;
    for (int i = 0; i < 54; i++)
        put_base(&b, "synthetic", i, "same", 2 + 0.3 * gauss_next(&g), 0.01 * gauss_next(&g));
    for (int i = 0; i < 120; i++)
        put_base(&b, "real", i, "same", 2 + 0.3 * gauss_next(&g), 0.01 * gauss_next(&g));
    assert_ok(bench_run(&b, &err));
    const tare_reading *r = difference(&b, "same", "A_difference");
    assert_true(strncmp(r->words, "unchanged", 9) == 0);
    char *said = bench_sentences(&b);
    assert_null(strstr(said, "do not transfer"));
    assert_non_null(strstr(said, "nothing is said on whether synthetic-arm effects transfer"));
    mem_free(&b.m, said);
    bench_close(&b);
}

/* A null on the real side is told apart from a proof of none. */
static void collapse_says_what_it_means(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    gauss g = {5};
    bench_open(&b, 2);
    b.options.boot_b = 999;
    for (int i = 0; i < 54; i++) {
        put_base(&b, "synthetic", i, "wide", 2 + 0.3 * gauss_next(&g), 0);
        put_base(&b, "synthetic", i, "close", 2 + 0.3 * gauss_next(&g), 0);
    }
    for (int i = 0; i < 40; i++) {
        double plus = i % 2 ? 1 : -1;
        put_base(&b, "real", i, "wide", plus, 0);
        put_base(&b, "real", i, "close", 0.01 * plus, 0);
    }
    assert_ok(bench_run(&b, &err));
    const result_table *t = bench_table(&b, "transfer");
    size_t found = 0;
    for (size_t i = 0; i < t->row_count; i++) {
        const cell *row = t->cells + i * t->column_count;
        if (strcmp(row[2].text, "A") != 0) continue;
        bool wide = strcmp(row[0].text, "wide") == 0;
        assert_string_equal(row[17].text, "collapse");
        if (wide) {
            const tare_reading *r = bench_reading(&b, "real/skin", "wide", "A", "all doses");
            const char *mde = number_text(&b.a, r->mde);
            assert_true(strncmp(row[19].text, "inconclusive, MDE ", 18) == 0);
            assert_string_equal(row[19].text + 18, mde);
        } else {
            assert_string_equal(row[19].text, "equivalent to 0");
        }
        found++;
    }
    assert_int_equal(found, 2);
    bench_close(&b);
}

/* FI depends on the grid (scorer audit 16.14): other doses, no answer. */
static void other_doses(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 1);
    b.options.boot_b = 199;
    for (int i = 0; i < 40; i++) put_base(&b, "synthetic", i, "s", 1, 0.1 * (i % 4));
    for (int i = 0; i < 40; i++)
        for (int d = -2; d <= 2; d += 2)
            text_add_format(&b.csv, "real/skin,real,r%d,%d,s,%.17g,%d\n", i, d, i + 0.5 * d,
                            40 + d);
    assert_ok(bench_run(&b, &err));
    const tare_reading *r = difference(&b, "s", "FI_difference");
    assert_int_equal(r->verdict, TARE_NO_ANSWER);
    assert_string_equal(r->reason, "other_doses");
    assert_true(isnan(r->estimate) && isnan(r->lo) && isnan(r->p)); /* nothing is compared */
    const result_table *t = bench_table(&b, "transfer");
    for (size_t i = 0; i < t->row_count; i++)
        assert_string_equal(t->cells[i * t->column_count + 17].text, "no answer");
    char *said = bench_sentences(&b);
    assert_non_null(strstr(said, "have other doses"));
    mem_free(&b.m, said);
    bench_close(&b);
}

/* A side without an answer: no class, and the cell leaves the grid. */
static void no_answer_of_one_side(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 1);
    b.options.boot_b = 199;
    for (int i = 0; i < 4; i++) put_base(&b, "synthetic", i, "s", a_synthetic(i), 0.1 * i);
    for (int i = 0; i < 40; i++) put_base(&b, "real", i, "s", a_real(i), 0.1 * (i % 4));
    assert_ok(bench_run(&b, &err));
    const tare_reading *r = difference(&b, "s", "A_difference");
    assert_int_equal(r->verdict, TARE_NO_ANSWER);
    assert_string_equal(r->reason, "too_few_clusters");
    assert_non_null(strstr(r->marks, "no answer of synthetic/skin"));
    assert_true(isnan(r->q));
    bench_close(&b);
}

static const char *text_of(const bench *b, const char *reading, const char *column)
{
    const result_table *t = bench_table(b, "transfer");
    size_t at = SIZE_MAX;
    for (size_t k = 0; k < t->column_count; k++)
        if (strcmp(t->columns[k], column) == 0) at = k;
    assert_true(at != SIZE_MAX);
    for (size_t i = 0; i < t->row_count; i++)
        if (strcmp(t->cells[i * t->column_count + 2].text, reading) == 0)
            return t->cells[i * t->column_count + at].text;
    fail_msg("no row of %s", reading);
    return "";
}

/* Both sides have an effect beyond doubt, and on one of them what is missing depends on the dose:
 * neither a collapse nor an emergent effect, but no answer. */
static void missing_by_dose(void **state)
{
    (void)state;
    for (int capped = 0; capped < 2; capped++) {
        bench b;
        tare_error err = {0};
        bench_open(&b, 2);
        b.options.boot_b = 999;
        for (int i = 0; i < 60; i++) {
            put_base(&b, "synthetic", i, "s", 1 + a_synthetic(i), 0);
            put_base(&b, "real", i, "s", 1 + a_real(i), 0);
        }
        const char *kind = capped ? "real" : "synthetic";
        for (int i = 60; i < 80; i++) /* no score at the highest dose */
            for (int d = -1; d <= 1; d++)
                text_add_format(&b.csv, "%s/skin,%s,%s-%03d,%d,s,%s,%d\n", kind, kind, kind, i, d,
                                d < 1 ? "1" : "", 40 + 10 * d);
        assert_ok(bench_run(&b, &err));
        assert_string_equal(text_of(&b, "A", "class"), "no answer");
        assert_string_equal(text_of(&b, "A", "reason"), "missing_informative");
        assert_string_equal(text_of(&b, "A", "confirmed"), "");
        assert_string_equal(text_of(&b, "A", capped ? "compared_sig" : "reference_sig"),
                            "no answer");
        assert_string_equal(text_of(&b, "A", capped ? "reference_sig" : "compared_sig"), "yes");
        bench_close(&b);
    }
}

static void put_arm(bench *b, const char *arm, const char *kind)
{
    if (b->csv.length == 0) text_add(&b->csv, header);
    for (int i = 0; i < 12; i++)
        for (int d = -1; d <= 1; d++)
            text_add_format(&b->csv, "%s,%s,%s-%d,%d,s,%.17g,%d\n", arm, kind, arm, i, d,
                            i % 4 + (0.5 + a_real(i)) * d, 40 + 10 * d + i % 3);
}

static size_t differences(const bench *b)
{
    size_t n = 0;
    for (size_t i = 0; i < b->result.reading_count; i++)
        n += strcmp(b->result.readings[i].name, "A_difference") == 0;
    return n;
}

/* Arms find each other by the edit that stands behind the kind; who has nobody is named. */
static void edits_of_several_arms(void **state)
{
    (void)state;
    static const char *const names[2][3] = {{"real skin", "synthetic skin", "synthetic body"},
                                            {"portraits", "drawings", "bodies"}};
    for (size_t k = 0; k < 2; k++) {
        bench b;
        tare_error err = {0};
        bench_open(&b, 1);
        b.options.boot_b = 199;
        for (size_t a = 0; a < 3; a++) put_arm(&b, names[k][a], a ? "synthetic" : "real");
        assert_ok(bench_run(&b, &err));
        assert_int_equal(differences(&b), k ? 0 : 1);
        char *said = bench_sentences(&b);
        const char *alone = strstr(said, "Not compared, as no arm of the other kind");
        assert_non_null(alone);
        assert_non_null(strstr(alone, k ? "bodies, drawings, portraits" : ": synthetic body."));
        mem_free(&b.m, said);
        bench_close(&b);
    }
}

/* One kind alone: there is nothing to transfer to. */
static void one_kind(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 1);
    b.options.boot_b = 199;
    for (int i = 0; i < 40; i++) put_base(&b, "real", i, "s", a_real(i), 0.1 * (i % 4));
    assert_ok(bench_run(&b, &err));
    for (size_t i = 0; i < b.result.reading_count; i++)
        assert_string_not_equal(b.result.readings[i].family, "transfer");
    for (size_t i = 0; i < b.result.table_count; i++)
        assert_string_not_equal(b.result.tables[i]->name, "transfer");
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(welch),         cmocka_unit_test(by_replicate),
        cmocka_unit_test(planted_reversal), cmocka_unit_test(innocent_twin),
        cmocka_unit_test(collapse_says_what_it_means), cmocka_unit_test(other_doses),
        cmocka_unit_test(no_answer_of_one_side), cmocka_unit_test(one_kind),
        cmocka_unit_test(missing_by_dose), cmocka_unit_test(edits_of_several_arms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
