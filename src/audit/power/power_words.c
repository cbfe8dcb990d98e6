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
        if (!(r->floor > 0) || !(fabs(r->effect) <= r->floor)) continue;
        TRY_NEW(effect = power_effect_text(p->a, r, r->effect));
        TRY_NEW(least = number_text(p->a, r->floor));
        TRY(result_caution(p->out, err, "%s, %s: %s is below what the instrument resolves (%s in "
                           "the pilot): it gets no answer, whatever the number of bases.",
                           r->instrument, r->arm, effect, least));
    }
done:
    return status;
}

static tare_status about_tests(power_study *p, tare_error *err)
{
    tare_status status = TARE_OK;
    bool several = false, barred = false, few = false, middle = false;
    for (size_t k = 0; k < p->rows; k++) {
        const power_row *r = &p->row[k];
        if (r->reason[0]) continue;
        several = several || r->tests > 1;
        few = few || r->size.clusters < POWER_CLUSTERS_LEAST - 1e-9;
        barred = barred || (r->found > 0 && r->found_corrected == 0);
        middle = middle || (r->size.clusters >= 30 && r->size.clusters < 100);
    }
    if (few)
        TRY(result_caution(p->out, err, "Fewer than %d clusters with a score give no answer.",
                           POWER_CLUSTERS_LEAST));
    if (several)
        TRY(result_caution(p->out, err, "After correction the worst case is shown: the effect is "
                           "the only one in its family, and must reach alpha divided by the "
                           "tests. With more true effects the chance lies between the two."));
    if (barred)
        TRY(result_caution(p->out, err, "With so few clusters no p of the sign flips is small "
                           "enough for the family of tests: nothing can be found after "
                           "correction, however large. Plan more clusters or fewer tests."));
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
    for (size_t k = 0; k < p->rows; k++) {
        const power_row *r = &p->row[k];
        if (r->reason[0]) continue;
        if (r->expected && r->clusters < fewest) fewest = r->clusters;
        negative = negative || r->icc_negative;
        clustered = clustered || r->plan.clusters < r->plan.bases;
    }
    if (fewest < PILOT_SMALL)
        TRY(result_caution(p->out, err, "The pilot has %zu clusters: its SD is uncertain, and the "
                           "interval of the bases needed says how much. Plan with its upper end.",
                           fewest));
    if (negative && isnan(p->o.icc))
        TRY(result_caution(p->out, err, "Bases of one cluster are less alike than chance would "
                           "have it in the pilot; the intraclass correlation is taken as 0."));
    if (clustered)
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
