/* The preset of the paper, switch by switch (scorer audit 14). */
#include <string.h>

#include "audit/scorer/analysis_options.h"
#include "audit/scorer/pool_weights.h"
#include "photo_fixture.h"
#include "scorer_tables.h"
#include "support/check.h"

static analyse_options options_of(tare_context *context, const char *const *set)
{
    tare_job *job = job_with(context, "audit", NULL, set);
    analyse_options o = analysis_options_read(job);
    tare_job_free(job);
    return o;
}

static void switches_of_the_statistics(void **state)
{
    (void)state;
    tare_context *context;
    tare_error err = {0};
    assert_ok(tare_context_new(&context, NULL, &err));
    analyse_options p =
        options_of(context, (const char *const[]){"preset", "paper", NULL});
    analyse_options d = options_of(context, (const char *const[]){NULL});
    assert_string_equal(p.doses, "all");
    assert_int_equal(p.bon_n, 4);
    assert_false(p.bon_replace);
    assert_int_equal(p.bon_draws, 100);
    assert_string_equal(p.bon_ties, "first");
    assert_int_equal(p.boot_b, 2000);
    assert_string_equal(p.ci, "percentile");
    assert_string_equal(p.boot_p, "centred");
    assert_int_equal(p.perm_p, 2000);
    assert_true(p.alpha == .05);
    assert_false(p.margins);
    assert_true(p.paper);
    assert_int_equal(p.seeds, 5);
    /* and the defaults */
    assert_string_equal(d.doses, "all");
    assert_int_equal(d.bon_n, 4);
    assert_false(d.bon_replace);
    assert_int_equal(d.bon_draws, 0);
    assert_string_equal(d.bon_ties, "shared");
    assert_int_equal(d.boot_b, 9999);
    assert_string_equal(d.ci, "auto");
    assert_string_equal(d.boot_p, "centred");
    assert_int_equal(d.perm_p, 9999);
    assert_true(d.alpha == .05);
    assert_true(d.margins && !d.paper);
    assert_true(d.margin_sd == .1 && d.margin_beta_sd == .1 && d.margin_drift_attribute == 3);
    assert_true(isnan(d.margin_drift_dose)); /* by the axis */
    assert_int_equal(d.seeds, 5);
    /* what the user says goes before the preset */
    analyse_options mixed = options_of(
        context, (const char *const[]){"preset", "paper", "bon-draws", "0", "margins", "yes",
                                       "seeds", "3", "boot-b", "500", NULL});
    assert_int_equal(mixed.bon_draws, 0);
    assert_int_equal(mixed.boot_b, 500);
    assert_int_equal(mixed.seeds, 3);
    assert_true(mixed.margins && mixed.paper);
    tare_context_free(context);
}

static const char *fact(const audit_result *r, const char *key)
{
    for (size_t i = 0; i < r->fact_count; i++)
        if (strcmp(r->facts[i].key, key) == 0) return r->facts[i].value;
    fail_msg("no fact %s", key);
    return "";
}

static void switches_of_the_pixels(void **state)
{
    (void)state;
    static const struct { const char *key, *standard, *paper; } rows[] = {
        {"measure-mask", "base", "resegment"}, {"ita-aggregate", "mean", "mean"},
        {"ita-angle", "atan2", "atan"},        {"mask-set", "default", "default"},
        {"feather-sigma", "3", "3"},           {"feather-mode", "lab", "lab"}};
    tare_context *context;
    tare_error err = {0};
    assert_ok(tare_context_new(&context, NULL, &err));
    scratch_make();
    write_photos("p", 2);
    for (int paper = 0; paper < 2; paper++) {
        const char *const set[] = {"scorer", "planted:fidelity=1", "output",
                                   in_scratch(paper ? "paper" : "tare"), "preset",
                                   paper ? "paper" : "tare", NULL};
        tare_job *job = job_with(context, "audit", in_scratch("p"), set);
        assert_ok(tare_job_run(job, &err));
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
            assert_string_equal(job_text(job, rows[k].key),
                                paper ? rows[k].paper : rows[k].standard);
        const char *clusters = fact(&job->result, "cluster");
        const char *baseline = fact(&job->result, "bon.baseline");
        bool ignored = strstr(clusters, "clusters that were named are ignored") != NULL;
        bool picked = strstr(baseline, "one pick at random from each draw") != NULL;
        assert_true(ignored == (paper == 1) && picked == (paper == 1));
        tare_job_free(job);
    }
    scratch_remove();
    tare_context_free(context);
}

/* 24 images of 8 skeletons: the paper resamples the images. */
static void bases_are_clusters(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 1);
    b.options.boot_b = b.options.perm_p = 199;
    for (int paper = 0; paper < 2; paper++) {
        bench_clear(&b);
        b.options.paper = paper;
        text_add(&b.csv, "arm,base,cluster,dose,scorer,score\n");
        for (int i = 0; i < 24; i++)
            for (int dose = -2; dose <= 2; dose++)
                text_add_format(&b.csv, "skin,f%02d,c%d,%d,s,%d\n", 23 - i, i % 8, dose,
                                i % 5 + (i * 7 + dose + 9) % 4);
        assert_ok(bench_run(&b, &err));
        const tare_reading *fi = bench_reading(&b, NULL, "s", "FI", "all doses");
        assert_int_equal(fi->n_base, 24);
        assert_int_equal(fi->n_cluster, paper ? 24 : 8);
        bool told = false;
        for (size_t i = 0; i < b.result.caution_count; i++)
            told = told || strstr(b.result.cautions[i],
                                  "skin: 24 images of 8 clusters are taken for 24 independent");
        assert_true(told == (paper == 1));
        /* Rows of this table are made when it is written: all else of the analysis is gone by then,
         * and the cube as well. */
        char base[8];
        snprintf(base, sizeof base, "%s", bench_cell(&b, "used_scores", "s", "base")->text);
        const char *cluster = bench_cell(&b, "used_scores", "s", "cluster")->text;
        assert_string_equal(cluster, paper ? base : "c0");
        char *all = bench_dump(&b);
        assert_non_null(strstr(all, "[used_scores]"));
        mem_free(&b.m, all);
    }
    bench_close(&b);
}

/* The best of one draw is the draw: net of a random pick of the same draws it is exactly 0, and
 * net of the mean of the pool it is what chance gave. */
static void the_baseline_picks_from_the_same_draws(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 1);
    b.options.boot_b = b.options.perm_p = 199;
    b.options.bon_draws = 100;
    b.options.bon_n = 1;
    for (int paper = 0; paper < 2; paper++) {
        bench_clear(&b);
        b.options.paper = paper;
        put_toy(&b, false);
        assert_ok(bench_run(&b, &err));
        double net = bench_reading(&b, NULL, "toy", "net_drift", "dose")->estimate;
        double best = bench_reading(&b, NULL, "toy", "argmax_drift", "dose")->estimate;
        double random = bench_reading(&b, NULL, "toy", "random_drift", "dose")->estimate;
        assert_within(net, best - random, 0, 1e-12);
        assert_true((fabs(net) < 1e-12) == (paper == 1));
        assert_true((fabs(random) < 1e-12) == (paper == 0));
        /* 100 draws of 6 bases from doses with SD 10: SE .41 */
        assert_within(random, 0, 0, 5 * .41);
    }
    bench_close(&b);
}

static void picks_are_fair(void **state)
{
    (void)state;
    double w[7], sum = 0;
    tare_error err = {0};
    pool_weights rule = {.n = 4, .draws = 20000};
    pool_stream stream = {rng_key_of(3, "scorer/bestofn"), "a"};
    for (int replace = 0; replace < 2; replace++) {
        rule.replace = replace;
        assert_ok(pool_weights_random(w, &rule, 7, stream, &err));
        sum = 0;
        for (int d = 0; d < 7; d++) {
            /* SE of a share of 1/7 in 20,000: .0025 */
            assert_within(w[d], 1.0 / 7, 0, 5 * .0025);
            sum += w[d];
        }
        assert_within(sum, 1, 0, 1e-9);
    }
    rule.replace = false;
    rule.n = 8;
    assert_int_equal(pool_weights_random(w, &rule, 7, stream, &err), TARE_E_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(switches_of_the_statistics),
        cmocka_unit_test(switches_of_the_pixels),
        cmocka_unit_test(bases_are_clusters),
        cmocka_unit_test(the_baseline_picks_from_the_same_draws),
        cmocka_unit_test(picks_are_fair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
