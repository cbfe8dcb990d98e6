/* What the answer says in words, and must not say (scorer audit 5.7, 10, 12; statistics 8). */
#include <string.h>

#include "scorer_tables.h"
#include "support/check.h"

static void run(bench *b)
{
    tare_error err = {0};
    b->options.boot_b = b->options.perm_p = 999;
    assert_ok(bench_run(b, &err));
}

/* The first answer that begins with `start`; fails if there is none. */
static const char *answer(const bench *b, const char *start)
{
    for (size_t i = 0; i < b->result.answer_count; i++)
        if (strncmp(b->result.answer[i], start, strlen(start)) == 0) return b->result.answer[i];
    fail_msg("no answer begins with \"%s\"", start);
    return NULL;
}

static void says(const char *sentence, const char *words)
{
    if (!strstr(sentence, words)) fail_msg("\"%s\" lacks \"%s\"", sentence, words);
}

static bool said(const bench *b, const char *words)
{
    char *all = bench_sentences(b);
    bool found = strstr(all, words) != NULL;
    mem_free(&b->m, all);
    return found;
}

/* 12 images of one sign, one of them 100 times the others: the sign flips give p = 2/4096, and
 * the t interval holds 0. */
static void put_outlier(bench *b, bool tilted)
{
    text_add(&b->csv, "arm,base,dose,scorer,score\n");
    for (int i = 0; i < 12; i++)
        for (int dose = -2; dose <= 2; dose++)
            text_add_format(&b->csv, "skin,b%02d,%d,s,%.17g\n", i, dose,
                            0.1 * i + (i == 7 ? 10 : 0.1) * (tilted ? dose : -abs(dose)));
}

static void p_and_interval_may_disagree(void **state)
{
    (void)state;
    static const char *const reading[2] = {"FI", "A"};
    for (int tilted = 0; tilted < 2; tilted++) {
        bench b;
        bench_open(&b, 1);
        put_outlier(&b, tilted);
        run(&b);
        const tare_reading *r = bench_reading(&b, "skin", "s", reading[tilted], "all doses");
        assert_close(r->p, 2.0 / 4096);
        assert_true(r->lo < 0 && r->hi > 0);
        assert_int_equal(r->verdict, TARE_INCONCLUSIVE);
        assert_string_equal(r->words, "inconclusive: p and interval disagree");
        says(answer(&b, tilted ? "s: a preference between lighter" : "s: an average preference"),
             "is left open: p and interval disagree");
        says(answer(&b, "s "), "(p and interval disagree)"); /* the lead */
        assert_false(said(&b, tilted ? "no preference between" : "no average preference"));
        if (!tilted)
            assert_string_equal(bench_cell(&b, "shape", "s", "words")->text,
                                "inconclusive: p and interval disagree");
        bench_close(&b);
    }
}

/* An arm with its sham: FI is `gain` in the arm and `sham_gain` in the sham, by image and noise. */
static void put_sham(bench *b, double gain, double sham_gain)
{
    gauss g = {99};
    text_add(&b->csv, "arm,base,dose,scorer,score,artifact\n");
    for (int i = 0; i < 40; i++)
        for (int dose = -2; dose <= 2; dose++)
            for (int arm = 0; arm < 2; arm++)
                text_add_format(&b->csv, "%s,f%02d,%d,s,%.17g,%.17g\n", arm ? "skin" : "sham", i,
                                dose, i % 9 - (arm ? gain : sham_gain) * abs(dose) +
                                          0.2 * gauss_next(&g),
                                dose ? 0.05 * fabs(gauss_next(&g)) : 0);
}

static void rounding_noise_is_no_preference(void **state)
{
    (void)state;
    static const struct {
        double gain, sham_gain;
        const char *lead, *card;
        bool resolved;
    } cases[] = {
        {.5, .1, "prefers the original to edited skin", "the original is preferred", true},
        {.5, .5, "has a preference for the original that is not distinguishable from rounding "
                 "noise", "a preference for the original that", false},
        {.5, .9, "has a preference for the original that", "a preference for the original that",
         false},
        {-.5, -.1, "prefers edited skin to the original", "the edited versions are preferred",
         true},
        {-.5, -.5, "has a preference for edited skin that is not distinguishable from rounding "
                   "noise", "a preference for the edited versions that", false},
    };
    static const char *const also[2] = {"FI", "FI_adj"};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bench b;
        bench_open(&b, 1);
        put_sham(&b, cases[k].gain, cases[k].sham_gain);
        run(&b);
        for (size_t n = 0; n < 2; n++) {
            const tare_reading *r = bench_reading(&b, "skin", "s", also[n], "all doses");
            assert_int_equal(r->verdict, TARE_FOUND);
            says(r->words, cases[k].card);
            assert_true(cases[k].resolved ==
                        !strstr(r->marks, "not distinguishable from rounding noise"));
        }
        says(answer(&b, "s "), cases[k].lead);
        if (!cases[k].resolved) {
            assert_false(said(&b, "prefers the original to edited skin"));
            assert_false(said(&b, "prefers edited skin to the original"));
            assert_false(said(&b, "the preference is larger than for the sham"));
            says(bench_reading(&b, "skin", "s", "both_sides", NULL)->words,
                 "not distinguishable from rounding noise");
        }
        bench_close(&b);
    }
}

/* 60 images at 7 doses; the artifact differs by image, so that it can be taken out. */
static void put_clipped(bench *b, double by_artifact, double by_dose)
{
    gauss g = {17};
    text_add(&b->csv, "arm,base,dose,scorer,score,artifact\n");
    for (int i = 0; i < 60; i++)
        for (int dose = -15; dose <= 15; dose += 5) {
            double artifact = dose ? 0.004 * (1 + i % 7) * abs(dose) : 0;
            text_add_format(&b->csv, "skin,f%02d,%d,s,%.17g,%.17g\n", i, dose,
                            i % 9 + 0.01 * gauss_next(&g) - by_artifact * artifact +
                                by_dose * dose, artifact);
        }
}

/* C1 passes as separable: the adjusted readings are the headline (scorer audit 10). */
static void the_lead_takes_the_artifact_out(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    b.table.intervened = true;
    b.table.attribute_name = "ITA";
    put_clipped(&b, 20, 0);
    run(&b);
    assert_true(bench_reading(&b, NULL, "s", "artifact_on_dose_R2", NULL)->estimate <= .9);
    assert_true(bench_reading(&b, NULL, "s", "artifact_max_mean", NULL)->estimate > .02);
    assert_int_equal(bench_reading(&b, NULL, "s", "FI", "all doses")->verdict, TARE_FOUND);
    assert_int_equal(bench_reading(&b, NULL, "s", "FI_adj", NULL)->verdict, TARE_NEGLIGIBLE);
    says(answer(&b, "s "), "does not prefer the original by more than the practical margin");
    says(answer(&b, "s "), ", once clipped pixels are accounted for.");
    bench_clear(&b);
    b.table.attribute_name = NULL; /* an artifact that need not be clipping */
    put_clipped(&b, 0, 0.5); /* the direction is read off A_adj */
    run(&b);
    assert_int_equal(bench_reading(&b, NULL, "s", "A_adj", NULL)->verdict, TARE_FOUND);
    /* the raw sides say where the original lies, so nothing is said of it here */
    assert_string_equal(answer(&b, "s "), "s prefers lighter over darker, once the artifact of the "
                                          "edit is taken out.");
    bench_clear(&b);
    b.table.intervened = false; /* C1 fails: the raw readings lead */
    put_clipped(&b, 20, 0);
    run(&b);
    assert_true(bench_reading(&b, NULL, "s", "C1", NULL)->estimate == 0);
    says(answer(&b, "s "), "it prefers the original to edited skin.");
    bench_close(&b);
}

/* 40 images whose score is `by_distance` |dose| + `by_dose` dose and noise, from dose `first` to
 * 15, on an axis that has no name. */
static void put_axis(bench *b, int first, double by_distance, double by_dose)
{
    gauss g = {23};
    text_add(&b->csv, "arm,base,dose,scorer,score\n");
    for (int i = 0; i < 40; i++)
        for (int dose = first; dose <= 15; dose += 5)
            text_add_format(&b->csv, "plain,f%02d,%d,s,%.17g\n", i, dose,
                            i % 9 + by_distance * abs(dose) + by_dose * dose +
                                (dose ? 0.02 * gauss_next(&g) : 0));
}

static void other_axes_have_an_original_too(void **state)
{
    (void)state;
    static const struct {
        int first;
        double by_distance, by_dose;
        const char *lead;
    } cases[] = {
        {-15, -.1, 0, "; it prefers the original to the edited image."},
        {-15, .1, 0, "; it prefers the edited image to the original."},
        {-15, -.1, .05, "s prefers the + side of the dose over the - side of the dose; it prefers "
                        "the original to the edited image."},
        {-15, 0, .1, "s prefers the + side of the dose over the - side of the dose; it places the "
                     "original between the two."},
        {-15, -.003, 0, "it prefers the original to the edited image, by less than the practical "
                        "margin."},
        {-15, .003, 0, "it prefers the edited image to the original, by less than the practical "
                       "margin."},
        {-15, 0, 0, "it does not prefer the original by more than the practical margin."},
        {0, -.1, 0, "s prefers the original to the edited image."},
        {0, .1, 0, "s prefers the edited image to the original."},
        {0, -.003, 0, "s prefers the original to the edited image, by less than the practical "
                      "margin."},
        {0, 0, 0, "s does not prefer the original by more than the practical margin."},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bench b;
        bench_open(&b, 1);
        put_axis(&b, cases[k].first, cases[k].by_distance, cases[k].by_dose);
        run(&b);
        says(answer(&b, "s "), cases[k].lead);
        assert_false(said(&b, "gives no answer about the direction"));
        bench_close(&b);
    }
    bench b;
    bench_open(&b, 1);
    b.options.margins = false; /* nothing can be negligible */
    put_axis(&b, 0, 0, 0);
    run(&b);
    assert_string_equal(answer(&b, "s "), "s was not shown to prefer the original.");
    bench_close(&b);
}

static void a_direction_is_no_preference_for_the_original(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    text_add(&b.csv, "arm,base,dose,scorer,score\n");
    /* rising, and bent enough that FI is found by itself: N = -10 + 2, P = 10 + 2 on average */
    for (int i = 0; i < 40; i++)
        for (int dose = -15; dose <= 15; dose += 5)
            text_add_format(&b.csv, "skin,f%02d,%d,s,%.17g\n", i, dose,
                            i + dose * (1 + 0.01 * (i % 3)) - 0.2 * abs(dose));
    run(&b);
    assert_int_equal(bench_reading(&b, NULL, "s", "FI", "all doses")->verdict, TARE_FOUND);
    assert_string_equal(bench_cell(&b, "shape", "s", "class")->text,
                        "directional: prefers the + side");
    assert_string_equal(answer(&b, "s "), "s prefers lighter over darker; it places the original "
                                          "between the two.");
    assert_false(said(&b, "prefers the original to edited skin"));
    bench_close(&b);
}

static void the_neutral_dose_alone_is_no_answer(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    text_add(&b.csv, "arm,base,dose,scorer,score\n");
    for (int i = 0; i < 40; i++) text_add_format(&b.csv, "skin,f%02d,0,s,%d\n", i, i);
    run(&b);
    says(answer(&b, "s: no answer: "), "skin holds the neutral dose alone");
    assert_false(said(&b, "prefers") || said(&b, "preference")); /* the title asks "prefer" */
    bench_close(&b);
}

/* Scorer t lacks one dose of two images. */
static void the_basis_speaks_for_all_scorers(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    text_add(&b.csv, "arm,base,dose,scorer,score\n");
    for (int i = 0; i < 40; i++)
        for (int dose = -2; dose <= 2; dose++)
            for (int k = 0; k < 3; k++)
                if (!(k == 1 && i < 2 && dose == 1))
                    text_add_format(&b.csv, "skin,f%02d,%d,%c,%d\n", i, dose, "stu"[k],
                                    i % 9 + (7 * i + 3 * dose + k) % 5);
    run(&b);
    says(answer(&b, "The arm skin "),
         "rests on 38 to 40 photographs in 38 to 40 independent clusters, fewest for t, each at 5 "
         "doses (0 to 2 excluded);");
    bench_close(&b);
}

/* A and the drift compare unequal pushes then (scorer audit 16, 12 and 14). */
static void unmirrored_doses_are_cautioned(void **state)
{
    (void)state;
    static const struct {
        double dose[6];
        size_t doses;
        bool mirrored;
    } grids[] = {
        {{-20, 0, 1, 2, 3}, 5, false},
        {{-2, 0, 1, 2}, 4, false},
        {{-3, -2, 0, 1, 3}, 5, false},
        {{1 / 1.2, 1, 1.2}, 3, true}, /* factors, mirrored in the logarithm */
        {{-1, 1, 1.2}, 3, false},     /* no factors */
        {{-15, -5, 0, 5, 15}, 5, true},
        {{.8, .87, 1, 1.13, 1.2}, 5, true},
        {{0, 1, 2}, 3, true}, /* one side */
    };
    for (size_t k = 0; k < sizeof grids / sizeof *grids; k++) {
        bench b;
        bench_open(&b, 1);
        text_add(&b.csv, "base,dose,score\n");
        for (int i = 0; i < 12; i++)
            for (size_t d = 0; d < grids[k].doses; d++)
                text_add_format(&b.csv, "f%02d,%.17g,%d\n", i, grids[k].dose[d],
                                i % 5 + (i + (int)d) % 4);
        run(&b);
        assert_true(said(&b, "compare pushes of unequal size") == !grids[k].mirrored);
        bench_close(&b);
    }
}

/* The artifact on the + side alone hides a direction: the lead reads it off A_adj, and a sentence
 * says why A shows none. */
static void a_hidden_direction_is_told(void **state)
{
    (void)state;
    gauss g = {31};
    bench b;
    bench_open(&b, 1);
    b.table.intervened = true;
    text_add(&b.csv, "arm,base,dose,scorer,score,artifact\n");
    for (int i = 0; i < 60; i++)
        for (int dose = -15; dose <= 15; dose += 5) {
            /* 0.156 on average on the + side, worth 1 of the score: as much as 20 doses */
            double artifact = dose > 0 ? 0.004 * (1 + i % 7) * dose : 0;
            text_add_format(&b.csv, "skin,f%02d,%d,s,%.17g,%.17g\n", i, dose,
                            i % 9 + .05 * dose - artifact / .156 + 0.01 * gauss_next(&g),
                            artifact);
        }
    run(&b);
    assert_int_equal(bench_reading(&b, NULL, "s", "A", "all doses")->verdict, TARE_NEGLIGIBLE);
    assert_int_equal(bench_reading(&b, NULL, "s", "A_adj", NULL)->verdict, TARE_FOUND);
    says(answer(&b, "s "), "prefers lighter over darker");
    says(answer(&b, "s: with the artifact of the edit taken out, the direction"),
         "is another one: A ");
    bench_close(&b);
}

/* The artifact of the + side alone is all there is of a direction. */
static void a_carried_direction_is_told(void **state)
{
    (void)state;
    gauss g = {37};
    bench b;
    bench_open(&b, 1);
    text_add(&b.csv, "arm,base,dose,scorer,score,artifact\n");
    for (int i = 0; i < 60; i++)
        for (int dose = -15; dose <= 15; dose += 5) {
            double artifact = dose > 0 ? 0.004 * (1 + i % 7) * dose : 0;
            text_add_format(&b.csv, "skin,f%02d,%d,s,%.17g,%.17g\n", i, dose,
                            i % 9 - artifact / .156 + 0.01 * gauss_next(&g), artifact);
        }
    run(&b);
    assert_int_equal(bench_reading(&b, NULL, "s", "A", "all doses")->verdict, TARE_FOUND);
    assert_int_equal(bench_reading(&b, NULL, "s", "A_adj", NULL)->verdict, TARE_NEGLIGIBLE);
    assert_true(said(&b, "s: with the artifact of the edit taken out, the direction towards darker "
                         "is no longer resolved: carried by the artifact."));
    bench_clear(&b);
    put_clipped(&b, 0, 0.5); /* a direction without an artifact */
    run(&b);
    assert_false(said(&b, "the direction towards"));
    bench_close(&b);
}

static void a_carried_preference_has_a_sign(void **state)
{
    (void)state;
    static const char *const whose[2] = {"the original", "the edited versions"};
    for (int k = 0; k < 2; k++) {
        bench b;
        bench_open(&b, 1);
        put_clipped(&b, k ? -20 : 20, 0);
        run(&b);
        assert_true((bench_reading(&b, NULL, "s", "FI", "all doses")->estimate < 0) == k);
        says(answer(&b, "s: with the artifact of the edit taken out, the preference for "),
             whose[k]);
        assert_false(said(&b, k ? "the preference for the original is" : "the edited versions is"));
        bench_close(&b);
    }
}

/* The artifact is nearly the same in every image: what is left without it is open, and neither
 * found nor shown to be smaller. */
static void an_open_adjustment_shows_nothing(void **state)
{
    (void)state;
    static const char *const names[2] = {"FI", "A"}, *const adjusted[2] = {"FI_adj", "A_adj"};
    static const char *const also[2] = {
        "s: with the artifact taken out the preference is no longer resolved, and no smaller "
        "either: this design cannot tell them apart.",
        "s: with the artifact taken out the direction towards lighter is no longer resolved, and "
        "no smaller either: this design cannot tell them apart."};
    gauss g = {43};
    bench b;
    bench_open(&b, 1);
    text_add(&b.csv, "arm,base,dose,scorer,score,artifact\n");
    for (int i = 0; i < 60; i++)
        for (int dose = -15; dose <= 15; dose += 5) {
            double artifact = dose > 0 ? 0.05 + 1e-5 * gauss_next(&g) : 0;
            text_add_format(&b.csv, "skin,f%02d,%d,s,%.17g,%.17g\n", i, dose,
                            i % 9 - (dose != 0) + dose * .1 + .5 * gauss_next(&g), artifact);
        }
    run(&b);
    for (size_t k = 0; k < 2; k++) {
        const tare_reading *raw = bench_reading(&b, NULL, "s", names[k], "all doses");
        const tare_reading *r = bench_reading(&b, NULL, "s", adjusted[k], NULL);
        assert_int_equal(raw->verdict, TARE_FOUND);
        assert_int_equal(r->verdict, TARE_INCONCLUSIVE);
        assert_true(r->lo < raw->estimate && r->hi > raw->estimate);
        if (!said(&b, also[k])) fail_msg("lacks \"%s\"", also[k]);
    }
    assert_false(said(&b, "carried by the artifact"));
    bench_close(&b);
}

/* The margin of a synthetic arm is made of the spread of the real images. */
static void a_spread_is_said_to_be_whose_it_is(void **state)
{
    (void)state;
    for (int real = 0; real < 2; real++) {
        bench b;
        bench_open(&b, 1);
        text_add(&b.csv, "arm,base,dose,scorer,score,kind\n");
        for (int arm = 0; arm < 2; arm++)
            for (int i = 0; i < 40; i++)
                for (int dose = -2; dose <= 2; dose++)
                    text_add_format(&b.csv, "%s,f%d%02d,%d,s,%.17g,%s\n", arm ? "b" : "a", arm, i,
                                    dose, i % (9 - 4 * arm) - .5 * abs(dose) + .01 * (i % 3) * dose,
                                    arm || !real ? "synthetic" : "real");
        run(&b);
        says(answer(&b, "s (b) scores the original image higher"),
             real ? "of the spread (SD) of its scores between the real images ("
                  : "of the spread (SD) of its scores between images (");
        says(answer(&b, "s (a) scores the original image higher"), "between images (");
        bench_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(p_and_interval_may_disagree),
        cmocka_unit_test(rounding_noise_is_no_preference),
        cmocka_unit_test(the_lead_takes_the_artifact_out),
        cmocka_unit_test(other_axes_have_an_original_too),
        cmocka_unit_test(a_direction_is_no_preference_for_the_original),
        cmocka_unit_test(the_neutral_dose_alone_is_no_answer),
        cmocka_unit_test(the_basis_speaks_for_all_scorers),
        cmocka_unit_test(unmirrored_doses_are_cautioned),
        cmocka_unit_test(a_hidden_direction_is_told),
        cmocka_unit_test(a_carried_direction_is_told),
        cmocka_unit_test(a_carried_preference_has_a_sign),
        cmocka_unit_test(an_open_adjustment_shows_nothing),
        cmocka_unit_test(a_spread_is_said_to_be_whose_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
