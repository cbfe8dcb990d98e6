#include "audit/scorer/answer_cautions.h"

#include <math.h>
#include <string.h>

#include "audit/saturation.h"
#include "audit/scorer/answer_axis.h"
#include "audit/scorer/answer_shaken.h"
#include "audit/scorer/exclusion.h"
#include "audit/scorer/group_doubts.h"
#include "base/error.h"
#include "base/text.h"

#define DOSES_NAMED 5

/* Bases of the view that have a score at dose d. */
static size_t scored_at(const view *v, size_t d)
{
    size_t n = 0;
    for (size_t i = 0; i < v->arm->bases; i++)
        n += v->scores->status[i * v->arm->doses + d] == TARE_R_NONE;
    return n;
}

/* A dose that half of the bases lack or more. */
static bool is_rare(const view *v, size_t d)
{
    return 2 * scored_at(v, d) <= v->arm->bases;
}

/* Do single doses take out more than half of the bases, which enter with all their doses? Not if
 * no dose is better: then the grid is not to blame. */
static bool grid_costs_bases(const view *v)
{
    size_t rare = 0;
    if (2 * v->f.n >= v->arm->bases) return false;
    for (size_t d = 0; d < v->arm->doses; d++) rare += is_rare(v, d);
    return rare > 0 && rare < v->arm->doses;
}

static bool same_rare_doses(const view *x, const view *y)
{
    for (size_t d = 0; d < x->arm->doses; d++)
        if (scored_at(x, d) != scored_at(y, d)) return false;
    return true;
}

static tare_status say_rare_doses(study *t, const view *v, const char *whose, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t named = 0, more = 0;
    text list;
    text_init(&list, t->m);
    for (size_t d = 0; d < v->arm->doses; d++) {
        if (!is_rare(v, d)) continue;
        if (named == DOSES_NAMED) {
            more++;
            continue;
        }
        text_add(&list, named ? ", dose " : "dose ");
        text_add_number(&list, v->arm->dose[d]);
        if (named++ == 0)
            text_add_format(&list, " has scores for %zu of %zu images only", scored_at(v, d),
                            v->arm->bases);
        else
            text_add_format(&list, " for %zu", scored_at(v, d));
    }
    if (more) text_add_format(&list, ", and %zu more doses", more);
    if (list.failed) FAIL_MEMORY(err);
    TRY(result_caution(t->out, err,
                       "%s: %s. An image counts only with all doses of its arm, so %zu of %zu are "
                       "left; without the rows of such doses there would be more.",
                       whose, list.data, v->f.n, v->arm->bases));
done:
    text_free(&list);
    return status;
}

/* Once for the arm if all scorers lack the same. */
static tare_status say_grid(study *t, const view *first, tare_error *err)
{
    tare_status status = TARE_OK;
    bool all = true;
    for (size_t s = 1; s < t->c->scorers; s++) all = all && same_rare_doses(first, first + s);
    for (size_t s = 0; s < (all ? 1 : t->c->scorers); s++) {
        const view *v = first + s;
        const char *whose = v->arm->name;
        if (!grid_costs_bases(v)) continue;
        if (!all)
            TRY_NEW(whose = arena_printf(&t->out->a, "%s, %s", v->scorer, v->arm->name));
        TRY(say_rare_doses(t, v, whose, err));
    }
done:
    return status;
}

/* Does every dose on one side have its like at the same distance on the other? By difference, as
 * A and the drift are (scorer audit 16, 12 and 14). */
static bool is_mirrored(const cube_arm *arm)
{
    size_t below = arm->neutral, above = arm->doses - 1 - arm->neutral;
    if (below != above) return false;
    double d0 = arm->dose[arm->neutral], width = arm->dose[arm->doses - 1] - arm->dose[0];
    for (size_t k = 1; k <= below; k++) {
        double left = d0 - arm->dose[arm->neutral - k], right = arm->dose[arm->neutral + k] - d0;
        if (fabs(left - right) > 1e-9 * width) return false;
    }
    return true;
}

static tare_status say_unequal_sides(study *t, const cube_arm *arm, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *least, *most, *neutral;
    if (arm->neutral == 0 || arm->neutral + 1 == arm->doses || is_mirrored(arm)) return TARE_OK;
    if (doses_are_factors(arm) && doses_are_inverse(arm)) return TARE_OK;
    TRY_NEW(least = dose_text(t, arm->dose[0]));
    TRY_NEW(neutral = dose_text(t, arm->dose[arm->neutral]));
    TRY_NEW(most = dose_text(t, arm->dose[arm->doses - 1]));
    TRY(result_caution(t->out, err,
                       "%s: the doses from %s to %s do not lie mirrored round %s, so the direction "
                       "and the drift compare pushes of unequal size: a scorer that prefers the "
                       "original alone can seem to prefer a side.", arm->name, least, most,
                       neutral));
done:
    return status;
}

/* Once for the arm if they are the same for all scorers. */
static tare_status say_small_groups(study *t, const view *first, tare_error *err)
{
    tare_status status = TARE_OK;
    bool all = true;
    for (size_t s = 1; s < t->c->scorers; s++)
        all = all && !strcmp(first->groups_left_out, first[s].groups_left_out);
    for (size_t s = 0; s < (all ? 1 : t->c->scorers); s++) {
        const view *v = first + s;
        const char *whose = v->arm->name;
        if (!v->groups_left_out[0]) continue;
        if (!all) TRY_NEW(whose = arena_printf(&t->out->a, "%s, %s", v->scorer, v->arm->name));
        TRY(result_caution(t->out, err, "%s: groups too small to test were left out: %s.", whose,
                           v->groups_left_out));
    }
done:
    return status;
}

/* What does not depend on the scorer. */
static tare_status say_of_arm(study *t, size_t a, tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *arm = &t->c->arm[a];
    const view *first = &t->view[a * t->c->scorers];
    TRY(say_grid(t, first, err));
    if (!arm_main(arm)) goto done;
    TRY(exclusion_caution(t, a, err));
    TRY(group_doubts(t, arm, err));
    TRY(say_small_groups(t, first, err));
    TRY(say_unequal_sides(t, arm, err));
    TRY(say_axis(t, a, err));
    if (first->pool_words[0])
        TRY(result_caution(t->out, err, "%s: best-of-%zu was not run: %s.", arm->name, t->o.bon_n,
                           first->pool_words));
    if (t->instrument[a].run && !t->instrument[a].pass)
        TRY(result_caution(t->out, err,
                           "%s: the measured attribute does not follow the dose, so nothing is "
                           "said about the attribute; readings in dose units stand.",
                           arm->name));
done:
    return status;
}

static tare_status say_of_view(study *t, const view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    if (arm_main(v->arm)) TRY(say_shaken(t, v, err));
    /* Equal scores of a sham are what an instrument without noise of rounding gives. */
    if (v->tie_rate > 0.05 && arm_main(v->arm))
        TRY(result_caution(t->out, err, "%s, %s: in %.0f %% of the choices the best score is tied.",
                           v->scorer, v->arm->name, 100 * v->tie_rate));
    if (v->capped)
        TRY(result_caution(t->out, err,
                           "%s, %s: missing scores depend on the dose; verdicts are inconclusive "
                           "at most.", v->scorer, v->arm->name));
    if (v->capped_population && !t->exclusion[v->arm_index].informative &&
        study_get(t, v, RD_OMNIBUS_FI))
        TRY(result_caution(t->out, err,
                           "%s, %s: exclusion depends on the group; verdicts on groups are "
                           "inconclusive at most.", v->scorer, v->arm->name));
done:
    return status;
}

/* The placebo arms share their neutral images with the main one. */
static tare_status say_saturated(study *t, size_t scorer, tare_error *err)
{
    saturation x = {0};
    double sign = t->c->sign ? t->c->sign[scorer] : 1;
    for (size_t a = 0; a < t->c->arms; a++) {
        const cube_arm *arm = &t->c->arm[a];
        const cube_scores *from = cube_at(t->c, a, scorer);
        for (size_t i = 0; i < arm->bases * arm->doses; i++) {
            if (from->status[i] != TARE_R_NONE) continue;
            bool unedited = arm_main(arm) && i % arm->doses == arm->neutral;
            if (unedited) saturation_image(&x, sign * from->s[i]);
            else saturation_score(&x, sign * from->s[i]);
        }
    }
    return saturation_caution(&x, t->c->scorer[scorer], t->out, err);
}

/* Share of an instrument's images without a score from which it is said (ours). */
#define FAILURES_SAID 0.01

/* What an instrument that was asked here did not answer, and why. */
static tare_status say_failures(study *t, size_t scorer, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t asked = 0, failed = 0, by_reason[TARE_REASON_COUNT] = {0};
    tare_reason most = TARE_R_NONE;
    if (!t->c->note) goto done;
    for (size_t a = 0; a < t->c->arms; a++) {
        const cube_arm *arm = &t->c->arm[a];
        const uint8_t *reason = cube_at(t->c, a, scorer)->status;
        for (size_t i = 0; i < arm->bases * arm->doses; i++) {
            /* The placebo arms share their neutral images with the main one. */
            if (!arm_main(arm) && i % arm->doses == arm->neutral) continue;
            asked++;
            failed += reason[i] != TARE_R_NONE;
            by_reason[reason[i]]++;
        }
    }
    if (!((double)failed > FAILURES_SAID * (double)asked)) goto done;
    for (int k = 1; k < TARE_REASON_COUNT; k++)
        if (!most || by_reason[k] > by_reason[most]) most = (tare_reason)k;
    char *why;
    TRY_NEW(why = arena_copy(&t->out->a, tare_reason_name(most)));
    for (char *c = why; *c; c++)
        if (*c == '_') *c = ' ';
    const char *first = t->c->note[scorer], *last = t->c->last_note[scorer], *said = "";
    if (*first && strcmp(first, last))
        TRY_NEW(said = arena_printf(&t->out->a, "; the first: %s; the last: %s", first, last));
    else if (*first)
        TRY_NEW(said = arena_printf(&t->out->a, "; the first: %s", first));
    /* Notes come from run folders only, and there it can be asked again. */
    bool again = *first && (by_reason[TARE_R_SCORER_ERROR] || by_reason[TARE_R_TIMEOUT]);
    TRY(result_caution(t->out, err, "%s gave no score for %zu of %zu images (%s%s)%s.%s",
                       t->c->scorer[scorer], failed, asked,
                       by_reason[most] < failed ? "mostly " : "", why, said,
                       again ? " The same command with --retry asks again." : ""));
done:
    return status;
}

static tare_status say_half_precision(study *t, size_t scorer, tare_error *err)
{
    bool all = t->c->arms > 0;
    for (size_t a = 0; a < t->c->arms; a++)
        all = all && t->view[a * t->c->scorers + scorer].noise.half_precision;
    if (!all) return TARE_OK;
    return result_caution(t->out, err, "%s: half precision output: all scores lie on its grid.",
                          t->c->scorer[scorer]);
}

tare_status say_cautions(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < t->c->scorers; k++) {
        TRY(say_half_precision(t, k, err));
        TRY(say_failures(t, k, err));
        TRY(say_saturated(t, k, err));
    }
    for (size_t a = 0; a < t->c->arms && t->c->scorers; a++) TRY(say_of_arm(t, a, err));
    for (size_t k = 0; k < t->views; k++) TRY(say_of_view(t, &t->view[k], err));
done:
    return status;
}
