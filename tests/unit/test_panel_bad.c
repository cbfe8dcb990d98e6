/* What tare panel refuses, and what it answers to degenerate data: judge audits B.1, B.5, 0.1. */
#include "support/check.h"

#include <string.h>

#include "panel_fixture.h"

static tare_error err;
static panel_bench b;

static int open(void **state)
{
    (void)state;
    panel_bench_open(&b, 1);
    return 0;
}

static int closed(void **state)
{
    (void)state;
    panel_bench_close(&b);
    return 0;
}

/* 40 items, 2 authors, judges alpha beta gamma; `how` changes one thing. */
typedef enum change { NONE, NO_GOLD, CONSTANT_GOLD, SILENT_JUDGE, CONSTANT_JUDGE, ONE_JUDGE,
                      ONE_AUTHOR, FEW_ITEMS, SPARSE, ALL_CONSTANT } change;

static void put(change how)
{
    static const char *const judge[] = {"alpha", "beta", "gamma"};
    int items = how == FEW_ITEMS ? 4 : 40;
    text_clear(&b.csv);
    text_add_format(&b.csv, "item,author,judge,score%s\n", how == NO_GOLD ? "" : ",gold");
    for (int i = 0; i < items; i++)
        for (int a = 0; a < (how == ONE_AUTHOR ? 1 : 2); a++)
            for (int j = 0; j < (how == ONE_JUDGE ? 1 : 3); j++) {
                char score[16];
                snprintf(score, sizeof score, "%d", (i * (3 + j) + a * 5 + j) % (7 + j));
                bool none = (how == SILENT_JUDGE && j == 2) || (how == SPARSE && j == 2 && i > 10);
                if (none) strcpy(score, "");
                if ((how == CONSTANT_JUDGE && j == 2) || how == ALL_CONSTANT) strcpy(score, "3");
                text_add_format(&b.csv, "i%02d,%s,%s,%s", i, judge[a], judge[j], score);
                if (how != NO_GOLD)
                    text_add_format(&b.csv, ",%d", how == CONSTANT_GOLD ? 1 : (i * 3 + a) % 5);
                text_add(&b.csv, "\n");
            }
}

#define REFUSED(status, code_is, says, ...)                                                   \
    do {                                                                                      \
        assert_int_equal(PANEL_RUN(&b, __VA_ARGS__), status);                                 \
        assert_string_equal(err.code, code_is);                                               \
        if (!strstr(err.message, says)) fail_msg("\"%s\" lacks \"%s\"", err.message, says);   \
    } while (0)

static void test_names(void **state)
{
    (void)state;
    put(NONE);
    REFUSED(TARE_E_USAGE, "panel.unknown_judge", "did you mean gamma?", "panel=x=alpha,gama");
    REFUSED(TARE_E_USAGE, "panel.unknown_judge", "is no judge", "sequence=alpha,qqqqqq");
    REFUSED(TARE_E_USAGE, "panel.unknown_judge", "did you mean beta", "candidates=alpha,Beta");
    REFUSED(TARE_E_USAGE, "panel.twice", "named twice", "panel=alpha,beta,alpha");
    REFUSED(TARE_E_USAGE, "panel.empty_name", "empty name", "panel=x=");
    REFUSED(TARE_E_USAGE, "panel.empty_name", "empty name", "sequence=alpha,,beta");
    REFUSED(TARE_E_USAGE, "panel.form", "no name before", "panel==alpha");
    REFUSED(TARE_E_USAGE, "panel.name_twice", "two panels", "panel=x=alpha", "panel=x=beta");
    REFUSED(TARE_E_USAGE, "panel.members", "neither all nor", "members=most");
    REFUSED(TARE_E_USAGE, "panel.members", "neither all nor", "members=0");
    REFUSED(TARE_E_USAGE, "panel.folds", "exclude each other", "folds=3", "holdout=.5");
    REFUSED(TARE_E_USAGE, "panel.aggregate", "did you mean", "aggregate=majorty");
}

static void test_gold(void **state)
{
    (void)state;
    put(NO_GOLD);
    REFUSED(TARE_E_DATA, "panel.no_gold", "--human FILE", "boot-b=99");
    put(CONSTANT_GOLD);
    REFUSED(TARE_E_DATA, "panel.constant_gold", "constant", "boot-b=99");
}

static void test_values(void **state)
{
    (void)state;
    put(NONE);
    REFUSED(TARE_E_DATA, "panel.binary", "votes of 0 and 1", "aggregate=any");
    REFUSED(TARE_E_DATA, "panel.lmc", "lmc combines", "aggregate=lmc");
}

static void says(const char *text, bool wanted)
{
    char *said = panel_bench_sentences(&b);
    if ((strstr(said, text) != NULL) != wanted) fail_msg("\"%s\" in\n%s", text, said);
    mem_free(&b.m, said);
}

static void test_silent_judge(void **state)
{
    (void)state;
    put(SILENT_JUDGE);
    assert_ok(PANEL_RUN(&b, "boot-b=99"));
    says("Judge gamma has no score", true);
    says("worth", true);
    REFUSED(TARE_E_DATA, "panel.unusable_judge", "has no score", "panel=alpha,gamma");
}

static void test_constant_judge(void **state)
{
    (void)state;
    put(CONSTANT_JUDGE);
    assert_ok(PANEL_RUN(&b, "aggregate=zmean", "boot-b=99"));
    says("Judge gamma gives every text the same score", true);
    REFUSED(TARE_E_DATA, "panel.unusable_judge", "no z-scores", "panel=alpha,gamma",
            "aggregate=zmean");
    assert_ok(PANEL_RUN(&b, "boot-b=99", "search=yes"));
    assert_int_equal(panel_bench_reading(&b, "agreement", "gamma", "tau_b", NULL)->verdict,
                     TARE_NO_ANSWER);
    says("and not at all those of gamma", true);
}

static void test_all_constant(void **state)
{
    (void)state;
    put(ALL_CONSTANT);
    assert_ok(PANEL_RUN(&b, "boot-b=99", "search=yes", "panel=alpha,beta"));
    says("No panel can be ranked", true);
    says("nan", false);
}

/* A panel of one is the judge itself: it has agreement, and no votes to count. */
static void test_panel_of_one(void **state)
{
    (void)state;
    put(NONE);
    assert_ok(PANEL_RUN(&b, "panel=solo=beta", "boot-b=99"));
    double solo = panel_bench_reading(&b, "agreement", "solo", "tau_b", NULL)->estimate;
    assert_true(solo == panel_bench_reading(&b, "agreement", "beta", "tau_b", NULL)->estimate);
    says("solo (1 judge)", true);
    says("worth", false);
    put(ONE_JUDGE);
    REFUSED(TARE_E_DATA, "panel.alone", "no panel", "boot-b=99");
    assert_ok(PANEL_RUN(&b, "search=yes", "boot-b=99"));
    says("No panel helps here: alpha alone", true);
}

static void test_small_tables(void **state)
{
    (void)state;
    put(ONE_AUTHOR);
    assert_ok(PANEL_RUN(&b, "search=yes", "boot-b=99"));
    says("Preference cannot be measured: the table has one author", true);
    put(FEW_ITEMS);
    assert_ok(PANEL_RUN(&b, "search=yes", "boot-b=99"));
    assert_int_equal(panel_bench_reading(&b, "agreement", "all judges", "tau_b", NULL)->verdict,
                     TARE_NO_ANSWER);
    says("nan", false);
    put(SPARSE);
    assert_ok(PANEL_RUN(&b, "search=yes", "boot-b=99"));
    says("too few items have a score in every cell", true);
    assert_ok(PANEL_RUN(&b, "search=yes", "boot-b=99", "cells=available"));
    says("Preference cannot be measured", false);
}

/* Numbers that cannot be squared are no reason to fall over. */
static void test_huge(void **state)
{
    (void)state;
    text_clear(&b.csv);
    text_add(&b.csv, "item,author,judge,score,gold\n");
    for (int i = 0; i < 40; i++)
        for (int a = 0; a < 2; a++)
            for (int j = 0; j < 2; j++)
                text_add_format(&b.csv, "i%02d,j%d,j%d,%de308,%d\n", i, a, j, (i + j) % 2 ? 1 : -1,
                                i % 3);
    tare_status status = PANEL_RUN(&b, "search=yes", "boot-b=99");
    assert_true(status == TARE_OK || status == TARE_E_DATA);
    if (status == TARE_OK) says("nan", false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),          cmocka_unit_test(test_gold),
        cmocka_unit_test(test_values),         cmocka_unit_test(test_silent_judge),
        cmocka_unit_test(test_constant_judge), cmocka_unit_test(test_all_constant),
        cmocka_unit_test(test_panel_of_one),   cmocka_unit_test(test_small_tables),
        cmocka_unit_test(test_huge),
    };
    return cmocka_run_group_tests(tests, open, closed);
}
