/* Readings and tables of a power study. */
#include <math.h>

#include "audit/power/power_sentences.h"
#include "audit/power/power_study.h"
#include "base/error.h"
#include "stats/proportion.h"

static const char *const columns[] = {
    "arm", "instrument", "reading", "condition", "unit", "n_bases", "n_clusters", "missing_rate",
    "sd", "sd_lo", "sd_hi", "icc", "se", "df", "effect", "effect_is", "margin", "floor", "power",
    "tests", "power_corrected", "smallest_effect", "smallest_effect_corrected", "bases_needed",
    "bases_needed_lo", "bases_needed_hi", "bases_needed_corrected", "within_margin_if_none",
    "negligible_if_none", "bases_needed_within_margin", "pilot_bases", "pilot_clusters", "reason"};
#define COLUMNS (sizeof columns / sizeof *columns)

static void fill_row(cell *c, const power_row *r)
{
    const power_plan *plan = &r->plan;
    size_t k = 0;
    c[k++] = words_cell(r->arm);
    c[k++] = words_cell(r->instrument);
    c[k++] = words_cell(power_name(r->id));
    c[k++] = words_cell(r->condition);
    c[k++] = words_cell(r->unit);
    c[k++] = number_cell(plan->bases);
    c[k++] = number_cell(plan->clusters);
    c[k++] = number_cell(plan->missing);
    c[k++] = number_cell(r->spread.sd);
    c[k++] = number_cell(r->sd_lo);
    c[k++] = number_cell(r->sd_hi);
    c[k++] = number_cell(r->spread.icc);
    c[k++] = number_cell(r->reason[0] ? NAN : r->size.se);
    c[k++] = number_cell(r->reason[0] ? NAN : r->size.df);
    c[k++] = number_cell(r->effect);
    c[k++] = words_cell(isnan(r->effect) ? "" : r->effect_stated ? "stated" : "default");
    c[k++] = number_cell(r->margin);
    c[k++] = number_cell(r->floor);
    c[k++] = number_cell(r->found);
    c[k++] = count_cell(r->tests);
    c[k++] = number_cell(r->found_corrected);
    c[k++] = number_cell(r->smallest);
    c[k++] = number_cell(r->smallest_corrected);
    c[k++] = number_cell(r->bases);
    c[k++] = number_cell(r->bases_lo);
    c[k++] = number_cell(r->bases_hi);
    c[k++] = number_cell(r->bases_corrected);
    c[k++] = number_cell(r->shown_small);
    c[k++] = number_cell(r->negligible);
    c[k++] = number_cell(r->bases_small);
    c[k++] = r->expected ? count_cell(r->n) : words_cell("");
    c[k++] = r->expected ? count_cell(r->clusters) : words_cell("");
    c[k++] = words_cell(r->reason);
}

static tare_status power_table(power_study *p, tare_error *err)
{
    tare_status status = TARE_OK;
    result_table *t;
    cell *c;
    TRY_NEW(t = result_add_table(p->out, "power", "What the planned study can see", columns,
                                 COLUMNS));
    for (size_t k = 0; k < p->rows; k++) {
        TRY_NEW(c = result_add_row(p->out, t));
        fill_row(c, &p->row[k]);
    }
done:
    return status;
}

/* ---- the simulation beside the formula ------------------------------------------------------ */

static tare_status simulated_row(power_study *p, result_table *t, const power_row *r,
                                 const char *what, const double chance[2], tare_error *err)
{
    tare_status status = TARE_OK;
    cell *c;
    double n = (double)r->simulated, lo, hi;
    if (isnan(chance[0]) || isnan(chance[1])) return TARE_OK;
    wilson_interval(&lo, &hi, nearbyint(chance[1] * n), n, 0.05);
    TRY_NEW(c = result_add_row(p->out, t));
    c[0] = words_cell(r->arm);
    c[1] = words_cell(r->instrument);
    c[2] = words_cell(power_name(r->id));
    c[3] = words_cell(r->condition);
    c[4] = words_cell(what);
    c[5] = number_cell(chance[0]);
    c[6] = number_cell(chance[1]);
    c[7] = number_cell(lo);
    c[8] = number_cell(hi);
    c[9] = count_cell(r->simulated);
done:
    return status;
}

static tare_status simulated_table(power_study *p, tare_error *err)
{
    tare_status status = TARE_OK;
    static const char *const names[] = {"arm",     "instrument", "reading", "condition", "chance",
                                        "formula", "simulated",  "lo",      "hi",        "sets"};
    result_table *t;
    if (!p->o.simulate) return TARE_OK;
    TRY_NEW(t = result_add_table(p->out, "power_simulated", "The formula beside simulation", names,
                                 sizeof names / sizeof *names));
    for (size_t k = 0; k < p->rows; k++) {
        const power_row *r = &p->row[k];
        double found[2] = {r->found, r->sim_found}, small[2] = {r->shown_small, r->sim_small};
        double corrected[2] = {r->found_corrected, r->sim_corrected};
        if (!r->simulated) continue;
        TRY(simulated_row(p, t, r, "found", found, err));
        TRY(simulated_row(p, t, r, "found after correction", corrected, err));
        TRY(simulated_row(p, t, r, "within the margin, if there is no effect", small, err));
    }
done:
    return status;
}

/* ---- readings ------------------------------------------------------------------------------- */

typedef struct shown {
    const char *condition, *unit;
    double estimate, lo, hi;
} shown;

static tare_status add_reading(power_study *p, const power_row *r, const shown *s, tare_error *err)
{
    tare_status status = TARE_OK;
    tare_reading *x;
    TRY_NEW(x = result_add_reading(p->out));
    x->family = "power";
    x->arm = r->arm;
    x->instrument = r->instrument;
    x->name = power_name(r->id);
    TRY_NEW(x->condition = r->condition[0] ? arena_printf(p->a, "%s: %s", r->condition,
                                                          s->condition)
                                           : s->condition);
    x->unit = s->unit;
    x->estimate = s->estimate;
    x->lo = s->lo;
    x->hi = s->hi;
    if (!isnan(s->lo)) x->interval_method = "chi-squared interval of the pilot's SD";
    x->mde = r->smallest;
    x->margin = r->margin;
    x->floor = r->floor;
    x->n_base = (uint64_t)nearbyint(r->plan.bases);
    x->n_cluster = (uint64_t)nearbyint(r->plan.clusters);
    x->n_expected = x->n_base;
    x->seed = p->o.seed;
    x->reason = r->reason;
    x->verdict = r->reason[0] ? TARE_NO_ANSWER : TARE_DESCRIPTIVE;
    TRY(power_sentence(&x->words, p, r, err));
done:
    return status;
}

static tare_status row_readings(power_study *p, const power_row *r, tare_error *err)
{
    tare_status status = TARE_OK;
    const power_plan *plan = &r->plan;
    double lo = NAN, hi = NAN;
    if (!isnan(r->sd_lo)) {
        power_spread low = r->spread, high = r->spread;
        low.sd = r->sd_lo;
        high.sd = r->sd_hi;
        lo = power_found(plan, &high, plan->clusters, fabs(r->effect), plan->alpha);
        hi = power_found(plan, &low, plan->clusters, fabs(r->effect), plan->alpha);
    }
    shown found = {"chance of being found", "share", r->found, lo, hi};
    shown small = {"chance of negligible without an effect", "share", r->negligible, NAN, NAN};
    shown bases = {"bases needed", "bases", r->bases, r->bases_lo, r->bases_hi};
    TRY(add_reading(p, r, &found, err));
    if (r->reason[0]) goto done;
    TRY(add_reading(p, r, &small, err));
    TRY(add_reading(p, r, &bases, err));
done:
    return status;
}

tare_status power_report(power_study *p, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < p->rows; k++) TRY(row_readings(p, &p->row[k], err));
    TRY(power_table(p, err));
    TRY(simulated_table(p, err));
done:
    return status;
}
