/* The answer in sentences: what was found of each scorer first, then what it may be called, then
 * what it rests on. */
#include <math.h>
#include <string.h>

#include "audit/scorer/answer_basis.h"
#include "audit/scorer/answer_cautions.h"
#include "audit/scorer/answer_lead.h"
#include "audit/scorer/answer_placebo.h"
#include "audit/scorer/exclusion.h"
#include "audit/scorer/group_set.h"
#include "audit/scorer/study.h"
#include "audit/scorer/wording.h"
#include "base/error.h"
#include "stats/verdict.h"

/* "95 % interval 0.08 to 0.16, p < 0.0002, q = 0.0002"; turned: of the size of a negative
 * estimate. */
static const char *evidence(arena *a, const tare_reading *r, bool turned)
{
    const char *lo = number_text(a, turned ? -r->hi : r->lo);
    const char *hi = number_text(a, turned ? -r->lo : r->hi);
    const char *p = p_text(a, "p", r->p, r->p_floor);
    /* A q that comes from a p at its floor is a bound like it. */
    bool at_floor = r->p <= r->p_floor;
    const char *q = isnan(r->q) ? "" : p_text(a, ", q", r->q, at_floor ? r->q : 0);
    if (!lo || !hi || !p || !q) return NULL;
    return arena_printf(a, "95 %% interval %s to %s, %s%s", lo, hi, p, q);
}

/* Then the yardstick of this scorer is theirs (study_open.c). */
static bool any_real(const study *t, const view *of)
{
    size_t n = 0;
    for (size_t a = 0; a < t->c->arms; a++) {
        const view *v = &t->view[a * t->c->scorers + of->scorer_index];
        bool real = arm_main(v->arm) && !v->too_large && !strcmp(v->arm->kind, "real");
        n += real ? v->f.n : 0;
    }
    return n >= 2;
}

/* ", which is 0.2 of the spread of its scores between images", of those whose spread it is. NULL:
 * no memory. */
static const char *in_spread(arena *a, const study *t, const view *v, double effect)
{
    if (!(v->sd0 > 0)) return "";
    const char *of = strcmp(v->arm->kind, "real") != 0 && any_real(t, v) ? "the real images"
                                                                       : "images";
    return arena_printf(a, ", which is %.2g of the spread (SD) of its scores between %s",
                        fabs(effect) / v->sd0, of);
}

/* The scorer, with its arm where there is more than one main arm. NULL: no memory. */
static const char *who(study *t, const view *v)
{
    size_t arms = 0;
    for (size_t a = 0; a < t->c->arms; a++) arms += arm_main(&t->c->arm[a]);
    return arms > 1 ? arena_printf(&t->out->a, "%s (%s)", v->scorer, v->arm->name) : v->scorer;
}

static tare_status say_nothing_known(study *t, const view *v, const tare_reading *r,
                                     tare_error *err)
{
    const char *name = who(t, v);
    if (!name) return error_memory(err);
    return result_answer(t->out, err, "%s: no answer: %s.", name, reason_words(r->reason));
}

/* How a sentence ends that starts with "no preference", or "a preference" if p and interval do not
 * agree. */
static const char *open_or_not(const tare_reading *r)
{
    return ends_disagree(r) ? "is left open: p and interval disagree" : "was found";
}

static tare_status say_fidelity(study *t, const view *v, const tare_reading *r, tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &t->out->a;
    axis_words axis = axis_of(&t->out->a, v->arm);
    const char *size, *spread, *proof, *shape, *name, *noun = images_of(v->arm);
    TRY_NEW(name = who(t, v));
    bool resolved = r->verdict == TARE_FOUND || r->verdict == TARE_SMALL;
    bool turned = resolved && r->estimate < 0;
    TRY_NEW(size = number_text(a, turned ? -r->estimate : r->estimate));
    TRY_NEW(spread = in_spread(a, t, v, r->estimate));
    TRY_NEW(proof = evidence(a, r, turned));
    TRY_NEW(shape = shape_words(a, t, v));
    if (resolved && r->estimate > 0)
        TRY(result_answer(t->out, err,
                          "%s scores the original %s higher than the same %s %s: by %s on "
                          "average%s (%s). Verdict: %s.", name, noun, noun, axis.edit, size,
                          spread, proof, shape));
    else if (resolved)
        TRY(result_answer(t->out, err,
                          "%s scores the same %s %s higher than the original: by %s on average%s "
                          "(%s). Verdict: %s.", name, noun, axis.edit, size, spread, proof,
                          shape));
    else
        TRY(result_answer(t->out, err,
                          "%s: %s average preference between the original %s and the same %s %s "
                          "%s (difference %s, %s). Verdict: %s.", name,
                          ends_disagree(r) ? "an" : "no", noun, noun, axis.edit, open_or_not(r),
                          size, proof, shape));
done:
    return status;
}

/* The headline of one scorer in one arm: the original against its edits, then the two
 * directions. */
static tare_status say_view(study *t, const view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &t->out->a;
    const judged *fi = study_get(t, v, RD_FI), *ja = study_get(t, v, RD_A);
    if (!fi && v->arm->doses < 2)
        return result_answer(t->out, err,
                             "%s: no answer: %s holds the neutral dose alone, and nothing to "
                             "compare it with.", v->scorer, v->arm->name);
    if (!fi) return TARE_OK;
    const tare_reading *r = study_reading(t, fi), *ra = ja ? study_reading(t, ja) : NULL;
    axis_words axis = axis_of(&t->out->a, v->arm);
    if (r->verdict == TARE_NO_ANSWER && (!ra || ra->verdict == TARE_NO_ANSWER))
        return say_nothing_known(t, v, r, err);
    if (r->verdict != TARE_NO_ANSWER) TRY(say_fidelity(t, v, r, err));
    if (!ra || ra->verdict == TARE_NO_ANSWER) goto done;
    const char *size, *spread, *proof, *name;
    TRY_NEW(name = who(t, v));
    bool resolved = ra->verdict == TARE_FOUND || ra->verdict == TARE_SMALL;
    bool turned = resolved && ra->estimate < 0;
    TRY_NEW(size = number_text(a, turned ? -ra->estimate : ra->estimate));
    TRY_NEW(spread = in_spread(a, t, v, ra->estimate));
    TRY_NEW(proof = evidence(a, ra, turned));
    if (resolved)
        TRY(result_answer(t->out, err,
                          "%s: of the two directions it prefers %s over %s, by %s%s (%s)%s.",
                          name, ra->estimate > 0 ? axis.plus : axis.minus,
                          ra->estimate > 0 ? axis.minus : axis.plus, size, spread, proof,
                          ra->verdict == TARE_SMALL ? "; that is below the practical margin" : ""));
    else
        TRY(result_answer(t->out, err,
                          "%s: %s preference between %s and %s %s (difference %s, %s); %s.",
                          name, ends_disagree(ra) ? "a" : "no", axis.plus, axis.minus,
                          open_or_not(ra), size, proof, ra->words));
done:
    return status;
}

static tare_status say_drift(study *t, const view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    const judged *dose = study_get(t, v, RD_DRIFT_DOSE), *attribute = study_get(t, v, RD_DRIFT);
    const judged *share = study_get(t, v, RD_SATURATION_DOSE);
    if (!dose || v->degenerate || study_reading(t, dose)->verdict == TARE_NO_ANSWER)
        return TARE_OK;
    if (!dose->significant && !(attribute && attribute->significant)) return TARE_OK;
    const tare_reading *r = study_reading(t, dose);
    const char *size, *proof, *name, *percent = "";
    TRY_NEW(name = who(t, v));
    TRY_NEW(size = number_text(&t->out->a, r->estimate));
    TRY_NEW(proof = evidence(&t->out->a, r, false));
    double part = share ? study_reading(t, share)->estimate : NAN;
    if (!isnan(part))
        TRY_NEW(percent = arena_printf(&t->out->a,
                                       ", %.0f %% of the most that such a choice allows",
                                       100 * part));
    TRY(result_answer(t->out, err,
                      "Keeping the best of %zu versions by %s moves the dose by %s (%s)%s: %s.",
                      t->o.bon_n, name, size, proof, percent, v->drift_words));
done:
    return status;
}

/* What FI_adj and A_adj change; a direction that stays is not worth a sentence of its own. */
static tare_status say_adjusted(study *t, const view *v, const char *name, tare_error *err)
{
    static const struct { reading_id raw, adjusted; const char *what, *letters; } pairs[2] = {
        {RD_FI, RD_FI_ADJ, "preference", "FI"}, {RD_A, RD_A_ADJ, "direction", "A"}};
    tare_status status = TARE_OK;
    for (size_t k = 0; k < 2; k++) {
        const judged *raw = study_get(t, v, pairs[k].raw);
        const judged *adjusted = study_get(t, v, pairs[k].adjusted);
        if (!raw || !adjusted || !adjusted->significant) continue;
        const tare_reading *r = study_reading(t, adjusted);
        bool same = raw->significant && (study_reading(t, raw)->estimate > 0) == (r->estimate > 0);
        if (same && pairs[k].raw == RD_A) continue;
        const char *size, *proof;
        TRY_NEW(size = number_text(&t->out->a, r->estimate));
        TRY_NEW(proof = evidence(&t->out->a, r, false));
        TRY(result_answer(t->out, err,
                          same ? "%s: with the artifact of the edit taken out, the %s stays, at %s "
                                 "%s (%s)."
                               : "%s: with the artifact of the edit taken out, the %s is another "
                                 "one: %s %s (%s).",
                          name, pairs[k].what, pairs[k].letters, size, proof));
    }
done:
    return status;
}

/* Is the direction shown to be smaller without the artifact, and the artifact to matter? As for the
 * preference (grids.c). */
static bool is_carried(const study *t, const view *v, const judged *raw, const judged *adjusted)
{
    const judged *gamma = study_get(t, v, RD_GAMMA_ADJ);
    const tare_reading *g = gamma ? study_reading(t, gamma) : NULL;
    if (!g || g->reason[0] || !(g->p <= t->o.alpha) || !(g->lo > 0 || g->hi < 0)) return false;
    const tare_reading *r = study_reading(t, raw), *x = study_reading(t, adjusted);
    bool near = r->estimate > 0 ? x->hi < r->estimate : x->lo > r->estimate;
    return near || (adjusted->equivalent && !raw->equivalent);
}

/* What no longer holds with the artifact taken out, or cannot be told. */
static tare_status say_carried(study *t, const view *v, const char *name, tare_error *err)
{
    tare_status status = TARE_OK;
    const judged *fi = study_get(t, v, RD_FI), *a = study_get(t, v, RD_A);
    if (v->carried_fidelity && fi)
        TRY(result_answer(t->out, err,
                          "%s: with the artifact of the edit taken out, the preference for the %s "
                          "no longer resolved: carried by the artifact.", name,
                          study_reading(t, fi)->estimate > 0 ? "original is"
                                                             : "edited versions is"));
    else if (v->unseparated_fidelity)
        TRY(result_answer(t->out, err,
                          "%s: with the artifact taken out the preference is no longer resolved, "
                          "and no smaller either: this design cannot tell them apart.", name));
    const judged *adjusted = study_get(t, v, RD_A_ADJ);
    const tare_reading *r = adjusted ? study_reading(t, adjusted) : NULL;
    if (!a || !a->significant || !r || adjusted->significant || r->reason[0]) goto done;
    axis_words axis = axis_of(&t->out->a, v->arm);
    const char *to = study_reading(t, a)->estimate > 0 ? axis.plus : axis.minus;
    if (is_carried(t, v, a, adjusted))
        TRY(result_answer(t->out, err,
                          "%s: with the artifact of the edit taken out, the direction towards %s "
                          "is no longer resolved: carried by the artifact.", name, to));
    else
        TRY(result_answer(t->out, err,
                          "%s: with the artifact taken out the direction towards %s is no longer "
                          "resolved, and no smaller either: this design cannot tell them apart.",
                          name, to));
done:
    return status;
}

static tare_status say_controls(study *t, const view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    const judged *fi = study_get(t, v, RD_FI);
    const char *name;
    TRY_NEW(name = who(t, v));
    if (v->sham_run && fi && fi->significant)
        TRY(result_answer(t->out, err,
                          v->sham_resolved
                              ? "%s: the preference is larger than for the sham edit, which only "
                                "adds %s."
                              : "%s: the preference is not distinguishable from %s: it was not "
                                "shown to be larger than for the sham edit, which changes no "
                                "attribute.",
                          name, sham_noise(v->arm)));
    TRY(say_placebos(t, v, name, err));
    TRY(say_carried(t, v, name, err));
    TRY(say_adjusted(t, v, name, err));
    if (v->carried_beta)
        TRY(result_answer(t->out, err,
                          "%s: the relation with the attribute is carried by the artifact.",
                          name));
done:
    return status;
}

static tare_status say_groups(study *t, const view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    static const reading_id ids[2] = {RD_OMNIBUS_FI, RD_OMNIBUS_A}; /* as METRIC_FI, METRIC_A */
    static const char *const names[2] = {"preference for the original",
                                         "preference between the directions"};
    const char *name;
    TRY_NEW(name = who(t, v));
    for (size_t n = 0; n < 2; n++) {
        const judged *j = study_get(t, v, ids[n]);
        if (!j) continue;
        const tare_reading *r = study_reading(t, j);
        const char *p, *spread = v->spread[n] ? "; " MAYBE_SPREAD : "";
        /* A q that comes from a p at its floor is a bound like it. */
        TRY_NEW(p = p_text(&t->out->a, "q", r->q, r->p <= r->p_floor ? r->q : 0));
        if (r->verdict == TARE_FOUND)
            TRY(result_answer(t->out, err,
                              "%s: the %s differs between the groups of images (omnibus %s)%s%s.",
                              name, names[n], p, spread,
                              t->criterion[v - t->view].c3_population
                                  ? ""
                                  : "; too few real images for a claim about populations"));
        else if (strstr(r->marks, "cherry-picking artifact"))
            TRY(result_answer(t->out, err,
                              "%s: two groups picked for their distance differ in the %s, but over "
                              "all groups this is a cherry-picking artifact (omnibus %s)%s.",
                              name, names[n], p, spread));
        else if (v->spread[n])
            TRY(result_answer(t->out, err,
                              "%s: whether the %s differs between the groups of images is left "
                              "open (omnibus %s)%s.", name, names[n], p, spread));
    }
done:
    return status;
}

static tare_status say_title(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    t->out->audit = "scorer audit";
    if (t->out->title[0]) return TARE_OK;
    const char *who = t->c->scorers == 1 ? t->c->scorer[0] : "these scorers";
    const char *verb = t->c->scorers == 1 ? "Does" : "Do";
    /* One axis has a question of its own; of several there is one for all. */
    const cube_arm *first = NULL;
    bool one_axis = true, one_side = true;
    for (size_t a = 0; a < t->c->arms; a++) {
        const cube_arm *arm = &t->c->arm[a];
        if (!arm_main(arm)) continue;
        if (!first) first = arm;
        one_axis = one_axis && !strcmp(first->operator_name, arm->operator_name);
        one_side = one_side && one_sided(arm) && arm->doses > 1;
    }
    const char *what = one_axis ? "one side of the edit" : "one side of the edits";
    if (first && one_axis && one_side) what = "the original";
    else if (first && one_axis && arm_is_skin(first)) what = "lighter or darker skin";
    else if (first && one_axis && first->plus[0] && first->minus[0])
        TRY_NEW(what = arena_printf(&t->out->a, "%s or %s", first->plus, first->minus));
    TRY_NEW(t->out->title = arena_printf(&t->out->a, "%s %s prefer %s?", verb, who, what));
done:
    return status;
}

tare_status answer_run(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(say_title(t, err));
    TRY(say_leads(t, who, err));
    for (size_t a = 0; a < t->c->arms && t->c->scorers; a++) {
        if (!arm_main(&t->c->arm[a])) continue;
        TRY(say_criteria(t, a, err));
        TRY(say_basis(t, &t->c->arm[a], a, err));
    }
    for (size_t k = 0; k < t->views; k++) {
        const view *v = &t->view[k];
        if (!arm_main(v->arm)) continue;
        TRY(say_view(t, v, err));
        TRY(say_drift(t, v, err));
        TRY(say_controls(t, v, err));
        TRY(say_groups(t, v, err));
    }
    for (size_t a = 0; a < t->c->arms; a++) TRY(exclusion_answer(t, a, err));
    TRY(say_noise(t, err));
    TRY(say_cautions(t, err));
done:
    return status;
}
