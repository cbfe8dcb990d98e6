/* The design of a validation: every claim is of a plant, bounds are where they are said to be,
 * drawn photographs can be audited. */
#include "support/check.h"

#include <string.h>

#include "audit/validate/portraits.h"
#include "audit/validate/tally.h"
#include "perturb/mask.h"
#include "scorer/planted.h"

static mem m;
static arena a;
static tare_error err;

static int setup(void **state)
{
    (void)state;
    m = mem_system();
    arena_init(&a, &m);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_free(&a);
    return 0;
}

static void claims_are_of_plants_and_plants_have_claims(void **state)
{
    (void)state;
    for (size_t k = 0; claim_at(k); k++) assert_true(plant_find(claim_at(k)->plant) != SIZE_MAX);
    for (size_t p = 0; plant_at(p); p++) {
        size_t claims = 0;
        for (size_t k = 0; claim_at(k); k++)
            claims += strcmp(claim_at(k)->plant, plant_at(p)->name) == 0;
        assert_true(claims > 0);
        if (plant_at(p)->twin[0]) assert_true(plant_find(plant_at(p)->twin) != SIZE_MAX);
    }
    assert_int_equal(plant_find("nobody"), SIZE_MAX);
}

static void specs_can_be_parsed_and_have_noise_of_their_own(void **state)
{
    (void)state;
    const char *seen[64];
    size_t n = 0;
    for (uint32_t trial = 0; trial < 2; trial++)
        for (size_t p = 0; plant_at(p); p++) {
            const char *spec = plant_spec(&a, plant_at(p), p, 30, trial, 1);
            planted parsed;
            assert_ok(planted_parse(&parsed, &a, spec + strlen("planted:"), &err));
            const char *seed = strstr(spec, ",seed=");
            assert_non_null(seed);
            for (size_t k = 0; k < n; k++) assert_string_not_equal(seen[k], seed);
            seen[n++] = seed;
        }
}

/* With four times the photographs half the effect is seen as well. */
static void effects_fall_with_the_number_of_photographs(void **state)
{
    (void)state;
    const plant *p = plant_at(plant_find("fidelity"));
    assert_close(plant_effect(p, 30), p->effect);
    assert_close(plant_effect(p, 120), p->effect / 2);
}

static claim bound(claim_rate kind, double rate)
{
    return (claim){.kind = kind, .rate = rate};
}

/* Exact binomial sums (Python): P(X > 15 | 100, .06) = 3.03e-4, > 17: 2.67e-5; P(X <= 76 | 100, .9)
 * = 3.96e-5, <= 75: 1.31e-5; P(X <= 350 | 400, .93) = 5.8e-5, <= 347: 7.0e-6;
 * P(X > 2 | 6, .06) = 3.76e-3. */
static void rates_are_judged_within_four_errors(void **state)
{
    (void)state;
    claim most = bound(RATE_AT_MOST, .06), least = bound(RATE_AT_LEAST, .9);
    assert_true(claim_kept(&most, (claim_count){100, 16, 0}));
    assert_false(claim_kept(&most, (claim_count){100, 18, 0}));
    assert_true(claim_kept(&most, (claim_count){6, 3, 0}));
    assert_true(claim_kept(&least, (claim_count){100, 76, 0}));
    assert_false(claim_kept(&least, (claim_count){100, 75, 0}));
    claim cover = bound(RATE_COVERAGE, 0), always = bound(RATE_ALWAYS, 0);
    claim never = bound(RATE_NEVER, 0);
    assert_true(claim_kept(&cover, (claim_count){400, 380, 0}));
    assert_false(claim_kept(&cover, (claim_count){400, 347, 0}));
    assert_true(claim_kept(&always, (claim_count){9, 9, 0}));
    assert_false(claim_kept(&always, (claim_count){9, 8, 0}));
    assert_true(claim_kept(&never, (claim_count){9, 0, 0}));
    assert_false(claim_kept(&never, (claim_count){9, 1, 0}));
    assert_false(claim_kept(&never, (claim_count){0, 0, 9})); /* nothing was seen */
}

/* What 20 trials let pass, by the sums above: 11 hits where .9 is planned, 7 where .06 is. */
static void what_few_trials_cannot_see(void **state)
{
    (void)state;
    assert_close(least_kept(.9, 20), 11 / 20.);
    assert_close(most_kept(.06, 20), 7 / 20.);
    assert_close(least_kept(.9, 1), 0);
    assert_true(most_kept(.06, 400) < .12);
}

/* Two trials in which all, and three quarters, of the planned detections happen. */
static void claims_of_a_kind_are_pooled(void **state)
{
    (void)state;
    size_t claims = 0, detections = 0;
    while (claim_at(claims)) claims++;
    trial_answer *x = arena_new(&a, 2 * claims, sizeof *x);
    for (size_t k = 0; k < claims; k++) {
        bool mine = claim_at(k)->kind == RATE_AT_LEAST;
        x[k].answer = mine ? TRIAL_YES : TRIAL_NO;
        x[claims + k].answer = mine && detections % 4 != 3 ? TRIAL_YES : TRIAL_NO;
        detections += mine;
    }
    trial_book b = {x, 2, claims};
    double second = (double)(detections - detections / 4) / (double)detections;
    claim_pool all = claims_pooled(&b, RATE_AT_LEAST), none = claims_pooled(&b, RATE_AT_MOST);
    assert_int_equal(all.claims, detections);
    assert_close(all.rate, (1 + second) / 2);
    assert_close(all.se, (1 - second) / 2); /* of two values: half their distance */
    assert_true(all.kept);
    assert_close(none.rate, 0);
    assert_true(none.kept);
    b.trials = 1;
    assert_true(isnan(claims_pooled(&b, RATE_AT_LEAST).se));
}

static void a_reading_decides_a_claim(void **state)
{
    (void)state;
    tare_reading r = {.estimate = .5, .lo = .1, .hi = .9, .p = .01, .reason = "",
                      .marks = "carried by the artifact, extreme", .words = "inverted U"};
    claim c = {.event = CLAIM_PLUS};
    assert_true(claim_holds(&c, &r, 1));
    r.p = .06;
    assert_false(claim_holds(&c, &r, 1));
    r.p = .01;
    r.estimate = -.5;
    assert_false(claim_holds(&c, &r, 1));
    c.event = CLAIM_MINUS;
    assert_true(claim_holds(&c, &r, 1));
    c.event = CLAIM_RESOLVED;
    assert_true(claim_holds(&c, &r, 1));
    r.reason = "below_resolution";
    assert_false(claim_holds(&c, &r, 1));
    c = (claim){.event = CLAIM_REASON, .text = "below_resolution"};
    assert_true(claim_holds(&c, &r, 1));
    c = (claim){.event = CLAIM_MARKED, .text = "carried by the artifact"};
    assert_true(claim_holds(&c, &r, 1));
    c = (claim){.event = CLAIM_WORDS, .text = "directional"};
    assert_false(claim_holds(&c, &r, 1));
    c = (claim){.event = CLAIM_COVERED, .value = 10};
    assert_true(claim_holds(&c, &r, .08));
    assert_false(claim_holds(&c, &r, .2));
    r.lo = r.hi = NAN; /* no interval holds nothing */
    assert_false(claim_holds(&c, &r, .08));
}

/* Every drawn photograph has a face that the default mask finds and a wall that it does not, for
 * tones that it takes at all (hazard 5: the darkest may be lost). */
static void portraits_have_skin(void **state)
{
    (void)state;
    size_t found = 0;
    for (uint32_t k = 0; k < 60; k++) {
        image one = {0}, same = {0};
        unsigned char mask[64 * 64];
        assert_ok(portrait_draw(&one, &m, 64, 1, k, &err));
        assert_ok(portrait_draw(&same, &m, 64, 1, k, &err));
        assert_memory_equal(one.rgb, same.rgb, 3 * 64 * 64);
        mask_of_skin(mask, &one, MASK_DEFAULT);
        double share = (double)mask_count(mask, 64 * 64) / (64 * 64);
        found += share >= MASK_SHARE_LEAST && share < .6;
        image_free(&one, &m);
        image_free(&same, &m);
    }
    assert_true(found >= 57);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(claims_are_of_plants_and_plants_have_claims),
        cmocka_unit_test(specs_can_be_parsed_and_have_noise_of_their_own),
        cmocka_unit_test(effects_fall_with_the_number_of_photographs),
        cmocka_unit_test(rates_are_judged_within_four_errors),
        cmocka_unit_test(what_few_trials_cannot_see),
        cmocka_unit_test(claims_of_a_kind_are_pooled),
        cmocka_unit_test(a_reading_decides_a_claim),
        cmocka_unit_test(portraits_have_skin),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
