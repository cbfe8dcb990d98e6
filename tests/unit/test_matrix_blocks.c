/* Blocks, regressions and model level of tare matrix on a toy of six authors (five of them judges),
 * forty items and two dims. The numbers come from a NumPy program over the same formulas: double
 * centring, itertools.permutations, lstsq on dummies with sandwich covariances. */
#include "support/check.h"

#include <string.h>

#include "matrix_fixture.h"

enum { ITEMS = 40, AUTHORS = 6, JUDGES = 5 };

static tare_error err;

static const char *const name[AUTHORS] = {"m0", "m1", "m2", "m3", "m4", "zz"};
/* m4 has no family; zz is no model. A grouping whose values are lists. */
static const char toy_roster[] =
    "id,family,data\nm0,A,x;y\nm1,A,x\nm2,B,y\nm3,B,x\nm4,,z\nzz,,\n";

static bool kin(int g, int e)
{
    return g != e && g < 4 && e < 4 && g / 2 == e / 2;
}

static double score(int i, int g, int e, int d)
{
    return ((i * 7 + g * 5 + e * 3 + d * 11 + i * g + g * e * 2 + i * e * 3 + i * g * e) % 23) / 2.
           + (g == e ? 3 : 0) + (kin(g, e) ? 2 : 0) + i % 5;
}

static void put_table(matrix_bench *b, int items, int dims, bool holes)
{
    text_clear(&b->csv);
    text_clear(&b->roster);
    text_add(&b->roster, toy_roster);
    text_add(&b->csv, "item,author,judge,dim,score,length\n");
    for (int d = 0; d < dims; d++)
        for (int i = 0; i < items; i++)
            for (int g = 0; g < AUTHORS; g++)
                for (int e = 0; e < JUDGES; e++)
                    if (!holes || (i * 31 + g * 17 + e * 7 + d * 3) % 11 != 0)
                        text_add_format(&b->csv, "i%02d,%s,%s,d%d,%g,%d\n", i, name[g], name[e],
                                        d, score(i, g, e, d), (i * 13 + g * 29) % 37 + 5);
}

static const cell *row_of(const matrix_bench *b, const char *table, const char *const *pairs,
                          const char *column)
{
    const audit_result *r = &b->job->result;
    for (size_t i = 0; i < r->table_count; i++) {
        const result_table *t = r->tables[i];
        if (strcmp(t->name, table)) continue;
        for (size_t row = 0; row < t->row_count; row++) {
            const cell *c = t->cells + row * t->column_count, *found = NULL;
            bool match = true;
            for (size_t k = 0; k < t->column_count; k++) {
                if (!strcmp(t->columns[k], column)) found = &c[k];
                for (const char *const *p = pairs; *p; p += 2)
                    if (!strcmp(t->columns[k], p[0])) match = match && !strcmp(c[k].text, p[1]);
            }
            if (match) return found;
        }
    }
    return NULL;
}

static double number(const matrix_bench *b, const char *table, const char *const *pairs,
                     const char *column)
{
    const cell *c = row_of(b, table, pairs, column);
    if (!c) fail_msg("no row %s %s in %s", pairs[1], pairs[3], table);
    return c->kind == CELL_INTEGER ? (double)c->integer : c->number;
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

static void test_blocks(void **state)
{
    /* the last: lstsq of the off-diagonal cell means on dummies of author and judge */
    static const struct { const char *grouping, *value; double difference; } no_self[] = {
        {"family", "A", 1.5884046052631597}, {"family", "B", 1.7639802631578934},
        {"data", "x", .04130116959064391},   {"data", "y", -.8067434210526361}};
    static const struct {
        const char *grouping, *value, *kind;
        double cells, outside, mean, difference, positive;
    } want[] = {
        {"family", "A", "R", 2, 8, .849791666666667, 1.53875, 2},
        {"family", "A", "Z", 2, 8, .709896923070473, 1.29109942175346, 2},
        {"family", "A", "Phi~", 2, 8, .712400843215917, 1.20473300603087, 2},
        {"family", "B", "R", 2, 8, 1.04416666666667, 1.7584375, 2},
        {"data", "x", "R", 6, 9, -.380833333333333, -.00819444444444506, 2},
        {"data", "x", "Z", 6, 9, -.316470577475041, -.00543374316042528, 2},
        {"data", "x", "Phi~", 6, 9, -.33059261355297, .0861323054456543, 2},
        {"data", "y", "R", 2, 8, -1.05354166666667, -.8459375, 0}};
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 2);
    put_table(&b, ITEMS, 1, false);
    const char *options[] = {"boot-b=499", NULL};
    assert_ok(matrix_bench_run(&b, NULL, options, &err));
    for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
        const char *at[] = {"grouping", want[k].grouping, "block", want[k].value,
                            "kind", want[k].kind, NULL};
        assert_close(number(&b, "blocks", at, "cells"), want[k].cells);
        assert_close(number(&b, "blocks", at, "outside_cells"), want[k].outside);
        assert_close(number(&b, "blocks", at, "mean"), want[k].mean);
        assert_within(number(&b, "blocks", at, "difference"), want[k].difference, 1e-9, 1e-12);
        assert_close(number(&b, "blocks", at, "outside"), want[k].mean - want[k].difference);
        assert_close(number(&b, "blocks", at, "positive"), want[k].positive);
        assert_true(number(&b, "blocks", at, "difference_lo") < want[k].difference);
        assert_true(number(&b, "blocks", at, "difference_hi") > want[k].difference);
    }
    for (size_t k = 0; k < sizeof no_self / sizeof *no_self; k++) {
        const char *at[] = {"grouping", no_self[k].grouping, "block", no_self[k].value,
                            "kind", "R", NULL};
        double difference = number(&b, "blocks", at, "difference_no_self");
        assert_within(difference, no_self[k].difference, 1e-9, 1e-12);
        assert_true(number(&b, "blocks", at, "no_self_lo") < difference);
        assert_true(number(&b, "blocks", at, "no_self_hi") > difference);
    }
    /* one model alone is no block */
    const char *alone[] = {"grouping", "data", "block", "z", NULL};
    assert_null(row_of(&b, "blocks", alone, "mean"));
    /* 8 of 120 orders reach families, 82 the other grouping */
    const tare_reading *r = matrix_bench_reading(&b, "assignment", "assignment_R", NULL, "family");
    assert_close(r->estimate, 1.8321614583333332);
    assert_close(r->p, 8 / 120.);
    assert_close(r->p_floor, 8 / 120.);
    r = matrix_bench_reading(&b, "assignment", "assignment_Z", NULL, "family");
    assert_close(r->estimate, 1.5184277874892889);
    r = matrix_bench_reading(&b, "assignment", "assignment_R", NULL, "data");
    assert_close(r->estimate, -.05043402777777811);
    assert_close(r->p, 82 / 120.);
    r = matrix_bench_reading(&b, "block", "R", "family: B", "less outsiders");
    assert_close(r->estimate, 1.7584375);
    assert_string_equal(r->grid, "block");
    assert_int_equal(r->verdict, TARE_FOUND);
    matrix_bench_close(&b);
}

static void test_block_choice(void **state)
{
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 1);
    put_table(&b, ITEMS, 1, false);
    const char *options[] = {"boot-b=99", "block=data", NULL};
    assert_ok(matrix_bench_run(&b, NULL, options, &err));
    const char *family[] = {"grouping", "family", "kind", "R", NULL};
    const char *data[] = {"grouping", "data", "kind", "R", NULL};
    assert_null(row_of(&b, "blocks", family, "mean"));
    assert_non_null(row_of(&b, "blocks", data, "mean"));
    const char *unknown[] = {"boot-b=99", "block=vendor", NULL};
    assert_int_equal(matrix_bench_run(&b, NULL, unknown, &err), TARE_E_USAGE);
    assert_non_null(strstr(err.message, "vendor"));
    /* without a roster there is nothing to choose from, and no table */
    text_clear(&b.roster);
    assert_int_equal(matrix_bench_run(&b, NULL, unknown, &err), TARE_E_USAGE);
    const char *none[] = {"boot-b=99", NULL};
    assert_ok(matrix_bench_run(&b, NULL, none, &err));
    assert_null(row_of(&b, "blocks", family, "mean"));
    matrix_bench_close(&b);
}

/* ---- Regression ------------------------------------------------------------------------------ */

typedef struct wanted { const char *term, *level; double estimate, cr1, hc0; } wanted;

static void check_terms(const matrix_bench *b, const char *form, const wanted *w, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const char *at[] = {"form", form, "term", w[k].term, "level", w[k].level, NULL};
        assert_within(number(b, "regression", at, "estimate"), w[k].estimate, 1e-9, 1e-12);
        assert_close(number(b, "regression", at, "se_cr1"), w[k].cr1);
        assert_close(number(b, "regression", at, "se_hc0"), w[k].hc0);
    }
}

/* No gold column: peers that are neither the author nor its family; two dims together; holes; the
 * length of the texts. */
static void test_peers(void **state)
{
    static const wanted full[] = {
        {"severity", "m0", .2354929790905, .03079547946439, .03160252661998},
        {"severity", "m4", .2826984164363, .03899667937487, .03163972369648},
        {"slope", "m0", .4305508447701, .07080175600156, .06914733194521},
        {"slope", "m4", .3133499815889, .09256203319377, .07224013116089},
        {"self", "m0", .1641835584246, .01686495775036, .0248500708324},
        {"self", "m4", .1730057089453, .01754847700612, .02566215178702},
        {"family", "A", .1111285947217, .01262408590442, .01800293515184},
        {"family", "B", .1196729790636, .01494505571674, .01832672472918},
        {"dim", "d1", .003330881700955, .006661376939482, .008750136722642},
        {"length", "", .000999232526998, .004176033260211, .006584175172856}};
    static const wanted pooled[] = {
        {"self", "", .1639704133149, .006254087535885, .01138821885256},
        {"family", "", .1158917086233, .009277601758641, .01277872266496}};
    static const wanted additive[] = {
        {"severity", "m0", .4187261092095, .01849735047361, .01507083689419},
        {"author", "zz", -.001072232196019, .009963131706588, .01531373168172},
        {"self", "", .1640724189928, .00664897280716, .01205119387875},
        {"family", "", .1159782248248, .00921123437138, .01385333105262},
        {"length", "", -.0003023799642879, .004539857171051, .006425441971936}};
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 2);
    put_table(&b, ITEMS, 2, true);
    const char *options[] = {"boot-b=99", "cells=available", "length-term=tanh", NULL};
    assert_ok(matrix_bench_run(&b, NULL, options, &err));
    check_terms(&b, "with gold", full, sizeof full / sizeof *full);
    check_terms(&b, "with gold, pooled", pooled, 2);
    check_terms(&b, "additive", additive, sizeof additive / sizeof *additive);
    const tare_reading *r = matrix_bench_reading(&b, "self-regression", "self", "m0",
                                                 "by peers");
    assert_int_equal(r->n_base, 2006);
    assert_int_equal(r->n_expected, 2400);
    assert_int_equal(r->n_missing[TARE_R_ABSENT], 218);
    /* every text has two judges that may be peers, but their scores are missing */
    assert_int_equal(r->n_missing[TARE_R_MISSING], 176);
    assert_int_equal(r->n_missing[TARE_R_EXCLUDED], 0);
    assert_non_null(strstr(r->marks, "errors-in-gold"));
    assert_string_equal(r->dim, "");
    assert_string_equal(r->grid, "");
    assert_int_equal(r->verdict, TARE_DESCRIPTIVE);
    assert_close(r->estimate, .1641835584246);
    matrix_bench_close(&b);
}

/* gold none: only the additive form. range: slope and effects are of the range. */
static void test_choices(void **state)
{
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 1);
    put_table(&b, ITEMS, 2, true);
    const char *options[] = {"boot-b=99", "cells=available", "gold-from=none", "rescale=none",
                             "length-term=tanh", "vcov=hc1", NULL};
    assert_ok(matrix_bench_run(&b, NULL, options, &err));
    const char *full[] = {"form", "with gold", NULL};
    const char *self[] = {"form", "additive", "term", "self", NULL};
    assert_null(row_of(&b, "regression", full, "estimate"));
    assert_close(number(&b, "regression", self, "estimate"), 18 * .1640724189928);
    assert_close(number(&b, "regression", self, "se"),
                 18 * .01205119387875 * sqrt(2182 / (2182 - 14.)));
    const char *range[] = {"boot-b=99", "cells=available", "rescale=range", "length-term=tanh",
                           NULL};
    assert_ok(matrix_bench_run(&b, NULL, range, &err));
    /* scores go from 0 to 18: the same as the maximum */
    assert_close(number(&b, "regression", self, "estimate"), .1640724189928);
    matrix_bench_close(&b);
}

/* 20 items: CR2 leads, and its interval is wider than that of CR1 would be. */
static void test_few_clusters(void **state)
{
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 1);
    put_table(&b, 20, 1, false);
    const char *options[] = {"boot-b=99", "cells=available", NULL};
    assert_ok(matrix_bench_run(&b, NULL, options, &err));
    const tare_reading *r = matrix_bench_reading(&b, "self-regression", "self", "m1",
                                                 "by peers");
    assert_string_equal(r->interval_method, "CR2 Satterthwaite t");
    assert_true(r->df > 1 && r->df < 20 && r->lo < r->estimate && r->estimate < r->hi);
    /* Bell and McCaffrey by the n x n matrices of their paper, in NumPy */
    const char *severity[] = {"form", "with gold", "term", "severity", "level", "m0", NULL};
    assert_within(number(&b, "regression", severity, "estimate"), .23375662023918176, 1e-9, 0);
    assert_within(number(&b, "regression", severity, "se"), .05543354677998538, 1e-9, 0);
    assert_within(number(&b, "regression", severity, "df"), 11.64893393805788, 1e-8, 0);
    severity[5] = "m4";
    assert_within(number(&b, "regression", severity, "se"), .05532861820952429, 1e-9, 0);
    assert_within(number(&b, "regression", severity, "df"), 13.264738071528521, 1e-8, 0);
    const char *self[] = {"form", "with gold", "term", "self", "level", "m0", NULL};
    assert_within(number(&b, "regression", self, "se"), .03593195983241164, 1e-9, 0);
    assert_within(number(&b, "regression", self, "df"), 18.98517177232978, 1e-8, 0);
    const char *two[] = {"boot-b=99", "cells=available", "vcov=twoway", NULL};
    assert_ok(matrix_bench_run(&b, NULL, two, &err));
    r = matrix_bench_reading(&b, "self-regression", "self", "m1", "by peers");
    assert_string_equal(r->interval_method, "two-way CR0 t");
    put_table(&b, 5, 1, false);
    assert_ok(matrix_bench_run(&b, NULL, options, &err));
    r = matrix_bench_reading(&b, "self-regression", "self", "m1", "by peers");
    assert_string_equal(r->reason, "too_few_clusters");
    assert_true(isfinite(r->estimate) && isnan(r->lo) && isnan(r->p));
    matrix_bench_close(&b);
}

static void test_ordinal_link(void **state)
{
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 1);
    put_table(&b, ITEMS, 1, false);
    const char *options[] = {"boot-b=99", "link=ordinal", NULL};
    assert_ok(matrix_bench_run(&b, NULL, options, &err));
    const tare_reading *r = matrix_bench_reading(&b, "self-regression", "self, pooled",
                                                 "", "additive");
    assert_string_equal(r->unit, "log odds");
    assert_true(r->estimate > 0 && r->se > 0 && r->p < .05 && isnan(r->margin));
    matrix_bench_close(&b);
}

/* The same scores from everybody: no variation, and no crash. */
static void test_constant_scores(void **state)
{
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 1);
    text_add(&b.csv, "item,author,judge,score\n");
    for (int i = 0; i < ITEMS; i++)
        for (int g = 0; g < 4; g++)
            for (int e = 0; e < 4; e++)
                text_add_format(&b.csv, "i%02d,%s,%s,3\n", i, name[g], name[e]);
    text_add(&b.roster, toy_roster);
    const char *options[] = {"boot-b=99", NULL};
    assert_ok(matrix_bench_run(&b, NULL, options, &err));
    const tare_reading *r = matrix_bench_reading(&b, "self-regression", "self, pooled", NULL,
                                                 "additive");
    assert_string_equal(r->reason, "degenerate");
    matrix_bench_close(&b);
}

/* A judge that repeats the gold score exactly: no residual is left. */
static void test_perfect_fit(void **state)
{
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 1);
    text_add(&b.csv, "item,author,judge,score,gold\n");
    for (int i = 0; i < ITEMS; i++)
        for (int g = 0; g < 4; g++)
            for (int e = 0; e < 4; e++) {
                int gold = (i * 5 + g * 3) % 7;
                text_add_format(&b.csv, "i%02d,%s,%s,%d,%d\n", i, name[g], name[e],
                                gold + e + (g == e ? 2 : 0), gold);
            }
    const char *options[] = {"boot-b=99", "rescale=none", NULL};
    assert_ok(matrix_bench_run(&b, NULL, options, &err));
    const tare_reading *r = matrix_bench_reading(&b, "self-regression", "self", "m2",
                                                 "by gold");
    assert_close(r->estimate, 2);
    assert_true(r->se == 0 && r->lo == r->estimate && r->hi == r->estimate);
    assert_int_equal(r->verdict, TARE_FOUND);
    const char *slope[] = {"form", "with gold", "term", "slope", "level", "m3", NULL};
    assert_close(number(&b, "regression", slope, "estimate"), 1);
    matrix_bench_close(&b);
}

/* ---- Model level ----------------------------------------------------------------------------- */

static void test_model_level(void **state)
{
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 2);
    put_table(&b, ITEMS, 1, false);
    const char *options[] = {"boot-b=499", NULL};
    assert_ok(matrix_bench_run(&b, NULL, options, &err));
    double d[JUDGES], mean = 0, square = 0;
    for (int k = 0; k < JUDGES; k++) {
        d[k] = matrix_bench_reading(&b, "self", "D", name[k], NULL)->estimate;
        mean += d[k] / JUDGES;
    }
    for (int k = 0; k < JUDGES; k++) square += (d[k] - mean) * (d[k] - mean);
    const tare_reading *item = matrix_bench_reading(&b, "models", "mean D", NULL,
                                                    "more items");
    const tare_reading *model = matrix_bench_reading(&b, "models", "mean D", NULL,
                                                     "more models");
    assert_close(item->estimate, mean);
    assert_close(model->estimate, mean);
    assert_close(model->se, sqrt(square / 4 / 5));
    assert_int_equal(model->verdict, TARE_DESCRIPTIVE); /* five models */
    assert_non_null(strstr(model->marks, "too few models"));
    matrix_bench_close(&b);
}

/* Unbalanced: neither blocks nor models, and the table says why. */
static void test_available(void **state)
{
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 1);
    put_table(&b, ITEMS, 1, true);
    const char *options[] = {"boot-b=99", "cells=available", NULL};
    assert_ok(matrix_bench_run(&b, NULL, options, &err));
    const tare_reading *r = matrix_bench_reading(&b, "assignment", "assignment_R", NULL, "family");
    assert_string_equal(r->reason, "not_run");
    assert_non_null(strstr(r->marks, "equal items"));
    matrix_bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks),       cmocka_unit_test(test_block_choice),
        cmocka_unit_test(test_peers),        cmocka_unit_test(test_choices),
        cmocka_unit_test(test_few_clusters), cmocka_unit_test(test_ordinal_link),
        cmocka_unit_test(test_constant_scores), cmocka_unit_test(test_perfect_fit),
        cmocka_unit_test(test_model_level),  cmocka_unit_test(test_available),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
