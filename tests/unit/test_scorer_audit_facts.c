/* "How it was made": every rule of ours says so (scorer audit 13, 14). */
#include <string.h>

#include "scorer_tables.h"
#include "support/check.h"

static const char *fact(const bench *b, const char *key)
{
    for (size_t i = 0; i < b->result.fact_count; i++)
        if (strcmp(b->result.facts[i].key, key) == 0) return b->result.facts[i].value;
    return NULL;
}

static void run(bench *b)
{
    tare_error err = {0};
    text_add(&b->csv, "arm,base,dose,scorer,score\n");
    for (int i = 0; i < 12; i++)
        for (int dose = -2; dose <= 2; dose++)
            text_add_format(&b->csv, "skin,f%02d,%d,s,%d\n", i, dose, i % 5 + (i + dose + 9) % 4);
    assert_ok(bench_run(b, &err));
}

/* Tags O and P~ of scorer audit 2-11. */
static void rules_carry_their_tag(void **state)
{
    (void)state;
    static const char *const ours[] = {
        "margin.sd0", "margin.beta_sd0_per_30_degrees", "margin.drift_degrees",
        "margin.drift_dose", "group.min", "perm.exact", "boot.B", "bon.ties", "bon.draws",
        "kappa of near-symmetric", "calibration passes", "C1 clean, separable", "C2", "C3",
        "C3 for populations", "clip-bounded", "noise floor", "noise floor, v of FI",
        "noise floor, v of A", "sham contrast", "C1 of a warp", "mask edited within", "seeds",
        "grids i dose, ii adjusted, iii adjusted, iv, v, vi"};
    static const char *const inferred[] = {
        "fidelity.doses", "bon.replace", "bon.pool", "regression", "calibration measures",
        "placebo contrast", "C1, C2, C3, what they ask"};
    static const char *const of_paper[] = {"alpha", "fdr", "bon.n", "grids i, ii, iii"};
    bench b;
    bench_open(&b, 1);
    run(&b);
    for (size_t k = 0; k < sizeof ours / sizeof *ours; k++) {
        const char *value = fact(&b, ours[k]);
        if (!value || !strstr(value, " (ours)")) fail_msg("%s is not marked as ours", ours[k]);
    }
    for (size_t k = 0; k < sizeof inferred / sizeof *inferred; k++) {
        const char *value = fact(&b, inferred[k]);
        if (!value || !strstr(value, " (inferred from the paper)"))
            fail_msg("%s is not marked as inferred", inferred[k]);
    }
    for (size_t k = 0; k < sizeof of_paper / sizeof *of_paper; k++) {
        const char *value = fact(&b, of_paper[k]);
        if (!value || strstr(value, "(ours)")) fail_msg("%s is the paper's", of_paper[k]);
    }
    assert_string_equal(fact(&b, "margin.sd0"), "0.1 (ours)");
    assert_null(fact(&b, "sham")); /* nobody knows how a table's images were made */
    for (size_t i = 0; i < b.result.fact_count; i++)
        if (strlen(b.result.facts[i].value) > 120) fail_msg("long: %s", b.result.facts[i].value);
    bench_close(&b);
}

static void what_the_user_set_is_not_ours(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    b.options.margin_sd = 0.25;
    b.options.doses = "extreme";
    b.options.boot_b = 999;
    run(&b);
    assert_string_equal(fact(&b, "margin.sd0"), "0.25");
    assert_string_equal(fact(&b, "fidelity.doses"), "extreme");
    assert_string_equal(fact(&b, "boot.B"), "999");
    assert_string_equal(fact(&b, "margin.drift_degrees"), "3 (ours)");
    bench_close(&b);
}

/* The constants of the edits, where the program made them (scorer audit 2.3-2.5, 3). */
static void edits_made_here_show_their_constants(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"skin share of the image", "below 0.05 no_skin, above 0.95 flagged (ours)"},
        {"mask.set default", "Cb 77..127, Cr 133..173 (inferred from the paper)"},
        {"mask.set tight", "Cb 82..122, Cr 138..168 (ours)"},
        {"mask.set loose", "Cb 72..132, Cr 128..178 (ours)"},
        {"feather, default", "Gaussian in Lab, sigma 3 px at 224 px, to 4 sigma (ours)"},
        {"sham", "-1, 0, +1 per channel: 1/24, 11/12, 1/24 (ours)"},
        {"ITA, default angle", "atan2(L* - 50, b*) (ours)"},
        {"measure.mask, default", "that of the base (ours)"},
    };
    bench b;
    bench_open(&b, 1);
    run(&b);
    tare_error err = {0};
    b.c.arm[0].edited_here = true;
    result_free(&b.result);
    result_init(&b.result, &b.m);
    assert_ok(analyse_cube(&b.result, b.context, &b.c, &b.options, &err));
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const char *value = fact(&b, rows[k][0]);
        if (!value) fail_msg("no fact \"%s\"", rows[k][0]);
        assert_string_equal(value, rows[k][1]);
    }
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_carry_their_tag),
        cmocka_unit_test(what_the_user_set_is_not_ours),
        cmocka_unit_test(edits_made_here_show_their_constants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
