/* The first sentences of the answer, for people who do not read statistics: what each scorer
 * prefers, and what this may be called. Numbers follow in answer.c. */
#include <math.h>
#include <string.h>

#include "audit/scorer/answer_lead.h"
#include "audit/scorer/wording.h"
#include "base/error.h"

static tare_verdict verdict_of(const study *t, const judged *j)
{
    return j ? study_reading(t, j)->verdict : TARE_NO_ANSWER;
}

/* "the original over its edited versions" in one clause of the lead. NULL: no memory. */
static const char *original_clause(arena *a, const study *t, const view *v, const judged *fi)
{
    bool plus = fi && study_reading(t, fi)->estimate > 0;
    const char *edited = arm_is_skin(v->arm) ? "edited skin" : "the edited image";
    const char *more = plus ? "the original" : edited, *less = plus ? edited : "the original";
    if (fi && fi->significant && may_be_rounding_noise(v))
        return arena_printf(a, "has a preference for %s that is not distinguishable from %s", more,
                            sham_noise(v->arm));
    switch (verdict_of(t, fi)) {
    case TARE_FOUND: return arena_printf(a, "prefers %s to %s", more, less);
    case TARE_SMALL:
        return arena_printf(a, "prefers %s to %s, by less than the practical margin", more, less);
    case TARE_NEGLIGIBLE: return "does not prefer the original by more than the practical margin";
    case TARE_INCONCLUSIVE:
        if (ends_disagree(study_reading(t, fi)))
            return "leaves open whether it prefers the original (p and interval disagree)";
        return "was not shown to prefer the original";
    default: return "gives no answer about the original";
    }
}

static const char *direction_clause(arena *a, const study *t, const view *v, const judged *side)
{
    axis_words axis = axis_of(a, v->arm);
    double estimate = side ? study_reading(t, side)->estimate : NAN;
    const char *more = estimate > 0 ? axis.plus : axis.minus;
    const char *less = estimate > 0 ? axis.minus : axis.plus;
    switch (verdict_of(t, side)) {
    case TARE_FOUND: return arena_printf(a, "prefers %s over %s", more, less);
    case TARE_SMALL:
        return arena_printf(a, "prefers %s over %s, by less than the practical margin", more, less);
    case TARE_NEGLIGIBLE:
        return arena_printf(a, "prefers neither %s nor %s by more than the practical margin",
                            axis.plus, axis.minus);
    case TARE_INCONCLUSIVE:
        if (ends_disagree(study_reading(t, side)))
            return arena_printf(a, "leaves open whether it prefers %s or %s (p and interval "
                                   "disagree)", axis.plus, axis.minus);
        return arena_printf(a, "was not shown to prefer %s or %s", axis.plus, axis.minus);
    default: return "gives no answer about the direction";
    }
}

/* Where C1 passes as separable the adjusted readings are the headline (scorer audit 10). */
static bool adjusted_leads(const study *t, const view *v)
{
    const criterion *x = &t->criterion[v - t->view];
    return x->c1 && x->c1_separable && verdict_of(t, study_get(t, v, RD_FI_ADJ)) != TARE_NO_ANSWER;
}

/* The artifact of L* on skin is clipping; that of other edits may be anything. */
static const char *adjusted_tail(const view *v)
{
    bool clips = !strcmp(v->arm->artifact_name, "clip_frac") ||
                 (arm_is_skin(v->arm) && strcmp(v->arm->attribute_name, "ITA") == 0);
    return clips ? ", once clipped pixels are accounted for"
                 : ", once the artifact of the edit is taken out";
}

static tare_status say_lead(study *t, const view *v, const char *name, tare_error *err)
{
    tare_status status = TARE_OK;
    bool adjusted = adjusted_leads(t, v);
    const judged *fi = study_get(t, v, adjusted ? RD_FI_ADJ : RD_FI);
    const judged *side = study_get(t, v, adjusted ? RD_A_ADJ : RD_A);
    const char *tail = adjusted ? adjusted_tail(v) : "";
    bool silent = verdict_of(t, fi) == TARE_NO_ANSWER && verdict_of(t, side) == TARE_NO_ANSWER;
    if (silent) return TARE_OK; /* answer.c says why */
    const char *original, *direction;
    TRY_NEW(original = original_clause(&t->out->a, t, v, fi));
    if (is_directional(v)) original = "places the original between the two";
    TRY_NEW(direction = direction_clause(&t->out->a, t, v, side));
    /* Where the original lies is known of the raw sides alone. */
    if (side && adjusted && is_directional(v))
        TRY(result_answer(t->out, err, "%s %s%s.", name, direction, tail));
    else if (side)
        TRY(result_answer(t->out, err, "%s %s; it %s%s.", name, direction, original, tail));
    else
        TRY(result_answer(t->out, err, "%s %s%s.", name, original, tail));
done:
    return status;
}

static bool same_criterion(const criterion *x, const criterion *y)
{
    return x->c1 == y->c1 && x->c2 == y->c2 && x->c3 == y->c3 && !strcmp(x->why1, y->why1) &&
           !strcmp(x->why2, y->why2) && !strcmp(x->why3, y->why3);
}

/* Who the sentence is about: all scorers of the arm if they share it. */
static tare_status say_criterion_of(study *t, const view *v, const char *whom, tare_error *err)
{
    const criterion *x = &t->criterion[v - t->view];
    if (x->c1 && x->c2 && x->c3)
        return result_answer(t->out, err,
                             "%s: all three conditions are met, so this is a bias measurement for "
                             "%s, this axis and this prompt, and for nothing beyond.", v->arm->name,
                             whom);
    return result_answer(t->out, err,
                         "%s: for %s this is a mechanistic stress test, not a bias measurement "
                         "(C1 %s: %s; C2 %s: %s; C3 %s: %s).", v->arm->name, whom,
                         x->c1 ? "met" : "missed", x->why1, x->c2 ? "met" : "missed", x->why2,
                         x->c3 ? "met" : "missed", x->why3);
}

tare_status say_criteria(study *t, size_t arm, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t scorers = t->c->scorers;
    const view *first = &t->view[arm * scorers];
    bool all = true;
    for (size_t s = 1; s < scorers; s++)
        all = all && same_criterion(&t->criterion[arm * scorers], &t->criterion[arm * scorers + s]);
    for (size_t s = 0; s < (all ? 1 : scorers); s++)
        TRY(say_criterion_of(t, first + s, all && scorers > 1 ? "all scorers" : first[s].scorer,
                             err));
done:
    return status;
}

tare_status say_leads(study *t, const char *(*name_of)(study *t, const view *v), tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < t->views; k++) {
        const char *name;
        if (!arm_main(t->view[k].arm)) continue;
        TRY_NEW(name = name_of(t, &t->view[k]));
        TRY(say_lead(t, &t->view[k], name, err));
    }
done:
    return status;
}
