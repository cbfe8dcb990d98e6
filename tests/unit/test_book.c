/* The book of the audits of judges: q of every family, the table of verdicts, what caps them. The
 * q are those of R's p.adjust (statistics 16.2). */
#include "audit/book.h"

#include <string.h>

#include "support/check.h"

static tare_error err;
static tare_context *context;
static audit_result result;
static book b;

#define GOLDEN 6
static const double golden_p[GOLDEN] = {.01, .04, .03, .005, .55, .2};
static const double golden_bh[GOLDEN] = {.03, .06, .06, .03, .55, .24};
static const double golden_by[GOLDEN] = {.0735, .147, .147, .0735, 1, .588};

static int set_up(void **state)
{
    (void)state;
    assert_ok(tare_context_new(&context, NULL, &err));
    result_init(&result, &context->mem);
    book_options o = {.seed = 1, .boot_b = 9999, .perm_p = 9999, .alpha = .05, .ci = "auto",
                      .boot_p = "centred", .fdr = "bh", .margin = NAN};
    assert_ok(book_open(&b, &result, context, &o, &err));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    book_close(&b);
    result_free(&result);
    tare_context_free(context);
    return 0;
}

/* An estimate in the middle of an interval, with its p. */
static inference estimate(double at, double half, double p)
{
    inference x = inference_none("");
    x.estimate = at;
    x.se = half / 1.96;
    x.lo = at - half;
    x.hi = at + half;
    x.lo90 = at - .84 * half;
    x.hi90 = at + .84 * half;
    x.p = p;
    x.n = x.clusters = 100;
    x.interval_method = "percentile";
    x.p_method = "bootstrap";
    x.p_floor = 1e-4;
    return x;
}

static size_t add(const char *grid, double margin, inference x)
{
    size_t at = BOOK_NONE;
    entry_spec spec = {.family = "test", .name = "D", .grid = grid, .margin = margin,
                       .plus = "more", .minus = "less"};
    assert_ok(book_add(&b, &spec, &x, &at, &err));
    return at;
}

static void is(size_t at, tare_verdict verdict, const char *words)
{
    const tare_reading *r = book_reading(&b, at);
    assert_string_equal(tare_verdict_name(r->verdict), tare_verdict_name(verdict));
    assert_non_null(strstr(r->words, words));
}

static void test_families_have_their_own_q(void **state)
{
    (void)state;
    for (int k = 0; k < GOLDEN; k++) add("one", NAN, estimate(1, .5, golden_p[k]));
    size_t alone = add("two", NAN, estimate(1, .5, .04)), none = add("", NAN, estimate(1, .5, .04));
    size_t missing = add("one", NAN, inference_none("degenerate"));
    assert_ok(book_settle(&b, &err));
    for (size_t k = 0; k < GOLDEN; k++) {
        assert_close(book_reading(&b, k)->q, golden_bh[k]);
        assert_close(book_reading(&b, k)->q_by, golden_by[k]);
        assert_true(isnan(book_reading(&b, k)->q_maxt)); /* no common replicates */
    }
    assert_close(book_reading(&b, alone)->q, .04);
    assert_true(isnan(book_reading(&b, none)->q));
    is(none, TARE_FOUND, "more");
    is(missing, TARE_NO_ANSWER, "do not vary");
    assert_int_equal(book_grid_of(&b, "one")->planned, GOLDEN + 1);
    assert_int_equal(book_grid_of(&b, "one")->tested, GOLDEN);
    assert_int_equal(book_grid_of(&b, "one")->significant, 2);
    assert_null(book_grid_of(&b, "three"));
}

static void test_verdicts(void **state)
{
    (void)state;
    size_t found = add("", .1, estimate(-.5, .1, .001)), small = add("", 1, estimate(.5, .1, .001));
    size_t negligible = add("", 1, estimate(.05, .1, .4));
    size_t open = add("", .1, estimate(.05, .3, .7)), split = add("", NAN, estimate(.1, .2, .01));
    assert_ok(book_settle(&b, &err));
    is(found, TARE_FOUND, "less");
    is(small, TARE_SMALL, "below the margin: more");
    is(negligible, TARE_NEGLIGIBLE, "below the margin");
    is(open, TARE_INCONCLUSIVE, "80 % power");
    is(split, TARE_INCONCLUSIVE, "p and interval disagree");
    assert_true(b.entries[found].significant && !b.entries[split].significant);
    assert_non_null(strstr(book_reading(&b, found)->marks, "at least the margin"));
}

static void test_what_holds_a_verdict_back(void **state)
{
    (void)state;
    size_t found = add("", .1, estimate(.5, .1, .001)), small = add("", 1, estimate(.5, .1, .001));
    size_t open = add("", .1, estimate(.05, .3, .7)), capped = add("", .1, estimate(.5, .1, .001));
    b.entries[found].condition_note = b.entries[small].condition_note =
        b.entries[open].condition_note = "depends on scale";
    b.entries[capped].capped = true;
    assert_ok(book_settle(&b, &err));
    is(found, TARE_INCONCLUSIVE, "depends on scale");
    is(small, TARE_NEGLIGIBLE, "any effect is below the margin");
    is(open, TARE_INCONCLUSIVE, "80 % power");
    is(capped, TARE_INCONCLUSIVE, "missing scores depend on");
    assert_non_null(strstr(book_reading(&b, small)->marks, "depends on scale"));
    assert_null(strstr(book_reading(&b, open)->marks, "depends on scale"));
    assert_null(strstr(book_reading(&b, found)->marks, "at least the margin"));
    for (size_t k = 0; k < b.count; k++) assert_false(b.entries[k].significant);
}

/* The same numbers under BY: what BH passes at .03 does not stand. */
static void test_the_q_that_decides(void **state)
{
    (void)state;
    b.o.fdr = "by";
    for (int k = 0; k < GOLDEN; k++) add("one", NAN, estimate(1, .5, golden_p[k]));
    assert_ok(book_settle(&b, &err));
    assert_int_equal(book_grid_of(&b, "one")->significant, 0);
    is(0, TARE_INCONCLUSIVE, "raw-significant");
}

static void test_maxt_needs_common_replicates(void **state)
{
    (void)state;
    b.o.boot_b = 99;
    double one[99], two[99];
    for (int k = 0; k < 99; k++) { /* of t: -1.96 to 1.96 in 99 steps, twice the same */
        one[k] = 1 + (k - 49) * .04 * .5 / 1.96;
        two[k] = 3 + (k - 49) * .04 * .5 / 1.96;
    }
    inference a = estimate(1, .5, .01), c = estimate(3, .5, .01);
    a.replicates = one;
    c.replicates = two;
    size_t first = add("one", NAN, a), second = add("one", NAN, c);
    assert_ok(book_settle(&b, &err));
    /* |t| = 3.92 and 11.76: no replicate of the maximum reaches either */
    assert_close(book_reading(&b, first)->q_maxt, .01);
    assert_close(book_reading(&b, second)->q_maxt, .01);
}

static void test_too_few_replicates_are_said(void **state)
{
    (void)state;
    b.o.boot_b = 99;
    for (int k = 0; k < 10; k++) {
        inference x = estimate(1, .5, .01);
        x.p_floor = .01;
        add("cells", NAN, x);
    }
    assert_ok(book_settle(&b, &err));
    assert_int_equal(result.caution_count, 1);
    assert_non_null(strstr(result.cautions[0], "at least 199 replicates"));
}

static void test_numbers_and_counts(void **state)
{
    (void)state;
    missing_counts missing = {.expected = 120, .used = 100};
    missing.by_reason[TARE_R_REFUSED] = 20;
    entry_spec spec = {.family = "test", .arm = "a", .dim = "d", .instrument = "j", .name = "n",
                       .condition = "c", .unit = "u", .margin = .3, .missing = &missing,
                       .grid = "one", .detail = true};
    inference x = estimate(1, .5, .01);
    b.o.margin = .7; /* the user's holds for every reading that has one */
    assert_ok(book_add(&b, &spec, &x, NULL, &err));
    assert_ok(book_number(&b, &spec, 42, &err));
    assert_ok(book_settle(&b, &err));
    const tare_reading *r = book_reading(&b, 0), *n = book_reading(&b, 1);
    assert_int_equal(r->n_expected, 120);
    assert_int_equal(r->n_missing[TARE_R_REFUSED], 20);
    assert_true(r->margin == .7 && r->detail);
    assert_string_equal(r->dim, "d");
    assert_true(n->estimate == 42 && isnan(n->margin) && isnan(n->q));
    assert_int_equal(n->verdict, TARE_DESCRIPTIVE);
    assert_string_equal(n->grid, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_families_have_their_own_q, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_verdicts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_holds_a_verdict_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_q_that_decides, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_maxt_needs_common_replicates, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_too_few_replicates_are_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_numbers_and_counts, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
