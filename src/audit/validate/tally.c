#include "audit/validate/tally.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "stats/proportion.h"

#define COVER_LO .93
#define COVER_HI .97
#define ERRORS 4         /* standard errors that chance is given (statistics 17) ... */
#define CHANCE 3.167e-5  /* ... as the chance of a normal beyond them, for exact binomials */

/* Could so many hits, or more, come of this rate? */
static bool not_above(claim_count n, double rate)
{
    return binomial_upper(n.hits, n.trials, rate) >= CHANCE;
}

static bool not_below(claim_count n, double rate)
{
    return binomial_upper(n.trials - n.hits, n.trials, 1 - rate) >= CHANCE;
}

bool claim_kept(const claim *c, claim_count n)
{
    if (n.trials == 0) return false;
    switch (c->kind) {
    case RATE_AT_LEAST: return not_below(n, c->rate);
    case RATE_AT_MOST: return not_above(n, c->rate);
    case RATE_COVERAGE: return not_below(n, COVER_LO) && not_above(n, COVER_HI);
    case RATE_ALWAYS: return n.hits == n.trials;
    case RATE_NEVER: return n.hits == 0;
    }
    return false;
}

static const char *planned(arena *a, const claim *c)
{
    switch (c->kind) {
    case RATE_AT_LEAST: return arena_printf(a, "at least %g", c->rate);
    case RATE_AT_MOST:
        return c->rate < 1 ? arena_printf(a, "at most %g", c->rate) : "no bound: cherry-picked";
    case RATE_COVERAGE: return arena_printf(a, "%g to %g", COVER_LO, COVER_HI);
    case RATE_ALWAYS: return "always";
    case RATE_NEVER: return "never";
    }
    return "";
}

static const char *family_of(const claim *c)
{
    if (c->event == CLAIM_COVERED) return "coverage";
    return c->kind == RATE_AT_LEAST || c->kind == RATE_ALWAYS ? "detection" : "false positives";
}

static tare_status report_claim(audit_result *r, result_table *t, const claim *c, claim_count n,
                                const trial_design *d, tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &r->a;
    const plant *p = plant_at(plant_find(c->plant));
    tare_reading *x;
    cell *row;
    const char *rule, *why;
    TRY_NEW(rule = planned(a, c));
    TRY_NEW(x = result_add_reading(r));
    x->family = family_of(c);
    x->arm = p->twin[0] ? "innocent twin" : "plant";
    x->instrument = c->plant;
    x->name = c->says;
    x->unit = "share of trials";
    x->n_base = n.trials;
    x->n_expected = n.trials + n.none;
    x->n_missing[TARE_R_MISSING] = n.none;
    x->seed = d->seed;
    x->replicates = d->replicates;
    x->interval_method = "Wilson";
    if (n.trials) {
        x->estimate = (double)n.hits / (double)n.trials;
        wilson_interval(&x->lo, &x->hi, (double)n.hits, (double)n.trials, .05);
    } else {
        x->verdict = TARE_NO_ANSWER;
        x->reason = "not_run";
    }
    bool kept = claim_kept(c, n);
    TRY_NEW(x->words = why = arena_printf(a, "%llu of %llu trials; planned: %s",
                                          (unsigned long long)n.hits,
                                          (unsigned long long)n.trials, rule));
    x->marks = kept ? "as planned" : "not as planned";
    TRY_NEW(row = result_add_row(r, t));
    row[0] = words_cell(c->plant);
    row[1] = words_cell(p->twin);
    row[2] = words_cell(p->terms);
    row[3] = number_cell(plant_effect(p, d->bases));
    row[4] = words_cell(c->says);
    row[5] = words_cell(family_of(c));
    row[6] = words_cell(rule);
    row[7] = count_cell(n.trials);
    row[8] = count_cell(n.hits);
    row[9] = number_cell(x->estimate);
    row[10] = number_cell(x->lo);
    row[11] = number_cell(x->hi);
    row[12] = words_cell(kept ? "yes" : "no");
    result_check *check;
    TRY_NEW(check = result_add_check(r));
    *check = (result_check){x->arm, c->plant, "", c->says, kept ? CHECK_PASS : CHECK_MISS, why};
done:
    return status;
}

static tare_status rates_figure(audit_result *r, const claim_count *counts, tare_error *err)
{
    tare_status status = TARE_OK;
    figure *f;
    TRY_NEW(f = result_add_figure(r, FIGURE_FOREST, "rates", "Rates over all trials"));
    f->x_title = "share of trials with 95 % limits";
    f->caption = "Detection should be high, false positives near .05 or below, coverage near .95.";
    for (size_t k = 0; claim_at(k); k++) {
        const claim *c = claim_at(k);
        double lo, hi, n = (double)counts[k].trials, hits = (double)counts[k].hits;
        if (counts[k].trials == 0) continue;
        wilson_interval(&lo, &hi, hits, n, .05);
        figure_point *p;
        TRY_NEW(p = result_add_point(r, f));
        p->panel = family_of(c);
        p->series = claim_kept(c, counts[k]) ? "as planned" : "not as planned";
        TRY_NEW(p->label = arena_printf(&r->a, "%s: %s", c->plant, c->says));
        p->x = hits / n;
        p->lo = lo;
        p->hi = hi;
        p->mark = "q";
    }
done:
    return status;
}

static tare_status say(audit_result *r, const claim_count *counts, const trial_design *d,
                       uint64_t trials, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t kept = 0, all = 0;
    for (size_t k = 0; claim_at(k); k++, all++) kept += claim_kept(claim_at(k), counts[k]);
    if (kept == all)
        TRY(result_answer(r, err,
                          "In %llu trials of %zu photographs every planted bias was found at the "
                          "planned rate, and no innocent twin more often than chance: %zu of %zu "
                          "rates are as planned.", (unsigned long long)trials, d->bases, kept,
                          all));
    else
        TRY(result_answer(r, err,
                          "In %llu trials of %zu photographs %zu of %zu rates are not as planned.",
                          (unsigned long long)trials, d->bases, all - kept, all));
    for (size_t k = 0; claim_at(k); k++) {
        const claim *c = claim_at(k);
        if (claim_kept(c, counts[k])) continue;
        const char *rule;
        TRY_NEW(rule = planned(&r->a, c));
        TRY(result_answer(r, err, "%s: %s in %llu of %llu trials; planned: %s.", c->plant, c->says,
                          (unsigned long long)counts[k].hits,
                          (unsigned long long)counts[k].trials, rule));
    }
    if (trials < 100)
        TRY(result_caution(r, err,
                           "%llu trials tell gross faults only: a rate is judged within %d "
                           "standard errors. --trials 400 takes longer and sees more.",
                           (unsigned long long)trials, ERRORS));
done:
    return status;
}

tare_status tally_report(audit_result *r, const claim_count *counts, const trial_design *design,
                         tare_error *err)
{
    static const char *const columns[] = {"plant", "twin_of", "terms", "effect", "claim", "kind",
                                          "planned", "trials", "hits", "rate", "lo", "hi",
                                          "as_planned"};
    tare_status status = TARE_OK;
    uint64_t trials = 0;
    result_table *t;
    r->audit = "validation";
    r->title = "Does the audit find what is planted, and only that?";
    r->instrument_word = "Plant";
    r->arm_word = "Kind";
    r->unit_word = "Trials";
    TRY_NEW(t = result_add_table(r, "validate", "Rates of detection, false positives and coverage",
                                 columns, sizeof columns / sizeof *columns));
    for (size_t k = 0; claim_at(k); k++) {
        uint64_t n = counts[k].trials + counts[k].none;
        if (n > trials) trials = n;
        TRY(report_claim(r, t, claim_at(k), counts[k], design, err));
    }
    TRY(say(r, counts, design, trials, err));
    TRY(rates_figure(r, counts, err));
done:
    return status;
}
