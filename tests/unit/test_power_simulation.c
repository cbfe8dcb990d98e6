/* The formula of tare power against simulation with the audit's own inference: bands of 4 Monte
 * Carlo standard errors (statistics 17). */
#include "support/check.h"

#include <string.h>

#include "power_fixture.h"

static tare_error err;

#define SETS 400
#define SETS_TEXT "simulate=400"

/* `more`: what the bootstrap test is known to find beyond its level (statistics 4: .058 at M = 54,
 * .059 at 30), and what sign flips find less than t because their p is a count. */
static void compare(const power_bench *b, double more)
{
    const audit_result *r = &b->job->result;
    size_t rows = 0;
    for (size_t t = 0; t < r->table_count; t++) {
        const result_table *x = r->tables[t];
        if (strcmp(x->name, "power_simulated") != 0) continue;
        for (size_t k = 0; k < x->row_count; k++) {
            const cell *row = x->cells + k * x->column_count;
            if (!strcmp(row[4].text, "found after correction")) continue;
            double formula = row[5].number, simulated = row[6].number;
            double se = sqrt(fmax(formula * (1 - formula), 0.005) / SETS);
            rows++;
            if (!(fabs(simulated - formula) <= 4 * se + more))
                fail_msg("%s, %s: formula %g, simulated %g", row[2].text, row[4].text, formula,
                         simulated);
        }
    }
    assert_true(rows >= 8);
}

static void test_nine(void **state)
{
    (void)state;
    power_bench b;
    power_bench_open(&b, 2);
    assert_ok(POWER_RUN(&b, "bases=54", "clusters=9", "icc=0.5", "sd-base=0.1", "sd-noise=0.05",
                        "sd-neutral=1", "effect=0.08", "effect=A=0.06", SETS_TEXT, "boot-b=99"));
    compare(&b, 0.02);
    power_bench_close(&b);
}

static void test_twenty(void **state)
{
    (void)state;
    power_bench b;
    power_bench_open(&b, 2);
    assert_ok(POWER_RUN(&b, "bases=20", "sd-noise=0.1", "sd-neutral=0.8", "effect=0.08",
                        "grid=-2,0,1,2", "bon-n=2", SETS_TEXT, "boot-b=99"));
    compare(&b, 0.01);
    power_bench_close(&b);
}

static void test_fifty_four(void **state)
{
    (void)state;
    power_bench b;
    power_bench_open(&b, 2);
    assert_ok(POWER_RUN(&b, "bases=60", "missing=0.1", "sd-base=0.1", "quantum=0.1",
                        "sd-neutral=0.5", "effect=0.04", "form=extreme", SETS_TEXT,
                        "boot-b=999", "perm-p=99"));
    compare(&b, 0.02);
    power_bench_close(&b);
}

static void test_two_hundred(void **state)
{
    (void)state;
    power_bench b;
    power_bench_open(&b, 2);
    assert_ok(POWER_RUN(&b, "bases=210", "sd-base=0.1", "sd-noise=0.02", "sd-neutral=0.25",
                        "effect=0.02", SETS_TEXT, "boot-b=999", "perm-p=99"));
    compare(&b, 0.01);
    power_bench_close(&b);
}

/* Two groups: max - min is |m1 - m2|, whose permutation test has about the power of t with
 * shift X/(sd sqrt(2/n)) and 2n - 2 df. Without an effect between them: the level. */
static void test_groups(void **state)
{
    (void)state;
    power_bench b;
    power_bench_open(&b, 2);
    assert_ok(POWER_RUN(&b, "bases=60", "sd-base=0.1", "effect=0.05", "groups=2",
                        "group-effect=0.07", SETS_TEXT, "perm-p=499"));
    /* stats.nct with shift .07/(.1 sqrt(2/30)) and 58 df, t(.975): SciPy 1.17.1 */
    double want = 0.7599, se = sqrt(want * (1 - want) / SETS);
    double got = power_bench_cell(&b, "power_groups", "FI", NULL, "power")->number;
    assert_true(fabs(got - want) <= 4 * se);
    assert_ok(POWER_RUN(&b, "bases=84", "clusters=42", "icc=0.3", "sd-base=0.1", "effect=0.05",
                        "groups=7", "group-effect=0.0000001", SETS_TEXT, "perm-p=499"));
    got = power_bench_cell(&b, "power_groups", "A", NULL, "power")->number;
    assert_true(fabs(got - .05) <= 4 * sqrt(.05 * .95 / SETS));
    power_bench_close(&b);
}

/* Threads change nothing. */
static void test_threads(void **state)
{
    (void)state;
    double seen[2][3];
    for (unsigned k = 0; k < 2; k++) {
        power_bench b;
        power_bench_open(&b, k ? 3 : 1);
        assert_ok(POWER_RUN(&b, "bases=40", "sd-base=0.1", "sd-noise=0.02", "sd-neutral=1",
                            "effect=0.04", "simulate=100", "boot-b=199", "perm-p=99", "groups=2"));
        seen[k][0] = power_bench_cell(&b, "power_simulated", "FI", NULL, "simulated")->number;
        seen[k][1] = power_bench_cell(&b, "power_groups", "A", NULL, "power")->number;
        seen[k][2] = power_bench_number(&b, "net_drift", "effect");
        power_bench_close(&b);
    }
    assert_memory_equal(seen[0], seen[1], sizeof seen[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nine),        cmocka_unit_test(test_twenty),
        cmocka_unit_test(test_fifty_four),  cmocka_unit_test(test_two_hundred),
        cmocka_unit_test(test_groups),      cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
