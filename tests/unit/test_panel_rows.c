/* Which rows and scales the numbers of tare panel rest on: judge audits B.1, B.4, B.5. */
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

static void says(const char *text, bool wanted)
{
    char *said = panel_bench_sentences(&b);
    if ((strstr(said, text) != NULL) != wanted) fail_msg("\"%s\" in\n%s", text, said);
    mem_free(&b.m, said);
}

static double number(const char *table, const panel_key *key, const char *column)
{
    return panel_bench_cell(&b, table, key, column)->number;
}

/* Two dims, three judges that write; judges lenient in the second dim by `lenient`; one score in
 * `gaps` of the second dim is missing (0: none). */
static void put_dims(const double *lenient, uint32_t gaps)
{
    text_clear(&b.csv);
    text_add(&b.csv, "item,author,judge,dim,score,gold\n");
    for (uint32_t i = 0; i < 60; i++)
        for (uint32_t a = 0; a < 3; a++)
            for (uint32_t j = 0; j < 4; j++)
                for (uint32_t d = 0; d < 2; d++) {
                    uint32_t n = ((i * 3 + a) * 4 + j) * 2 + d;
                    double gold = panel_gauss(d, i * 3 + a), score = gold + panel_gauss(9, n);
                    if (d == 1) score += lenient[j];
                    if (d == 1 && gaps && n / 2 % gaps == 0) continue;
                    text_add_format(&b.csv, "i%02u,j%u,j%u,d%u,%.3f,%.3f\n", i, a, j, d, score,
                                    gold);
                }
}

/* Leaving the author out takes every dim's own leniency out: leniency in one dim changes nothing in
 * the geometric median's other dim. */
static void test_lenient_dim(void **state)
{
    (void)state;
    static const double even[4] = {0}, uneven[4] = {3, -2, 0, 5};
    panel_key key = {"panel", "x", "dim", "d0"};
    put_dims(even, 0);
    assert_ok(PANEL_RUN(&b, "panel=x=j0,j1,j2,j3", "aggregate=geomedian", "boot-b=99"));
    double was = number("panels", &key, "lso_agreement");
    put_dims(uneven, 0);
    assert_ok(PANEL_RUN(&b, "panel=x=j0,j1,j2,j3", "aggregate=geomedian", "boot-b=99"));
    assert_close(number("panels", &key, "lso_agreement"), was);
}

/* A row without a score in another dim has no part in the search, and none in what is held out. */
static void test_gaps_in_dim(void **state)
{
    (void)state;
    static const double even[4] = {0};
    static const char *const folds[] = {"1", "2", "3", "4", "5"};
    double mean = 0;
    put_dims(even, 11);
    assert_ok(PANEL_RUN(&b, "search=yes", "aggregate=geomedian", "members=2", "boot-b=99",
                        "max-size=3"));
    for (size_t k = 0; k < 5; k++) {
        panel_key key = {"fold", folds[k], "rule", "least bias"};
        mean += number("folds", &key, "agreement_held_out") / 5;
    }
    assert_close(panel_bench_reading(&b, "search", "least bias", "tau_b", "held out")->estimate,
                 mean);
}

/* `constant` judges of four give gold + .1: rounding aside, their errors do not vary. */
static void put_constant(int constant)
{
    text_clear(&b.csv);
    text_add(&b.csv, "item,author,judge,score,gold\n");
    for (uint32_t i = 0; i < 40; i++)
        for (uint32_t a = 0; a < 2; a++)
            for (uint32_t j = 0; j < 4; j++) {
                double gold = (double)((i * 7 + a * 3) % 10) / 10;
                double e = (int)j < constant ? 0 : panel_gauss(3, (i * 2 + a) * 4 + j);
                text_add_format(&b.csv, "i%02u,j%u,j%u,%.17g,%.17g\n", i, a, j, gold + .1 + e,
                                gold);
            }
}

static void test_constant_errors(void **state)
{
    (void)state;
    put_constant(1);
    assert_ok(PANEL_RUN(&b, "boot-b=99"));
    says("The errors of j0 are the same in every row and are left out. Its other 3 judges", true);
    put_constant(3);
    assert_ok(PANEL_RUN(&b, "boot-b=99"));
    says("The errors of j0, j1 and j2 are the same", true);
    says("Votes cannot be counted", true);
    says("worth", false);
    says("nan", false);
    put_constant(4);
    assert_ok(PANEL_RUN(&b, "boot-b=99"));
    says("votes cannot be counted", true);
    says("nan", false);
}

/* Scores of 0 to 1 and gold of 0 to 100: their difference is no error. */
static void test_other_scale(void **state)
{
    (void)state;
    panel_key key = {"panel", "all judges", "member", "j0"};
    for (int scale = 1; scale <= 100; scale += 99) {
        text_clear(&b.csv);
        text_add(&b.csv, "item,author,judge,score,gold\n");
        for (uint32_t i = 0; i < 40; i++)
            for (uint32_t a = 0; a < 2; a++)
                for (uint32_t j = 0; j < 3; j++)
                    text_add_format(&b.csv, "i%02u,j%u,j%u,%.3f,%u\n", i, a, j,
                                    panel_uniform(1, (i * 2 + a) * 3 + j),
                                    (i * 3 + a) % 2 * (uint32_t)scale + (scale > 1 ? 2 : 0));
        assert_ok(PANEL_RUN(&b, "boot-b=99"));
        assert_true(isnan(number("members", &key, "excess")) == (scale > 1));
        assert_string_equal(panel_bench_cell(&b, "members", &key, "no_excess")->text,
                            scale > 1 ? "other_scale" : "");
    }
}

/* Judge j0 is silent for items from `least` to 49; rows are those of items below `most`. */
static void put_half(uint32_t silent_from, uint32_t most)
{
    text_clear(&b.csv);
    text_add(&b.csv, "item,author,judge,score,gold\n");
    for (uint32_t i = 0; i < most; i++)
        for (uint32_t a = 0; a < 2; a++)
            for (uint32_t j = 0; j < 3; j++) {
                double gold = panel_gauss(1, i * 2 + a);
                if (j == 0 && i >= silent_from) continue;
                text_add_format(&b.csv, "i%02u,a%u,j%u,%.3f,%.3f\n", i, a, j,
                                gold + panel_gauss(2, (i * 2 + a) * 3 + j), gold);
            }
}

/* With two of three members a row has a score; without j1 only rows of j0 are left: the change is
 * that on those rows. */
static void test_common_rows(void **state)
{
    (void)state;
    panel_key member = {"panel", "x", "member", "j1"}, x = {"panel", "x", NULL, NULL},
              pair = {"panel", "pair", NULL, NULL};
    put_half(25, 25);
    assert_ok(PANEL_RUN(&b, "panel=x=j0,j1,j2", "panel=pair=j0,j2", "members=2", "boot-b=99"));
    double without = number("panels", &pair, "agreement");
    double change = without - number("panels", &x, "agreement");
    put_half(25, 50);
    assert_ok(PANEL_RUN(&b, "panel=x=j0,j1,j2", "members=2", "boot-b=99"));
    assert_close(number("members", &member, "agreement_without"), without);
    assert_close(number("members", &member, "agreement_change"), change);
    assert_true(fabs(without - number("panels", &x, "agreement") - change) > 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lenient_dim),     cmocka_unit_test(test_gaps_in_dim),
        cmocka_unit_test(test_constant_errors), cmocka_unit_test(test_other_scale),
        cmocka_unit_test(test_common_rows),
    };
    return cmocka_run_group_tests(tests, open, closed);
}
