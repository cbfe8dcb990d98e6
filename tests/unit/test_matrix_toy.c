/* The toy of judge audits A.10.1, and the facts of A.2 and A.3 on made tables. */
#include "support/check.h"

#include <string.h>

#include "audit/matrix/matrix_numbers.h"
#include "matrix_fixture.h"

static tare_error err;

static const double toy[9] = {80, 60, 70, 70, 72, 66, 60, 55, 75};

/* As cell means, and as 40 items that vary about them by the same in every cell. */
static void put_toy(matrix_bench *b, bool items)
{
    static const char *const name = "abc";
    text_clear(&b->csv);
    text_add(&b->csv, items ? "item,author,judge,score\n" : "author,judge,mean,n\n");
    for (int g = 0; g < 3; g++)
        for (int e = 0; e < 3; e++) {
            if (!items)
                text_add_format(&b->csv, "%c,%c,%g,40\n", name[g], name[e], toy[g * 3 + e]);
            for (int i = 0; items && i < 40; i++)
                text_add_format(&b->csv, "%d,%c,%c,%.17g\n", i, name[g], name[e],
                                toy[g * 3 + e] + (i % 5 - 2) + ((i * (g + 2) + e) % 4 - 1.5) * .25);
        }
}

static const char *const judges[3] = {"a", "b", "c"};

static void check_toy(const matrix_bench *b)
{
    static const double r[3] = {7.555556, 7.888889, 8.888889};
    static const double z[3] = {0.955705, 1.295709, 1.595913};
    static const double phi2[9] = {1.399991,  -0.873256, -0.526735, -0.057389, 1.252431,
                                   -1.195042, -0.792278, -0.618367, 1.410645};
    for (int j = 0; j < 3; j++) {
        assert_within(matrix_bench_reading(b, "cells", "R", judges[j], judges[j])->estimate, r[j],
                      0, 5e-7);
        assert_within(matrix_bench_reading(b, "cells", "Z", judges[j], judges[j])->estimate, z[j],
                      0, 5e-7);
        for (int g = 0; g < 3; g++)
            assert_within(matrix_bench_reading(b, "cells", "Phi~", judges[j], judges[g])->estimate,
                          phi2[g * 3 + j], 0, 5e-7);
    }
}

/* A.10.1, ddof 0 and the first row with ddof 1. */
static void cell_means(void **state)
{
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 2);
    put_toy(&b, false);
    const char *options[] = {"cells-from=author,judge,mean", "ddof=0", NULL};
    assert_ok(matrix_bench_run(&b, NULL, options, &err));
    check_toy(&b);
    const tare_reading *x = matrix_bench_reading(&b, "cells", "Phi~", "a", "a");
    assert_int_equal(x->verdict, TARE_DESCRIPTIVE);
    assert_true(isnan(x->p));
    options[1] = "ddof=1";
    assert_ok(matrix_bench_run(&b, NULL, options, &err));
    static const double first[3] = {1.143088, -0.713010, -0.430077};
    for (int e = 0; e < 3; e++)
        assert_within(matrix_bench_reading(&b, "cells", "Phi~", judges[e], "a")->estimate,
                      first[e], 0, 5e-7);
    char *text = matrix_bench_sentences(&b);
    assert_non_null(strstr(text, "without items nothing can be tested"));
    mem_free(&b.m, text);
    matrix_bench_close(&b);
}

/* Mean D = R E/(E-1) G/(G-1) of a complete table to 1e-12; D per item is the same contrast. */
static void contrast_is_residual(void **state)
{
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 2);
    put_toy(&b, true);
    assert_ok(matrix_bench_run(&b, NULL, NULL, &err));
    for (int j = 0; j < 3; j++) {
        double d = matrix_bench_reading(&b, "self", "D", judges[j], NULL)->estimate;
        double r = matrix_bench_reading(&b, "cells", "R", judges[j], judges[j])->estimate;
        assert_within(d, r * 3 / 2 * 3 / 2, 1e-12, 0);
        double t = matrix_bench_number(&b, "self", "judge", judges[j], "D_t");
        double se = matrix_bench_number(&b, "self", "judge", judges[j], "D_t_se");
        assert_within(t * se, d, 1e-12, 0); /* mean of the per-item contrasts */
    }
    matrix_bench_close(&b);
}

/* Facts of A.2, on a matrix of 5 authors x 7 judges. */
static void facts(void **state)
{
    enum { G = 5, E = 7 };
    double phi[G * E], other[G * E], a[G * E], z[G * E], scratch[PREFERENCE_SCRATCH(G, E)];
    (void)state;
    for (int c = 0; c < G * E; c++) phi[c] = matrix_bench_gauss(3, (uint32_t)c);
    preference_of(&(preference){.standardised = a}, phi, &(preference_shape){G, E, 0}, scratch);
    double columns = 0;
    for (int g = 0; g < G; g++) {
        double sum = 0, square = 0;
        for (int e = 0; e < E; e++) {
            sum += a[g * E + e];
            square += a[g * E + e] * a[g * E + e];
            assert_true(fabs(a[g * E + e]) <= sqrt(E - 1) + 1e-12);
        }
        assert_within(sum, 0, 0, 1e-12);
        assert_within(square / E, 1, 1e-12, 0);
    }
    for (int e = 0; e < E; e++) {
        double sum = 0;
        for (int g = 0; g < G; g++) sum += a[g * E + e];
        columns = fmax(columns, fabs(sum));
    }
    assert_true(columns > 0.1); /* not centred */
    /* a s + b per judge changes nothing. */
    for (int c = 0; c < G * E; c++) other[c] = phi[c] * (1 + c % E) + 10 * (c % E);
    preference_of(&(preference){.standardised = z}, other, &(preference_shape){G, E, 0}, scratch);
    for (int c = 0; c < G * E; c++) assert_within(z[c], a[c], 1e-9, 1e-11);
    /* Rows first is another matrix. */
    double turned[G * E];
    for (int g = 0; g < G; g++)
        for (int e = 0; e < E; e++) other[e * G + g] = phi[g * E + e];
    preference_of(&(preference){.standardised = turned}, other, &(preference_shape){E, G, 0},
                  scratch);
    double apart = 0;
    for (int g = 0; g < G; g++)
        for (int e = 0; e < E; e++)
            apart = fmax(apart, fabs(turned[e * G + g] - a[g * E + e]));
    assert_true(apart > 0.1);
}

/* Exact: with K = 3 the floor is 1/6 and nothing is said about models in general. */
static void few_models(void **state)
{
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 2);
    put_toy(&b, true);
    assert_ok(matrix_bench_run(&b, NULL, NULL, &err));
    const tare_reading *x = matrix_bench_reading(&b, "identity", "identity_R", NULL, "one-sided");
    assert_int_equal(x->verdict, TARE_DESCRIPTIVE);
    assert_close(x->p, 1.0 / 6);
    assert_close(x->p_floor, 1.0 / 6);
    x = matrix_bench_reading(&b, "identity", "positive_self_cells", NULL, "Phi~");
    assert_close(x->estimate, 3);
    assert_close(x->p, 1.0 / 8);
    char *text = matrix_bench_sentences(&b);
    assert_non_null(strstr(text, "cannot be known from 3 models"));
    assert_non_null(strstr(text, "with 3 judges Phi~"));
    mem_free(&b.m, text);
    matrix_bench_close(&b);
}

/* Rank form of E.2: a ranks itself first, as the others do; c ranks itself first, the others last.
 */
static void ranks(void **state)
{
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 1);
    put_toy(&b, false);
    const char *options[] = {"cells-from=author,judge,mean", NULL};
    assert_ok(matrix_bench_run(&b, NULL, options, &err));
    /* Column a 80 70 60: rank 1. Others of a, b, c: 65, 69, 65: rank 2.5. Columns b, c: 2, 2. */
    assert_close(matrix_bench_number(&b, "self", "judge", "a", "rank_by_itself"), 1);
    assert_close(matrix_bench_number(&b, "self", "judge", "a", "rank_by_others"), 2.5);
    assert_close(matrix_bench_number(&b, "self", "judge", "a", "rank_selfbias"), 0.5);
    assert_close(matrix_bench_number(&b, "self", "judge", "a", "rank_minus_others_mean"), -1);
    /* c: column 70 66 75: rank 1; others 70 71 57.5: rank 3; columns a, b: 3, 3. */
    assert_close(matrix_bench_number(&b, "self", "judge", "c", "rank_selfbias"), 2.0 / 3);
    assert_close(matrix_bench_number(&b, "self", "judge", "c", "rank_minus_others_mean"), -2);
    matrix_bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cell_means), cmocka_unit_test(contrast_is_residual),
        cmocka_unit_test(facts), cmocka_unit_test(few_models), cmocka_unit_test(ranks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
