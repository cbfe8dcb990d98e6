/* Leaving out one cluster (scorer audit 7): who decides is named, whether clusters are of one size
 * (closed form) or not (walk over all). */
#include <string.h>

#include "scorer_tables.h"
#include "support/check.h"

/* 19 bases prefer the + side by a little that spreads widely; base 7 by a lot. With `uneven`, base
 * 0 comes twice in its cluster, equal to itself, so that its cluster mean stays what it was. */
static void put(bench *b, double lift, bool uneven)
{
    gauss g = {5};
    text_add(&b->csv, "base,cluster,dose,scorer,score\n");
    for (int i = 0; i < 20; i++) {
        double slope = i == 7 ? lift : 0.4 + 0.9 * gauss_next(&g);
        for (int twin = 0; twin < (uneven && i == 0 ? 2 : 1); twin++)
            for (int dose = -1; dose <= 1; dose++)
                text_add_format(&b->csv, "b%02d%c,c%02d,%d,s,%.17g\n", i, twin ? 'x' : 'a', i,
                                dose, 10 + 0.1 * i + slope * dose);
    }
}

static const tare_reading *influence(bench *b, double lift, bool uneven)
{
    tare_error err = {0};
    bench_clear(b);
    put(b, lift, uneven);
    assert_ok(bench_run(b, &err));
    return bench_reading(b, NULL, "s", "A", "leave one cluster out");
}

/* Brute force: t interval of the cluster slopes without k, as SciPy's ttest_1samp does. */
static size_t brute_changes(double lift, bool only_seven)
{
    double x[20];
    gauss g = {5};
    size_t changes = 0;
    for (int i = 0; i < 20; i++) x[i] = 2 * (i == 7 ? lift : 0.4 + 0.9 * gauss_next(&g));
    bool full = false;
    for (int k = -1; k < 20; k++) {
        double n = 0, sum = 0, squares = 0;
        for (int i = 0; i < 20; i++)
            if (i != k) sum += x[i], n++;
        for (int i = 0; i < 20; i++)
            if (i != k) squares += (x[i] - sum / n) * (x[i] - sum / n);
        /* t(.975) with 19 and 18 df: R qt(.975, 19), qt(.975, 18) */
        double t = k < 0 ? 2.09302405440831 : 2.10092204024104;
        bool resolved = fabs(sum / n) > t * sqrt(squares / (n * (n - 1)));
        if (k < 0) full = resolved;
        else if (resolved != full && (!only_seven || k == 7)) changes++;
    }
    return changes;
}

static void the_cluster_that_decides_is_named(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    b.options.boot_b = b.options.perm_p = 199;
    b.options.margins = false; /* then only resolved or not can change */
    size_t hits = 0;
    for (double lift = -3; lift <= 6; lift += 0.5) {
        const tare_reading *r = influence(&b, lift, false);
        size_t want = brute_changes(lift, false);
        assert_true(r->estimate == (double)want);
        assert_true((strstr(r->marks, "fail") != NULL) == (want > 0));
        if (brute_changes(lift, true)) {
            assert_non_null(strstr(r->marks, "c07"));
            hits++;
        }
    }
    assert_true(hits > 0);
    bench_close(&b);
}

/* A cluster of two equal bases has the mean of one: nearly the same weights, the same answer where
 * the answer is clear. */
static void unequal_clusters_take_the_long_way(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    b.options.boot_b = b.options.perm_p = 199;
    b.options.margins = false;
    const tare_reading *r = influence(&b, 0.4, true);
    assert_true(r->n_base == 21 || r->n_base == 0);
    assert_true(r->estimate == (double)brute_changes(0.4, false));
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cluster_that_decides_is_named),
        cmocka_unit_test(unequal_clusters_take_the_long_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
