/* Panels on the IFEval judge matrix: judge audits B.9, goldens 2 to 5. gold = ref. */
#include "support/check.h"

#include <string.h>

#include "audit/job.h"
#include "audit/panel/panel_study.h"

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

/* ---- The job --------------------------------------------------------------------------------- */

static tare_job *run(const char *const *options)
{
    tare_job *job;
    assert_ok(tare_job_new(&job, context, "panel", &err));
    assert_ok(tare_job_input(job, TARE_SHARED_DIR "/data/judges/ifeval_scores.csv.gz", &err));
    assert_ok(tare_job_set(job, "gold", "ref", &err));
    assert_ok(tare_job_set(job, "author", "generator", &err));
    assert_ok(tare_job_set(job, "boot-b", "199", &err));
    for (; options[0]; options += 2) assert_ok(tare_job_set(job, options[0], options[1], &err));
    assert_ok(tare_job_run(job, &err));
    return job;
}
#define RUN(...) run((const char *const[]){__VA_ARGS__, NULL})

static double estimate(tare_job *job, const char *family, const char *instrument, const char *name,
                       const char *condition)
{
    const tare_reading *r;
    for (size_t k = 0; (r = tare_job_reading(job, k)); k++)
        if (!strcmp(r->family, family) && !strcmp(r->instrument, instrument) &&
            !strcmp(r->name, name) && !strcmp(r->condition, condition))
            return r->estimate;
    fail_msg("no reading %s, %s, %s, %s", family, instrument, name, condition);
    return NAN;
}

static double cell_of(const tare_job *job, const char *table, const char *panel, const char *member,
                      const char *column)
{
    for (size_t k = 0; k < job->result.table_count; k++) {
        const result_table *t = job->result.tables[k];
        size_t c = 0;
        if (strcmp(t->name, table)) continue;
        while (strcmp(t->columns[c], column)) assert_true(++c < t->column_count);
        for (size_t i = 0; i < t->row_count; i++) {
            const cell *row = t->cells + i * t->column_count;
            if (!strcmp(row[2].text, panel) && !strcmp(row[3].text, member)) return row[c].number;
        }
    }
    fail_msg("no cell %s, %s, %s, %s", table, panel, member, column);
    return NAN;
}

#define GPT5 "gpt_5"
#define GEMMA4 "gemma_3_4b_it"
#define GPT120 "gpt_120b_oss"
#define QWEN235 "qwen3_235b_instruct"

static void vector(tare_job *job, const char *panel, const char *author, double want)
{
    assert_within(estimate(job, "panel vector", panel, "Phi~", author), want, 0, .0051);
}

/* Golden 4, two digits as printed. */
static void test_vector(void **state)
{
    (void)state;
    const char *two = "two=" GPT5 "," GEMMA4, *three = "three=" GPT5 "," GEMMA4 "," QWEN235;
    tare_job *job = RUN("panel", two, "panel", three);
    vector(job, "two", GPT5, 1.00);
    vector(job, "two", GEMMA4, -.71);
    vector(job, "three", GPT5, .67);
    vector(job, "three", GEMMA4, -.91);
    vector(job, "three", QWEN235, .21);
    tare_job_free(job);
    job = RUN("panel", three, "aggregate", "median");
    vector(job, "three", GPT5, -.26);
    vector(job, "three", GEMMA4, -1.23);
    vector(job, "three", QWEN235, .06);
    tare_job_free(job);
}

/* Golden 5: leave self out, with the judges' effects taken out and raw. */
static void test_leave_self_out(void **state)
{
    (void)state;
    const char *three = "three=" QWEN235 "," GPT120 "," GPT5, *two = "two=" QWEN235 "," GPT5;
    static const struct { const char *judge; double full, lso; } want[] = {
        {QWEN235, .0295, .1156}, {GPT120, .3599, .5388}, {GPT5, .8577, .5041}};
    tare_job *job = RUN("panel", three, "panel", two);
    double excess = 0, without = 0;
    for (size_t k = 0; k < 3; k++) {
        assert_within(cell_of(job, "members", "three", want[k].judge, "panel_Phi~"), want[k].full,
                      0, 5.1e-5);
        assert_within(cell_of(job, "members", "three", want[k].judge, "lso_Phi~"), want[k].lso, 0,
                      5.1e-5);
        excess += cell_of(job, "members", "three", want[k].judge, "excess") / 3;
        without += cell_of(job, "members", "three", want[k].judge, "lso_excess") / 3;
    }
    assert_within(excess, .00651, 0, 5.1e-6);
    assert_within(without, .00299, 0, 5.1e-6);
    excess = (cell_of(job, "members", "two", QWEN235, "excess") +
              cell_of(job, "members", "two", GPT5, "excess")) / 2;
    without = (cell_of(job, "members", "two", QWEN235, "lso_excess") +
               cell_of(job, "members", "two", GPT5, "lso_excess")) / 2;
    assert_within(excess, .00660, 0, 5.1e-6);
    assert_within(without, -.00657, 0, 5.1e-6);
    tare_job_free(job);
    job = RUN("panel", two, "lso", "raw");
    assert_within(cell_of(job, "members", "two", QWEN235, "lso_Phi~"), -1.4221, 0, 5.1e-5);
    assert_within(cell_of(job, "members", "two", GPT5, "lso_Phi~"), 1.1179, 0, 5.1e-5);
    tare_job_free(job);
}

/* Golden 5: judge effects, in the file order of the models. */
static void test_effects(void **state)
{
    (void)state;
    static const struct { const char *judge; double effect; } want[] = {
        {"gemma_3_27b_it", .970762}, {"gemma_3_12b_it", .962015}, {"gemma_3_4b_it", .986712},
        {"llama_4_maverick_17b_128e_instruct", .916498},
        {"llama_4_scout_17b_16e_instruct", .882030}, {"qwen3_235b_instruct", .910891},
        {"qwen3_30b_instruct", .946594}, {"qwen3_4b_instruct", .891172},
        {"gpt_120b_oss", .836902}, {"gpt_5", .828908}, {"claude_4_5_haiku", .795862},
        {"claude_4_5_sonnet", .811895}};
    panel_study s = {.m = &context->mem};
    arena_init(&s.scratch, s.m);
    assert_ok(panel_rows_make(&s.rows, &s.scratch, &scores, 0, &mean, false, &err));
    assert_ok(panel_effects(&s, &err));
    assert_true(s.effects_known);
    for (size_t k = 0; k < 12; k++)
        for (size_t j = 0; j < 12; j++)
            if (!strcmp(scores.judge.name[j], want[k].judge))
                assert_within(s.effect[j], want[k].effect, 0, 6e-7);
    arena_free(&s.scratch);
}

/* A mean of all judges is what preference is measured from (B.3). */
static void test_all_judges(void **state)
{
    (void)state;
    tare_job *job = RUN("agree", "tau_b");
    for (size_t g = 0; g < scores.author.count; g++)
        assert_true(estimate(job, "panel vector", "all judges", "R", scores.author.name[g]) == 0);
    tare_job_free(job);
}

/* NumPy and SciPy on the same file: np.corrcoef of score - ref, eigvalsh; kendalltau, spearmanr and
 * corrcoef of means, medians and z-means (ddof 0) of three judges, rounded to 12 digits. */
static void test_numpy(void **state)
{
    (void)state;
    static const struct { const char *rule, *agree; double want; } values[] = {
        {"mean", "tau_b", 0.552799317023},    {"mean", "tau_c", 0.244469032743},
        {"mean", "spearman", 0.579261829952}, {"mean", "pearson", 0.609172229927},
        {"median", "tau_b", 0.479546925915},  {"max", "tau_b", 0.123599481257},
        {"min", "tau_c", 0.237418611617},     {"min", "spearman", 0.558016564422},
        {"zmean", "tau_b", 0.536727371114},
    };
    const char *three = "three=" GPT5 "," GEMMA4 "," QWEN235;
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        tare_job *job = RUN("panel", three, "aggregate", values[k].rule, "agree", values[k].agree,
                            "boot-b", "99");
        assert_within(estimate(job, "agreement", "three", values[k].agree, "panel"),
                      values[k].want, 0, 1e-11);
        tare_job_free(job);
    }
    tare_job *job = RUN("boot-b", "199");
    assert_within(estimate(job, "votes", "all judges", "rho", ""), .484972355098, 0, 1e-11);
    assert_within(estimate(job, "votes", "all judges", "n_eff", ""), 1.894329290295, 0, 1e-11);
    assert_within(estimate(job, "votes", "all judges", "n_eff by eigenvalues", ""),
                  3.044392063761, 0, 1e-11);
    tare_job_free(job);
    job = RUN("err", "z", "boot-b", "99");
    assert_within(estimate(job, "votes", "all judges", "rho", ""), .495317141641, 0, 1e-11);
    tare_job_free(job);
}

int main(void)
{
    NEED_SHARED();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_front),
        cmocka_unit_test(test_greedy_and_folds),
        cmocka_unit_test(test_vector),
        cmocka_unit_test(test_leave_self_out),
        cmocka_unit_test(test_effects),
        cmocka_unit_test(test_all_judges),
        cmocka_unit_test(test_numpy),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
