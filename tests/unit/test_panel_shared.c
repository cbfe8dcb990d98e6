/* Panels on the IFEval judge matrix: judge audits B.9, goldens 2 to 5. gold = ref. */
#include "support/check.h"

#include <string.h>

#include "audit/panel/panel_search.h"

static tare_error err;
static tare_context *context;
static score_table scores;
static arena a;

static const struct { const char *id, *name; } ids[] = {
    {"Gemma27", "gemma_3_27b_it"}, {"Gemma12", "gemma_3_12b_it"}, {"Gemma4", "gemma_3_4b_it"},
    {"GPT-120B", "gpt_120b_oss"}, {"GPT-5", "gpt_5"}, {"Haiku", "claude_4_5_haiku"},
    {"Sonnet", "claude_4_5_sonnet"}, {"Qwen235", "qwen3_235b_instruct"},
};

static size_t judge(const char *id)
{
    for (size_t k = 0; k < sizeof ids / sizeof *ids; k++)
        for (size_t j = 0; j < scores.judge.count && !strcmp(ids[k].id, id); j++)
            if (!strcmp(scores.judge.name[j], ids[k].name)) return j;
    fail_msg("no judge %s", id);
    return 0;
}

static int load(void **state)
{
    (void)state;
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    assert_ok(tare_context_new(&context, &o, &err));
    arena_init(&a, &context->mem);
    score_table_options t = {.columns = {.author = "generator", .gold = "ref"}};
    assert_ok(score_table_load(&scores, &a, context,
                               TARE_SHARED_DIR "/data/judges/ifeval_scores.csv.gz", &t, NULL,
                               &err));
    return 0;
}

static int unload(void **state)
{
    (void)state;
    arena_free(&a);
    tare_context_free(context);
    return 0;
}

static const aggregator mean = {.rule = AGGREGATE_MEAN};

static search_options options_of(size_t most)
{
    static size_t candidate[12];
    for (size_t k = 0; k < 12; k++) candidate[k] = k;
    return (search_options){.aggregate = &mean, .agree = AGREE_TAU_B, .candidate = candidate,
                            .candidates = 12, .most = most, .within = .01};
}

static size_t find(const panel_search *s, size_t count, const char *const *id)
{
    for (size_t k = 0; k < s->count; k++) {
        searched p = panel_search_at(s, k);
        size_t have = 0;
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < p.size; j++) have += p.member[j] == judge(id[i]);
        if (p.size == count && have == count) return k;
    }
    fail_msg("panel not met");
    return 0;
}
#define FIND(s, ...)                                                                      \
    find((s), sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *), (const char *[]){__VA_ARGS__})

static void check(const panel_search *s, size_t k, double agree, double bias)
{
    searched p = panel_search_at(s, k);
    assert_within(p.agree[0], agree, 0, 6e-7);
    if (!isnan(bias)) assert_within(p.bias[0], bias, 0, 6e-7);
}

/* Golden 2: sizes 1 to 3, 298 panels, front of 10. */
static void test_front(void **state)
{
    (void)state;
    panel_rows rows;
    panel_search s;
    search_options o = options_of(3);
    assert_ok(panel_rows_make(&rows, &a, &scores, 0, &mean, false, &err));
    assert_ok(panel_search_run(&s, context, &rows, &o, &err));
    assert_int_equal(s.count, 298);
    assert_int_equal(s.rows_used, 6492);
    check(&s, FIND(&s, "GPT-5"), .612839, .954199);
    check(&s, FIND(&s, "GPT-120B"), .569498, .231559);
    check(&s, FIND(&s, "Sonnet"), .381527, NAN);
    check(&s, FIND(&s, "Qwen235"), .341977, NAN);
    check(&s, FIND(&s, "Gemma4", "GPT-5"), .608375, .858088);
    check(&s, FIND(&s, "Gemma27", "Gemma4", "GPT-5"), .588619, .770895);
    check(&s, FIND(&s, "Gemma27", "GPT-120B", "GPT-5"), .578207, .596897);
    check(&s, FIND(&s, "Gemma12", "GPT-120B", "Haiku"), .450865, .081962);
    search_choice pair = panel_search_choose(&s, 0, 2), triple = panel_search_choose(&s, 0, 3);
    assert_int_equal(pair.best, FIND(&s, "Gemma4", "GPT-5"));
    assert_int_equal(triple.best, FIND(&s, "Gemma27", "Gemma4", "GPT-5"));
    size_t *front, count;
    assert_ok(panel_search_front(&front, &count, &s, &a, &err));
    assert_int_equal(count, 10);
    assert_int_equal(front[0], FIND(&s, "GPT-5"));
    assert_int_equal(front[9], FIND(&s, "Gemma12", "GPT-120B", "Haiku"));
    panel_search_free(&s);
}

/* Golden 2: greedy stops at {GPT-5}. Golden 3: folds by parity of the item. */
static void test_greedy_and_folds(void **state)
{
    (void)state;
    panel_rows rows;
    panel_search s;
    search_options o = options_of(3);
    o.width = 1;
    assert_ok(panel_rows_make(&rows, &a, &scores, 0, &mean, false, &err));
    assert_ok(panel_search_run(&s, context, &rows, &o, &err));
    assert_int_equal(panel_search_choose(&s, 0, 0).best, FIND(&s, "GPT-5"));
    assert_int_equal(s.count, 12 + 11);
    panel_search_free(&s);
    uint32_t *fold = arena_new(&a, scores.cluster.count, sizeof *fold);
    for (size_t k = 0; k < scores.cluster.count; k++)
        fold[k] = strtoul(scores.cluster.name[k], NULL, 10) % 2 ? 0 : FOLD_NONE;
    o = options_of(3);
    o.fold = fold;
    o.folds = 1;
    assert_ok(panel_search_run(&s, context, &rows, &o, &err));
    search_choice c = panel_search_choose(&s, search_train(0), 0);
    assert_int_equal(c.best, FIND(&s, "GPT-5"));
    assert_int_equal(c.gentle, FIND(&s, "Gemma4", "GPT-5"));
    searched best = panel_search_at(&s, c.best), gentle = panel_search_at(&s, c.gentle);
    size_t train = search_train(0), test = search_test(&s, 0);
    assert_within(best.agree[train], .582649, 0, 6e-7);
    assert_within(best.agree[test], .634960, 0, 6e-7);
    assert_within(gentle.agree[train], .576862, 0, 6e-7);
    assert_within(gentle.bias[train], .824995, 0, 6e-7);
    assert_within(gentle.agree[test], .631523, 0, 6e-7);
    assert_within(gentle.bias[test], .802038, 0, 6e-7);
    panel_search_free(&s);
}

int main(void)
{
    NEED_SHARED();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_front),
        cmocka_unit_test(test_greedy_and_folds),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
