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
        return panel_capped(r) ? "cannot be compared for sure, since scores are not missing at "
                              "random, with"
                            : "cannot be told apart, in agreement, from";
    case TARE_NO_ANSWER:
    case TARE_DESCRIPTIVE: break;
    }
    return "could not be tested against";
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
    const char *bars;
    if (!s->rows.matrix || isnan(f->bias[RULE_GENTLE])) return TARE_OK;
    if (f->by_construction)
        return result_answer(s->out, err, "Of evenness nothing can be said: %s.",
                             f->by_construction);
    if (!r && isnan(f->bias[RULE_SINGLE])) return TARE_OK;
    if (!r)
        return result_answer(s->out, err,
                             "Preference (%s, held out): %.3f for the panel and %.3f for the best "
                             "single judge, each in a matrix of its own, which do not compare.",
                             panel_bias_words(s), f->bias[RULE_GENTLE], f->bias[RULE_SINGLE]);
    TRY_NEW(bars = panel_interval(s, &f->less_d));
    TRY(result_answer(s->out, err,
                      "On held-out items the panel treats %s %s the best single judge treats %s: "
                      "difference of %s in score units, in one matrix, %+.3f%s; below 0 in %zu of "
                      "%zu folds.",
                      s->o.bias == BIAS_RMS ? "authors" : "its members' text", even_words(r),
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
    const char *name, *alone, *bars, *at;
    TRY_NEW(name = found_name(s, gentle));
    TRY_NEW(alone = found_name(s, single));
    TRY_NEW(bars = panel_interval(s, &f->over_single));
    TRY_NEW(at = panel_where(s));
    if (isnan(f->over_single.estimate))
        return result_answer(s->out, err, "%s%s. The candidate is %s: %zu calls per text instead "
                                          "of 1.", at, lead_word(s, r), name, p.size);
    TRY(result_answer(s->out, err,
                      "%s%s. The candidate is %s: %zu calls per text instead of 1. On held-out "
                      "items a panel chosen this way %s the best single judge (%s): %s %.3f "
                      "against %.3f, difference %+.3f%s.%s",
                      at, lead_word(s, r), name, p.size, margin_words(r), alone,
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
    const char *alone, *bars, *at;
    bool held = !isnan(f->agree[RULE_SINGLE]);
    TRY_NEW(alone = found_name(s, single));
    TRY_NEW(bars = held ? panel_interval(s, &f->held[RULE_SINGLE]) : "");
    TRY_NEW(at = panel_where(s));
    if (s->search.o.most == 1)
        return result_answer(s->out, err,
                             "%s%s. %s%s: %s %.3f%s%s.", at,
                             s->candidates == 1 ? "Only one candidate: nothing was tried"
                                                : "Panels of one judge only: no panel was tried",
                             s->candidates == 1 ? "" : "The best single judge is ", alone,
                             panel_agree_words(s),
                             held ? f->agree[RULE_SINGLE]
                                  : panel_search_at(&s->search, single).agree[0],
                             bars, held ? " on held-out items" : "");
    TRY(result_answer(s->out, err,
                      "%sNo panel helps here: %s alone agrees best with gold (%s %.3f%s%s), and "
                      "among the %zu panels of up to %zu judges none within %.2g of it has less "
                      "preference for its members' own text.",
                      at, alone, panel_agree_words(s),
                      held ? f->agree[RULE_SINGLE] : panel_search_at(&s->search, single).agree[0],
                      bars, held ? " on held-out items" : "", s->search.count, s->search.o.most,
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
    const char *bars;
    if (isnan(f->agree[RULE_GENTLE]))
        return result_answer(s->out, err, "There are too few items to test the choice where it was "
                                          "not made: take its numbers for too good.");
    for (size_t k = 0; k < f->folds; k++)
        same += f->choice[k * RULES + RULE_GENTLE].panel == panel;
    TRY_NEW(bars = panel_interval(s, &f->held[RULE_GENTLE]));
    TRY(result_answer(s->out, err,
                      "Chosen on all rows that every candidate scored it shows %s %.3f; choosing "
                      "without the tested items gives %.3f%s: optimism %+.3f. The same panel was "
                      "chosen in %zu of %zu folds%s.",
                      panel_agree_words(s), p.agree[0], f->agree[RULE_GENTLE], bars,
                      p.agree[0] - f->agree[RULE_GENTLE], same, f->folds,
                      2 * same > f->folds ? "" : ": which panel is best is not settled"));
done:
    return status;
}

/* Without a text of its own a panel's preference is 0 by convention: no bargain. */
static bool writes(const panel_study *s, const searched *p)
{
    bool any = s->o.bias == BIAS_RMS;
    for (size_t k = 0; k < p->size; k++)
        any = any || s->rows.author_of[p->member[k]] != SIZE_MAX;
    return any;
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
        if (!writes(s, &p) || !(lost > 0) || !(won / lost > rate)) continue;
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
    const char *name;
    if (isnan(agree) || isnan(bias)) return TARE_OK;
    TRY_NEW(name = found_name(s, best));
    TRY(result_answer(s->out, err,
                      "If evenness matters more than agreement, the best exchange on the front is "
                      "%s: %s %.3f and %s %.2f on the items it was chosen on (%.3f and %.2f on "
                      "average over single folds of them). Each panel's preference is measured in "
                      "a matrix of its own.",
                      name, panel_agree_words(s), p.agree[0], panel_bias_words(s), p.bias[0],
                      agree, bias));
done:
    return status;
}

tare_status panel_answer_search(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    search_choice any = panel_search_choose(&s->search, 0, 0);
    search_choice one = panel_search_choose(&s->search, 0, 1);
    if (any.gentle == SIZE_MAX)
        return result_answer(s->out, err, "No panel can be ranked: %s is not defined for any of "
                                          "them (all scores tied).", panel_agree_words(s));
    bool panel = panel_search_at(&s->search, any.gentle).size > 1;
    if (panel && one.best == SIZE_MAX)
        TRY(result_answer(s->out, err, "No single judge can be ranked, as %s is not defined for "
                                       "any of them: there is nothing that a panel could be "
                                       "better than.", panel_agree_words(s)));
    else if (panel)
        TRY(say_panel(s, any.gentle, one.best, err));
    else
        TRY(say_single(s, any.gentle, err));
    if (s->search.count > 1) TRY(say_optimism(s, any.gentle, err));
    if (s->rows.matrix) TRY(say_exchange(s, any.gentle, err));
done:
    return status;
}
