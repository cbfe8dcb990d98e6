/* The answer and what must be known before it is used. */
#include <math.h>
#include <string.h>

#include "audit/power/power_sentences.h"
#include "audit/power/power_study.h"
#include "audit/words.h"
#include "base/error.h"
#include "stats/power.h"

#define SENTENCES_MOST 12
#define PILOT_SMALL 20 /* clusters: an SD from fewer is off by a sixth or more, typically */

/* What is headlined first; N and P are in the table. */
static tare_status answers(power_study *p, tare_error *err)
{
    tare_status status = TARE_OK;
    static const power_id order[] = {POWER_FI,   POWER_A,          POWER_DRIFT,
                                     POWER_BETA, POWER_DRIFT_DOSE, POWER_CONTRAST};
    size_t said = 0, left = 0;
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        for (size_t j = 0; j < p->rows; j++) {
            const char *sentence;
            if (p->row[j].id != order[k]) continue;
            if (said == SENTENCES_MOST) {
                left++;
                continue;
            }
            TRY(power_sentence(&sentence, p, &p->row[j], err));
            TRY(result_answer(p->out, err, "%s", sentence));
            said++;
        }
    }
    if (left)
        TRY(result_answer(p->out, err, "%zu more readings are in the table power.", left));
done:
    return status;
}

static tare_status about_effects(power_study *p, tare_error *err)
{
    tare_status status = TARE_OK;
    bool by_default = false;
    for (size_t k = 0; k < p->rows; k++)
        by_default = by_default || (!p->row[k].reason[0] && !p->row[k].effect_stated);
    if (!p->model)
        TRY(result_caution(p->out, err, "The pilot gives the spread, never the effect: power at "
                           "the effect that a pilot happened to show only says its p again."));
    if (by_default)
        TRY(result_caution(p->out, err, "Where no effect was stated it is the practical margin: "
                           "%g SD of the neutral scores for N, P, FI, A and contrasts; for drifts "
                           "and beta see the column effect. --effect states another.",
                           p->o.margin_sd));
    for (size_t k = 0; k < p->rows; k++) {
        const power_row *r = &p->row[k];
        const char *effect, *least;
        double fixed = r->spread.floor_fixed;
        if (r->reason[0] || !(r->size.floor > 0) || !(fabs(r->effect) <= r->size.floor)) continue;
        TRY_NEW(effect = power_effect_text(p->a, r, r->effect));
        TRY_NEW(least = number_text(p->a, r->size.floor));
        TRY(result_caution(p->out, err, "%s, %s: %s is below what the instrument resolves with "
                           "%.0f bases (%s): estimates as small get no answer%s.", r->instrument,
                           r->arm, effect, r->plan.bases, least,
                           fabs(r->effect) <= fixed ? ", whatever the number of bases"
                                                    : "; more bases resolve smaller ones"));
    }
done:
    return status;
}

/* Why no p can be as small as the family asks for. */
static tare_status about_barred(power_study *p, const power_row *r, tare_error *err)
{
    const power_plan *plan = &r->plan;
    double level = plan->alpha / (double)r->tests, needed = ceil(1 / level - 1e-9) - 1;
    switch (power_test_of(plan, r->size.clusters)) {
    case POWER_BY_BOOTSTRAP:
        return result_caution(p->out, err, "With %u replicates no p of the bootstrap is small "
                              "enough for a family of %zu tests: nothing can be found after "
                              "correction, however large. Use --boot-b %.0f or more.",
                              plan->boot_b, r->tests, needed);
    case POWER_BY_SAMPLED_FLIPS:
        return result_caution(p->out, err, "With %u permutations no p of the sign flips is small "
                              "enough for a family of %zu tests: nothing can be found after "
                              "correction, however large. Use --perm-p %.0f or more.",
                              plan->perm_p, r->tests, needed);
    default:
        return result_caution(p->out, err, "With so few clusters no p of the sign flips is small "
                              "enough for the family of tests: nothing can be found after "
                              "correction, however large. Plan more clusters or fewer tests.");
    }
}

static tare_status about_tests(power_study *p, tare_error *err)
{
    tare_status status = TARE_OK;
    bool several = false, few = false, middle = false;
    const power_row *barred = NULL, *fewest = NULL;
    for (size_t k = 0; k < p->rows; k++) {
        const power_row *r = &p->row[k];
        if (r->reason[0]) continue;
        several = several || r->tests > 1;
        if (!fewest || r->size.clusters < fewest->size.clusters) fewest = r;
        double least = power_smallest_p(&r->plan, r->size.clusters);
        /* The largest family has most to say of the replicates. */
        if (least > r->plan.alpha / (double)r->tests && (!barred || r->tests > barred->tests))
            barred = r;
        middle = middle || (r->size.clusters >= 30 && r->size.clusters < 100);
    }
    few = fewest && fewest->size.clusters < POWER_CLUSTERS_LEAST - 1e-9;
    if (few)
        TRY(result_caution(p->out, err, "Fewer than %d clusters with a score give no answer, and "
                           "the plan has %.3g.", POWER_CLUSTERS_LEAST, fewest->size.clusters));
    if (several)
        TRY(result_caution(p->out, err, "After correction the worst case is shown: the effect is "
                           "the only one in its family, and must reach alpha divided by the "
                           "tests. With more true effects the chance lies between the two."));
    if (barred && !few) TRY(about_barred(p, barred, err));
    if (middle)
        TRY(result_caution(p->out, err, "From 30 to about 100 clusters the bootstrap test finds a "
                           "little more than it should (.058 instead of .05 at 54): the formula "
                           "is low by as much."));
done:
    return status;
}

static tare_status about_pilot(power_study *p, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t fewest = SIZE_MAX;
    bool negative = false, clustered = false;
    const power_row *unequal = NULL;
    for (size_t k = 0; k < p->rows; k++) {
        const power_row *r = &p->row[k];
        if (r->reason[0]) continue;
        if (r->expected && r->clusters < fewest) fewest = r->clusters;
        negative = negative || r->icc_negative;
        clustered = clustered || r->plan.clusters < r->plan.bases;
        if (r->spread.sizes && !unequal) unequal = r;
    }
    if (fewest < PILOT_SMALL)
        TRY(result_caution(p->out, err, "The pilot has %zu clusters: its SD is uncertain, and the "
                           "interval of the bases needed says how much. Plan with its upper end.",
                           fewest));
    if (negative && isnan(p->o.icc))
        TRY(result_caution(p->out, err, "Bases of one cluster are less alike than chance would "
                           "have it in the pilot; the intraclass correlation is taken as 0."));
    if (unequal)
        TRY(result_caution(p->out, err, "The pilot's clusters have %zu to %zu bases with a score: "
                           "those of the plan are taken to be as unequal, which makes the SE "
                           "larger and its degrees of freedom fewer (%.3g for %.0f clusters).",
                           unequal->least, unequal->most, unequal->size.df,
                           unequal->plan.clusters));
    if (clustered && unequal)
        TRY(result_caution(p->out, err, "The number of bases needed keeps the bases in each "
                           "cluster and adds clusters. More bases in the same clusters help "
                           "less."));
    else if (clustered)
        TRY(result_caution(p->out, err, "Clusters are planned with equally many bases; the number "
                           "needed keeps the bases in each cluster and adds clusters. More bases "
                           "in the same clusters help less."));
done:
    return status;
}

tare_status power_words(power_study *p, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(answers(p, err));
    TRY(about_effects(p, err));
    TRY(about_tests(p, err));
    TRY(about_pilot(p, err));
    TRY(result_caution(p->out, err, "Contributions of bases are taken as about normal; a strong "
                       "skew or single dominant clusters make intervals too short, and the real "
                       "chance another."));
done:
    return status;
}
