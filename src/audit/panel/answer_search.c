/* Does a panel help, which, at what cost, and is the winner's margin real on items it was not
 * chosen on? */
#include <math.h>
#include <string.h>

#include "audit/panel/panel_words.h"
#include "base/error.h"

/* "a, b and c". NULL: no memory. */
static const char *and_list(panel_study *s, const uint32_t *member, size_t n)
{
    const char *text = s->t->judge.name[member[0]];
    for (size_t k = 1; k < n && text; k++)
        text = arena_printf(s->a, "%s%s%s", text, k + 1 == n ? " and " : ", ",
                            s->t->judge.name[member[k]]);
    return text;
}

static const char *found_name(panel_study *s, size_t panel)
{
    searched p = panel_search_at(&s->search, panel);
    return and_list(s, p.member, p.size);
}

/* What the held-out comparison of agreement says. */
static const char *margin_words(const tare_reading *r)
{
    if (!r) return "was not tested on held-out items against";
    switch (r->verdict) {
    case TARE_FOUND:
        return r->estimate > 0 ? "agrees better than" : "agrees less than";
    case TARE_SMALL:
        return r->estimate > 0 ? "agrees better, by less than matters, than"
                               : "agrees less, by less than matters, than";
    case TARE_NEGLIGIBLE: return "agrees as well as";
    case TARE_INCONCLUSIVE:
        return "cannot be told apart, in agreement, from";
    case TARE_NO_ANSWER:
    case TARE_DESCRIPTIVE: break;
    }
    return "could not be tested against";
}

/* The single judge of the held-out numbers: each fold chooses its own. NULL: no memory. */
static const char *single_words(panel_study *s, size_t chosen)
{
    size_t panel = chosen, folds = s->fit.folds, most = panel_single_folds(s, &panel);
    if (most == folds || panel == SIZE_MAX) {
        const char *name = found_name(s, panel == SIZE_MAX ? chosen : panel);
        return name ? arena_printf(s->a, "the best single judge (%s)", name) : NULL;
    }
    const char *name = found_name(s, panel);
    return name ? arena_printf(s->a, "the single judge chosen the same way (%s in %zu of %zu "
                                     "folds)", name, most, folds)
                : NULL;
}

/* "a panel chosen this way agrees better than <single>". NULL: no memory. */
static const char *compared(panel_study *s, const tare_reading *r, const char *single)
{
    if (r && r->verdict == TARE_INCONCLUSIVE && panel_capped(r))
        return arena_printf(s->a, "there is no verdict between a panel chosen this way and %s, "
                                  "since scores are not missing at random", single);
    return arena_printf(s->a, "a panel chosen this way %s %s", margin_words(r), single);
}

static const tare_reading *reading_of(const panel_study *s, size_t index)
{
    return index == BOOK_NONE ? NULL : book_reading(s->book, index);
}

/* Is more evenness found, held out and after q? */
static bool more_even(const panel_study *s)
{
    const tare_reading *r = reading_of(s, s->fit.entry_even);
    return r && r->verdict == TARE_FOUND && r->estimate < 0;
}

static const char *lead_word(const panel_study *s, const tare_reading *r)
{
    bool even = more_even(s);
    if (!r || r->verdict == TARE_NO_ANSWER) return "Too few items to say whether a panel helps";
    if (r->verdict == TARE_FOUND && r->estimate > 0)
        return even ? "A panel helps, in agreement and in evenness" : "A panel helps";
    if (r->verdict == TARE_FOUND)
        return even ? "A panel trades agreement for evenness" : "A panel does not help";
    if (r->verdict == TARE_INCONCLUSIVE)
        return even ? "A panel is more even; whether it agrees better is not settled"
                    : "Whether a panel helps is not settled";
    return even ? "A panel helps, with evenness rather than agreement"
                : "No panel is demonstrably better than the best single judge";
}

/* Is anything gained that the calls are paid for? */
static bool pays(const panel_study *s, const tare_reading *r)
{
    bool agrees = r && r->verdict == TARE_FOUND && r->estimate > 0;
    bool unsettled = !r || r->verdict == TARE_INCONCLUSIVE || r->verdict == TARE_NO_ANSWER;
    return agrees || unsettled || more_even(s);
}

static const char *even_words(const tare_reading *r)
{
    bool less = r->estimate < 0;
    switch (r->verdict) {
    case TARE_FOUND: return less ? "more evenly than" : "more unevenly than";
    case TARE_SMALL:
        return less ? "more evenly, by less than matters, than"
                    : "more unevenly, by less than matters, than";
    case TARE_NEGLIGIBLE: return "as evenly as";
    case TARE_INCONCLUSIVE:
    case TARE_NO_ANSWER:
    case TARE_DESCRIPTIVE: break;
    }
    return "not measurably otherwise than";
}

/* What the panel does to its members' text beside what the best single judge does to its own. */
static tare_status say_even(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const crossfit *f = &s->fit;
    const tare_reading *r = reading_of(s, f->entry_even);
    const char *bars, *at, *single;
    size_t chosen = 0;
    bool one = panel_single_folds(s, &chosen) == f->folds;
    if (!s->rows.matrix || isnan(f->bias[RULE_GENTLE])) return TARE_OK;
    single = one ? "the best single judge" : "the single judge chosen the same way";
    TRY_NEW(at = panel_where(s));
    if (f->by_construction)
        return result_answer(s->out, err, "%sOf evenness nothing can be said: %s.", at,
                             f->by_construction);
    if (!r && isnan(f->bias[RULE_SINGLE])) return TARE_OK;
    if (!r)
        return result_answer(s->out, err,
                             "%sPreference (%s, held out): %.3f for the panel and %.3f for %s, "
                             "each in a matrix of its own, which do not compare.", at,
                             panel_bias_words(s), f->bias[RULE_GENTLE], f->bias[RULE_SINGLE],
                             single);
    TRY_NEW(bars = panel_interval(s, &f->less_d));
    TRY(result_answer(s->out, err,
                      "%sOn held-out items the panel treats %s %s %s treats %s: difference of "
                      "%s in score units, in one matrix, %+.3f%s; below 0 in %zu of %zu folds.",
                      at, s->o.bias == BIAS_RMS ? "authors" : "its members' text", even_words(r),
                      single,
                      s->o.bias == BIAS_RMS ? "them" : "its own", panel_d_words(s),
                      f->less_d.estimate, bars, f->folds_less, f->folds));
done:
    return status;
}

static tare_status say_panel(panel_study *s, size_t gentle, size_t single, tare_error *err)
{
    tare_status status = TARE_OK;
    const crossfit *f = &s->fit;
    const tare_reading *r = reading_of(s, f->entry_margin);
    searched p = panel_search_at(&s->search, gentle);
    const char *name, *alone, *bars, *at, *said;
    TRY_NEW(name = found_name(s, gentle));
    TRY_NEW(alone = single_words(s, single));
    TRY_NEW(said = compared(s, r, alone));
    TRY_NEW(bars = panel_interval(s, &f->over_single));
    TRY_NEW(at = panel_where(s));
    if (isnan(f->over_single.estimate))
        return result_answer(s->out, err, "%s%s. The candidate is %s: %zu calls per text instead "
                                          "of 1.", at, lead_word(s, r), name, p.size);
    TRY(result_answer(s->out, err,
                      "%s%s. The candidate is %s: %zu calls per text instead of 1. On held-out "
                      "items %s: %s %.3f against %.3f, difference %+.3f%s.%s",
                      at, lead_word(s, r), name, p.size, said,
                      panel_agree_words(s), f->agree[RULE_GENTLE], f->agree[RULE_SINGLE],
                      f->over_single.estimate, bars,
                      pays(s, r) ? "" : " One judge does as well for fewer calls."));
    TRY(say_even(s, err));
done:
    return status;
}

static tare_status say_single(panel_study *s, size_t single, tare_error *err)
{
    tare_status status = TARE_OK;
    const crossfit *f = &s->fit;
    const char *alone, *bars, *at, *where = "";
    bool held = !isnan(f->agree[RULE_SINGLE]);
    size_t often = single, folds = panel_single_folds(s, &often);
    TRY_NEW(alone = found_name(s, single));
    TRY_NEW(bars = held ? panel_interval(s, &f->held[RULE_SINGLE]) : "");
    TRY_NEW(at = panel_where(s));
    if (held && folds == f->folds) where = " on held-out items";
    else if (held) {
        const char *name;
        TRY_NEW(name = found_name(s, often));
        TRY_NEW(where = arena_printf(s->a, " on held-out items, for the judge that each fold "
                                           "chooses: %s in %zu of %zu", name, folds, f->folds));
    }
    if (s->search.o.most == 1)
        return result_answer(s->out, err,
                             "%s%s. %s%s: %s %.3f%s%s.", at,
                             s->candidates == 1 ? "Only one candidate: nothing was tried"
                                                : "Panels of one judge only: no panel was tried",
                             s->candidates == 1 ? "" : "The best single judge is ", alone,
                             panel_agree_words(s),
                             held ? f->agree[RULE_SINGLE]
                                  : panel_search_at(&s->search, single).agree[0],
                             bars, where);
    TRY(result_answer(s->out, err,
                      "%sNo panel helps here: %s alone agrees best with gold (%s %.3f%s%s), and "
                      "among the %zu panels of up to %zu judges none within %.2g of it has less "
                      "preference for its members' own text.",
                      at, alone, panel_agree_words(s),
                      held ? f->agree[RULE_SINGLE] : panel_search_at(&s->search, single).agree[0],
                      bars, where, s->search.count, s->search.o.most,
                      s->o.within));
done:
    return status;
}

/* Is the winner's number what one gets? */
static tare_status say_optimism(panel_study *s, size_t panel, tare_error *err)
{
    tare_status status = TARE_OK;
    const crossfit *f = &s->fit;
    size_t same = 0;
    searched p = panel_search_at(&s->search, panel);
    const char *bars, *at;
    TRY_NEW(at = panel_where(s));
    if (isnan(f->agree[RULE_GENTLE]))
        return result_answer(s->out, err, "%sThere are too few items to test the choice where it "
                                          "was not made: take its numbers for too good.", at);
    for (size_t k = 0; k < f->folds; k++)
        same += f->choice[k * RULES + RULE_GENTLE].panel == panel;
    TRY_NEW(bars = panel_interval(s, &f->held[RULE_GENTLE]));
    TRY(result_answer(s->out, err,
                      "%sChosen on all rows that every candidate scored, it shows %s %.3f; "
                      "choosing without the tested items gives %.3f%s: optimism %+.3f. The same "
                      "panel was chosen in %zu of %zu folds%s.",
                      at, panel_agree_words(s), p.agree[0], f->agree[RULE_GENTLE], bars,
                      p.agree[0] - f->agree[RULE_GENTLE], same, f->folds,
                      2 * same > f->folds ? "" : ": which panel is best is not settled"));
done:
    return status;
}

/* Where on the front agreement buys most evenness, counted from the recommended panel (ours). */
static tare_status say_exchange(panel_study *s, size_t gentle, tare_error *err)
{
    tare_status status = TARE_OK;
    searched from = panel_search_at(&s->search, gentle);
    size_t best = SIZE_MAX, folds = s->fit.folds;
    double rate = 0;
    for (size_t k = 0; k < s->front_count; k++) {
        searched p = panel_search_at(&s->search, s->front[k]);
        double lost = from.agree[0] - p.agree[0], won = from.bias[0] - p.bias[0];
        if (!panel_found_writes(s, s->front[k]) || !(lost > 0) || !(won / lost > rate)) continue;
        rate = won / lost;
        best = s->front[k];
    }
    if (best == SIZE_MAX || folds == 0) return TARE_OK;
    searched p = panel_search_at(&s->search, best);
    double agree = 0, bias = 0;
    for (size_t k = 0; k < folds; k++) {
        agree += p.agree[search_test(&s->search, k)] / (double)folds;
        bias += p.bias[search_test(&s->search, k)] / (double)folds;
    }
    const char *name, *at;
    if (isnan(agree) || isnan(bias)) return TARE_OK;
    TRY_NEW(at = panel_where(s));
    TRY_NEW(name = found_name(s, best));
    TRY(result_answer(s->out, err,
                      "%sIf evenness matters more than agreement, the best exchange on the front "
                      "is %s: %s %.3f and %s %.2f on the items it was chosen on (%.3f and %.2f on "
                      "average over single folds of them). Each panel's preference is measured in "
                      "a matrix of its own.",
                      at, name, panel_agree_words(s), p.agree[0], panel_bias_words(s), p.bias[0],
                      agree, bias));
done:
    return status;
}

tare_status panel_answer_search(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    search_choice any = panel_search_choose(&s->search, 0, 0);
    search_choice one = panel_search_choose(&s->search, 0, 1);
    const char *at;
    TRY_NEW(at = panel_where(s));
    if (any.gentle == SIZE_MAX)
        return result_answer(s->out, err, "%sNo panel can be ranked: %s is not defined for any of "
                                          "them (all scores tied).", at, panel_agree_words(s));
    bool panel = panel_search_at(&s->search, any.gentle).size > 1;
    if (panel && one.best == SIZE_MAX)
        TRY(result_answer(s->out, err, "%sNo single judge can be ranked, as %s is not defined "
                                       "for any of them: there is nothing that a panel could be "
                                       "better than.", at, panel_agree_words(s)));
    else if (panel)
        TRY(say_panel(s, any.gentle, one.best, err));
    else
        TRY(say_single(s, any.gentle, err));
    if (s->search.count > 1) TRY(say_optimism(s, any.gentle, err));
    if (s->rows.matrix && !(panel && s->fit.by_construction))
        TRY(say_exchange(s, any.gentle, err));
done:
    return status;
}
