/* What no seed can move has no spread over the seeds (scorer audit 7). */
#include <string.h>

#include "scorer_tables.h"
#include "stats/moments.h"
#include "support/check.h"

/* The mean of 7 equal numbers may be another number. */
static void an_exact_estimate_has_no_spread(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 1);
    b.options.boot_b = b.options.perm_p = 99;
    b.options.seeds = 7;
    gauss g = {21};
    text_add(&b.csv, "arm,base,dose,scorer,score\n");
    for (int k = 0; k < 12; k++)
        for (int i = 0; i < 8; i++)
            for (int dose = -1; dose <= 1; dose++)
                text_add_format(&b.csv, "skin,f%d,%d,s%d,%.17g\n", i, dose, k, gauss_next(&g));
    assert_ok(bench_run(&b, &err));
    size_t rounds = 0;
    for (int k = 0; k < 12; k++) {
        char scorer[8];
        snprintf(scorer, sizeof scorer, "s%d", k);
        double fi = bench_reading(&b, NULL, scorer, "FI", "all doses")->estimate;
        const double seven[] = {fi, fi, fi, fi, fi, fi, fi};
        rounds += moments_sd(seven, 7, 1) > 0;
        assert_true(bench_reading(&b, NULL, scorer, "FI_sd", "seeds")->estimate == 0);
        assert_string_equal(bench_reading(&b, NULL, scorer, "FI_same_sign", "seeds")->marks,
                            "pass");
    }
    assert_true(rounds > 0); /* or nothing was tested */
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exact_estimate_has_no_spread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
