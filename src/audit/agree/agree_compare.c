/* Which of several judges is closer to %s, in sentences: by what the comparisons say, on the
 * rows that each two have. */
#include <math.h>

#include "audit/agree/agree.h"
#include "audit/agree/agree_words.h"
#include "audit/words.h"
#include "base/error.h"

static size_t leading_place(const agree *g)
{
    return !g->o.labels && agree_headline(g, 0) == STAT_TAU_C ? 1 : 0;
}

static double own(const agree *g, const agree_view *v)
{
    return v->stat[agree_headline(g, 0)].estimate;
}

/* Does what each has on its own rows say the contrary of the comparison? */
static bool rows_turn(const agree *g, const agree_view *a, const agree_view *b)
{
    return agree_lead(g, a, b) * (own(g, a) - own(g, b)) < 0;
}

/* Judges that miss other rows are not ordered by their own values. */
static tare_status say_turned(agree *g, const agree_view **views, size_t n, const char *in,
                              tare_error *err)
{
    const char *stat = agree_stat_words(g, agree_headline(g, 0));
    for (size_t k = 1; k < n; k++) {
        bool first = own(g, views[0]) < own(g, views[k]); /* leads on common rows */
        const agree_view *a = views[first ? 0 : k], *b = views[first ? k : 0];
        if (!rows_turn(g, a, b)) continue;
        return result_answer(g->out, err, "%sThe rows differ: on all rows of its own %s has the "
                             "higher %s (%.3f, %s %.3f), on the %zu rows that both have %s leads "
                             "by %.3f. The comparison goes by the common rows.", in, b->name, stat,
                             own(g, b), a->name, own(g, a), agree_pair_of(g, a, b)->n, a->name,
                             agree_lead(g, a, b));
    }
    for (size_t i = 1; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            if (rows_turn(g, views[i], views[j]))
                return result_answer(g->out, err, "%sJudges miss different rows, and some stand "
                                     "otherwise on their own rows than on common ones: the order "
                                     "goes by common rows.", in);
    return TARE_OK;
}

/* ---- two ------------------------------------------------------------------------------------ */

/* By tau-b the one is closer, by tau-c the other: no answer that holds. */
static tare_status say_orders(agree *g, const agree_pair *p, const char *in, tare_error *err)
{
    const tare_reading *b = agree_reading(g, p->entry[0]), *c = agree_reading(g, p->entry[1]);
    const agree_view *by_b = b->estimate > 0 ? p->a : p->b, *by_c = by_b == p->a ? p->b : p->a;
    return result_answer(g->out, err, "%sWhich of %s and %s is closer to %s depends on the "
                         "statistic: by tau-b %s leads by %.3f, by tau-c %s leads by %.3f. They "
                         "give equal scores to %.0f %% and %.0f %% of the pairs of rows, and the "
                         "two statistics treat ties differently.", in, p->a->name, p->b->name,
                         agree_whom(g), by_b->name, fabs(b->estimate), by_c->name,
                         fabs(c->estimate), 100 * p->a->tied, 100 * p->b->tied);
}

static tare_status say_two(agree *g, const agree_view *best, const agree_view *other,
                           const char *in, tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &g->out->a;
    const agree_pair *p = agree_pair_of(g, best, other);
    const tare_reading *r = p ? agree_reading(g, p->entry[leading_place(g)]) : NULL;
    if (r && r->verdict == TARE_NO_ANSWER)
        TRY(result_answer(g->out, err, "%sWhich of %s and %s is closer to %s has no answer: "
                          "%s.", in, best->name, other->name, agree_whom(g),
                          reason_words(r->reason)));
    if (!r || !agree_has_value(r)) goto done;
    double sign = p->a == best ? 1 : -1;
    const char *difference, *q, *stat = agree_stat_words(g, agree_headline(g, 0)), *detect;
    TRY_NEW(difference =
                arena_printf(a, "%.3f [%.3f, %.3f]", sign * r->estimate,
                             sign > 0 ? r->lo : -r->hi, sign > 0 ? r->hi : -r->lo));
    TRY_NEW(q = p_text(a, "q", r->q, r->p_floor));
    TRY_NEW(detect = number_text(a, r->mde));
    if (r->verdict == TARE_FOUND)
        TRY(result_answer(g->out, err, "%s%s is closer to %s than %s: %s differs by %s, %s, on "
                          "the %zu rows that both have.", in, best->name, agree_whom(g),
                          other->name, stat, difference, q, p->n));
    else if (r->verdict == TARE_SMALL || r->verdict == TARE_NEGLIGIBLE)
        TRY(result_answer(g->out, err, "%s%s and %s are equally close to %s for practical "
                          "purposes: %s differs by %s, within the margin of %g.", in, best->name,
                          other->name, agree_whom(g), stat, difference, r->margin));
    else if (agree_is_capped(g, p->entry[leading_place(g)]))
        TRY(result_answer(g->out, err, "%s%s leads %s by %s %s; no verdict, since what they miss "
                          "is not left to chance.", in, best->name, other->name, stat, difference));
    else if (p->orders_differ)
        TRY(say_orders(g, p, in, err));
    else
        TRY(result_answer(g->out, err, "%sWhich of %s and %s is closer to %s is not resolved: "
                          "%s differs by %s (%s) on the %zu rows that both have; a difference of "
                          "%s would have been seen 4 times in 5.", in, best->name, other->name,
                          agree_whom(g), stat, difference, q, p->n, detect));
done:
    return status;
}

/* ---- many ----------------------------------------------------------------------------------- */

typedef enum stand {
    STAND_BEHIND,  /* the best is closer, and that is resolved                  */
    STAND_LEVEL,   /* as close as the best for practical purposes               */
    STAND_OPEN,    /* not resolved                                              */
    STAND_HELD,    /* no verdict: what is missing depends on something          */
    STAND_AHEAD,   /* leads the best in their comparison, though not over all   */
    STAND_NONE,    /* no comparison                                             */
    STANDS
} stand;

static stand stand_of(const agree *g, const agree_view *best, const agree_view *v)
{
    const agree_pair *p = agree_pair_of(g, best, v);
    if (!p) return STAND_NONE;
    size_t at = p->entry[leading_place(g)];
    switch (agree_reading(g, at)->verdict) {
    case TARE_FOUND: return agree_lead(g, best, v) > 0 ? STAND_BEHIND : STAND_AHEAD;
    case TARE_SMALL:
    case TARE_NEGLIGIBLE: return STAND_LEVEL;
    case TARE_INCONCLUSIVE: return agree_is_capped(g, at) ? STAND_HELD : STAND_OPEN;
    default: return STAND_NONE;
    }
}

bool agree_field_is_open(const agree *g, const agree_view *const *views, size_t n)
{
    if (n < 3) return false;
    for (size_t k = 1; k < n; k++)
        if (stand_of(g, views[0], views[k]) == STAND_BEHIND) return false;
    return true;
}

/* Of no two judges the one is resolved as closer. */
static bool none_resolved(const agree *g, const agree_view **views, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            stand s = stand_of(g, views[i], views[j]);
            if (s == STAND_BEHIND || s == STAND_AHEAD) return false;
        }
    return true;
}

static tare_status say_many(agree *g, const agree_view **views, size_t n, const char *in,
                            tare_error *err)
{
    static const char *const before[STANDS] = {
        [STAND_LEVEL] = "as close for practical purposes: ", [STAND_OPEN] = "not resolved against ",
        [STAND_HELD] = "no verdict, since what is missing is not left to chance, against ",
        [STAND_AHEAD] = "behind, although it leads over all: ",
        [STAND_NONE] = "no comparison with "};
    tare_status status = TARE_OK;
    arena *a = &g->out->a;
    const agree_view *best = views[0];
    size_t count[STANDS] = {0};
    const char *names[STANDS] = {"", "", "", "", "", ""}, *first = "", *rest = "";
    for (size_t k = 1; k < n; k++) {
        stand s = stand_of(g, best, views[k]);
        if (count[s]++ < LISTED)
            TRY_NEW(names[s] = arena_printf(a, "%s%s%s", names[s], names[s][0] ? ", " : "",
                                            views[k]->name));
    }
    if (!isnan(best->first))
        TRY_NEW(first = arena_printf(a, "; on the %zu rows that all %zu have it is the first in "
                                     "%.0f %% of the resamples", best->first_rows, n,
                                     100 * best->first));
    if (count[STAND_BEHIND] == n - 1) {
        TRY(result_answer(g->out, err, "%s%s is closest to %s, and the difference to each of "
                          "the other %zu is resolved%s.", in, best->name, agree_whom(g), n - 1,
                          first));
        goto done;
    }
    for (size_t s = STAND_LEVEL; s < STANDS; s++)
        if (count[s])
            TRY_NEW(rest = arena_printf(a, "%s; %s%s%s", rest, before[s], names[s],
                                        count[s] > LISTED ? " and others" : ""));
    if (count[STAND_BEHIND] == 0) {
        TRY(result_answer(g->out, err, "%sNo judge can be told to be ahead%s: none of the other "
                          "%zu is resolved as behind %s, which comes first judge against judge on "
                          "the rows that both have%s%s.", in,
                          none_resolved(g, views, n) ? "" : " of all others", n - 1, best->name,
                          first, rest));
        goto done;
    }
    TRY(result_answer(g->out, err, "%s%s stands first, judge against judge on the rows that both "
                      "have%s. %zu of the other %zu %s resolved as behind it%s.", in, best->name,
                      first, count[STAND_BEHIND], n - 1, count[STAND_BEHIND] == 1 ? "is" : "are",
                      rest));
done:
    return status;
}

tare_status agree_comparison_run(agree *g, const agree_view **views, size_t n, const char *in,
                                 tare_error *err)
{
    tare_status status = TARE_OK;
    if (n == 2) TRY(say_two(g, views[0], views[1], in, err));
    if (n > 2) TRY(say_many(g, views, n, in, err));
    TRY(say_turned(g, views, n, in, err));
done:
    return status;
}
