/* The outputs of a validation. */
#include <math.h>
#include <string.h>

#include "audit/validate/tally.h"
#include "base/error.h"
#include "stats/proportion.h"

static tare_status report_claim(audit_result *r, result_table *t, size_t k, claim_count n,
                                const trial_design *d, tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &r->a;
    const claim *c = claim_at(k);
    const plant *p = plant_at(plant_find(c->plant));
    tare_reading *x;
    cell *row;
    const char *rule;
    TRY_NEW(rule = claim_planned(a, c));
    TRY_NEW(x = result_add_reading(r));
    x->family = claim_family(c);
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
    bool kept = claim_kept(c, n), shown = c->kind == RATE_SHOWN;
    TRY_NEW(x->words = arena_printf(a, "%llu of %llu trials; planned: %s",
                                    (unsigned long long)n.hits, (unsigned long long)n.trials,
                                    rule));
    x->marks = shown ? "" : kept ? "as planned" : "not as planned";
    TRY_NEW(row = result_add_row(r, t));
    const cell cells[] = {words_cell(c->plant), words_cell(p->twin), words_cell(p->terms),
                          number_cell(plant_effect(p, d->bases)), words_cell(c->says),
                          words_cell(x->family), words_cell(rule), count_cell(n.trials),
                          count_cell(n.hits), number_cell(x->estimate), number_cell(x->lo),
                          number_cell(x->hi), words_cell(shown ? "" : kept ? "yes" : "no")};
    memcpy(row, cells, sizeof cells);
    result_check *check;
    TRY_NEW(check = result_add_check(r));
    *check = (result_check){x->arm, c->plant, "", c->says,
                            shown ? CHECK_NOT_RUN : kept ? CHECK_PASS : CHECK_MISS, x->words};
done:
    return status;
}

/* Every claim of every trial, so that a rate can be followed to the readings behind it. */
static tare_status trials_table(audit_result *r, const trial_book *b, tare_error *err)
{
    static const char *const columns[] = {"trial", "plant", "claim", "holds", "estimate", "lo",
                                          "hi", "p", "reason"};
    static const char *const words[] = {"", "no", "yes"};
    tare_status status = TARE_OK;
    result_table *t;
    TRY_NEW(t = result_add_table(r, "trials", "Every claim in every trial", columns,
                                 sizeof columns / sizeof *columns));
    for (size_t i = 0; i < b->trials * b->claims; i++) {
        const trial_answer *x = &b->answers[i];
        const claim *c = claim_at(i % b->claims);
        cell *row;
        TRY_NEW(row = result_add_row(r, t));
        const cell cells[] = {count_cell(i / b->claims), words_cell(c->plant), words_cell(c->says),
                              words_cell(words[x->answer]), number_cell(x->estimate),
                              number_cell(x->lo), number_cell(x->hi), number_cell(x->p),
                              words_cell(x->reason)};
        memcpy(row, cells, sizeof cells);
    }
done:
    return status;
}

static tare_status rates_figure(audit_result *r, const trial_book *b, tare_error *err)
{
    tare_status status = TARE_OK;
    figure *f;
    TRY_NEW(f = result_add_figure(r, FIGURE_FOREST, "rates", "Rates over all trials"));
    f->x_title = "share of trials with 95 % limits";
    f->caption = "Detection should be high, false positives near .05 or below, coverage near .95.";
    for (size_t k = 0; k < b->claims; k++) {
        const claim *c = claim_at(k);
        claim_count n = claim_counted(b, k);
        figure_point *p;
        if (n.trials == 0) continue;
        TRY_NEW(p = result_add_point(r, f));
        p->panel = claim_family(c);
        p->series = c->kind == RATE_SHOWN ? "no plan" : claim_kept(c, n) ? "as planned"
                                                                        : "not as planned";
        TRY_NEW(p->label = arena_printf(&r->a, "%s: %s", c->plant, c->says));
        p->x = (double)n.hits / (double)n.trials;
        wilson_interval(&p->lo, &p->hi, (double)n.hits, (double)n.trials, .05);
        p->mark = "q";
    }
done:
    return status;
}

static tare_status say_pooled(audit_result *r, const trial_book *b, tare_error *err)
{
    tare_status status = TARE_OK;
    static const claim_rate kinds[] = {RATE_AT_LEAST, RATE_AT_MOST};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        claim_pool x = claims_pooled(b, kinds[k]);
        const char *off_plan = x.kept ? "" : ": not as planned";
        if (!isfinite(x.se)) continue;
        if (kinds[k] == RATE_AT_LEAST)
            TRY(result_answer(r, err,
                              "Planted biases were found in %.1f %% of their chances (%zu claims, "
                              "standard error %.1f, planned at least %.1f %%)%s.", 100 * x.rate,
                              x.claims, 100 * x.se, 100 * x.plan, off_plan));
        else
            TRY(result_answer(r, err,
                              "Where nothing was planted something was found in %.1f %% of the "
                              "chances (%zu claims, standard error %.1f, planned at most %.1f "
                              "%%)%s.", 100 * x.rate, x.claims, 100 * x.se, 100 * x.plan,
                              off_plan));
    }
done:
    return status;
}

static tare_status say_faults(audit_result *r, const trial_book *b, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < b->claims; k++) {
        const claim *c = claim_at(k);
        claim_count n = claim_counted(b, k);
        const char *rule;
        if (claim_kept(c, n)) continue;
        TRY_NEW(rule = claim_planned(&r->a, c));
        TRY(result_answer(r, err, "%s: %s in %llu of %llu trials; planned: %s.", c->plant, c->says,
                          (unsigned long long)n.hits, (unsigned long long)n.trials, rule));
    }
done:
    return status;
}

static tare_status say(audit_result *r, const trial_book *b, const trial_design *d,
                       tare_error *err)
{
    tare_status status = TARE_OK;
    size_t kept = 0, all = 0;
    for (size_t k = 0; k < b->claims; k++) {
        if (claim_at(k)->kind == RATE_SHOWN) continue;
        all++;
        kept += claim_kept(claim_at(k), claim_counted(b, k));
    }
    if (kept == all)
        TRY(result_answer(r, err,
                          "In %zu trials of %zu photographs none of %zu rates is further from its "
                          "plan than chance would take it.", b->trials, d->bases, all));
    else
        TRY(result_answer(r, err,
                          "In %zu trials of %zu photographs %zu of %zu rates are not as planned.",
                          b->trials, d->bases, all - kept, all));
    TRY(say_faults(r, b, err));
    TRY(say_pooled(r, b, err));
    TRY(result_caution(r, err,
                       "With %zu trials a single rate is called as planned down to %.2f where %.2f "
                       "was planned, and up to %.2f where %.2f was: what lies between cannot be "
                       "seen. More --trials see more.", b->trials, least_kept(.9, b->trials), .9,
                       most_kept(.06, b->trials), .06));
done:
    return status;
}

tare_status tally_report(audit_result *r, const trial_book *b, const trial_design *design,
                         tare_error *err)
{
    static const char *const columns[] = {"plant", "twin_of", "terms", "effect", "claim", "kind",
                                          "planned", "trials", "hits", "rate", "lo", "hi",
                                          "as_planned"};
    tare_status status = TARE_OK;
    result_table *t;
    r->audit = "validation";
    r->title = "Does the audit find what is planted, and only that?";
    r->instrument_word = "Plant";
    r->arm_word = "Kind";
    r->unit_word = "Trials";
    TRY_NEW(t = result_add_table(r, "validate", "Rates of detection, false positives and coverage",
                                 columns, sizeof columns / sizeof *columns));
    for (size_t k = 0; k < b->claims; k++)
        TRY(report_claim(r, t, k, claim_counted(b, k), design, err));
    TRY(trials_table(r, b, err));
    TRY(say(r, b, design, err));
    TRY(rates_figure(r, b, err));
done:
    return status;
}
