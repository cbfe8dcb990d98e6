/* The answer in sentences: who favours its own model, how much, what may be a matter of scale, what
 * these data cannot tell. Numbers after words. */
#include <math.h>
#include <string.h>

#include "audit/matrix/matrix_words.h"
#include "base/error.h"

#define NAMES_MOST 12

typedef struct grouped {
    const char **names[GROUP_COUNT];
    size_t count[GROUP_COUNT], judged;
} grouped;

static tare_status group_judges(grouped *g, matrix_study *s, const matrix_view *v,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    memset(g, 0, sizeof *g);
    for (int n = 0; n < GROUP_COUNT; n++)
        TRY_NEW(g->names[n] = arena_new(&s->scratch, v->K + 1, sizeof(char *)));
    for (size_t k = 0; k < v->K; k++) {
        matrix_group n = matrix_group_of(s, v, &v->self[k]);
        g->names[n][g->count[n]++] = v->self[k].name;
        g->judged += n != GROUP_NONE;
    }
done:
    return status;
}

typedef struct spoken { matrix_group group; const char *words; } spoken;

static tare_status say_group(matrix_study *s, const matrix_view *v, const grouped *g, spoken what,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    const char *names, *prefix;
    matrix_group n = what.group;
    if (!g->count[n]) goto done;
    TRY_NEW(prefix = matrix_prefix(s, v));
    TRY_NEW(names = matrix_names(&s->out->a, g->names[n], g->count[n], NAMES_MOST));
    TRY(result_answer(s->out, err, "%s%s: %s.", prefix, what.words, names));
done:
    return status;
}

/* The first sentence: how many, and who. */
static tare_status say_lead(matrix_study *s, const matrix_view *v, const grouped *g,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &s->out->a;
    const char *prefix, *names, *gold, *others = "", *scale = "", *family = "";
    size_t n = g->count[GROUP_FAVOUR], less = g->count[GROUP_DISFAVOUR];
    TRY_NEW(prefix = matrix_prefix(s, v));
    TRY_NEW(names = matrix_names(a, g->names[GROUP_FAVOUR], n, NAMES_MOST));
    if (less) {
        TRY_NEW(others = matrix_names(a, g->names[GROUP_DISFAVOUR], less, NAMES_MOST));
        TRY_NEW(others = arena_printf(a, "; %s score%s %s own lower than the others do",
                                      others, less == 1 ? "s" : "",
                                      less == 1 ? "its" : "their"));
    }
    if (g->count[GROUP_SCALE]) {
        TRY_NEW(scale = matrix_names(a, g->names[GROUP_SCALE], g->count[GROUP_SCALE], NAMES_MOST));
        TRY_NEW(scale = arena_printf(a, "; in score units alone, %s, there is a difference for %s",
                                     v->G < 3 ? "which two authors cannot tell from a matter of "
                                                "scale"
                                              : "which may be a matter of scale", scale));
    }
    if (g->count[GROUP_FAMILY]) {
        TRY_NEW(family = matrix_names(a, g->names[GROUP_FAMILY], g->count[GROUP_FAMILY],
                                      NAMES_MOST));
        TRY_NEW(family = arena_printf(a, "; a difference for %s is not shown in comparison "
                                         "with judges and authors outside %s family alone", family,
                                      g->count[GROUP_FAMILY] == 1 ? "its" : "their"));
    }
    TRY(matrix_gold_lead(&gold, s, v, err));
    const char *by = gold[0] ? "Compared with what the other judges say, " : "";
    if (!g->judged)
        TRY(result_answer(s->out, err, "%sNothing can be said about a preference of judges for "
                                       "their own model.", prefix));
    else if (n)
        TRY(result_answer(s->out, err,
                          "%s%s%zu of %zu judges favour%s texts by %s own model, in score units "
                          "and on %s own scale: %s%s%s%s%s.", prefix, by, n, g->judged,
                          n == 1 ? "s" : "", n == 1 ? "its" : "their", n == 1 ? "its" : "their",
                          names, gold, others, family, scale));
    else
        TRY(result_answer(s->out, err,
                          "%s%s%s of %zu judges was shown to favour texts by its own "
                          "model%s%s%s%s.", prefix, by, by[0] ? "none" : "None", g->judged, gold,
                          others, family, scale));
done:
    return status;
}

static const char *in_sd(arena *a, const matrix_self *x, double d)
{
    if (!(x->sd > 0)) return "";
    return arena_printf(a, ", %.2g SD of its scores within an author", fabs(d) / x->sd);
}

/* Of verdicts that say something. */
static const char *stability(arena *a, const matrix_self *x, tare_verdict verdict)
{
    if (!x->lojo_of || (verdict != TARE_FOUND && verdict != TARE_SMALL)) return "";
    if (x->lojo_of == x->lojo_holds) return "; the verdict holds whichever other judge is left out";
    return arena_printf(a, "; the verdict holds in %zu of %zu cases when one other judge is left "
                           "out", x->lojo_holds, x->lojo_of);
}

/* "0.7 [0.37, 1.1]", or why there is no interval. */
static const char *z_words(arena *a, const tare_reading *z)
{
    if (!isnan(z->lo)) return matrix_estimate(a, z);
    const char *estimate = number_text(a, z->estimate);
    if (!estimate) return NULL;
    return arena_printf(a, "%s without an interval%s%s", estimate, z->reason[0] ? ": " : "",
                        z->reason[0] ? reason_words(z->reason) : "");
}

/* How to take a difference in score units. */
static const char *judged_words(matrix_study *s, const matrix_view *v, const matrix_self *x)
{
    arena *a = &s->out->a;
    const tare_reading *r = matrix_lead(s, v, x), *z = matrix_z(s, v, x);
    const char *zs = z_words(a, z), *kin;
    if (!zs) return NULL;
    switch (matrix_group_of(s, v, x)) {
    case GROUP_FAMILY:
        kin = matrix_estimate(a, book_reading(&s->book, x->d_kin));
        return !kin ? NULL
                    : arena_printf(a, "but compared with judges and authors outside its family "
                                      "the difference is %s: it depends on the family", kin);
    case GROUP_SCALE:
        if (v->G < 3)
            return "but two authors cannot tell a judge that favours its own model from one that "
                   "spreads its scores more or less than others";
        return arena_printf(
            a, "%s (Z %s): that may be a scale effect, of a judge that spreads its scores more or "
               "less than others",
            isnan(z->lo)               ? "and nothing is known on its own scale"
            : z->lo > 0 || z->hi < 0 ? "but the other way round on its own scale"
                                       : "but not on its own scale", zs);
    case GROUP_SMALL:
        return arena_printf(a, "which is below the practical margin of %.2g (Z %s)", r->margin, zs);
    default: return arena_printf(a, "and does so on its own scale too (Z %s)", zs);
    }
}

/* One judge whose preference is resolved in score units. */
static tare_status say_judge(matrix_study *s, const matrix_view *v, const matrix_self *x,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &s->out->a;
    const tare_reading *r = matrix_lead(s, v, x);
    const char *size, *lo, *hi, *q, *sd, *stable, *judged, *prefix;
    bool less = r->estimate < 0;
    TRY_NEW(prefix = matrix_prefix(s, v));
    TRY_NEW(size = number_text(a, fabs(r->estimate)));
    TRY_NEW(lo = number_text(a, less ? -r->hi : r->lo));
    TRY_NEW(hi = number_text(a, less ? -r->lo : r->hi));
    TRY_NEW(q = p_text(a, "q", r->q, r->p_floor));
    TRY_NEW(sd = in_sd(a, x, r->estimate));
    bool family = matrix_group_of(s, v, x) == GROUP_FAMILY;
    TRY_NEW(stable = family ? "" : stability(a, x, r->verdict));
    TRY_NEW(judged = judged_words(s, v, x));
    TRY(result_answer(s->out, err,
                      "%s%s scores texts by its own model %s %s than the other judges do, relative "
                      "to the other authors (%.3g %% interval %s to %s, %s)%s, %s%s.", prefix,
                      x->name, size, less ? "lower" : "higher", 100 * (1 - s->o.book.alpha), lo, hi,
                      q, sd, judged, stable));
done:
    return status;
}

/* The judges of a group, the largest first. */
static tare_status say_judges(matrix_study *s, const matrix_view *v, matrix_group group,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    bool *said;
    TRY_NEW(said = arena_new(&s->scratch, v->K + 1, sizeof *said));
    for (size_t n = 0; n < v->K; n++) {
        size_t next = SIZE_MAX;
        double most = -1;
        for (size_t k = 0; k < v->K; k++) {
            if (said[k] || matrix_group_of(s, v, &v->self[k]) != group) continue;
            double size = fabs(matrix_lead(s, v, &v->self[k])->estimate);
            if (size <= most) continue;
            most = size;
            next = k;
        }
        if (next == SIZE_MAX) break;
        said[next] = true;
        TRY(say_judge(s, v, &v->self[next], err));
    }
done:
    return status;
}

/* Those whose D is below the margin, and whom gold finds among them nevertheless. */
static tare_status say_negligible(matrix_study *s, const matrix_view *v, const grouped *g,
                                  tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &s->out->a;
    const char *names, *prefix, *but = "", **found;
    size_t n = 0;
    if (!g->count[GROUP_NEGLIGIBLE]) goto done;
    TRY_NEW(found = arena_new(&s->scratch, v->K + 1, sizeof *found));
    for (size_t k = 0; k < v->K; k++)
        if (matrix_group_of(s, v, &v->self[k]) == GROUP_NEGLIGIBLE &&
            matrix_gold_resolves(s, v, &v->self[k]))
            found[n++] = v->self[k].name;
    if (n) {
        TRY_NEW(but = matrix_names(a, found, n, NAMES_MOST));
        TRY_NEW(but = arena_printf(a, "; but at equal gold score a difference is shown for %s",
                                   but));
    }
    TRY_NEW(prefix = matrix_prefix(s, v));
    TRY_NEW(names = matrix_names(a, g->names[GROUP_NEGLIGIBLE], g->count[GROUP_NEGLIGIBLE],
                                 NAMES_MOST));
    TRY(result_answer(s->out, err,
                      "%sCompared with what the other judges say, any preference is below the "
                      "%s: %s%s.", prefix,
                      isnan(s->o.book.margin)
                          ? "practical margin (0.1 SD of the judge's scores within an author)"
                          : "margin that was set", names, but));
done:
    return status;
}

/* Those that are open, with the size that would have been found. */
static tare_status say_open(matrix_study *s, const matrix_view *v, const grouped *g,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    double most = 0;
    const char *names, *size, *prefix;
    bool gold = false;
    if (!g->count[GROUP_OPEN]) goto done;
    for (size_t k = 0; k < v->K; k++) {
        if (matrix_group_of(s, v, &v->self[k]) != GROUP_OPEN) continue;
        most = fmax(most, matrix_lead(s, v, &v->self[k])->mde);
        gold = gold || matrix_gold_judges(s, v, &v->self[k]);
    }
    TRY_NEW(names = matrix_names(&s->out->a, g->names[GROUP_OPEN], g->count[GROUP_OPEN],
                                 NAMES_MOST));
    TRY_NEW(size = number_text(&s->out->a, most));
    TRY_NEW(prefix = matrix_prefix(s, v));
    TRY(result_answer(s->out, err,
                      "%sOpen%s, since neither a preference nor its absence was shown: %s; with "
                      "%zu items a preference of %s or more would have been found in 80 %% of such "
                      "studies.", prefix, gold ? " in comparison with what the other judges say"
                                               : "", names, v->items, size));
done:
    return status;
}

/* No answer, and why: the reason of the first of them. */
static tare_status say_none(matrix_study *s, const matrix_view *v, const grouped *g,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    const char *why = "";
    for (size_t k = v->K; k > 0; k--) {
        const tare_reading *r = matrix_lead(s, v, &v->self[k - 1]);
        if (r && r->verdict == TARE_NO_ANSWER) why = reason_words(r->reason);
    }
    const char *words = "No answer";
    if (why[0]) TRY_NEW(words = arena_printf(&s->out->a, "No answer, since %s", why));
    TRY(say_group(s, v, g, (spoken){GROUP_NONE, words}, err));
done:
    return status;
}

/* ---- settings -------------------------------------------------------------------------------- */

static tare_status say_settings(matrix_study *s, const matrix_pair *p, tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &s->out->a;
    const char *arm, *names, *dim = "";
    const char **more, **less;
    size_t n_more = 0, n_less = 0;
    TRY_NEW(arm = arena_printf(a, "%s minus %s", p->a->setting, p->b->setting));
    if (s->t->dim.count > 1) TRY_NEW(dim = arena_printf(a, " (%s)", p->a->dim));
    TRY_NEW(more = arena_new(&s->scratch, p->a->K + 1, sizeof *more));
    TRY_NEW(less = arena_new(&s->scratch, p->a->K + 1, sizeof *less));
    for (size_t k = 0; k < s->book.count; k++) {
        const tare_reading *r = book_reading(&s->book, k);
        if (strcmp(r->family, "settings") || strcmp(r->name, "D") || strcmp(r->arm, arm) ||
            strcmp(r->dim, p->a->dim) || !s->book.entries[k].significant)
            continue;
        if (r->estimate > 0) more[n_more++] = r->instrument;
        else less[n_less++] = r->instrument;
    }
    if (!n_more && !n_less)
        TRY(result_answer(s->out, err,
                          "No judge's preference for its own model was shown to differ between %s "
                          "and %s%s.", p->a->setting, p->b->setting, dim));
    for (int n = 0; n < 2; n++) {
        size_t count = n ? n_less : n_more;
        if (!count) continue;
        TRY_NEW(names = matrix_names(a, n ? less : more, count, NAMES_MOST));
        TRY(result_answer(s->out, err, "Under %s more than under %s%s %s favour%s its own model.",
                          n ? p->b->setting : p->a->setting, n ? p->a->setting : p->b->setting, dim,
                          names, count == 1 ? "s" : ""));
    }
done:
    return status;
}

/* ---- a view ---------------------------------------------------------------------------------- */

/* Cell means alone, or cells of different items: numbers without a test. */
static tare_status say_described(matrix_study *s, const matrix_view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &s->out->a;
    const char *prefix;
    TRY_NEW(prefix = matrix_prefix(s, v));
    TRY(result_answer(s->out, err,
                      v->cells_only
                          ? "%s%zu authors x %zu judges from cell means: without items nothing can "
                            "be tested; the numbers describe these means."
                          : "%s%zu authors x %zu judges, cells of different items: the numbers are "
                            "described and no preference is called found.", prefix, v->G, v->E));
    for (size_t k = 0; k < v->K; k++) {
        const matrix_self *x = &v->self[k];
        size_t c = x->author * v->E + x->judge;
        const char *r, *z;
        TRY_NEW(r = v->cells_only ? number_text(a, v->r[c])
                                  : matrix_estimate(a, book_reading(&s->book, v->entry_r[c])));
        TRY_NEW(z = v->cells_only ? number_text(a, v->z[c])
                                  : matrix_estimate(a, matrix_z(s, v, x)));
        bool apart = (v->r[c] > 0) != (v->z[c] > 0);
        TRY(result_answer(s->out, err,
                          "%s%s gives its own model %s more than its leniency and the model's "
                          "quality explain (R); on its own scale it is %s (Z)%s. It ranks it "
                          "%.3g, the others rank it %.3g, of %zu.", prefix, x->name, r, z,
                          apart ? ": the sign depends on the scale" : "", x->rank_own,
                          x->rank_peers, v->G));
    }
done:
    return status;
}

static tare_status say_view(matrix_study *s, const matrix_view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    grouped g;
    if (v->K == 0) {
        TRY(result_answer(s->out, err,
                          "No judge is also an author, so no preference for the own model can be "
                          "measured; if names differ, a roster with aliases says who is who "
                          "(--roster)."));
        goto done;
    }
    if (!v->reason[0] && !v->balanced) return say_described(s, v, err);
    TRY(group_judges(&g, s, v, err));
    TRY(say_lead(s, v, &g, err));
    TRY(matrix_gold_answer(s, v, err));
    for (int group = GROUP_FAVOUR; group <= GROUP_SCALE; group++)
        TRY(say_judges(s, v, (matrix_group)group, err));
    TRY(say_negligible(s, v, &g, err));
    TRY(say_open(s, v, &g, err));
    TRY(say_group(s, v, &g, (spoken){GROUP_MISSING, "No verdict, because which scores are missing "
                                                    "depends on the judge or author"}, err));
    TRY(say_none(s, v, &g, err));
done:
    return status;
}

static tare_status say_title(matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const matrix_view *v = &s->view[0];
    const char *title = "Do these judges favour texts by their own model?";
    if (v->K == 1)
        TRY_NEW(title = arena_printf(&s->out->a, "Does %s favour texts by its own model?",
                                     v->self[0].name));
    s->out->title = title;
done:
    return status;
}

tare_status matrix_answer_run(matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(say_title(s, err));
    for (size_t i = 0; i < s->views; i++) {
        const matrix_view *v = &s->view[i];
        TRY(say_view(s, v, err));
        if (v->reason[0]) continue;
        TRY(matrix_model_level_answer(s, v, err));
        TRY(matrix_blocks_answer(s, v, err));
        TRY(matrix_regression_answer(s, v, err));
    }
    for (size_t i = 0; i < s->refusals; i++)
        TRY(result_answer(s->out, err, "No answer for %s.", s->refused[i]));
    for (size_t i = 0; i < s->pairs; i++) TRY(say_settings(s, &s->pair[i], err));
    TRY(matrix_cautions_run(s, err));
done:
    return status;
}
