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

static void says(const char *text, bool wanted)
{
    char *said = panel_bench_sentences(&b);
    if ((strstr(said, text) != NULL) != wanted) fail_msg("\"%s\" in\n%s", text, said);
    mem_free(&b.m, said);
}

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

/* K members of a panel of one are that one; a panel that is named must have K (ours). */
static void test_members(void **state)
{
    (void)state;
    put(NONE);
    REFUSED(TARE_E_USAGE, "panel.members", "3 scores are asked for", "panel=x=alpha,beta",
            "members=3");
    REFUSED(TARE_E_USAGE, "panel.members", "the panel of all has 3", "search=yes", "members=4");
    assert_ok(PANEL_RUN(&b, "search=yes", "members=3", "boot-b=99"));
    panel_key one = {"rule", "best single judge", NULL, NULL};
    assert_true(isfinite(panel_bench_cell(&b, "folds", &one, "agreement_held_out")->number));
    assert_ok(PANEL_RUN(&b, "greedy=yes", "members=2", "aggregate=majority", "boot-b=99"));
    assert_ok(PANEL_RUN(&b, "sequence=alpha,beta,gamma", "members=2", "boot-b=99"));
    panel_key first = {"panel", "alpha", NULL, NULL};
    assert_int_equal(panel_bench_cell(&b, "panels", &first, "n_rows")->integer, 80);
}

/* The same judges under another name, or in another order, are the same panel. */
static void test_same_members(void **state)
{
    (void)state;
    put(NONE);
    REFUSED(TARE_E_USAGE, "panel.members_twice", "panels x and y", "panel=x=alpha,beta",
            "panel=y=beta,alpha");
    assert_ok(PANEL_RUN(&b, "panel=x=beta,alpha", "sequence=alpha,beta,gamma", "search=yes",
                        "boot-b=99"));
    panel_key x = {"panel", "x", NULL, NULL}, added = {"added", "beta", NULL, NULL};
    assert_string_equal(panel_bench_cell(&b, "panels", &x, "source")->text, "named");
    assert_int_equal(panel_bench_cell(&b, "sequence", &added, "judges")->integer, 2);
    size_t same = 0;
    for (size_t k = 0; k < b.job->result.reading_count; k++) {
        const tare_reading *r = &b.job->result.readings[k];
        same += !strcmp(r->family, "votes") && !strcmp(r->name, "rho");
    }
    assert_int_equal(same, 2); /* {alpha, beta}, and all three, which are the last step */
}

/* A judge that is silent in one of two settings costs that setting's panel, not the run. */
static void test_silent_setting(void **state)
{
    (void)state;
    text_clear(&b.csv);
    text_add(&b.csv, "item,author,judge,setting,score,gold\n");
    for (int i = 0; i < 40; i++)
        for (int a = 0; a < 2; a++)
            for (int j = 0; j < 3; j++)
                for (int s = 0; s < (j == 2 ? 1 : 2); s++)
                    text_add_format(&b.csv, "i%02d,j%d,j%d,%s,%d,%d\n", i, a, j, s ? "free" : "ref",
                                    (i * (3 + j) + a * 5 + s) % (7 + j), (i * 3 + a) % 5);
    assert_ok(PANEL_RUN(&b, "panel=x=j0,j2", "panel=y=j0,j1", "boot-b=99"));
    says("free: panel x is left out, since judge j2 has no scores there", true);
    panel_key x = {"panel", "x", "setting", "ref"};
    assert_int_equal(panel_bench_cell(&b, "panels", &x, "n_rows")->integer, 80);
    assert_ok(PANEL_RUN(&b, "sequence=j0,j2,j1", "boot-b=99"));
    says("free: the sequence from judge j2 on is left out", true);
    assert_ok(PANEL_RUN(&b, "candidates=j0,j2,j1", "search=yes", "boot-b=99"));
    assert_ok(PANEL_RUN(&b, "panel=x=j2,j1", "boot-b=99"));
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
    says("Only one candidate: nothing was tried. alpha: tau-b", true);
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
        cmocka_unit_test(test_huge),           cmocka_unit_test(test_members),
        cmocka_unit_test(test_same_members),   cmocka_unit_test(test_silent_setting),
    };
    return cmocka_run_group_tests(tests, open, closed);
}
