/* What must change nothing (statistics 17): threads, row order, other scorers; and what must
 * change in a known way. */
#include <stdlib.h>
#include <string.h>

#include "scorer_tables.h"
#include "support/check.h"

#define BASES 36
#define SCORERS 2

typedef struct score_row {
    int base, dose, scorer;
    double score, ita, artifact;
} score_row;

typedef struct rows {
    score_row row[BASES * 7 * SCORERS];
    size_t count;
} rows;

/* Two scorers; two of the clusters hold two images; the second scorer lacks a base. */
static void make(rows *x, double scale, double shift, double base_shift, int dose_sign)
{
    gauss g = {2024};
    x->count = 0;
    for (int base = 0; base < BASES; base++)
        for (int scorer = 0; scorer < SCORERS; scorer++) {
            double level = gauss_next(&g);
            for (int dose = -15; dose <= 15; dose += 5) {
                double s = level + .3 * gauss_next(&g) - .01 * abs(dose) + .02 * dose;
                double artifact = dose ? .002 * (1 + base % 7) * abs(dose) : 0;
                double ita = 40 + 2 * dose + gauss_next(&g);
                if (scorer == 1 && base == 5 && dose == 10) continue;
                x->row[x->count++] = (score_row){base, dose_sign * dose, scorer,
                                                 scale * s + shift + base_shift * base,
                                                 ita, artifact};
            }
        }
    /* the attribute of a variant is one number: that of scorer 0 */
    for (size_t i = 0; i < x->count; i++)
        for (size_t k = 0; k < x->count; k++)
            if (x->row[k].base == x->row[i].base && x->row[k].dose == x->row[i].dose &&
                x->row[k].scorer == 0)
                x->row[i].ita = x->row[k].ita;
}

static void shuffle(rows *x)
{
    for (size_t i = x->count - 1; i > 0; i--) {
        size_t k = (i * 7919 + 13) % (i + 1);
        score_row swap = x->row[i];
        x->row[i] = x->row[k];
        x->row[k] = swap;
    }
}

static void put(bench *b, const rows *x, int only_scorer)
{
    bench_clear(b);
    text_add(&b->csv, "base,cluster,group,dose,scorer,score,ita,artifact\n");
    for (size_t i = 0; i < x->count; i++) {
        const score_row *r = &x->row[i];
        if (only_scorer >= 0 && r->scorer != only_scorer) continue;
        text_add_format(&b->csv, "b%02d,c%02d,g%d,%d,s%d,%.17g,%.17g,%.17g\n", r->base,
                        r->base % 34, r->base % 34 % 3, r->dose, r->scorer, r->score,
                        r->ita, r->artifact);
    }
    tare_error err = {0};
    assert_ok(bench_run(b, &err));
}

static void set_small(bench *b)
{
    b->options.boot_b = b->options.perm_p = 999;
}

static void threads_and_row_order_change_no_bit(void **state)
{
    (void)state;
    static const unsigned threads[] = {1, 2, 3, 8};
    rows x;
    make(&x, 1, 0, 0, 1);
    char *first = NULL;
    for (size_t k = 0; k < 4; k++)
        for (int order = 0; order < 2; order++) {
            bench b;
            bench_open(&b, threads[k]);
            set_small(&b);
            put(&b, &x, -1);
            char *dump = bench_dump(&b);
            if (!first)
                first = dump;
            else {
                assert_string_equal(dump, first);
                mem_free(&b.m, dump);
            }
            bench_close(&b);
            shuffle(&x);
        }
    mem m = mem_system();
    assert_non_null(strstr(first, "omnibus"));
    mem_free(&m, first);
}

/* q belongs to the family and may change; everything else of the other scorer stays, to the bit. */
static void other_scorers_change_nothing(void **state)
{
    (void)state;
    rows x;
    make(&x, 1, 0, 0, 1);
    for (int scorer = 0; scorer < SCORERS; scorer++) {
        bench both, one;
        bench_open(&both, 2);
        bench_open(&one, 2);
        set_small(&both);
        set_small(&one);
        put(&both, &x, -1);
        put(&one, &x, scorer);
        char name[8];
        snprintf(name, sizeof name, "s%d", scorer);
        size_t compared = 0;
        for (size_t i = 0; i < one.result.reading_count; i++) {
            const tare_reading *r = &one.result.readings[i];
            if (strcmp(r->instrument, name) != 0) continue;
            const tare_reading *o = bench_reading(&both, r->arm, name, r->name, r->condition);
            const double a[] = {r->estimate, r->se, r->lo, r->hi, r->p, r->mde, r->margin};
            const double c[] = {o->estimate, o->se, o->lo, o->hi, o->p, o->mde, o->margin};
            for (size_t k = 0; k < sizeof a / sizeof *a; k++)
                assert_true(a[k] == c[k] || (isnan(a[k]) && isnan(c[k])));
            compared++;
        }
        assert_true(compared > 50);
        bench_close(&both);
        bench_close(&one);
    }
}

typedef struct key { const char *name, *condition; } key;

static void affine_scores_keep_p_verdict_and_kappa(void **state)
{
    (void)state;
    rows x;
    bench plain, scaled;
    bench_open(&plain, 2);
    bench_open(&scaled, 2);
    set_small(&plain);
    set_small(&scaled);
    make(&x, 1, 0, 0, 1);
    put(&plain, &x, -1);
    make(&x, 4, 3, 0, 1);
    put(&scaled, &x, -1);
    static const key keys[] = {{"N", "all doses"}, {"FI", "all doses"}, {"A", "all doses"},
                               {"beta", "with artifact"}, {"net_drift", "dose"},
                               {"net_drift", "ITA"}, {"FI_adj", NULL}, {"omnibus", "FI"}};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        const tare_reading *a = bench_reading(&plain, NULL, "s0", keys[k].name, keys[k].condition);
        const tare_reading *c = bench_reading(&scaled, NULL, "s0", keys[k].name, keys[k].condition);
        assert_close(c->p, a->p);
        assert_true(isnan(a->q) == isnan(c->q));
        if (!isnan(a->q)) assert_close(c->q, a->q);
        assert_int_equal(a->verdict, c->verdict);
        bool drift = strcmp(keys[k].name, "net_drift") == 0;
        assert_close(c->estimate, (drift ? 1 : 4) * a->estimate);
    }
    assert_close(bench_reading(&scaled, NULL, "s0", "kappa", NULL)->estimate,
                 bench_reading(&plain, NULL, "s0", "kappa", NULL)->estimate);
    bench_close(&plain);
    bench_close(&scaled);
}

static void a_shift_per_base_changes_no_reading(void **state)
{
    (void)state;
    rows x;
    bench plain, moved;
    bench_open(&plain, 2);
    bench_open(&moved, 2);
    set_small(&plain);
    set_small(&moved);
    make(&x, 1, 0, 0, 1);
    put(&plain, &x, -1);
    make(&x, 1, 0, .7, 1);
    put(&moved, &x, -1);
    static const key keys[] = {{"FI", "all doses"}, {"A", "all doses"}, {"beta", "with artifact"},
                               {"net_drift", "dose"}, {"net_drift", "ITA"}, {"A_adj", NULL}};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        const tare_reading *a = bench_reading(&plain, NULL, "s1", keys[k].name, keys[k].condition);
        const tare_reading *c = bench_reading(&moved, NULL, "s1", keys[k].name, keys[k].condition);
        assert_close(c->estimate, a->estimate);
        assert_close(c->p, a->p);
        assert_close(c->lo, a->lo);
    }
    bench_close(&plain);
    bench_close(&moved);
}

static void swapped_dose_signs_flip_the_asymmetry_only(void **state)
{
    (void)state;
    rows x;
    bench plain, turned;
    bench_open(&plain, 2);
    bench_open(&turned, 2);
    set_small(&plain);
    set_small(&turned);
    make(&x, 1, 0, 0, 1);
    put(&plain, &x, -1);
    make(&x, 1, 0, 0, -1);
    put(&turned, &x, -1);
    static const struct { key key; double sign; } keys[] = {
        {{"FI", "all doses"}, 1}, {{"A", "all doses"}, -1}, {{"net_drift", "dose"}, -1},
        {{"FI", "extreme doses"}, 1}, {{"A", "extreme doses"}, -1}, {{"FI_adj", NULL}, 1},
        {{"A_adj", NULL}, -1}, {{"kappa", NULL}, -1}};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        const key *n = &keys[k].key;
        const tare_reading *a = bench_reading(&plain, NULL, "s0", n->name, n->condition);
        const tare_reading *c = bench_reading(&turned, NULL, "s0", n->name, n->condition);
        assert_close(c->estimate, keys[k].sign * a->estimate);
        assert_close(c->p, a->p);
    }
    bench_close(&plain);
    bench_close(&turned);
}

static void lower_is_better_turns_the_score(void **state)
{
    (void)state;
    rows x;
    bench b;
    bench_open(&b, 1);
    set_small(&b);
    make(&x, 1, 0, 0, 1);
    put(&b, &x, 0);
    double fi = bench_reading(&b, NULL, "s0", "FI", "all doses")->estimate;
    double raw = bench_cell(&b, "used_scores", "s0", "score")->number;
    const char *lower[] = {"s0"};
    b.table.lower = lower;
    b.table.lower_count = 1;
    put(&b, &x, 0);
    assert_close(bench_reading(&b, NULL, "s0", "FI", "all doses")->estimate, -fi);
    assert_close(bench_cell(&b, "used_scores", "s0", "score")->number, raw); /* raw is shown */
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_and_row_order_change_no_bit),
        cmocka_unit_test(other_scorers_change_nothing),
        cmocka_unit_test(affine_scores_keep_p_verdict_and_kappa),
        cmocka_unit_test(a_shift_per_base_changes_no_reading),
        cmocka_unit_test(swapped_dose_signs_flip_the_asymmetry_only),
        cmocka_unit_test(lower_is_better_turns_the_score),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
