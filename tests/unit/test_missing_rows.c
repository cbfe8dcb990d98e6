/* The missingness audit of judge tables on tables made here: what is planted is found, chance is
 * not, and what is capped. */
#include <string.h>

#include "audit/judge/missing_rows.h"
#include "base/context.h"
#include "base/rng.h"
#include "support/check.h"
#include "support/failing_mem.h"

enum { ITEMS = 60, AUTHORS = 4, JUDGES = 3, UNITS = ITEMS * AUTHORS, ROWS = UNITS * JUDGES };

/* A crossed table; reason_of decides what is missing. */
typedef struct fixture {
    tare_context *context;
    audit_result result;
    book b;
    score_table t;
    roster models;
    score_layer layer[2];
    char names[ITEMS][8];
    const char *item[ITEMS];
    uint32_t unit_item[UNITS], unit_author[UNITS], cluster[ITEMS];
    uint32_t unit[2 * ROWS], judge[2 * ROWS], row_layer[2 * ROWS], rep[2 * ROWS];
    uint8_t status[2 * ROWS];
    double length[UNITS];
    size_t entry[JUDGES + 1]; /* one of each judge, and one over all */
} fixture;

static const char *author_names[] = {"a", "b", "c", "d"};
static const char *judge_names[] = {"j0", "j1", "j2"};
static const char *setting_names[] = {"free", "ref"};
static const char *one_name[] = {""};

typedef tare_reason (*reason_fn)(uint32_t item, uint32_t author, uint32_t judge, uint32_t layer,
                                 double u);

static void fill(fixture *f, reason_fn reason_of, size_t layers)
{
    score_table *t = &f->t;
    rng_stream draw;
    rng_start(&draw, rng_key_of(11, "missing rows"), 0, 0);
    for (uint32_t i = 0; i < ITEMS; i++) {
        snprintf(f->names[i], sizeof f->names[i], "i%03u", i);
        f->item[i] = f->names[i];
        f->cluster[i] = i;
    }
    for (uint32_t u = 0; u < UNITS; u++) {
        f->unit_item[u] = u / AUTHORS;
        f->unit_author[u] = u % AUTHORS;
    }
    for (uint32_t l = 0; l < layers; l++)
        for (uint32_t u = 0; u < UNITS; u++)
            for (uint32_t j = 0; j < JUDGES; j++) {
                f->unit[t->rows] = u;
                f->judge[t->rows] = j;
                f->row_layer[t->rows] = l;
                f->status[t->rows++] = (uint8_t)reason_of(u / AUTHORS, u % AUTHORS, j, l,
                                                          rng_uniform(&draw));
            }
    for (uint32_t l = 0; l < 2; l++) f->layer[l] = (score_layer){.setting = l};
    t->item = (name_axis){f->item, ITEMS};
    t->cluster = t->item;
    t->author = (name_axis){author_names, AUTHORS};
    t->judge = (name_axis){judge_names, JUDGES};
    t->setting = (name_axis){setting_names, layers};
    t->dim = (name_axis){one_name, 1};
    t->units = UNITS;
    t->unit_item = f->unit_item;
    t->unit_author = f->unit_author;
    t->item_cluster = f->cluster;
    t->layer = f->layer;
    t->layers = layers;
    t->row_unit = f->unit;
    t->row_judge = f->judge;
    t->row_layer = f->row_layer;
    t->row_rep = f->rep;
    t->row_status = f->status;
    t->reps = 1;
}

static void open_book(fixture *f, const tare_context_options *o)
{
    tare_error err;
    memset(f, 0, sizeof *f);
    assert_ok(tare_context_new(&f->context, o, &err));
    result_init(&f->result, &f->context->mem);
    book_options options = {1, 999, 999, .05, "auto", "centred", "bh", NAN};
    assert_ok(book_open(&f->b, &f->result, f->context, &options, &err));
}

static void begin(fixture *f, reason_fn reason_of, size_t layers, unsigned threads)
{
    tare_error err;
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    o.threads = threads;
    open_book(f, &o);
    fill(f, reason_of, layers);
    /* what may be capped: a clear effect of each judge and of all */
    for (size_t k = 0; k <= JUDGES; k++) {
        inference x = inference_none("");
        entry_spec spec = {.family = "phi", .name = "phi", .margin = NAN, .grid = "phi",
                           .arm = layers == 1 ? "" : k < JUDGES ? "free" : "free minus ref",
                           .instrument = k < JUDGES ? judge_names[k] : "all"};
        x.estimate = 1;
        x.lo = .8;
        x.hi = 1.2;
        x.p = .001;
        assert_ok(book_add(&f->b, &spec, &x, &f->entry[k], &err));
    }
}

static void run(fixture *f)
{
    tare_error err;
    assert_ok(missing_rows_audit(&f->b, &f->t, &err));
    assert_ok(book_settle(&f->b, &err));
}

static void end(fixture *f)
{
    book_close(&f->b);
    result_free(&f->result);
    tare_context_free(f->context);
}

static const tare_reading *find(const fixture *f, const char *name, const char *condition)
{
    for (size_t k = 0; k < f->result.reading_count; k++) {
        const tare_reading *r = &f->result.readings[k];
        if (!strcmp(r->family, "missing") && !strcmp(r->name, name) &&
            !strcmp(r->condition, condition))
            return r;
    }
    return NULL;
}

/* "FFIF": found, inconclusive, of the judges and of all. */
static void verdicts(const fixture *f, const char *want)
{
    for (size_t k = 0; k <= JUDGES; k++) {
        const tare_reading *r = book_reading(&f->b, f->entry[k]);
        tare_verdict v = want[k] == 'F' ? TARE_FOUND : TARE_INCONCLUSIVE;
        if (r->verdict != v) fail_msg("%s: %s", r->instrument, tare_verdict_name(r->verdict));
        if ((strstr(r->words, "missing scores") != NULL) != (want[k] == 'I'))
            fail_msg("%s: %s: %s", r->instrument, r->marks, r->words);
    }
}

static bool told(const fixture *f, const char *words)
{
    for (size_t k = 0; k < f->result.caution_count; k++)
        if (strstr(f->result.cautions[k], words)) return true;
    return false;
}

/* ---- Nothing, everything, chance ------------------------------------------------------------- */

static tare_reason nothing(uint32_t i, uint32_t a, uint32_t j, uint32_t l, double u)
{
    (void)i, (void)a, (void)j, (void)l, (void)u;
    return TARE_R_NONE;
}

static void nothing_missing_is_one_reading(void **state)
{
    (void)state;
    fixture f;
    begin(&f, nothing, 1, 2);
    run(&f);
    assert_int_equal(f.result.reading_count, JUDGES + 2);
    const tare_reading *r = find(&f, "missing_rate", "");
    assert_true(r->estimate == 0 && r->lo == 0 && r->verdict == TARE_DESCRIPTIVE);
    assert_int_equal(r->n_expected, ROWS);
    /* Wilson for 0 of n: hi = z^2 / (n + z^2) */
    assert_close(r->hi, 3.841458820694124 / (ROWS + 3.841458820694124));
    assert_int_equal(f.result.missing_count, 0);
    assert_int_equal(f.result.caution_count, 0);
    verdicts(&f, "FFFF");
    end(&f);
}

static tare_reason everything(uint32_t i, uint32_t a, uint32_t j, uint32_t l, double u)
{
    (void)i, (void)a, (void)l, (void)u;
    return j == 1 ? TARE_R_REFUSED : TARE_R_ABSENT;
}

static void everything_missing_is_told_and_not_tested(void **state)
{
    (void)state;
    fixture f;
    begin(&f, everything, 1, 1);
    run(&f);
    assert_true(find(&f, "missing_rate", "")->estimate == 1);
    assert_null(find(&f, "rate_spread", "author"));
    assert_true(told(&f, "Judge j1 has no score at all: 240 rows, of which 240 refused"));
    assert_true(told(&f, "Judge j2"));
    assert_int_equal(f.result.missing_count, JUDGES);
    verdicts(&f, "FFFF"); /* of such a judge no audit can enter an estimate */
    end(&f);
}

static tare_reason by_chance(uint32_t i, uint32_t a, uint32_t j, uint32_t l, double u)
{
    (void)i, (void)a, (void)j, (void)l;
    return u < .06 ? TARE_R_UNPARSED : u < .1 ? TARE_R_REFUSED : TARE_R_NONE;
}

static void chance_is_not_accused(void **state)
{
    (void)state;
    fixture f;
    begin(&f, by_chance, 2, 2);
    run(&f);
    static const char *const factors[] = {"author", "judge", "setting"};
    for (size_t k = 0; k < 3; k++) {
        const tare_reading *r = find(&f, "rate_spread", factors[k]);
        assert_true(r->q > .05 && r->verdict == TARE_INCONCLUSIVE);
        assert_string_equal(r->grid, "missing");
        assert_int_equal(r->replicates, 999);
    }
    assert_null(find(&f, "rate_spread", "dim")); /* of one level */
    assert_null(find(&f, "rate_spread", "rep"));
    verdicts(&f, "FFFF");
    assert_int_equal(f.result.caution_count, 0);
    /* the parts make the whole */
    const tare_reading *all = find(&f, "missing_rate", "author=a");
    double parts = find(&f, "missing_rate:unparsed", "author=a")->estimate +
                   find(&f, "missing_rate:refused", "author=a")->estimate;
    assert_close(parts, all->estimate);
    assert_int_equal(all->n_expected, ROWS / AUTHORS);
    uint64_t none = 0;
    for (int k = 0; k < TARE_REASON_COUNT; k++) none += all->n_missing[k];
    assert_true(none > 0 && all->n_base + none == all->n_expected);
    assert_close(all->estimate, (double)none / (double)all->n_expected);
    assert_string_equal(all->arm, "free");
    assert_null(find(&f, "missing_rate:absent", "author=a"));
    assert_string_equal(find(&f, "missing_rate", "judge=j1")->instrument, "j1");
    assert_string_equal(find(&f, "missing_rate", "setting=ref")->arm, "ref");
    end(&f);
}

/* ---- Planted --------------------------------------------------------------------------------- */

static tare_reason by_author(uint32_t i, uint32_t a, uint32_t j, uint32_t l, double u)
{
    (void)i, (void)j, (void)l;
    return u < (a == 1 ? .25 : .05) ? TARE_R_REFUSED : TARE_R_NONE;
}

static void an_author_that_is_refused_caps_all(void **state)
{
    (void)state;
    fixture f;
    begin(&f, by_author, 1, 2);
    run(&f);
    const tare_reading *r = find(&f, "rate_spread", "author");
    assert_close(r->p, 1. / 1000); /* at its floor */
    assert_int_equal(r->verdict, TARE_FOUND);
    assert_non_null(strstr(r->marks, "missing_informative"));
    assert_string_equal(r->words, "what is missing depends on author");
    double high = find(&f, "missing_rate", "author=b")->estimate, low = 1;
    static const char *const levels[] = {"author=a", "author=c", "author=d"};
    for (int k = 0; k < 3; k++) low = fmin(low, find(&f, "missing_rate", levels[k])->estimate);
    assert_close(r->estimate, high - low);
    assert_true(find(&f, "rate_spread", "judge")->q > .05);
    const tare_reading *v = find(&f, "cramers_v", "author");
    assert_string_equal(v->p_method, "chi-square");
    assert_true(v->estimate > .2 && v->p < 1e-6 && v->df == 3);
    assert_int_equal(v->verdict, TARE_DESCRIPTIVE);
    assert_true(told(&f, "depends on author"));
    assert_true(told(&f, "of the rows of \"b\" have none"));
    verdicts(&f, "IIII");
    end(&f);
}

static tare_reason one_judge_refuses_one_author(uint32_t i, uint32_t a, uint32_t j, uint32_t l,
                                                double u)
{
    (void)i, (void)l;
    return j == 2 && a == 0 && u < .5 ? TARE_R_BLOCKED : TARE_R_NONE;
}

static void what_one_judge_misses_caps_that_judge(void **state)
{
    (void)state;
    fixture f;
    begin(&f, one_judge_refuses_one_author, 1, 2);
    run(&f);
    assert_true(find(&f, "rate_spread", "author")->q <= .05);
    assert_true(find(&f, "rate_spread", "judge")->q <= .05);
    verdicts(&f, "FFII");
    assert_true(told(&f, "Verdicts on judge j2 and those over all judges"));
    assert_int_equal(f.result.missing_count, 1);
    const result_missing *x = &f.result.missing[0];
    assert_string_equal(x->what, "score");
    assert_string_equal(x->instrument, "j2");
    assert_int_equal(x->reason, TARE_R_BLOCKED);
    assert_int_equal(x->of, UNITS);
    assert_non_null(strstr(x->example, ", a"));
    end(&f);
}

/* What other judges say of a model enters what is said of it as a judge: j0 is author a. */
static void what_one_judge_misses_caps_the_author_that_it_misses(void **state)
{
    (void)state;
    fixture f;
    size_t author_of_judge[JUDGES] = {0, 1, 2};
    begin(&f, one_judge_refuses_one_author, 1, 2);
    f.t.author_of_judge = author_of_judge;
    run(&f);
    verdicts(&f, "IFII");
    assert_true(told(&f, "Verdicts on 2 of 3 judges and those over all judges"));
    end(&f);
}

/* ---- Layers ---------------------------------------------------------------------------------- */

static tare_reason by_author_in_ref(uint32_t i, uint32_t a, uint32_t j, uint32_t l, double u)
{
    return l == 1 ? by_author(i, a, j, l, u) : TARE_R_NONE;
}

/* Entries of the judges stand in "free", the one over all compares it with "ref". */
static void what_one_setting_misses_caps_that_setting(void **state)
{
    (void)state;
    fixture f;
    begin(&f, by_author_in_ref, 2, 2);
    run(&f);
    const tare_reading *r = find(&f, "rate_spread", "author");
    assert_string_equal(r->arm, "ref"); /* "free" misses nothing: there is nothing to test */
    assert_true(r->q <= .05);
    assert_true(find(&f, "rate_spread", "setting")->q <= .05);
    verdicts(&f, "FFFI");
    assert_true(told(&f, "ref: which scores are missing depends on author"));
    assert_int_equal(f.result.caution_count, 1); /* the comparison is capped by it already */
    end(&f);
}

static tare_reason by_author_in_free(uint32_t i, uint32_t a, uint32_t j, uint32_t l, double u)
{
    return l == 0 ? by_author(i, a, j, l, u) : TARE_R_NONE;
}

static void what_a_setting_misses_caps_its_own(void **state)
{
    (void)state;
    fixture f;
    begin(&f, by_author_in_free, 2, 2);
    run(&f);
    verdicts(&f, "IIII");
    assert_true(told(&f, "free: which scores are missing depends on author"));
    end(&f);
}

static tare_reason by_setting(uint32_t i, uint32_t a, uint32_t j, uint32_t l, double u)
{
    (void)i, (void)a, (void)j;
    return u < (l ? .2 : .05) ? TARE_R_TRUNCATED : TARE_R_NONE;
}

static void settings_that_miss_unequally_cap_their_comparison(void **state)
{
    (void)state;
    fixture f;
    begin(&f, by_setting, 2, 2);
    run(&f);
    assert_true(find(&f, "rate_spread", "author")->q > .05);
    verdicts(&f, "FFFI");
    assert_int_equal(f.result.caution_count, 1);
    assert_true(told(&f, "Verdicts that pool or compare settings are at best inconclusive"));
    end(&f);
}

static tare_reason silent_judge(uint32_t i, uint32_t a, uint32_t j, uint32_t l, double u)
{
    (void)i, (void)a, (void)l;
    return j == 1 ? TARE_R_ERROR : j == 0 && u < .01 ? TARE_R_UNPARSED : TARE_R_NONE;
}

static void a_silent_judge_caps_nobody(void **state)
{
    (void)state;
    fixture f;
    begin(&f, silent_judge, 1, 2);
    run(&f);
    assert_true(told(&f, "Judge j1 has no score at all: 240 rows, of which 240 error"));
    assert_true(find(&f, "missing_rate", "judge=j1")->estimate == 1);
    assert_true(find(&f, "rate_spread", "judge")->estimate < .05); /* among the other two */
    const tare_reading *v = find(&f, "cramers_v", "judge");
    assert_string_equal(v->p_method, "Fisher"); /* 2 x 2, few missing */
    assert_int_equal(f.result.caution_count, 1);
    verdicts(&f, "FFFF");
    end(&f);
}

static tare_reason by_item(uint32_t i, uint32_t a, uint32_t j, uint32_t l, double u)
{
    (void)a, (void)j, (void)l;
    return u < (i % 3 == 0 ? .3 : .05) ? TARE_R_TRUNCATED : TARE_R_NONE;
}

/* A grouping that is constant within items needs authors that are: one author an item. */
static void what_is_constant_within_items_is_tested_over_clusters(void **state)
{
    (void)state;
    fixture f;
    begin(&f, by_item, 1, 2);
    for (size_t i = 0; i < ROWS; i++) /* author = item mod 3 */
        f.unit_author[f.unit[i]] = f.unit_item[f.unit[i]] % 3;
    run(&f);
    const tare_reading *r = find(&f, "rate_spread", "author");
    assert_true(r->q <= .05 && r->n_cluster == ITEMS);
    assert_true(r->estimate > .15);
    /* the same with clusters that hold items of all authors: labels move inside them */
    end(&f);
    begin(&f, by_item, 1, 2);
    static const char *const clusters[] = {"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8",
                                           "c9"};
    for (size_t i = 0; i < ROWS; i++) f.unit_author[f.unit[i]] = f.unit_item[f.unit[i]] % 3;
    for (uint32_t i = 0; i < ITEMS; i++) f.cluster[i] = i / 6;
    f.t.cluster = (name_axis){(const char **)clusters, 10};
    run(&f);
    r = find(&f, "rate_spread", "author");
    assert_true(r->q <= .05 && r->n_cluster == ITEMS);
    end(&f);
}

static tare_reason by_length(uint32_t i, uint32_t a, uint32_t j, uint32_t l, double u)
{
    (void)j, (void)l;
    return u < ((i * AUTHORS + a) % 12 >= 8 ? .3 : .05) ? TARE_R_TRUNCATED : TARE_R_NONE;
}

static void length_and_family_are_factors(void **state)
{
    (void)state;
    fixture f;
    static const char *const x[] = {"x"}, *const y[] = {"y", "z"};
    static const char *grouping[] = {"family"};
    roster_values values[AUTHORS] = {{(const char **)x, 1}, {(const char **)x, 1},
                                     {(const char **)y, 2}, {NULL, 0}};
    roster_model models[AUTHORS];
    size_t author_model[AUTHORS];
    begin(&f, by_length, 1, 2);
    for (size_t k = 0; k < AUTHORS; k++) {
        models[k] = (roster_model){.id = author_names[k], .group = &values[k]};
        author_model[k] = k;
    }
    author_model[1] = ROSTER_NONE;
    f.models = (roster){.models = models, .count = AUTHORS, .grouping = grouping,
                        .grouping_count = 1};
    f.t.models = &f.models;
    f.t.author_model = author_model;
    for (size_t u = 0; u < UNITS; u++) f.length[u] = (double)(u % 12); /* bins of four */
    f.t.length = f.length;
    run(&f);
    assert_true(find(&f, "rate_spread", "length")->q <= .05);
    assert_true(find(&f, "missing_rate", "length=above 7")->estimate > .2);
    assert_non_null(find(&f, "missing_rate", "length=up to 3"));
    assert_non_null(find(&f, "missing_rate", "length=above 3, up to 7"));
    assert_non_null(find(&f, "missing_rate", "family=y; z"));
    const tare_reading *none = find(&f, "missing_rate", "family=(none)");
    assert_int_equal(none->n_expected, ROWS / 2); /* c without a value, b not in the roster */
    assert_non_null(find(&f, "rate_spread", "family"));
    end(&f);
}

static void repeats_without_a_number_take_no_part(void **state)
{
    (void)state;
    fixture f;
    begin(&f, by_chance, 2, 2);
    f.t.layers = 1; /* the second half of the rows: another repeat of the first layer */
    f.t.setting.count = 1;
    f.t.reps = 2;
    size_t left = 0;
    for (size_t i = 0; i < f.t.rows; i++) {
        f.rep[i] = f.row_layer[i];
        f.row_layer[i] = 0;
        if (i % 40 != 0) continue;
        f.status[i] = TARE_R_ABSENT;
        f.rep[i] = SCORE_NO_REP;
        left++;
    }
    run(&f);
    const tare_reading *r = find(&f, "rate_spread", "rep");
    assert_int_equal(r->n_expected, f.t.rows - left);
    assert_true(r->q > .05);
    assert_int_equal(find(&f, "missing_rate", "rep=0")->n_expected, ROWS - left / 2);
    end(&f);
}

/* ---- The same whatever --------------------------------------------------------------------- */

static void threads_change_nothing(void **state)
{
    (void)state;
    static double p[3];
    for (unsigned threads = 1; threads <= 8; threads *= 2) {
        fixture f;
        begin(&f, by_chance, 2, threads);
        run(&f);
        double now[] = {find(&f, "rate_spread", "author")->p, find(&f, "rate_spread", "judge")->p,
                        find(&f, "rate_spread", "setting")->p};
        if (threads == 1) memcpy(p, now, sizeof p);
        assert_memory_equal(p, now, sizeof p);
        end(&f);
    }
}

static void means_of_cells_have_no_rows(void **state)
{
    (void)state;
    fixture f;
    begin(&f, nothing, 1, 1);
    f.t.rows = 0;
    f.t.row_status = NULL;
    run(&f);
    assert_int_equal(f.result.reading_count, JUDGES + 1);
    assert_non_null(strstr(f.result.facts[0].value, "not known"));
    verdicts(&f, "FFFF");
    end(&f);
}

static void each_allocation_fails_once(void **state)
{
    (void)state;
    static fixture f;
    for (long k = 1;; k++) {
        failing_mem failing;
        failing_mem_start(&failing, 0);
        tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
        o.threads = 1;
        o.user = &failing;
        o.resize = failing_mem_resize;
        open_book(&f, &o);
        f.b.o.perm_p = 99;
        fill(&f, one_judge_refuses_one_author, 1);
        atomic_store(&failing.left, k);
        tare_status status = missing_rows_audit(&f.b, &f.t, NULL);
        bool failed = failing_mem_failed(&failing);
        end(&f);
        if (failing_mem_live(&failing) != 0) fail_msg("k = %ld leaks", k);
        if (failed != (status == TARE_E_MEMORY)) fail_msg("k = %ld: status %d", k, (int)status);
        if (failed) continue;
        assert_true(k > 15); /* arenas ask for chunks */
        return;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_missing_is_one_reading),
        cmocka_unit_test(everything_missing_is_told_and_not_tested),
        cmocka_unit_test(chance_is_not_accused),
        cmocka_unit_test(an_author_that_is_refused_caps_all),
        cmocka_unit_test(what_one_judge_misses_caps_that_judge),
        cmocka_unit_test(what_one_judge_misses_caps_the_author_that_it_misses),
        cmocka_unit_test(what_one_setting_misses_caps_that_setting),
        cmocka_unit_test(what_a_setting_misses_caps_its_own),
        cmocka_unit_test(settings_that_miss_unequally_cap_their_comparison),
        cmocka_unit_test(a_silent_judge_caps_nobody),
        cmocka_unit_test(what_is_constant_within_items_is_tested_over_clusters),
        cmocka_unit_test(length_and_family_are_factors),
        cmocka_unit_test(repeats_without_a_number_take_no_part),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(means_of_cells_have_no_rows),
        cmocka_unit_test(each_allocation_fails_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
