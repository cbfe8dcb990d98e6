/* The search for a panel: judge audits B.6, B.10. Tables are made in memory. */
#include "support/check.h"

#include <string.h>

#include "audit/panel/panel_study.h"
#include "panel_fixture.h"

static tare_error err;
static tare_context *context;
static arena a;

static int open(void **state)
{
    (void)state;
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    assert_ok(tare_context_new(&context, &o, &err));
    arena_init(&a, &context->mem);
    return 0;
}

static int closed(void **state)
{
    (void)state;
    arena_free(&a);
    tare_context_free(context);
    return 0;
}

static name_axis names(const char *prefix, size_t n)
{
    name_axis x = {arena_new(&a, n, sizeof *x.name), n};
    for (size_t k = 0; k < n; k++) x.name[k] = arena_printf(&a, "%s%04zu", prefix, k);
    return x;
}

/* Judge j writes as author j while there are authors; score = gold + error, in `steps` (0: not
 * rounded). */
typedef struct world { size_t items, authors, judges; uint64_t seed; double noise, steps, own; }
    world;

static double step(double x, double steps)
{
    return steps > 0 ? rint(x * steps) / steps : x;
}

static score_table make(const world *w)
{
    score_table t = {.item = names("i", w->items), .author = names("m", w->authors),
                     .judge = names("m", w->judges), .setting = names("", 1), .dim = names("", 1),
                     .units = w->items * w->authors, .layers = 1};
    t.cluster = t.item;
    t.unit_item = arena_new(&a, t.units, sizeof *t.unit_item);
    t.unit_author = arena_new(&a, t.units, sizeof *t.unit_author);
    t.item_cluster = arena_new(&a, w->items, sizeof *t.item_cluster);
    t.author_of_judge = arena_new(&a, w->judges, sizeof *t.author_of_judge);
    t.layer = arena_new(&a, 1, sizeof *t.layer);
    t.layer->score = arena_new(&a, t.units * w->judges, sizeof(double));
    t.layer->gold = arena_new(&a, t.units, sizeof(double));
    for (size_t i = 0; i < w->items; i++) t.item_cluster[i] = (uint32_t)i;
    for (size_t j = 0; j < w->judges; j++) t.author_of_judge[j] = j < w->authors ? j : SIZE_MAX;
    for (size_t u = 0; u < t.units; u++) {
        uint32_t at = (uint32_t)u;
        t.unit_item[u] = (uint32_t)(u / w->authors);
        t.unit_author[u] = (uint32_t)(u % w->authors);
        double gold = panel_gauss(w->seed, at) + .3 * t.unit_author[u];
        t.layer->gold[u] = step(gold, w->steps);
        for (size_t j = 0; j < w->judges; j++) {
            double e = w->noise * panel_gauss(w->seed + 1, (uint32_t)(u * w->judges + j));
            double own = j == t.unit_author[u] ? w->own * (double)j : 0;
            t.layer->score[u * w->judges + j] = step(gold + e + own, w->steps);
        }
    }
    return t;
}

static search_options options(const aggregator *g, const world *w, size_t most)
{
    size_t *candidate = arena_new(&a, w->judges, sizeof *candidate);
    uint32_t *fold = arena_new(&a, w->items, sizeof *fold);
    for (size_t k = 0; k < w->judges; k++) candidate[k] = k;
    for (size_t k = 0; k < w->items; k++) fold[k] = (uint32_t)(k % 5);
    return (search_options){.aggregate = g, .agree = AGREE_TAU_B, .candidate = candidate,
                            .candidates = w->judges, .most = most, .within = .01, .fold = fold,
                            .folds = 5};
}

static void search(panel_search *s, panel_rows *rows, const score_table *t,
                   const search_options *o)
{
    assert_ok(panel_rows_make(rows, &a, t, 0, o->aggregate, false, &err));
    assert_ok(panel_search_run(s, context, rows, o, &err));
}

static void test_counts(void **state)
{
    (void)state;
    assert_int_equal(panel_search_count(12, 3), 298);
    assert_int_equal(panel_search_count(12, 5), 1585);
    assert_int_equal(panel_search_count(3, 5), 7);
    assert_true(panel_search_count(200, 64) == SIZE_MAX);
}

/* A beam that keeps everything meets what the exhaustive search meets. */
static void test_wide_beam(void **state)
{
    (void)state;
    static const aggregator mean = {.rule = AGGREGATE_MEAN};
    world w = {60, 5, 6, 11, 1, 3, .3};
    score_table t = make(&w);
    search_options all = options(&mean, &w, 4), wide = all;
    panel_rows r1, r2;
    panel_search x, y;
    size_t *front[2], count[2];
    wide.width = 100;
    search(&x, &r1, &t, &all);
    search(&y, &r2, &t, &wide);
    assert_true(x.exhaustive && !y.exhaustive);
    assert_int_equal(x.count, panel_search_count(6, 4));
    for (size_t k = 0; k <= 5; k++) {
        search_choice p = panel_search_choose(&x, k, 0), q = panel_search_choose(&y, k, 0);
        searched a1 = panel_search_at(&x, p.best), a2 = panel_search_at(&y, q.best);
        assert_int_equal(a1.size, a2.size);
        assert_memory_equal(a1.member, a2.member, a1.size * sizeof *a1.member);
        assert_true(a1.agree[k] == a2.agree[k] && a1.bias[k] == a2.bias[k]);
        a1 = panel_search_at(&x, p.gentle);
        a2 = panel_search_at(&y, q.gentle);
        assert_true(a1.agree[k] == a2.agree[k] && a1.bias[k] == a2.bias[k]);
    }
    assert_ok(panel_search_front(&front[0], &count[0], &x, &a, &err));
    assert_ok(panel_search_front(&front[1], &count[1], &y, &a, &err));
    assert_int_equal(count[0], count[1]);
    for (size_t k = 0; k < count[0]; k++)
        assert_true(panel_search_at(&x, front[0][k]).agree[0] ==
                    panel_search_at(&y, front[1][k]).agree[0]);
    panel_search_free(&x);
    panel_search_free(&y);
}

/* No panel of the front is beaten, and every other one is: by the definition, pair by pair. */
static void test_front(void **state)
{
    (void)state;
    static const aggregator mean = {.rule = AGGREGATE_MEAN};
    world w = {50, 6, 7, 5, 1, 0, .4};
    score_table t = make(&w);
    search_options o = options(&mean, &w, 3);
    panel_rows r;
    panel_search s;
    size_t *front, count;
    search(&s, &r, &t, &o);
    assert_ok(panel_search_front(&front, &count, &s, &a, &err));
    for (size_t k = 0; k < s.count; k++) {
        searched p = panel_search_at(&s, k);
        bool beaten = false, on = false;
        for (size_t i = 0; i < s.count; i++) {
            searched q = panel_search_at(&s, i);
            double more = q.agree[0] - p.agree[0], less = p.bias[0] - q.bias[0];
            beaten |= more >= 0 && less >= 0 && (more > 1e-12 || less > 1e-12);
        }
        for (size_t i = 0; i < count; i++) on |= front[i] == k;
        assert_true(on == !beaten);
    }
    panel_search_free(&s);
}

/* Scores of few values are counted by tuples, of many values row by row: the same numbers. */
static void test_two_ways(void **state)
{
    (void)state;
    static const aggregator median = {.rule = AGGREGATE_MEDIAN};
    world w = {300, 4, 5, 7, .8, 4, .2};
    score_table t = make(&w), many = make(&w);
    search_options o = options(&median, &w, 3);
    panel_rows r1, r2;
    panel_search x, y;
    search(&x, &r1, &t, &o);
    /* Items of their own that have no gold: they give every judge many values and change nothing
     * else; they are in no matrix, for author 0 alone has them. */
    size_t more = 290, units = t.units + more;
    double *score = arena_new(&a, units * 5, sizeof *score);
    double *gold = arena_new(&a, units, sizeof *gold);
    memcpy(score, t.layer->score, t.units * 5 * sizeof *score);
    memcpy(gold, t.layer->gold, t.units * sizeof *gold);
    many.item = many.cluster = names("i", w.items + more);
    many.unit_item = arena_new(&a, units, sizeof *many.unit_item);
    many.unit_author = arena_new(&a, units, sizeof *many.unit_author);
    many.item_cluster = arena_new(&a, w.items + more, sizeof *many.item_cluster);
    memcpy(many.unit_item, t.unit_item, t.units * sizeof *many.unit_item);
    memcpy(many.unit_author, t.unit_author, t.units * sizeof *many.unit_author);
    for (size_t i = 0; i < w.items + more; i++) many.item_cluster[i] = (uint32_t)i;
    for (size_t i = 0; i < more; i++) {
        many.unit_item[t.units + i] = (uint32_t)(w.items + i);
        gold[t.units + i] = NAN;
        for (size_t j = 0; j < 5; j++)
            score[(t.units + i) * 5 + j] = panel_gauss(99, (uint32_t)(i * 5 + j));
    }
    many.units = units;
    many.layer->score = score;
    many.layer->gold = gold;
    uint32_t *fold = arena_new(&a, w.items + more, sizeof *fold);
    for (size_t k = 0; k < w.items + more; k++) fold[k] = (uint32_t)(k % 5);
    o.fold = fold;
    search(&y, &r2, &many, &o);
    assert_int_equal(r2.matrix_items, w.items);
    assert_int_equal(x.count, y.count);
    for (size_t k = 0; k < x.count; k++)
        for (size_t i = 0; i < x.subsets; i++) {
            assert_close(panel_search_at(&y, k).agree[i], panel_search_at(&x, k).agree[i]);
            assert_close(panel_search_at(&y, k).bias[i], panel_search_at(&x, k).bias[i]);
        }
    panel_search_free(&x);
    panel_search_free(&y);
}

/* B.10: eight exchangeable judges of independent error. What the chosen panel shows on the items it
 * was chosen on is more than it is worth; the cross-fitted number is what fresh items give. */
static void test_optimism(void **state)
{
    (void)state;
    enum { RUNS = 40 };
    static const aggregator mean = {.rule = AGGREGATE_MEAN};
    double shown = 0, held = 0, fresh = 0;
    for (uint64_t run = 0; run < RUNS; run++) {
        world w = {60, 1, 8, 1000 + 10 * run, 1.5, 0, 0}, new = {1500, 1, 8, 5000 + 10 * run, 1.5,
                                                               0, 0};
        score_table t = make(&w), later = make(&new);
        search_options o = options(&mean, &w, 2), p = options(&mean, &new, 2);
        panel_rows r1, r2;
        panel_search x, y;
        search(&x, &r1, &t, &o);
        p.folds = 0;
        search(&y, &r2, &later, &p);
        size_t best = panel_search_choose(&x, 0, 0).best;
        shown += panel_search_at(&x, best).agree[0] / RUNS;
        fresh += panel_search_at(&y, best).agree[0] / RUNS; /* the same order of panels */
        for (size_t k = 0; k < 5; k++) {
            size_t chosen = panel_search_choose(&x, search_train(k), 0).best;
            held += panel_search_at(&x, chosen).agree[search_test(&x, k)] / RUNS / 5;
        }
        panel_search_free(&x);
        panel_search_free(&y);
    }
    assert_true(shown > fresh + .03);
    assert_within(held, fresh, 0, .02);
}

/* A panel whose members write nothing has no text of its own to favour. */
static void test_no_author(void **state)
{
    (void)state;
    static const aggregator mean = {.rule = AGGREGATE_MEAN};
    world w = {40, 3, 5, 3, 1, 0, .5};
    score_table t = make(&w);
    search_options o = options(&mean, &w, 2);
    panel_rows r;
    panel_search s;
    search(&s, &r, &t, &o);
    for (size_t k = 0; k < s.count; k++) {
        searched p = panel_search_at(&s, k);
        bool writes = p.member[0] < 3 || (p.size > 1 && p.member[1] < 3);
        assert_true((p.bias[0] > 0) == writes);
    }
    panel_search_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),   cmocka_unit_test(test_wide_beam),
        cmocka_unit_test(test_front),    cmocka_unit_test(test_two_ways),
        cmocka_unit_test(test_optimism), cmocka_unit_test(test_no_author),
    };
    return cmocka_run_group_tests(tests, open, closed);
}
