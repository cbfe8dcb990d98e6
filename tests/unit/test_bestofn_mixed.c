/* Best of n over pools that mix bases: against enumeration of all draws with replacement, against
 * simulated draws, and its resampling against leaving out each base by enumeration. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scorer_tables.h"
#include "support/check.h"

enum { BASES = 3, DOSES = 3, CELLS = BASES * DOSES };

typedef struct pool_table {
    size_t cells;
    double score[64], dose[64], attribute[64];
} pool_table;

/* Two scores are tied between bases, two within one. */
static const double toy_score[CELLS] = {1, 4, 2, 4, 4, 0, 7, 3, 2};
static const double toy_attribute[CELLS] = {20, 31, 39, 24, 33, 46, 11, 19, 32};

static void put(bench *b, const pool_table *t)
{
    text_add(&b->csv, "base,dose,scorer,score,ita\n");
    for (size_t c = 0; c < t->cells; c++)
        text_add_format(&b->csv, "b%02zu,%g,s,%.17g,%.17g\n", c / DOSES, t->dose[c], t->score[c],
                        t->attribute[c]);
}

static pool_table toy(void)
{
    pool_table t = {.cells = CELLS};
    for (size_t c = 0; c < CELLS; c++) {
        t.score[c] = toy_score[c];
        t.attribute[c] = toy_attribute[c];
        t.dose[c] = 5 * ((double)(c % DOSES) - 1);
    }
    return t;
}

/* Mean of x over all cells^n ordered draws of their best, ties shared, less the mean of x. */
static double enumerated(const pool_table *t, const double *x, size_t n)
{
    size_t draws = 1;
    double sum = 0, mean = 0;
    for (size_t k = 0; k < n; k++) draws *= t->cells;
    for (size_t draw = 0; draw < draws; draw++) {
        double best = -INFINITY, part = 0;
        size_t held = 0, left = draw;
        bool seen[64] = {false};
        for (size_t k = 0; k < n; k++, left /= t->cells) {
            size_t c = left % t->cells;
            if (t->score[c] > best) {
                best = t->score[c];
                part = 0;
                held = 0;
            }
            if (t->score[c] < best || seen[c]) continue;
            seen[c] = true;
            part += x[c];
            held++;
        }
        sum += part / (double)held;
    }
    for (size_t c = 0; c < t->cells; c++) mean += x[c] / (double)t->cells;
    return sum / (double)draws - mean;
}

static void run(bench *b, size_t n)
{
    tare_error err = {0};
    b->options.bon_n = n;
    b->options.bon_mixed = true;
    b->options.boot_b = b->options.perm_p = 499;
    assert_ok(bench_run(b, &err));
}

static const tare_reading *mixed(const bench *b, const char *condition)
{
    return bench_reading(b, NULL, NULL, "mixed_net_drift", condition);
}

static void all_draws_are_enumerated(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    pool_table t = toy();
    put(&b, &t);
    for (size_t n = 2; n <= 3; n++) {
        run(&b, n);
        assert_close(mixed(&b, "dose")->estimate, enumerated(&t, t.dose, n));
        assert_close(mixed(&b, "ITA")->estimate, enumerated(&t, t.attribute, n));
    }
    assert_string_equal(mixed(&b, "ITA")->reason, "too_few_clusters");
    assert_non_null(strstr(mixed(&b, "ITA")->marks, "not a bias measure of the axis alone"));
    assert_null(strstr(mixed(&b, "dose")->marks, "confounded"));
    b.options.bon_mixed = false;
    tare_error err = {0};
    assert_ok(bench_run(&b, &err));
    for (size_t i = 0; i < b.result.reading_count; i++)
        assert_string_not_equal(b.result.readings[i].name, "mixed_net_drift");
    bench_close(&b);
}

static size_t below(uint64_t *z, size_t n)
{
    uint64_t x = *z += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (size_t)(((x ^ (x >> 31)) >> 32) * n >> 32);
}

static void simulated_draws_agree(void **state)
{
    (void)state;
    enum { DRAWS = 200000, N = 4 };
    bench b;
    bench_open(&b, 1);
    pool_table t = toy();
    put(&b, &t);
    run(&b, N); /* more than a base has doses: no matter, bases are mixed */
    uint64_t state_of_draws = 9;
    double sum = 0, square = 0;
    for (size_t draw = 0; draw < DRAWS; draw++) {
        size_t drawn[N], best = 0, tied = 0;
        for (size_t k = 0; k < N; k++) {
            drawn[k] = below(&state_of_draws, CELLS);
            if (t.score[drawn[k]] > t.score[drawn[best]]) best = k;
        }
        for (size_t k = 0; k < N; k++) tied += t.score[drawn[k]] == t.score[drawn[best]];
        size_t left = below(&state_of_draws, tied), k = 0; /* one of the tied is taken */
        while (t.score[drawn[k]] != t.score[drawn[best]] || left-- > 0) k++;
        sum += t.dose[drawn[k]];
        square += t.dose[drawn[k]] * t.dose[drawn[k]];
    }
    double mean = sum / DRAWS, se = sqrt((square / DRAWS - mean * mean) / DRAWS);
    assert_within(mixed(&b, "dose")->estimate, mean, 0, 5 * se);
    bench_close(&b);
}

/* Below 30 bases the error is the jackknife's. */
static void leaving_out_is_enumerated(void **state)
{
    (void)state;
    enum { M = 8 };
    bench b;
    bench_open(&b, 1);
    gauss g = {4};
    pool_table t = {.cells = M * DOSES};
    for (size_t c = 0; c < t.cells; c++) {
        t.dose[c] = 5 * ((double)(c % DOSES) - 1);
        t.score[c] = 0.2 * t.dose[c] + 2 * gauss_next(&g);
        t.attribute[c] = 30 + 2 * t.dose[c] + 9 * gauss_next(&g);
    }
    put(&b, &t);
    run(&b, 2);
    for (int q = 0; q < 2; q++) {
        double without[M], mean = 0, sum = 0;
        for (size_t i = 0; i < M; i++) {
            pool_table part = {.cells = 0};
            for (size_t c = 0; c < t.cells; c++) {
                if (c / DOSES == i) continue;
                part.dose[part.cells] = t.dose[c];
                part.attribute[part.cells] = t.attribute[c];
                part.score[part.cells++] = t.score[c];
            }
            without[i] = enumerated(&part, q ? part.attribute : part.dose, 2);
            mean += without[i] / M;
        }
        for (size_t i = 0; i < M; i++) sum += (without[i] - mean) * (without[i] - mean);
        const tare_reading *r = mixed(&b, q ? "ITA" : "dose");
        assert_close(r->se, sqrt(sum * (M - 1) / M));
        assert_close(r->estimate, enumerated(&t, q ? t.attribute : t.dose, 2));
    }
    bench_close(&b);
}

/* 40 copies of one base: every resample is the pool itself, all of it tied between bases, so the
 * drift is that of the base with replacement (10.2624 for score = dose, scorer audit 15.6). */
static void copies_of_one_base(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    text_add(&b.csv, "base,dose,scorer,score\n");
    for (int i = 0; i < 40; i++)
        for (int j = -3; j <= 3; j++) text_add_format(&b.csv, "b%02d,%d,s,%d\n", i, 5 * j, j);
    run(&b, 4);
    const tare_reading *r = mixed(&b, "dose");
    assert_within(r->estimate, 10.2624, 0, 5e-5);
    assert_within(r->se, 0, 0, 0);
    assert_within(r->hi, r->lo, 0, 0);
    bench_close(&b);
}

/* 40 bases without ties: the SD of the replicates is near the jackknife's error. */
static void the_bootstrap_spreads_as_the_jackknife(void **state)
{
    (void)state;
    double se[2];
    for (int way = 0; way < 2; way++) {
        bench b;
        bench_open(&b, 1);
        gauss g = {8};
        text_add(&b.csv, "base,dose,scorer,score\n");
        for (int i = 0; i < 40; i++) {
            double slope = 1 + gauss_next(&g);
            for (int j = -3; j <= 3; j++)
                text_add_format(&b.csv, "b%02d,%d,s,%.9f\n", i, 5 * j, slope * j + gauss_next(&g));
        }
        if (way) b.options.ci = "t";
        run(&b, 4);
        const tare_reading *r = mixed(&b, "dose");
        assert_string_equal(r->interval_method, way ? "jackknife t" : "percentile");
        assert_true(r->lo < r->estimate && r->estimate < r->hi);
        se[way] = r->se;
        bench_close(&b);
    }
    assert_within(se[0], se[1], 0.2, 0); /* 499 replicates: 3 % of error, and the bias of both */
}

/* A base without the attribute is left out of the drift in its units only. */
static void a_base_without_attribute(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    pool_table t = toy();
    text_add(&b.csv, "base,dose,scorer,score,ita\n");
    for (size_t c = 0; c < CELLS; c++) {
        text_add_format(&b.csv, "b%zu,%g,s,%.17g,", c / DOSES, t.dose[c], t.score[c]);
        if (c != 7) text_add_format(&b.csv, "%.17g", t.attribute[c]);
        text_add_char(&b.csv, '\n');
    }
    run(&b, 2);
    assert_close(mixed(&b, "dose")->estimate, enumerated(&t, t.dose, 2));
    t.cells = 2 * DOSES;
    assert_close(mixed(&b, "ITA")->estimate, enumerated(&t, t.attribute, 2));
    assert_int_equal(mixed(&b, "ITA")->n_base, 2);
    assert_int_equal(mixed(&b, "ITA")->n_missing[TARE_R_MISSING], 1);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_draws_are_enumerated),
        cmocka_unit_test(simulated_draws_agree),
        cmocka_unit_test(leaving_out_is_enumerated),
        cmocka_unit_test(copies_of_one_base),
        cmocka_unit_test(the_bootstrap_spreads_as_the_jackknife),
        cmocka_unit_test(a_base_without_attribute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
