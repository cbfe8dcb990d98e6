#include "audit/scorer/wording.h"

#include <math.h>
#include <string.h>

#include "audit/scorer/exclusion.h"
#include "base/error.h"
#include "stats/verdict.h"

bool one_sided(const cube_arm *arm)
{
    return arm->neutral == 0 || arm->neutral + 1 >= arm->doses;
}

bool ita_of_hue(const cube_arm *arm)
{
    return !strcmp(arm->operator_name, "hue") && arm->attribute &&
           !strcmp(arm->attribute_name, "ITA");
}

bool is_warp_artifact(const cube_arm *arm)
{
    return arm->artifact && !strcmp(arm->artifact_name, "warp_artifact");
}

const char *artifact_words(arena *a, const cube_arm *arm)
{
    bool plain = !arm->artifact_name[0] || !strcmp(arm->artifact_name, "artifact");
    return plain ? "artifact" : arena_printf(a, "artifact (%s)", arm->artifact_name);
}

const char *sham_noise(const cube_arm *arm)
{
    return strcmp(arm->operator_name, "warp") ? "rounding noise" : "resampling noise";
}

/* What an axis is called that nobody but the arm has words for. */
static axis_words own_words(arena *a, const cube_arm *arm)
{
    if (!arm->plus[0] || !arm->minus[0])
        return (axis_words){"the + side of the dose", "the - side of the dose", "edited by dose"};
    return (axis_words){arm->plus, arm->minus,
                        arena_printf(a, "edited towards %s or %s", arm->plus, arm->minus)};
}

axis_words axis_of(arena *a, const cube_arm *arm)
{
    /* above, below: the edit where no dose lies on the other side of the neutral one */
    static const struct {
        const char *operator_name;
        axis_words words;
        const char *above, *below;
    } known[] = {
        {"skin", {"lighter", "darker", "with the skin made lighter or darker"},
         "with the skin made lighter", "with the skin made darker"},
        {"nonskin", {"lighter surroundings", "darker surroundings",
                     "with everything but the skin made lighter or darker"},
         "with everything but the skin made lighter", "with everything but the skin made darker"},
        {"hue", {"hue turned forward", "hue turned back", "with the hue of the skin turned"},
         "with the hue of the skin turned forward", "with the hue of the skin turned back"},
        {"warp", {"wider", "narrower", "with the torso made wider or narrower"},
         "with the torso made wider", "with the torso made narrower"},
        {"warpsham", {"torso moved right", "torso moved left", "with the torso moved sideways"},
         "with the torso moved right", "with the torso moved left"},
        {"sham", {"the second half of the shams", "the first half of the shams",
                  "with rounding noise added"},
         "with rounding noise added", "with rounding noise added"},
        {"blur", {"", "", "blurred"}, "blurred", "blurred"},
        {"codec", {"", "", "compressed again"}, "compressed again", "compressed again"},
    };
    size_t k = 0, n = sizeof known / sizeof *known;
    while (k < n && strcmp(arm->operator_name, known[k].operator_name) != 0) k++;
    axis_words out = k < n ? known[k].words : own_words(a, arm);
    if (k < n && arm->plus[0] && arm->minus[0]) {
        out.plus = arm->plus;
        out.minus = arm->minus;
    }
    if (one_sided(arm)) {
        bool below = arm->neutral > 0; /* then the original has the largest dose */
        out.edit = k == n ? "edited by dose" : below ? known[k].below : known[k].above;
        out.plus = below ? "the original" : "the edited images";
        out.minus = below ? "the edited images" : "the original";
    }
    return out;
}

bool ends_disagree(const tare_reading *r)
{
    return strstr(r->marks, "p and interval disagree") != NULL;
}

bool is_directional(const view *v)
{
    return (v->side_n == SIDE_MINUS && v->side_p == SIDE_PLUS) ||
           (v->side_n == SIDE_PLUS && v->side_p == SIDE_MINUS);
}

bool may_be_rounding_noise(const view *v)
{
    return v->sham_run && !v->sham_resolved;
}

/* A contrast of FI with that of a placebo, by size in the direction of the preference. `per`: ""
 * or what it is per. */
static const char *contrast_words(arena *a, const study *t, const judged *j, bool plus,
                                  const char *per)
{
    const judged *fi = NULL;
    for (size_t k = 0; k < t->pairs; k++)
        if (t->judged + t->pair[k].contrast == j || t->judged + t->pair[k].energy == j)
            fi = study_get(t, &t->view[t->pair[k].main], RD_FI);
    if (!fi || !fi->significant) /* a preference in no direction has no more and no less */
        return arena_printf(a, "different: FI is %s that of the placebo%s",
                            plus ? "above" : "below", per);
    bool more = plus == (study_reading(t, fi)->estimate > 0);
    return arena_printf(a, "different: %s than the placebo%s", more ? "more" : "less", per);
}

/* What the sign of a resolved reading says. */
static const char *found_words(arena *a, const study *t, const judged *j, const tare_reading *r)
{
    const view *v = j->view == SIZE_MAX ? NULL : &t->view[j->view];
    bool plus = r->estimate > 0;
    axis_words axis = v ? axis_of(a, v->arm) : (axis_words){"+", "-", ""};
    switch (j->id) {
    case RD_FI:
    case RD_FI_ADJ:
        if (v && may_be_rounding_noise(v))
            return arena_printf(a, "a preference for the %s that is not distinguishable from %s",
                                plus ? "original" : "edited versions", sham_noise(v->arm));
        return plus ? "the original is preferred to its edited versions"
                    : "the edited versions are preferred to the original";
    case RD_A:
    case RD_A_ADJ: return arena_printf(a, "prefers %s", plus ? axis.plus : axis.minus);
    case RD_N:
    case RD_P:
        return plus ? "this side scores above the original" : "this side scores below the original";
    case RD_DRIFT:
    case RD_DRIFT_DOSE:
        return arena_printf(a, "picking the best moves the result towards %s",
                            plus ? axis.plus : axis.minus);
    case RD_GAMMA: return "the score follows the artifact of the edit";
    case RD_BETA:
    case RD_BETA_ALONE: return "the score follows the attribute; its sign is no direction";
    case RD_OMNIBUS_FI:
    case RD_OMNIBUS_A:
    case RD_OMNIBUS_FI_ADJ:
    case RD_OMNIBUS_A_ADJ: return "the groups of images differ in this reading";
    case RD_PLACEBO: return contrast_words(a, t, j, plus, "");
    case RD_PLACEBO_ENERGY: return contrast_words(a, t, j, plus, " per unit of edit energy");
    default: return "resolved";
    }
}

const char *verdict_words(arena *a, const study *t, const judged *j)
{
    const tare_reading *r = study_reading(t, j);
    bool raw = strstr(r->marks, "raw only") != NULL;
    switch (r->verdict) {
    case TARE_NO_ANSWER:
        if (strcmp(r->reason, REASON_NOT_RUN) == 0 && r->marks[0])
            return arena_printf(a, "no answer: not run: %s", r->marks);
        return arena_printf(a, "no answer: %s", reason_words(r->reason));
    case TARE_FOUND: return found_words(a, t, j, r);
    case TARE_SMALL:
        return arena_printf(a, "there is an effect, and it is below the margin: %s",
                            found_words(a, t, j, r));
    case TARE_NEGLIGIBLE:
        if (j->id == RD_PLACEBO) return "indistinguishable from the placebo within the margin";
        if (ends_disagree(r))
            return "any effect is below the margin; p and interval disagree on whether there is "
                   "one";
        return "any effect is below the margin";
    case TARE_INCONCLUSIVE:
        if (j->capped_by_group) return "inconclusive: missing scores depend on the group";
        if (j->capped) return "inconclusive: missing scores depend on the condition";
        if (ends_disagree(r)) return "inconclusive: p and interval disagree";
        if (raw) return "raw-significant, not significant after FDR";
        if (isnan(r->mde)) return "inconclusive";
        return arena_printf(a, "inconclusive; an effect of %s or more would have been found with "
                               "80 %% power", number_text(a, r->mde));
    case TARE_DESCRIPTIVE: return "";
    }
    return "";
}

/* No side is resolved, and for one reading behind the shape p and interval disagree. */
static bool shape_is_split(const study *t, const view *v)
{
    static const reading_id ids[3] = {RD_N, RD_P, RD_FI};
    if (strcmp(v->shape, "inconclusive") != 0) return false;
    for (size_t k = 0; k < 3; k++) {
        const judged *j = study_get(t, v, ids[k]);
        if (j && ends_disagree(study_reading(t, j))) return true;
    }
    return false;
}

const char *shape_words(arena *a, const study *t, const view *v)
{
    const judged *joint = study_get(t, v, RD_SHAPE);
    const tare_reading *r = joint ? study_reading(t, joint) : NULL;
    bool raw = r && strstr(r->marks, "raw only") != NULL;
    const char *late = raw ? "; raw-significant, not significant after FDR" : "";
    const judged *fi = study_get(t, v, RD_FI);
    if (fi && fi->significant && !is_directional(v) && may_be_rounding_noise(v))
        late = arena_printf(a, "%s; not distinguishable from %s", late, sham_noise(v->arm));
    if (!late) return NULL;
    if (v->capped) return "inconclusive: missing scores depend on the dose";
    if (v->inverted_u)
        return arena_printf(a, "fidelity preference: the original scores above both sides (%s)%s",
                            v->symmetry, late);
    const judged *drift = study_get(t, v, RD_DRIFT), *dose = study_get(t, v, RD_DRIFT_DOSE);
    bool moved = (drift && drift->significant) || (dose && dose->significant);
    if (v->small_not_selection)
        return moved ? "small in score, not in selection"
                     : "small in score; in selection inconclusive";
    if (shape_is_split(t, v)) return "inconclusive: p and interval disagree";
    if (strcmp(v->shape, "practically insensitive") == 0)
        return "practically insensitive at this scale, not unbiased";
    if (strcmp(v->shape, "no answer") == 0)
        return arena_printf(a, "no answer: %s", r ? reason_words(r->reason) : "");
    return arena_printf(a, "%s%s", v->shape, late);
}

/* The direction of the drift needs attribute and dose units to agree. */
static const char *drift_words(study *t, const view *v)
{
    const judged *attribute = study_get(t, v, RD_DRIFT), *dose = study_get(t, v, RD_DRIFT_DOSE);
    if (!dose || v->degenerate) return "";
    axis_words axis = axis_of(&t->out->a, v->arm);
    const tare_reading *rd = study_reading(t, dose);
    const char *to = rd->estimate > 0 ? axis.plus : axis.minus;
    bool usable = attribute && study_reading(t, attribute)->reason[0] == '\0';
    if (!usable && dose->significant)
        return arena_printf(&t->out->a, "drifts towards %s (dose units only)", to);
    if (!usable) return "no resolved drift";
    const tare_reading *ra = study_reading(t, attribute);
    /* A measure may fall with the dose, as ITA does with the hue. */
    bool falls = t->instrument[v->arm_index].slope < 0;
    bool one_sign = (ra->estimate > 0) == ((rd->estimate > 0) != falls);
    if (attribute->significant && dose->significant)
        return one_sign ? arena_printf(&t->out->a, "drifts towards %s", to)
                        : "attribute and dose drift to opposite sides: no direction";
    if (attribute->significant && strcmp(v->arm->attribute_name, "ITA") == 0 && v->inverted_u)
        return "explained by the curvature of the ITA scale under a fidelity preference";
    if (attribute->significant) return "resolved in attribute units only: no direction";
    if (dose->significant) return "resolved in dose units only: no direction";
    return "no resolved drift";
}

/* Add a mark and show it. */
static tare_status mark(study *t, judged *j, const char *text, tare_error *err)
{
    tare_status status = study_mark(t, j, text, err);
    if (status == TARE_OK) t->out->readings[j->reading].marks = j->extra;
    return status;
}

/* ITA is an angle of L* and b*, and a turn of the hue moves b* (scorer audit 16, 13). */
static tare_status mark_hue(study *t, const view *v, tare_error *err)
{
    static const reading_id ids[] = {RD_BETA, RD_BETA_ALONE, RD_DRIFT, RD_SATURATION};
    tare_status status = TARE_OK;
    if (!ita_of_hue(v->arm)) return TARE_OK;
    for (size_t k = 0; k < sizeof ids / sizeof *ids; k++) {
        judged *j = study_get(t, v, ids[k]);
        if (j) TRY(mark(t, j, "ITA moves with the hue, at the same L*", err));
    }
done:
    return status;
}

static tare_status word_view(study *t, view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    judged *joint = study_get(t, v, RD_SHAPE), *fi = study_get(t, v, RD_FI);
    judged *alone = study_get(t, v, RD_BETA_ALONE);
    TRY_NEW(v->drift_words = drift_words(t, v));
    if (joint) {
        tare_reading *r = &t->out->readings[joint->reading];
        TRY_NEW(r->words = shape_words(&t->out->a, t, v));
    }
    judged *adjusted = study_get(t, v, RD_FI_ADJ);
    bool noise = may_be_rounding_noise(v);
    if (fi && v->carried_fidelity) TRY(mark(t, fi, "carried by the artifact", err));
    if (alone && v->carried_beta) TRY(mark(t, alone, "carried by the artifact", err));
    const char *unresolved;
    TRY_NEW(unresolved = arena_printf(&t->out->a, "not distinguishable from %s",
                                      sham_noise(v->arm)));
    if (fi && noise && fi->significant) TRY(mark(t, fi, unresolved, err));
    if (adjusted && noise && adjusted->significant) TRY(mark(t, adjusted, unresolved, err));
    TRY(mark_hue(t, v, err));
    TRY(population_words(t, v, err));
done:
    return status;
}

/* A verdict of an instrument whose own noise nobody knows says so. */
static tare_status mark_noise(study *t, judged *j, tare_error *err)
{
    const tare_reading *r = study_reading(t, j);
    bool answered = r->verdict != TARE_NO_ANSWER && r->verdict != TARE_DESCRIPTIVE;
    if (j->view == SIZE_MAX || t->view[j->view].noise.known || !answered) return TARE_OK;
    return mark(t, j, NOISE_UNKNOWN, err);
}

tare_status wording_run(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < t->judged_count; k++) {
        judged *j = &t->judged[k];
        const char *words;
        TRY_NEW(words = verdict_words(&t->out->a, t, j));
        t->out->readings[j->reading].words = words;
        TRY(mark_noise(t, j, err));
    }
    for (size_t k = 0; k < t->views; k++) TRY(word_view(t, &t->view[k], err));
    TRY(exclusion_words(t, err));
done:
    return status;
}
