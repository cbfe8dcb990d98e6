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
/* Below it a statistic is called weak (ours): a tau of .2 is 60 % of the untied pairs. */
#define WEAK 0.2

bool agree_has_value(const tare_reading *r)
{
    return r && r->verdict != TARE_NO_ANSWER && isfinite(r->estimate);
}

/* "0.577 [0.560, 0.594]"; NULL: no memory. */
static const char *with_interval(arena *a, const tare_reading *r)
{
    if (isnan(r->lo)) return number_text(a, r->estimate);
    return arena_printf(a, "%.3f [%.3f, %.3f]", r->estimate, r->lo, r->hi);
}

const char *agree_stat_words(const agree *g, size_t stat)
{
    static const char *const names[STATS] = {"tau-b", "tau-c", "Spearman's rho", "Pearson's r",
                                             "kappa"};
    if (stat == STAT_KAPPA && strcmp(g->o.kappa, "linear") == 0) return "linear kappa";
    if (stat == STAT_KAPPA && strcmp(g->o.kappa, "quadratic") == 0) return "quadratic kappa";
    return names[stat];
}

/* The judges of a layer that have an answer, best first. */
static tare_status order_views(const agree_view **out, size_t *count, const agree *g, size_t layer,
                               tare_error *err)
{
    size_t stat = agree_headline(g, 0);
    *count = 0;
    for (size_t j = 0; j < g->t.judge.count; j++) {
        const agree_view *v = &g->view[layer * g->t.judge.count + j];
        if (agree_has_value(agree_reading(g, v->entry[stat]))) out[(*count)++] = v;
    }
    return agree_order(out, *count, g, err);
}

bool agree_is_capped(const agree *g, size_t entry)
{
    return entry != BOOK_NONE && g->b.entries[entry].capped;
}

/* ---- one judge ------------------------------------------------------------------------------ */

static const char *beside_people(const tare_reading *d)
{
    switch (d->verdict) {
    case TARE_FOUND: return d->estimate > 0 ? "more closely than" : "less closely than";
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
    if (!agree_has_value(m) || !agree_has_value(d)) goto done;
    const char *how = beside_people(d), *judge, *difference, *share = "";
    TRY_NEW(judge = with_interval(a, m));
    TRY_NEW(difference = with_interval(a, d));
    if (agree_has_value(ratio) && ratio->estimate > 0)
        TRY_NEW(share = arena_printf(a, ", or %.0f %% of it", 100 * ratio->estimate));
    double human = m->estimate - d->estimate;
    if (how)
        TRY(result_answer(g->out, err, "%s%s follows people %s a single person does: measured "
                          "against the same target, the other %zu rater%s, it reaches tau-b %s "
                          "where one person reaches %.3f%s.", in, v->name, how, people->slots - 1,
                          people->slots > 2 ? "s" : "", judge, human, share));
    else if (agree_is_capped(g, v->ceiling_difference))
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
    return arena_printf(a, " Of two rows that %s differently it orders %.0f %% as %s, "
                           "%.0f %% the other way round, and scores %.0f %% alike.",
                        g->gold_column ? "the gold column scores" : "people score",
                        100 * (double)v->tau.concordant / untied,
                        g->gold_column ? "it does" : "they do",
                        100 * (double)v->tau.discordant / untied, 100 * alike / untied);
}

static tare_status say_agreement(agree *g, const agree_view *v, const char *in, tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &g->out->a;
    const tare_reading *r = agree_reading(g, v->entry[agree_headline(g, 0)]);
    const tare_reading *second = agree_headline(g, 1) == STATS
                                     ? NULL : agree_reading(g, v->entry[agree_headline(g, 1)]);
    const char *value, *also = "", *pairs, *told = "", *whom;
    TRY_NEW(whom = agree_whom_named(g));
    TRY_NEW(value = with_interval(a, r));
    TRY_NEW(pairs = in_pairs(a, g, v));
    if (agree_has_value(second)) {
        const char *other;
        TRY_NEW(other = with_interval(a, second));
        TRY_NEW(also = arena_printf(a, " (%s %s)", agree_stat_words(g, agree_headline(g, 1)),
                                    other));
    }
    if (agree_is_capped(g, v->entry[agree_headline(g, 0)]))
        told = ", if what it misses is left aside";
    else if (r->verdict != TARE_FOUND) told = ", which is not told from chance";
    else if (r->estimate < 0)
        told = g->gold_column ? ": it ranks against gold" : ": it ranks against people";
    else if (r->estimate < WEAK) told = ": more than chance, and not much more";
    TRY(result_answer(g->out, err, "%s%s agrees with %s by %s %s%s%s.%s", in, v->name, whom,
                      agree_stat_words(g, agree_headline(g, 0)), value, also, told, pairs));
done:
    return status;
}

static tare_status say_leniency(agree *g, const agree_view *v, const char *in, tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &g->out->a;
    const tare_reading *r = agree_reading(g, v->leniency);
    const tare_reading *tau = agree_reading(g, v->entry[agree_headline(g, 0)]);
    const char *size, *range, *although = "";
    if (!agree_has_value(r) || g->o.labels) goto done;
    TRY_NEW(size = number_text(a, fabs(r->estimate)));
    TRY_NEW(range = arena_printf(a, "[%.3g, %.3g]", r->lo, r->hi));
    if (agree_has_value(tau) && tau->estimate >= 0.5)
        TRY_NEW(although = arena_printf(a, ", although it agrees with %s by %s %.2f",
                                        g->gold_column ? "it" : "them",
                                        agree_stat_words(g, agree_headline(g, 0)), tau->estimate));
    if (r->verdict == TARE_FOUND)
        TRY(result_answer(g->out, err, "%s%s is %s: it gives %s points %s than %s on average "
                          "%s%s.", in, v->name, r->estimate > 0 ? "lenient" : "severe",
                          size, r->estimate > 0 ? "more" : "less",
                          g->gold_column ? "the gold column" : "people do", range, although));
    else if (r->verdict == TARE_SMALL || r->verdict == TARE_NEGLIGIBLE)
        TRY(result_answer(g->out, err, "%s%s is neither lenient nor severe by more than the "
                          "margin: it differs from %s by %.3g points on average %s.", in,
                          v->name, agree_whom(g), r->estimate, range));
done:
    return status;
}

/* ---- many judges: lists --------------------------------------------------------------------- */

/* Lists are in the order of their numbers, which are each judge's on its own rows. */
static void sort_by_value(const agree_view **views, size_t n, const agree *g)
{
    size_t stat = agree_headline(g, 0);
    for (size_t k = 1; k < n; k++)
        for (size_t i = k; i > 0; i--) {
            const agree_view *v = views[i], *before = views[i - 1];
            if (!(agree_reading(g, v->entry[stat])->estimate >
                  agree_reading(g, before->entry[stat])->estimate))
                break;
            views[i] = before;
            views[i - 1] = v;
        }
}

/* "gpt-4o 0.112, mistral 0.110": of n judges `all`, or all but the first. */
static tare_status say_list(agree *g, const agree_view **views, size_t n, bool all,
                            const char *in, tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &g->out->a;
    const char *list = "", *more = "";
    const agree_view **sorted;
    size_t count = all ? n : n - 1;
    TRY_NEW(sorted = arena_new(g->a, count + 1, sizeof *sorted));
    memcpy(sorted, views + n - count, count * sizeof *sorted);
    sort_by_value(sorted, count, g);
    for (size_t k = 0; k < count && k < LISTED; k++) {
        const tare_reading *r = agree_reading(g, sorted[k]->entry[agree_headline(g, 0)]);
        TRY_NEW(list = arena_printf(a, "%s%s%s %.3f", list, list[0] ? ", " : "", sorted[k]->name,
                                    r->estimate));
    }
    if (count > LISTED)
        TRY_NEW(more = arena_printf(a, "; the other %zu are in the tables", count - LISTED));
    TRY(result_answer(g->out, err, "%s%s by %s: %s%s.", in,
                      all ? "Judges" : "The others", agree_stat_words(g, agree_headline(g, 0)),
                      list, more));
done:
    return status;
}

static tare_status say_all_ceilings(agree *g, const agree_view **views, size_t n, const char *in,
                                    tare_error *err)
{
    size_t below = 0, level = 0, above = 0, all = 0;
    for (size_t k = 0; k < n; k++) {
        const tare_reading *d = agree_reading(g, views[k]->ceiling_difference);
        if (!agree_has_value(d)) continue;
        all++;
        if (d->verdict == TARE_FOUND) below += d->estimate < 0;
        if (d->verdict == TARE_FOUND) above += d->estimate > 0;
        level += d->verdict == TARE_SMALL || d->verdict == TARE_NEGLIGIBLE;
    }
    if (all == 0) return TARE_OK;
    size_t open = all - below - level - above;
    const char *rest = open ? arena_printf(&g->out->a, "; for %zu that is open", open) : "";
    if (!rest) return error_memory(err);
    return result_answer(g->out, err, "%sOf %zu judges %zu follow%s people less closely than a "
                         "single person does, %zu as closely, %zu more closely%s.", in, all, below,
                         below == 1 ? "s" : "", level, above, rest);
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
        if (!agree_has_value(r) || r->verdict != TARE_FOUND) continue;
        int severe = r->estimate < 0;
        if (count[severe]++ < LISTED)
            TRY_NEW(side[severe] = arena_printf(a, "%s%s%s (%+.2g)", side[severe],
                                                side[severe][0] ? ", " : "", views[k]->name,
                                                r->estimate));
    }
    for (int severe = 0; severe < 2; severe++)
        if (count[severe])
            TRY(result_answer(g->out, err, "%s%s than %s, in points on average: %s%s.", in,
                              severe ? "More severe" : "More lenient", agree_whom(g), side[severe],
                              count[severe] > LISTED ? " and others" : ""));
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
            !strcmp(r->dim, l->dim) && agree_has_value(r))
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
    const char *level = agree_alpha_name(agree_alpha_level(g)), *and = "";
    double alpha = of_people(g, &g->layer[layer], level);
    if (!isnan(alpha))
        TRY_NEW(and = arena_printf(&g->out->a, "; Krippendorff's alpha (%s) is %.3f",
                                   level + strlen("alpha_"), alpha));
    if (g->o.labels && agree_has_value(kappa))
        TRY(result_answer(g->out, err, "%sPeople among themselves: two raters agree by %s "
                          "%.3f%s.", in, agree_stat_words(g, STAT_KAPPA), kappa->estimate, and));
    if (agree_has_value(pairs) && agree_has_value(left))
        TRY(result_answer(g->out, err, "%sPeople among themselves: two raters agree by tau-b %.3f, "
                          "one rater with the sum of the others by %.3f%s. That is the level to "
                          "hold a judge against.", in, pairs->estimate, left->estimate, and));
done:
    return status;
}

static const char *gold_words(arena *a, const agree *g, const agree_layer *l)
{
    size_t least = l->least_ratings, most = l->most_ratings;
    if (!protocol_is_custom(g->o.protocol)) return g->o.protocol->gold_words;
    if (l->raters == 0)
        return g->gold_column ? "one gold score per row" : "one human score per row";
    if (most == 1) return l->raters == 1 ? "the rating of one person" : "one rating per row";
    if (least == most)
        return l->raters == most ? arena_printf(a, "the mean of %zu raters", most)
                                 : arena_printf(a, "the mean of %zu ratings, of %zu raters", most,
                                                l->raters);
    return arena_printf(a, "the mean of %zu to %zu ratings, of %zu raters", least, most, l->raters);
}

static tare_status say_basis(agree *g, const agree_layer *l, const char *in, tare_error *err)
{
    tare_status status = TARE_OK;
    const protocol *p = g->o.protocol;
    size_t items = l->set ? l->set->count : 0;
    if (g->o.labels)
        return result_answer(g->out, err, "%sLabels of %zu rows. Intervals resample whole items "
                             "(%zu).", in, l->n, items);
    const char *gold, *tied = "", *several = l->distinct == 1 ? "" : "s";
    TRY_NEW(gold = gold_words(&g->out->a, g, l));
    if (l->n > 1 && !isnan(l->tied))
        TRY_NEW(tied = arena_printf(&g->out->a, ", %.0f %% of the pairs of rows tied",
                                    100 * l->tied));
    TRY(result_answer(g->out, err, "%sProtocol %s (%s): %zu rows, %s; gold is %s, %zu distinct "
                      "value%s%s. Intervals resample whole items (%zu).", in, p->name, p->source,
                      l->n, p->rows_words, gold, l->distinct, several, tied, items));
done:
    return status;
}

/* ---- all together --------------------------------------------------------------------------- */

static tare_status say_layer(agree *g, size_t layer, const agree_view **views, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *in;
    size_t n;
    TRY(order_views(views, &n, g, layer, err));
    TRY_NEW(in = agree_lead_in(&g->out->a, &g->layer[layer]));
    bool open = agree_field_is_open(g, views, n); /* then no judge leads the answer */
    if (open) TRY(agree_comparison_run(g, views, n, in, err));
    for (size_t k = 0; k < n && ((k == 0 && !open) || n <= SPOKEN); k++) {
        TRY(say_agreement(g, views[k], in, err));
        TRY(say_ceiling(g, views[k], in, err));
    }
    if (n > SPOKEN) {
        TRY(say_list(g, views, n, open, in, err));
        TRY(say_all_ceilings(g, views, n, in, err));
    }
    TRY(say_people(g, layer, in, err));
    if (!open) TRY(agree_comparison_run(g, views, n, in, err));
    for (size_t k = 0; k < n && n <= SPOKEN; k++) TRY(say_leniency(g, views[k], in, err));
    if (n > SPOKEN && !g->o.labels) TRY(say_drifts(g, views, n, in, err));
    if (n == 0)
        TRY(result_answer(g->out, err, "%sNo judge has an answer here; the reasons stand below.",
                          in));
    TRY(say_basis(g, &g->layer[layer], in, err));
done:
    return status;
}

/* The title asks what the answer answers. */
static tare_status put_title(agree *g, tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &g->out->a;
    size_t n = g->t.judge.count;
    if (!g->gold_column) goto done;
    const char *whom;
    TRY_NEW(whom = agree_whom_named(g));
    TRY_NEW(g->out->title =
                n == 1 ? arena_printf(a, "How closely does %s follow %s?", g->t.judge.name[0], whom)
                       : arena_printf(a, "How closely do %zu judges follow %s?", n, whom));
done:
    return status;
}

tare_status agree_answer_run(agree *g, tare_error *err)
{
    tare_status status = TARE_OK;
    const agree_view **views;
    TRY_NEW(views = arena_new(g->a, g->t.judge.count + 1, sizeof *views));
    TRY(put_title(g, err));
    for (size_t l = 0; l < g->layers; l++) TRY(say_layer(g, l, views, err));
    TRY(agree_cautions_run(g, err));
done:
    return status;
}
