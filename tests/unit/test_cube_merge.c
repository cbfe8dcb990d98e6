/* Two cubes as one: pairing, draws, names, noise, and what is refused. Paired numbers are those of
 * SciPy 1.17.1 (scipy.stats.ttest_rel) and of all 4096 sign flips, counted in Python. */
#include "audit/scorer/cube_merge.h"

#include <string.h>

#include "scorer_tables.h"
#include "support/check.h"

static double a_synthetic(int i) { return ((7 * i * i + 3 * i) % 31 - 4) / 100.0; }
static double a_real(int i) { return ((5 * i * i + 11 * i) % 23 - 14) / 100.0; }

/* Two tables and the analysis of both. */
typedef struct pair {
    bench side[2], both;
    cube merged;
    cube_merged seen;
} pair;

static void pair_open(pair *p)
{
    memset(p, 0, sizeof *p);
    for (size_t k = 0; k < 2; k++) bench_open(&p->side[k], 1);
    bench_open(&p->both, 2);
}

static void pair_close(pair *p)
{
    for (size_t k = 0; k < 2; k++) bench_close(&p->side[k]);
    bench_close(&p->both);
}

static void put(bench *b, const char *scorer, const char *prefix, int base, double a)
{
    if (b->csv.length == 0) text_add(&b->csv, "base,dose,scorer,score\n");
    for (int d = -1; d <= 1; d++)
        text_add_format(&b->csv, "%s%02d,%d,%s,%.17g\n", prefix, base, d, scorer,
                        base % 5 + 0.5 * a * d);
}

static void read_side(bench *b)
{
    tare_error err = {0};
    table_bytes bytes = {"scores.csv", b->csv.data, b->csv.length};
    arena_free(&b->a);
    assert_ok(cube_from_table_bytes(&b->c, &b->a, b->context, &bytes, &b->table, &err));
}

static tare_status merge(pair *p, cube_pairing how, bool swapped, tare_error *err)
{
    cube_side sides[2] = {{&p->side[swapped].c, swapped ? "second" : "first"},
                          {&p->side[!swapped].c, swapped ? "first" : "second"}};
    result_free(&p->both.result);
    result_init(&p->both.result, &p->both.m);
    return cube_merge(&p->merged, &p->seen, &p->both.result.a, sides, how, err);
}

static const tare_reading *compare(pair *p, cube_pairing how, bool swapped)
{
    tare_error err = {0};
    assert_ok(merge(p, how, swapped, &err));
    assert_ok(analyse_cube(&p->both.result, p->both.context, &p->merged, &p->both.options, &err));
    return bench_reading(&p->both, NULL, NULL, "A_difference", NULL);
}

static void paired(void **state)
{
    (void)state;
    pair p;
    pair_open(&p);
    for (int i = 0; i < 12; i++) {
        put(&p.side[0], "s", "b", i, a_synthetic(i));
        put(&p.side[1], "s", "b", i, a_real(i));
    }
    for (size_t k = 0; k < 2; k++) read_side(&p.side[k]);
    tare_reading r = *compare(&p, PAIRING_YES, false);
    assert_true(p.merged.paired);
    assert_close(r.estimate, -0.068333333333333329);
    assert_close(r.se, 0.03286412185119976);
    assert_close(r.lo, -0.14066677782726736);
    assert_close(r.hi, 0.0040001111606007);
    assert_close(r.p, 244.0 / 4096);
    assert_int_equal(r.n_base, 12);
    assert_non_null(strstr(r.marks, "paired"));
    /* The other way round: the same, turned. */
    tare_reading turned = *compare(&p, PAIRING_YES, true);
    assert_close(turned.estimate, -r.estimate);
    assert_close(turned.lo, -r.hi);
    assert_close(turned.hi, -r.lo);
    assert_close(turned.p, r.p);
    /* Unpaired it is another, wider answer: the same bases taken for others. */
    tare_reading apart = *compare(&p, PAIRING_AUTO, false);
    assert_false(p.merged.paired);
    assert_string_equal(apart.interval_method, "Welch t");
    assert_int_equal(apart.n_base, 24);
    pair_close(&p);
}

/* 40 clusters and another 40: swapped, the replicates are the same ones, turned. */
static void swapped(void **state)
{
    (void)state;
    pair p;
    pair_open(&p);
    p.both.options.boot_b = 999;
    for (int i = 0; i < 40; i++) {
        put(&p.side[0], "s", "x", i, a_synthetic(i));
        put(&p.side[1], "s", "y", i, a_real(i));
    }
    for (size_t k = 0; k < 2; k++) read_side(&p.side[k]);
    tare_reading r = *compare(&p, PAIRING_AUTO, false);
    assert_string_equal(r.arm, "second/table");
    tare_reading turned = *compare(&p, PAIRING_AUTO, true);
    assert_true(r.estimate == -turned.estimate && r.p == turned.p);
    assert_close(r.lo, -turned.hi);
    assert_close(r.hi, -turned.lo);
    pair_close(&p);
}

/* An arm has in the merged analysis the numbers that it has alone. */
static void readings_of_arms_stay(void **state)
{
    (void)state;
    pair p;
    tare_error err = {0};
    pair_open(&p);
    p.both.options.boot_b = p.side[0].options.boot_b = p.side[1].options.boot_b = 499;
    for (int i = 0; i < 40; i++) {
        put(&p.side[0], "s", "x", i, a_synthetic(i));
        put(&p.side[1], "s", "y", i, a_real(i));
    }
    for (size_t k = 0; k < 2; k++) read_side(&p.side[k]);
    compare(&p, PAIRING_AUTO, false);
    for (size_t k = 0; k < 2; k++) {
        bench *b = &p.side[k];
        assert_ok(analyse_cube(&b->result, b->context, &b->c, &b->options, &err));
        const tare_reading *alone = bench_reading(b, NULL, "s", "A", "all doses");
        const tare_reading *here = bench_reading(&p.both, k ? "second/table" : "first/table", "s",
                                                 "A", "all doses");
        assert_true(alone->estimate == here->estimate && alone->lo == here->lo &&
                    alone->hi == here->hi && alone->p == here->p);
    }
    pair_close(&p);
}

/* Equal names and, as far as is known, other images: draws of their own. The same table twice has
 * the difference 0, but not without an error. */
static void same_names_are_no_pairs(void **state)
{
    (void)state;
    pair p;
    pair_open(&p);
    p.both.options.boot_b = 999;
    for (int i = 0; i < 40; i++)
        for (size_t k = 0; k < 2; k++) put(&p.side[k], "s", "b", i, a_real(i));
    for (size_t k = 0; k < 2; k++) read_side(&p.side[k]);
    tare_reading r = *compare(&p, PAIRING_AUTO, false);
    const tare_reading *a = bench_reading(&p.both, "first/table", "s", "A", "all doses");
    assert_true(r.estimate == 0);
    assert_within(r.se, sqrt(2) * a->se, 0.1, 0);
    assert_int_equal(p.seen.common, 40);
    assert_false(p.seen.pixels_known);
    /* Paired, nothing differs at all. */
    tare_reading same = *compare(&p, PAIRING_YES, false);
    assert_true(same.estimate == 0 && same.lo == 0 && same.hi == 0 && same.p == 1);
    pair_close(&p);
}

/* Bases 0-15 and 6-21: ten in common, 22 clusters in all. The jackknife of (mean of the second) -
 * (mean of the first) over the 22, worked out in NumPy; its t has the clusters of the smaller side,
 * less 1: 15 df, by Simpson's rule over the density. */
static void some_in_common(void **state)
{
    (void)state;
    pair p;
    pair_open(&p);
    for (int i = 0; i < 22; i++) {
        if (i < 16) put(&p.side[0], "s", "b", i, a_synthetic(i));
        if (i >= 6) put(&p.side[1], "s", "b", i, a_real(i));
    }
    for (size_t k = 0; k < 2; k++) read_side(&p.side[k]);
    tare_reading r = *compare(&p, PAIRING_YES, false);
    assert_close(r.estimate, -0.09187499999999998);
    assert_close(r.se, 0.031585112286990805);
    assert_close(r.df, 15);
    assert_close(r.lo, -0.15919707323056176);
    assert_close(r.hi, -0.024552926769438196);
    assert_close(r.p, 0.010800020883809935);
    assert_non_null(strstr(r.marks, "partly paired"));
    assert_int_equal(r.n_base, 32);
    assert_int_equal(r.n_cluster, 22);
    /* What the row says of both sides is what it subtracts. */
    const tare_reading *x = bench_reading(&p.both, "first/table", "s", "A", "all doses");
    const tare_reading *y = bench_reading(&p.both, "second/table", "s", "A", "all doses");
    assert_close(r.estimate, y->estimate - x->estimate);
    tare_reading turned = *compare(&p, PAIRING_YES, true);
    assert_close(turned.estimate, -r.estimate);
    assert_close(turned.lo, -r.hi);
    assert_close(turned.hi, -r.lo);
    assert_close(turned.p, r.p);
    assert_int_equal(turned.n_base, r.n_base);
    assert_int_equal(turned.n_expected, r.n_expected);
    pair_close(&p);
}

/* Bases 0-59 and 30-89, which go up and down together: the bootstrap has the SE of the jackknife
 * over the 90 (NumPy; independent sets: 0.01485), but for the noise of 3999 replicates. */
static void many_in_common(void **state)
{
    (void)state;
    pair p;
    pair_open(&p);
    p.both.options.boot_b = 3999;
    for (int i = 0; i < 90; i++) {
        if (i < 60) put(&p.side[0], "s", "b", i, a_synthetic(i));
        if (i >= 30) put(&p.side[1], "s", "b", i, a_synthetic(i) / 2 + a_real(i));
    }
    for (size_t k = 0; k < 2; k++) read_side(&p.side[k]);
    tare_reading r = *compare(&p, PAIRING_YES, false);
    assert_close(r.estimate, -0.06958333333333334);
    assert_within(r.se, 0.012687474771470142, 0.06, 0);
    assert_string_equal(r.interval_method, "percentile");
    tare_reading turned = *compare(&p, PAIRING_YES, true);
    assert_true(turned.p == r.p && turned.se == r.se);
    assert_close(turned.lo, -r.hi);
    pair_close(&p);
}

/* One photograph is in a cluster with another on one side only: both clusters become one. */
static void clusters_of_both_sides(void **state)
{
    (void)state;
    pair p;
    pair_open(&p);
    for (int i = 0; i < 12; i++)
        for (size_t k = 0; k < 2; k++)
            put(&p.side[k], "s", "b", i, k ? a_real(i) : a_synthetic(i));
    for (size_t k = 0; k < 2; k++) read_side(&p.side[k]);
    cube_arm *arm = &p.side[1].c.arm[0];
    for (size_t i = 1; i < arm->bases; i++) arm->cluster[i] = (uint32_t)i - 1; /* 0 and 1 */
    for (size_t c = 1; c + 1 < arm->clusters; c++) arm->cluster_id[c] = arm->cluster_id[c + 1];
    arm->clusters--;
    tare_reading r = *compare(&p, PAIRING_YES, false);
    assert_true(p.seen.other_clusters);
    assert_int_equal(r.n_cluster, 11);
    tare_reading turned = *compare(&p, PAIRING_YES, true);
    assert_int_equal(turned.n_cluster, 11);
    assert_close(turned.lo, -r.hi);
    assert_close(turned.p, r.p);
    pair_close(&p);
}

/* Names of clusters that mean something else on each side join nothing: twelve photographs, which
 * the second has in six pairs c00 to c05, and the first each in a cluster, c00 to c11. */
static void clusters_of_other_meaning(void **state)
{
    (void)state;
    pair p;
    static const char *const names[] = {"c00", "c01", "c02", "c03", "c04", "c05",
                                        "c06", "c07", "c08", "c09", "c10", "c11"};
    pair_open(&p);
    for (int i = 0; i < 12; i++)
        for (size_t k = 0; k < 2; k++)
            put(&p.side[k], "s", "b", i, k ? a_real(i) : a_synthetic(i));
    for (size_t k = 0; k < 2; k++) {
        read_side(&p.side[k]);
        cube_arm *arm = &p.side[k].c.arm[0];
        arm->clusters = k ? 6 : 12;
        for (size_t i = 0; i < 12; i++) arm->cluster[i] = (uint32_t)(k ? i / 2 : i);
        for (size_t c = 0; c < arm->clusters; c++) arm->cluster_id[c] = names[c];
    }
    tare_reading r = *compare(&p, PAIRING_YES, false);
    assert_int_equal(r.n_cluster, 6);
    tare_reading turned = *compare(&p, PAIRING_YES, true);
    assert_int_equal(turned.n_cluster, 6);
    assert_close(turned.lo, -r.hi);
    assert_close(turned.p, r.p);
    pair_close(&p);
}

/* A loss of either side is a loss of the pair (statistics 13), whichever side it is on. */
static void losses_of_both_sides(void **state)
{
    (void)state;
    pair p;
    pair_open(&p);
    for (int i = 0; i < 12; i++)
        for (size_t k = 0; k < 2; k++)
            put(&p.side[k], "s", "b", i, k ? a_real(i) : a_synthetic(i));
    for (size_t k = 0; k < 2; k++) {
        read_side(&p.side[k]);
        cube_scores *s = cube_at(&p.side[k].c, 0, 0);
        size_t at = 3 * (4 + 3 * k); /* base 4 of the first, 7 of the second */
        s->s[at] = NAN;
        s->status[at] = k ? TARE_R_TIMEOUT : TARE_R_SCORER_ERROR;
    }
    for (int turn = 0; turn < 2; turn++) {
        tare_reading r = *compare(&p, PAIRING_YES, turn);
        assert_int_equal(r.n_expected, 12);
        assert_int_equal(r.n_base, 10);
        assert_int_equal(r.n_missing[TARE_R_TIMEOUT], 1);
        assert_int_equal(r.n_missing[TARE_R_SCORER_ERROR], 1);
    }
    pair_close(&p);
}

/* Give every base of both sides pixels; those of `other` differ. */
static void give_pixels(pair *p, int other)
{
    for (size_t k = 0; k < 2; k++) {
        cube_arm *arm = &p->side[k].c.arm[0];
        arm->pixels = arena_new(&p->side[k].a, arm->bases, sizeof *arm->pixels);
        assert_non_null(arm->pixels);
        for (size_t i = 0; i < arm->bases; i++)
            arm->pixels[i] = k && (int)i == other ? "other" : arm->base[i];
    }
}

static void pairs_are_seen_by_pixels(void **state)
{
    (void)state;
    pair p;
    tare_error err = {0};
    pair_open(&p);
    for (int i = 0; i < 12; i++) {
        put(&p.side[0], "s", "b", i, a_synthetic(i));
        put(&p.side[1], "s", "b", i, a_real(i));
    }
    for (size_t k = 0; k < 2; k++) read_side(&p.side[k]);
    give_pixels(&p, -1);
    assert_ok(merge(&p, PAIRING_AUTO, false, &err));
    assert_true(p.merged.paired);
    assert_ok(merge(&p, PAIRING_NO, false, &err));
    assert_false(p.merged.paired);
    assert_non_null(p.merged.arm[1].set_name);
    give_pixels(&p, 3);
    assert_ok(merge(&p, PAIRING_AUTO, false, &err));
    assert_false(p.merged.paired);
    assert_int_equal(p.seen.same, 11);
    assert_int_equal(p.merged.shared, CUBE_SHARED_PIXELS);
    assert_non_null(p.merged.arm[1].set_name);
    /* Base 3 is another image on each side: eleven in common, and 13 images. */
    assert_ok(analyse_cube(&p.both.result, p.both.context, &p.merged, &p.both.options, &err));
    const tare_reading *r = bench_reading(&p.both, NULL, NULL, "A_difference", NULL);
    assert_non_null(strstr(r->marks, "partly paired"));
    assert_int_equal(r->n_base, 24);
    pair_close(&p);
}

static void scorers_of_both(void **state)
{
    (void)state;
    pair p;
    tare_error err = {0};
    pair_open(&p);
    for (int i = 0; i < 8; i++) {
        put(&p.side[0], "both", "x", i, a_synthetic(i));
        put(&p.side[0], "left", "x", i, a_synthetic(i));
        put(&p.side[1], "both", "y", i, a_real(i));
        put(&p.side[1], "right", "y", i, a_real(i));
    }
    for (size_t k = 0; k < 2; k++) read_side(&p.side[k]);
    assert_ok(merge(&p, PAIRING_AUTO, false, &err));
    assert_int_equal(p.merged.scorers, 1);
    assert_string_equal(p.merged.scorer[0], "both");
    assert_string_equal(p.seen.left_out[0], "left");
    assert_string_equal(p.seen.left_out[1], "right");
    /* A sign that differs would turn one side round. */
    p.side[1].c.sign[0] = -1;
    assert_int_equal(merge(&p, PAIRING_AUTO, false, &err), TARE_E_DATA);
    assert_string_equal(err.code, "compare.sign");
    p.side[1].c.sign[0] = 1;
    p.side[1].c.scorer[0] = "elsewhere";
    assert_int_equal(merge(&p, PAIRING_AUTO, false, &err), TARE_E_DATA);
    assert_string_equal(err.code, "compare.scorers");
    pair_close(&p);
}

/* Each side keeps the noise of its own run. */
static void noise_of_each_run(void **state)
{
    (void)state;
    pair p;
    pair_open(&p);
    p.both.options.boot_b = 199;
    static const char *configurations[2] = {"first", "again"};
    for (int i = 0; i < 40; i++) {
        put(&p.side[0], "s", "x", i, a_synthetic(i));
        put(&p.side[1], "s", "y", i, a_real(i));
    }
    for (size_t k = 0; k < 2; k++) read_side(&p.side[k]);
    double values[2][4] = {{1, 1.5, 2, 2.5}, {1, 1.25, 2, 2.25}}; /* shifts of .5 and .25 */
    for (size_t k = 0; k < 2; k++)
        p.side[k].c.noise[0] = (cube_noise){.known = true, .images = 2, .configurations = 2,
                                            .value = values[k], .configuration = configurations};
    tare_reading r = *compare(&p, PAIRING_AUTO, false);
    assert_close(bench_reading(&p.both, "first/table", "s", "A", "all doses")->floor, 0.5);
    assert_close(bench_reading(&p.both, "second/table", "s", "A", "all doses")->floor, 0.25);
    assert_close(r.floor, 0.75);
    pair_close(&p);
}

/* Another instrument under one name: kept, and marked. */
static void other_instrument(void **state)
{
    (void)state;
    pair p;
    pair_open(&p);
    p.both.options.boot_b = 199;
    for (int i = 0; i < 40; i++) {
        put(&p.side[0], "s", "x", i, a_synthetic(i));
        put(&p.side[1], "s", "y", i, a_real(i));
    }
    static const char *identities[2][1] = {{"{\"model\":1}"}, {"{\"model\":2}"}};
    for (size_t k = 0; k < 2; k++) {
        read_side(&p.side[k]);
        p.side[k].c.identity = identities[k];
    }
    tare_reading r = *compare(&p, PAIRING_AUTO, false);
    assert_true(p.seen.instruments_known);
    assert_string_equal(p.seen.other, "s");
    assert_non_null(strstr(r.marks, "other instrument"));
    p.side[1].c.identity = identities[0];
    r = *compare(&p, PAIRING_AUTO, false);
    assert_null(strstr(r.marks, "other instrument"));
    pair_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paired),
        cmocka_unit_test(swapped),
        cmocka_unit_test(readings_of_arms_stay),
        cmocka_unit_test(same_names_are_no_pairs),
        cmocka_unit_test(some_in_common),
        cmocka_unit_test(many_in_common),
        cmocka_unit_test(clusters_of_both_sides),
        cmocka_unit_test(clusters_of_other_meaning),
        cmocka_unit_test(losses_of_both_sides),
        cmocka_unit_test(pairs_are_seen_by_pixels),
        cmocka_unit_test(scorers_of_both),
        cmocka_unit_test(noise_of_each_run),
        cmocka_unit_test(other_instrument)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
