/* The answer for people: does a panel help, which, at what cost, how many votes is it worth, and is
 * the winner's margin real on items it was not chosen on? */
#include <math.h>
#include <string.h>

#include "audit/panel/panel_words.h"
#include "base/error.h"

#define SPOKEN 5 /* named panels that get a sentence; the tables have all */

static size_t best_member(const panel_study *s, const panel_result *p)
{
    size_t best = 0;
    for (size_t k = 1; k < p->count; k++)
        if (s->judge_agree[p->judge[k]].estimate > s->judge_agree[p->judge[best]].estimate)
            best = k;
    return best;
}

static const char *against_member(panel_study *s, const panel_result *p, size_t member)
{
    const panel_member *x = &p->member[member];
    const tare_reading *r =
        x->entry_agree == BOOK_NONE ? NULL : book_reading(s->book, x->entry_agree);
    const char *judge = s->t->judge.name[x->judge];
    if (!r || r->verdict == TARE_NO_ANSWER) return "";
    if (r->verdict == TARE_DESCRIPTIVE) {
        const char *bars = panel_interval(s, &x->agree_gap);
        return bars ? arena_printf(s->a, ", a difference of %+.3f%s from its best member %s "
                                       "alone", r->estimate, bars,
                                   judge)
                    : NULL;
    }
    if (panel_capped(r))
        return arena_printf(s->a, ", a difference of %+.3f [%.3f, %.3f] from its best member %s "
                                  "alone (no verdict: scores are not missing at random)",
                            r->estimate, r->lo, r->hi, judge);
    const char *words = r->verdict == TARE_NEGLIGIBLE     ? "as well as"
                        : r->verdict == TARE_INCONCLUSIVE ? "not measurably otherwise than"
                        : r->estimate > 0                 ? "better than"
                                                          : "less well than";
    return arena_printf(s->a, ", %s its best member %s alone (%+.3f [%.3f, %.3f])", words, judge,
                        r->estimate, r->lo, r->hi);
}

static bool is_chosen(const panel_result *p)
{
    return p->source == PANEL_BEST || p->source == PANEL_GENTLE;
}

/* The panel's Phi~ of its members' text beside their own, which shrinks by 1/n for no other reason
 * than averaging (B.8). */
static const char *preference(panel_study *s, const panel_result *p)
{
    double own = 0, n = 0;
    size_t less = 0, more = 0, tested = 0;
    bool chosen = is_chosen(p);
    if (!p->numbers.phi) return "";
    for (size_t k = 0; k < p->count; k++) {
        const panel_member *x = &p->member[k];
        if (x->author == SIZE_MAX) continue;
        own += fabs(p->numbers.own[k].estimate);
        n++;
        if (x->entry_d == BOOK_NONE) continue;
        const tare_reading *r = book_reading(s->book, x->entry_d);
        bool resolved = r->verdict == TARE_FOUND || r->verdict == TARE_SMALL;
        tested++;
        less += resolved && r->estimate < 0;
        more += resolved && r->estimate > 0;
    }
    const char *worse = more ? arena_printf(s->a, ", less even than %zu", more) : "";
    const char *than = less == 0 && tested == 1
                           ? "not measurably more even than the one member that was tested"
                       : less == 0 ? "not measurably more even than any member"
                                   : arena_printf(s->a, "measurably more even than %zu of %zu "
                                                        "member%s", less, tested,
                                                  tested == 1 ? "" : "s");
    if (!worse || !than) return NULL;
    if (n == 0) return " No member writes, so none can favour its own text.";
    if (chosen)
        return arena_printf(s->a,
                            " Preference for members' own text (mean |Phi~|, in the panel's "
                            "matrix): %.2f, the members themselves %.2f.",
                            p->numbers.summary[SUMMARY_MABS].estimate, own / n);
    if (tested == 0)
        return arena_printf(s->a,
                            " Preference for members' own text (mean |Phi~|): %.2f, the members "
                            "themselves %.2f; in score units it is 0 by construction, since "
                            "preference is measured from the mean of all judges.",
                            p->numbers.summary[SUMMARY_MABS].estimate, own / n);
    return arena_printf(s->a,
                        " Preference for members' own text (mean |Phi~|): %.2f, the members "
                        "themselves %.2f; in score units %s%s.",
                        p->numbers.summary[SUMMARY_MABS].estimate, own / n, than, worse);
}

/* Members whose errors are the same everywhere: "a and b". */
static const char *constant_members(panel_study *s, const panel_result *p)
{
    const char *text = "";
    size_t left = p->votes.all.constant;
    for (size_t k = 0; k < p->count && text; k++) {
        if (!isnan(p->votes.correlation[k * p->count + k])) continue;
        left--;
        text = arena_printf(s->a, "%s%s%s", text, s->t->judge.name[p->judge[k]],
                            left > 1 ? ", " : left == 1 ? " and " : "");
    }
    return text;
}

static const char *worth(panel_study *s, const panel_result *p)
{
    const panel_votes *v = &p->votes;
    const char *left = "", *bars = "";
    if (v->rows < 2) return "";
    if (v->all.constant == p->count)
        return " Its judges err by the same amount in every row: votes cannot be counted.";
    if (v->all.constant) {
        const char *names = constant_members(s, p);
        left = names ? arena_printf(s->a, " The errors of %s are the same in every row and are "
                                          "left out.", names)
                     : NULL;
    }
    if (!left || v->all.judges < 2 || isnan(v->all.rho))
        return left ? arena_printf(s->a, "%s Votes cannot be counted: errors of two judges or more "
                                         "must vary.", left)
                    : NULL;
    if (!isnan(v->kish.lo)) bars = arena_printf(s->a, " [%.1f, %.1f]", v->kish.lo, v->kish.hi);
    if (!bars) return NULL;
    return arena_printf(s->a, "%s Its %s%zu judges are worth %.1f%s independent votes: their "
                              "errors correlate by %.2f.",
                        left, v->all.constant ? "other " : "", v->all.judges, v->all.kish, bars,
                        v->all.rho);
}

static tare_status say_named(panel_study *s, const panel_result *p, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *at, *bars, *member, *bias, *votes;
    TRY_NEW(at = panel_where(s));
    if (isnan(p->agree.estimate))
        return result_answer(s->out, err, "%sPanel %s cannot be compared with gold: %s is not "
                                          "defined for its scores.",
                             at, p->name, panel_agree_words(s));
    TRY_NEW(bars = panel_interval(s, &p->agree));
    TRY_NEW(member = p->count > 1 ? against_member(s, p, best_member(s, p)) : "");
    TRY_NEW(bias = p->count > 1 ? preference(s, p) : "");
    TRY_NEW(votes = p->count > 1 ? worth(s, p) : "");
    TRY(result_answer(s->out, err, "%sPanel %s (%zu judge%s%s): %s %.3f%s with gold%s.%s%s",
                      at, p->name, p->count, p->count == 1 ? "" : "s",
                      is_chosen(p) ? "; chosen on these items, which flatters it" : "",
                      panel_agree_words(s),
                      p->agree.estimate, bars, member, bias, votes));
done:
    return status;
}

static tare_status say_leave_out(panel_study *s, const panel_result *p, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *bars, *at;
    if (!p->lso_score || !p->lso.phi || isnan(p->lso_gap.estimate)) return TARE_OK;
    TRY_NEW(bars = panel_interval(s, &p->lso_gap));
    TRY_NEW(at = panel_where(s));
    if (isnan(p->lso.raw[SUMMARY_MABS].estimate))
        return result_answer(s->out, err,
                             "%sLeaving a member out when its own text is judged moves the "
                             "agreement of %s by %+.3f%s.", at, p->name, p->lso_gap.estimate, bars);
    TRY(result_answer(s->out, err,
                      "%sLeaving a member out when its own text is judged moves the agreement of "
                      "%s by %+.3f%s. Its preference (mean |R|, score units) is %.4f%s with all "
                      "members and %.4f with the member left out, each in a matrix of its own%s.",
                      at, p->name, p->lso_gap.estimate, bars,
                      p->numbers.raw[SUMMARY_MABS].estimate,
                      p->yardstick ? " by construction" : "", p->lso.raw[SUMMARY_MABS].estimate,
                      p->count == 2 ? "; of two members one is left for these texts" : ""));
done:
    return status;
}

static tare_status say_sequence(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const panel_result *first = panel_of_step(s, 1), *last = first;
    for (size_t step = 2; first && panel_of_step(s, step); step++) last = panel_of_step(s, step);
    const char *at;
    if (!first || first == last) return TARE_OK;
    TRY_NEW(at = panel_where(s));
    if (isnan(first->agree.estimate) || isnan(last->agree.estimate))
        return result_answer(s->out, err,
                             "%sAdding one judge at a time, from %s to %zu judges: %s is not "
                             "defined for all steps; those that have it are in the table of the "
                             "sequence.",
                             at, first->name, last->count, panel_agree_words(s));
    const char *bias = "";
    if (s->rows.matrix)
        bias = " (preference in the table is that of each step in a matrix of its own)";
    TRY(result_answer(s->out, err,
                      "%sAdding one judge at a time, from %s to %zu judges: %s goes from %.3f to "
                      "%.3f%s; every step is in the table of the sequence.",
                      at, first->name, last->count, panel_agree_words(s), first->agree.estimate,
                      last->agree.estimate, bias));
    if (last->source == PANEL_SEQUENCE) TRY(say_named(s, last, err));
done:
    return status;
}

tare_status panel_answer(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t spoken = 0;
    if (s->searched) TRY(panel_answer_search(s, err));
    for (size_t k = 0; k < s->panels; k++)
        if (s->searched && s->panel[k].source == PANEL_ALL) TRY(say_named(s, &s->panel[k], err));
    for (size_t k = 0; k < s->panels; k++) {
        const panel_result *p = &s->panel[k];
        bool named = p->source == PANEL_NAMED || (p->source == PANEL_ALL && !s->searched);
        bool chosen = p->source == PANEL_GENTLE && p->count > 1;
        if (!(named || chosen) || spoken++ >= SPOKEN) continue;
        TRY(say_named(s, p, err));
        if (named) TRY(say_leave_out(s, p, err));
    }
    TRY(say_sequence(s, err));
    TRY(panel_cautions(s, err));
done:
    return status;
}
