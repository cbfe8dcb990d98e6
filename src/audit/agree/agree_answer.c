/* The answer for people who do not read statistics: how close each judge is to people, compared
 * with people among themselves; which judge is closer, and is that resolved; who is lenient. */
#include <math.h>
#include <string.h>

#include "audit/agree/agree.h"
#include "audit/agree/agree_words.h"
#include "audit/words.h"
#include "base/error.h"

/* Judges that are spoken of one by one; of more the best is, the others are listed. */
#define SPOKEN 3

static bool has_value(const tare_reading *r)
{
    return r && r->verdict != TARE_NO_ANSWER && isfinite(r->estimate);
}

/* "0.577 [0.560, 0.594]"; NULL: no memory. */
static const char *with_interval(arena *a, const tare_reading *r)
{
    if (isnan(r->lo)) return number_text(a, r->estimate);
    return arena_printf(a, "%.3f [%.3f, %.3f]", r->estimate, r->lo, r->hi);
}

static const char *stat_words(size_t stat)
{
    static const char *const names[STATS] = {"tau-b", "tau-c", "Spearman's rho", "Pearson's r",
                                             "kappa"};
    return names[stat];
}

/* The judges of a layer that have an answer, best first. */
static size_t order_views(const agree_view **out, const agree *g, size_t layer)
{
    size_t n = 0, stat = agree_headline(g, 0);
    for (size_t j = 0; j < g->t.judge.count; j++) {
        const agree_view *v = &g->view[layer * g->t.judge.count + j];
        const tare_reading *r = agree_reading(g, v->entry[stat]);
        if (!has_value(r)) continue;
        size_t at = n++;
        while (at > 0 && agree_reading(g, out[at - 1]->entry[stat])->estimate < r->estimate) {
            out[at] = out[at - 1];
            at--;
        }
        out[at] = v;
    }
    return n;
}

/* Was the verdict held back because what is missing depends on something? */
static bool is_capped(const agree *g, size_t entry)
{
    return entry != BOOK_NONE && g->b.entries[entry].capped;
}

/* ---- one judge ------------------------------------------------------------------------------ */

static const char *beside_people(const tare_reading *d)
{
    switch (d->verdict) {
    case TARE_FOUND: return d->estimate > 0 ? "closer than" : "less closely than";
    case TARE_SMALL: return "about as closely as";
    case TARE_NEGLIGIBLE: return "as closely as";
    default: return NULL;
    }
}

static tare_status say_ceiling(agree *g, const agree_view *v, const char *in, tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &g->out->a;
    const agree_people *people = &g->people[v->layer - g->layer];
    const tare_reading *d = agree_reading(g, v->ceiling_difference);
    const tare_reading *m = agree_reading(g, v->matched);
    const tare_reading *ratio = agree_reading(g, v->ceiling_ratio);
    if (!has_value(m) || !has_value(d)) goto done;
    const char *how = beside_people(d), *judge, *difference, *share = "";
    TRY_NEW(judge = with_interval(a, m));
    TRY_NEW(difference = with_interval(a, d));
    if (has_value(ratio) && ratio->estimate > 0)
        TRY_NEW(share = arena_printf(a, ", or %.0f %% of it", 100 * ratio->estimate));
    double human = m->estimate - d->estimate;
    if (how)
        TRY(result_answer(g->out, err, "%s%s follows people %s a single person does: measured "
                          "against the same target, the other %zu rater%s, it reaches tau-b %s "
                          "where one person reaches %.3f%s.", in, v->name, how, people->slots - 1,
                          people->slots > 2 ? "s" : "", judge, human, share));
    else if (is_capped(g, v->ceiling_difference))
        TRY(result_answer(g->out, err, "%s%s reaches tau-b %s against the other %zu rater%s where "
                          "one person reaches %.3f; no verdict, since what it misses is not left "
                          "to chance.", in, v->name, judge, people->slots - 1,
                          people->slots > 2 ? "s" : "", human));
    else
        TRY(result_answer(g->out, err, "%sWhether %s follows people as closely as a single person "
                          "does is open: measured against the same target, the other %zu rater%s, "
                          "it reaches tau-b %s where one person reaches %.3f; the difference is "
                          "%s.",
                          in, v->name, people->slots - 1, people->slots > 2 ? "s" : "", judge,
                          human, difference));
done:
    return status;
}

/* Two rows drawn at random, which people score differently: a tau that a reader can picture. */
static const char *in_pairs(arena *a, const agree *g, const agree_view *v)
{
    double untied = (double)(v->tau.pairs - v->tau.tied_y);
    if (g->o.labels || !(untied > 0)) return "";
    double alike = (double)(v->tau.tied_x - v->tau.tied_both);
    return arena_printf(a, " Of two rows that people score differently it orders %.0f %% as they "
                           "do, %.0f %% the other way round, and scores %.0f %% alike.",
                        100 * (double)v->tau.concordant / untied,
                        100 * (double)v->tau.discordant / untied, 100 * alike / untied);
}

static tare_status say_agreement(agree *g, const agree_view *v, const char *in, tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &g->out->a;
    const tare_reading *r = agree_reading(g, v->entry[agree_headline(g, 0)]);
    const tare_reading *second = agree_headline(g, 1) == STATS
                                     ? NULL : agree_reading(g, v->entry[agree_headline(g, 1)]);
    const char *value, *also = "", *pairs, *told = "";
    TRY_NEW(value = with_interval(a, r));
    TRY_NEW(pairs = in_pairs(a, g, v));
    if (has_value(second)) {
        const char *other;
        TRY_NEW(other = with_interval(a, second));
        TRY_NEW(also = arena_printf(a, " (%s %s)", stat_words(agree_headline(g, 1)), other));
    }
    if (is_capped(g, v->entry[agree_headline(g, 0)])) told = ", if what it misses is left aside";
    else if (r->verdict != TARE_FOUND) told = ", which is not told from chance";
    else if (r->estimate < 0) told = ": it ranks against people";
    TRY(result_answer(g->out, err, "%s%s agrees with people by %s %s%s%s.%s", in, v->name,
                      stat_words(agree_headline(g, 0)), value, also, told, pairs));
done:
    return status;
}

static tare_status say_leniency(agree *g, const agree_view *v, const char *in, tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &g->out->a;
    const tare_reading *r = agree_reading(g, v->leniency);
    const tare_reading *tau = agree_reading(g, v->entry[agree_headline(g, 0)]);
    const char *size, *range;
    if (!has_value(r) || g->o.labels) goto done;
    TRY_NEW(size = number_text(a, fabs(r->estimate)));
    TRY_NEW(range = arena_printf(a, "[%.3g, %.3g]", r->lo, r->hi));
    bool high = has_value(tau) && tau->estimate >= 0.5;
    if (r->verdict == TARE_FOUND)
        TRY(result_answer(g->out, err, "%s%s is %s: it gives %s points %s than people do on "
                          "average %s%s.", in, v->name, r->estimate > 0 ? "lenient" : "severe",
                          size, r->estimate > 0 ? "more" : "less", range,
                          high ? ", although it ranks as they do" : ""));
    else if (r->verdict == TARE_SMALL || r->verdict == TARE_NEGLIGIBLE)
        TRY(result_answer(g->out, err, "%s%s is neither lenient nor severe by more than the "
                          "margin: it differs from people by %.3g points on average %s.", in,
                          v->name, r->estimate, range));
done:
    return status;
}

/* ---- many judges: lists --------------------------------------------------------------------- */

/* "gpt-4o 0.112, mistral 0.110": the judges behind the best. */
static tare_status say_rest(agree *g, const agree_view **views, size_t n, const char *in,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &g->out->a;
    const char *list = "", *more = "";
    for (size_t k = 1; k < n && k <= LISTED; k++) {
        const tare_reading *r = agree_reading(g, views[k]->entry[agree_headline(g, 0)]);
        TRY_NEW(list = arena_printf(a, "%s%s%s %.3f", list, list[0] ? ", " : "", views[k]->name,
                                    r->estimate));
    }
    if (n > LISTED + 1)
        TRY_NEW(more = arena_printf(a, "; the other %zu are in the tables", n - LISTED - 1));
    TRY(result_answer(g->out, err, "%sThe others by %s: %s%s.", in,
                      stat_words(agree_headline(g, 0)), list, more));
done:
    return status;
}

static tare_status say_all_ceilings(agree *g, const agree_view **views, size_t n, const char *in,
                                    tare_error *err)
{
    size_t below = 0, level = 0, above = 0, all = 0;
    for (size_t k = 0; k < n; k++) {
        const tare_reading *d = agree_reading(g, views[k]->ceiling_difference);
        if (!has_value(d)) continue;
        all++;
        if (d->verdict == TARE_FOUND) below += d->estimate < 0;
        if (d->verdict == TARE_FOUND) above += d->estimate > 0;
        level += d->verdict == TARE_SMALL || d->verdict == TARE_NEGLIGIBLE;
    }
    if (all == 0) return TARE_OK;
    return result_answer(g->out, err, "%sOf %zu judges %zu follow people less closely than a "
                         "single person does, %zu as closely, %zu more closely; of %zu that is "
                         "open.", in, all, below, level, above, all - below - level - above);
}

/* "Lenient: a (+0.07 points); severe: b (-0.5 points)." */
static tare_status say_drifts(agree *g, const agree_view **views, size_t n, const char *in,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &g->out->a;
    const char *side[2] = {"", ""};
    size_t count[2] = {0, 0};
    for (size_t k = 0; k < n; k++) {
        const tare_reading *r = agree_reading(g, views[k]->leniency);
        if (!has_value(r) || r->verdict != TARE_FOUND) continue;
        int severe = r->estimate < 0;
        if (count[severe]++ < LISTED)
            TRY_NEW(side[severe] = arena_printf(a, "%s%s%s (%+.2g)", side[severe],
                                                side[severe][0] ? ", " : "", views[k]->name,
                                                r->estimate));
    }
    for (int severe = 0; severe < 2; severe++)
        if (count[severe])
            TRY(result_answer(g->out, err, "%s%s than people, in points on average: %s%s.", in,
                              severe ? "More severe" : "More lenient", side[severe],
                              count[severe] > LISTED ? " and others" : ""));
done:
    return status;
}

/* ---- judges against each other -------------------------------------------------------------- */

static const agree_pair *pair_of(const agree *g, const agree_view *a, const agree_view *b)
{
    for (size_t k = 0; k < g->pairs; k++)
        if ((g->pair[k].a == a && g->pair[k].b == b) || (g->pair[k].a == b && g->pair[k].b == a))
            return &g->pair[k];
    return NULL;
}

static size_t leading_place(const agree *g)
{
    return !g->o.labels && agree_headline(g, 0) == STAT_TAU_C ? 1 : 0;
}

/* Does the best stand apart from this one? */
static bool is_behind(const agree *g, const agree_view *best, const agree_view *v)
{
    const agree_pair *p = pair_of(g, best, v);
    const tare_reading *r = p ? agree_reading(g, p->entry[leading_place(g)]) : NULL;
    return r && g->b.entries[p->entry[leading_place(g)]].significant;
}

/* By tau-b the one is closer, by tau-c the other: no answer that holds. */
static tare_status say_orders(agree *g, const agree_pair *p, const agree_view *best,
                              const agree_view *other, const char *in, tare_error *err)
{
    const tare_reading *b = agree_reading(g, p->entry[0]), *c = agree_reading(g, p->entry[1]);
    const tare_reading *lead = leading_place(g) ? c : b, *against = leading_place(g) ? b : c;
    return result_answer(g->out, err, "%sWhich of %s and %s is closer to people depends on the "
                         "statistic: by %s %s leads by %.3f, by %s %s leads by %.3f. They give "
                         "equal scores to %.0f %% and %.0f %% of the pairs of rows, and the two "
                         "statistics treat ties differently.", in, best->name, other->name,
                         leading_place(g) ? "tau-c" : "tau-b", best->name, fabs(lead->estimate),
                         leading_place(g) ? "tau-b" : "tau-c", other->name,
                         fabs(against->estimate), 100 * best->tied, 100 * other->tied);
}

static tare_status say_two(agree *g, const agree_view *best, const agree_view *other,
                           const char *in, tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &g->out->a;
    const agree_pair *p = pair_of(g, best, other);
    const tare_reading *r = p ? agree_reading(g, p->entry[leading_place(g)]) : NULL;
    if (!has_value(r)) goto done;
    double sign = p->a == best ? 1 : -1;
    const char *difference, *q, *stat = stat_words(agree_headline(g, 0)), *detect;
    TRY_NEW(difference =
                arena_printf(a, "%.3f [%.3f, %.3f]", sign * r->estimate,
                             sign > 0 ? r->lo : -r->hi, sign > 0 ? r->hi : -r->lo));
    TRY_NEW(q = p_text(a, "q", r->q, r->p_floor));
    TRY_NEW(detect = number_text(a, r->mde));
    if (r->verdict == TARE_FOUND)
        TRY(result_answer(g->out, err, "%s%s is closer to people than %s: %s differs by %s, %s, on "
                          "the %zu rows that both have.", in, best->name, other->name, stat,
                          difference, q, p->n));
    else if (r->verdict == TARE_SMALL || r->verdict == TARE_NEGLIGIBLE)
        TRY(result_answer(g->out, err, "%s%s and %s are equally close to people for practical "
                          "purposes: %s differs by %s, within the margin of %g.", in, best->name,
                          other->name, stat, difference, r->margin));
    else if (is_capped(g, p->entry[leading_place(g)]))
        TRY(result_answer(g->out, err, "%s%s leads %s by %s %s; no verdict, since what they miss "
                          "is not left to chance.", in, best->name, other->name, stat, difference));
    else if (p->orders_differ)
        TRY(say_orders(g, p, best, other, in, err));
    else
        TRY(result_answer(g->out, err, "%sWhich of %s and %s is closer to people is not resolved: "
                          "%s differs by %s (%s); a difference of %s would have been seen 4 times "
                          "in 5.", in, best->name, other->name, stat, difference, q, detect));
done:
    return status;
}

static tare_status say_many(agree *g, const agree_view **views, size_t n, const char *in,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &g->out->a;
    const agree_view *best = views[0];
    size_t behind = 0, level = 0;
    const char *names = "";
    for (size_t k = 1; k < n; k++) {
        if (is_behind(g, best, views[k])) {
            behind++;
            continue;
        }
        if (level++ < LISTED)
            TRY_NEW(names = arena_printf(a, "%s%s%s", names, names[0] ? ", " : "",
                                         views[k]->name));
    }
    const char *first = isnan(best->first)
                            ? "" : arena_printf(a, "; it is the first of %zu in %.0f %% of the "
                                                "resamples", n, 100 * best->first);
    if (!first) FAIL_MEMORY(err);
    if (level == 0)
        TRY(result_answer(g->out, err, "%s%s is closest to people, and the difference to each of "
                          "the other %zu is resolved%s.", in, best->name, n - 1, first));
    else
        TRY(result_answer(g->out, err, "%s%s has the highest agreement%s. %zu of the other %zu are "
                          "behind it; not resolved against %s%s.", in, best->name, first, behind,
                          n - 1, names, level > LISTED ? " and others" : ""));
done:
    return status;
}

/* ---- people, and what the numbers rest on --------------------------------------------------- */

/* The value of a settled reading of people; NaN: none. */
static double of_people(const agree *g, const agree_layer *l, const char *name)
{
    for (size_t k = 0; k < g->out->reading_count; k++) {
        const tare_reading *r = &g->out->readings[k];
        if (!strcmp(r->instrument, "people") && !strcmp(r->name, name) && !strcmp(r->arm, l->arm) &&
            !strcmp(r->dim, l->dim) && has_value(r))
            return r->estimate;
    }
    return NAN;
}

static tare_status say_people(agree *g, size_t layer, const char *in, tare_error *err)
{
    tare_status status = TARE_OK;
    const agree_people *p = &g->people[layer];
    const tare_reading *pairs = agree_reading(g, p->pairwise);
    const tare_reading *left = agree_reading(g, p->left_out);
    const tare_reading *kappa = agree_reading(g, p->kappa);
    double alpha = of_people(g, &g->layer[layer], g->o.labels ? "alpha_nominal" : "alpha_interval");
    const char *and = "";
    if (!isnan(alpha))
        TRY_NEW(and = arena_printf(&g->out->a, "; Krippendorff's alpha is %.3f", alpha));
    if (g->o.labels && has_value(kappa))
        TRY(result_answer(g->out, err, "%sPeople among themselves: two raters agree by kappa "
                          "%.3f%s.", in, kappa->estimate, and));
    if (has_value(pairs) && has_value(left))
        TRY(result_answer(g->out, err, "%sPeople among themselves: two raters agree by tau-b %.3f, "
                          "one rater with the sum of the others by %.3f%s. That is the level to "
                          "hold a judge against.", in, pairs->estimate, left->estimate, and));
done:
    return status;
}

static const char *gold_words(arena *a, const agree *g, const agree_layer *l)
{
    if (!protocol_is_custom(g->o.protocol)) return g->o.protocol->gold_words;
    if (l->raters > 1) return arena_printf(a, "the mean of %zu raters", l->raters);
    return l->raters ? "the rating of one person" : "one human score per row";
}

static tare_status say_basis(agree *g, const agree_layer *l, const char *in, tare_error *err)
{
    tare_status status = TARE_OK;
    const protocol *p = g->o.protocol;
    size_t items = 0;
    for (const cluster_set *s = g->sets; s; s = s->next)
        if (s->count > items) items = s->count;
    if (g->o.labels)
        return result_answer(g->out, err, "%sLabels of %zu rows. Intervals resample whole items "
                             "(up to %zu).", in, l->n, items);
    const char *gold;
    TRY_NEW(gold = gold_words(&g->out->a, g, l));
    TRY(result_answer(g->out, err, "%sProtocol %s (%s): %zu rows, %s; gold is %s, %zu distinct "
                      "values, %.0f %% of the pairs of rows tied. Intervals resample whole items "
                      "(up to %zu).", in, p->name, p->source, l->n, p->rows_words, gold,
                      l->distinct, 100 * l->tied, items));
done:
    return status;
}

/* ---- all together --------------------------------------------------------------------------- */

static tare_status say_layer(agree *g, size_t layer, const agree_view **views, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *in;
    size_t n = order_views(views, g, layer);
    TRY_NEW(in = agree_lead_in(&g->out->a, &g->layer[layer]));
    for (size_t k = 0; k < n && (k == 0 || n <= SPOKEN); k++) {
        TRY(say_agreement(g, views[k], in, err));
        TRY(say_ceiling(g, views[k], in, err));
    }
    if (n > SPOKEN) {
        TRY(say_rest(g, views, n, in, err));
        TRY(say_all_ceilings(g, views, n, in, err));
    }
    TRY(say_people(g, layer, in, err));
    if (n == 2) TRY(say_two(g, views[0], views[1], in, err));
    if (n > 2) TRY(say_many(g, views, n, in, err));
    for (size_t k = 0; k < n && n <= SPOKEN; k++) TRY(say_leniency(g, views[k], in, err));
    if (n > SPOKEN && !g->o.labels) TRY(say_drifts(g, views, n, in, err));
    if (n == 0)
        TRY(result_answer(g->out, err, "%sNo judge has an answer here; the reasons stand below.",
                          in));
    TRY(say_basis(g, &g->layer[layer], in, err));
done:
    return status;
}

tare_status agree_answer_run(agree *g, tare_error *err)
{
    tare_status status = TARE_OK;
    const agree_view **views;
    TRY_NEW(views = arena_new(g->a, g->t.judge.count + 1, sizeof *views));
    for (size_t l = 0; l < g->layers; l++) TRY(say_layer(g, l, views, err));
    TRY(agree_cautions_run(g, err));
done:
    return status;
}
