#include "audit/scorer/answer_axis.h"

#include <math.h>
#include <string.h>

#include "audit/scorer/wording.h"
#include "base/error.h"
#include "stats/verdict.h"

bool doses_are_factors(const cube_arm *arm)
{
    return arm->dose[arm->neutral] == 1 && arm->dose[0] > 0;
}

bool doses_are_inverse(const cube_arm *arm)
{
    size_t below = arm->neutral, above = arm->doses - 1 - arm->neutral;
    if (below != above) return false;
    for (size_t k = 1; k <= below; k++)
        if (fabs(arm->dose[arm->neutral - k] * arm->dose[arm->neutral + k] - 1) > 1e-6)
            return false;
    return true;
}

/* .80 and 1.20 are as far from 1, and not each other's inverse (16, 12). */
static tare_status say_factors(study *t, const cube_arm *arm, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *least, *most;
    double lo = arm->dose[0], hi = arm->dose[arm->doses - 1];
    if (one_sided(arm) || !doses_are_factors(arm) || doses_are_inverse(arm)) goto done;
    TRY_NEW(least = dose_text(t, lo));
    TRY_NEW(most = dose_text(t, hi));
    TRY(result_caution(t->out, err,
                       "%s: the doses are factors, and %s and %s are not each other's inverse (log "
                       "%+.3f and %+.3f): a scorer that dislikes a change of size either way can "
                       "seem to prefer a side. --doses takes a grid with 1/x for every x.",
                       arm->name, least, most, log(lo), log(hi)));
done:
    return status;
}

/* Does the artifact follow the dose so closely that FI_adj has no answer; is it beyond the bound
 * at every dose of every image? */
static bool is_inseparable(const study *t, const view *v)
{
    const judged *adjusted = study_get(t, v, RD_FI_ADJ);
    return adjusted && !strcmp(study_reading(t, adjusted)->reason, REASON_INSEPARABLE);
}

static bool is_all_clipped(const study *t, const view *v)
{
    const judged *bounded = study_get(t, v, RD_CLIP_FI);
    const tare_reading *r = bounded ? study_reading(t, bounded) : NULL;
    return r && r->n_base == 0 && r->n_missing[TARE_R_EXCLUDED] > 0;
}

/* Then no reading of this arm is free of the artifact. */
static tare_status say_inseparable(study *t, size_t a, tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *arm = &t->c->arm[a];
    bool collinear = false, clipped = false;
    const char *name, *why;
    for (size_t s = 0; s < t->c->scorers; s++) {
        const view *v = &t->view[a * t->c->scorers + s];
        collinear = collinear || is_inseparable(t, v);
        clipped = clipped || is_all_clipped(t, v);
    }
    if (!collinear && !clipped) goto done;
    TRY_NEW(name = artifact_words(&t->out->a, arm));
    why = !clipped    ? "it is a function of the dose"
          : collinear ? "it is a function of the dose, and too large at every dose of every image"
                      : "it is too large at every dose of every image";
    TRY(result_caution(t->out, err,
                       "%s: the %s cannot be told from the edit in this design: %s, so what is "
                       "found may be due to either.", arm->name, name, why));
done:
    return status;
}

/* FI depends on the grid (16, 14). */
static tare_status say_other_grids(study *t, size_t a, tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *arm = &t->c->arm[a];
    for (size_t k = a + 1; k < t->c->arms; k++) {
        const cube_arm *other = &t->c->arm[k];
        if (!arm_main(other) || strcmp(arm->operator_name, other->operator_name) ||
            !arm->operator_name[0] || same_doses(arm, other))
            continue;
        TRY(result_caution(t->out, err,
                           "%s and %s have other doses: FI, A and the drift depend on the doses, "
                           "so theirs are not to be compared.", arm->name, other->name));
    }
done:
    return status;
}

/* Each scorer resizes for itself, and what it does to 1024 pixels and to 224 differs (16, 15). */
static tare_status say_sizes(study *t, size_t a, tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *arm = &t->c->arm[a];
    for (size_t k = a + 1; k < t->c->arms; k++) {
        const cube_arm *other = &t->c->arm[k];
        bool known = arm->side_lo > 0 && other->side_lo > 0;
        if (!arm_main(other) || !known || strcmp(arm->operator_name, other->operator_name) ||
            (arm->side_lo == other->side_lo && arm->side_hi == other->side_hi))
            continue;
        TRY(result_caution(t->out, err,
                           "The images of %s are %g to %g pixels on their short side, those of %s "
                           "%g to %g: the scorer's own resizing differs, and part of a difference "
                           "between these arms can be that. --prepare-size 224 makes them equal.",
                           arm->name, arm->side_lo, arm->side_hi, other->name, other->side_lo,
                           other->side_hi));
    }
done:
    return status;
}

tare_status say_axis(study *t, size_t a, tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *arm = &t->c->arm[a];
    TRY(say_factors(t, arm, err));
    TRY(say_inseparable(t, a, err));
    if (ita_of_hue(arm))
        TRY(result_caution(t->out, err,
                           "%s: ITA moves with the hue, at the same L*: a drift in ITA is here no "
                           "change of lightness.", arm->name));
    TRY(say_other_grids(t, a, err));
    TRY(say_sizes(t, a, err));
done:
    return status;
}
