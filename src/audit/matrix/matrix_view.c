/* Which authors, judges and items a view has, and when there is no view (judge audits A.1). */
#include "audit/matrix/matrix_view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "audit/matrix/matrix_numbers.h"
#include "base/error.h"
#include "base/spelling.h"

#define ITEMS_LEAST 30 /* complete items, if any are dropped; and half of all */

tare_reason matrix_cell_status(const matrix_study *s, const matrix_view *v, uint32_t item,
                               size_t author, size_t judge)
{
    const score_table *t = s->t;
    size_t unit = s->index[(size_t)item * t->author.count + author];
    if (unit == SIZE_MAX) return TARE_R_ABSENT;
    return (tare_reason)t->layer[v->layer].status[unit * t->judge.count + judge];
}

static bool left_out(const matrix_study *s, const char *name)
{
    for (size_t k = 0; k < s->o.without_count; k++)
        if (strcmp(s->o.without[k], name) == 0) return true;
    return false;
}

static bool is_name(const name_axis *axis, const char *name)
{
    for (size_t k = 0; k < axis->count; k++)
        if (strcmp(axis->name[k], name) == 0) return true;
    return false;
}

static tare_status check_without(matrix_study *s, tare_error *err)
{
    const score_table *t = s->t;
    for (size_t k = 0; k < s->o.without_count; k++) {
        const char *name = s->o.without[k];
        if (is_name(&t->author, name) || is_name(&t->judge, name)) continue;
        const char *near = spelling_nearest(name, t->judge.name, t->judge.count);
        if (!near) near = spelling_nearest(name, t->author.name, t->author.count);
        return error_set(err, TARE_E_USAGE, "matrix.without", "--without",
                         "no judge and no author is called \"%.100s\"%s%.100s%s", name,
                         near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    }
    return TARE_OK;
}

/* ---- who takes part -------------------------------------------------------------------------- */

/* Rows and scores of every author and judge of a layer. */
typedef struct tally { size_t *rows, *scores; } tally;

static void count_rows(const matrix_study *s, size_t layer, tally *author, tally *judge)
{
    const score_table *t = s->t;
    const score_layer *l = &t->layer[layer];
    for (size_t u = 0; u < t->units; u++)
        for (size_t e = 0; e < t->judge.count; e++) {
            uint8_t status = l->status[u * t->judge.count + e];
            if (status == TARE_R_ABSENT || left_out(s, t->judge.name[e])) continue;
            if (left_out(s, t->author.name[t->unit_author[u]])) continue;
            size_t ok = status == TARE_R_NONE;
            author->rows[t->unit_author[u]]++;
            author->scores[t->unit_author[u]] += ok;
            judge->rows[e]++;
            judge->scores[e] += ok;
        }
}

/* Those with a score. One that has rows and no score is told about: nothing can be said of it. */
static tare_status choose(size_t **out, const char ***names, size_t *count, matrix_study *s,
                          const tally *x, const name_axis *axis, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY_NEW(*out = arena_new(&s->scratch, axis->count + 1, sizeof **out));
    TRY_NEW(*names = arena_new(&s->scratch, axis->count + 1, sizeof **names));
    for (size_t k = 0; k < axis->count; k++) {
        if (!x->scores[k]) continue;
        (*names)[*count] = axis->name[k];
        (*out)[(*count)++] = k;
    }
done:
    return status;
}

static tare_status tell_silent(matrix_study *s, const matrix_view *v, const tally *x,
                               const name_axis *axis, const char *what, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < axis->count; k++)
        if (x->rows[k] && !x->scores[k])
            TRY(result_caution(s->out, err,
                               "%s%sthe %s %s has %zu rows and not one score: it was left out.",
                               v->label, v->label[0] ? ": " : "", what, axis->name[k],
                               x->rows[k]));
done:
    return status;
}

static tare_status check_size(const matrix_view *v, tare_error *err)
{
    const char *where = v->label[0] ? v->label : NULL;
    if (v->G < 2)
        return error_set(err, TARE_E_DATA, "matrix.authors", where,
                         "%s%s%s: whether judges favour their own model needs texts of at least "
                         "two authors (generators) on the same items",
                         v->G ? "every score is of texts by one author, " : "no score at all",
                         v->G ? v->author_name[0] : "",
                         v->G ? "" : " is left");
    if (v->E < 3)
        return error_set(err, TARE_E_DATA, "matrix.judges", where,
                         "%zu judge%s gave scores: leniency, quality and self-preference can only "
                         "be told apart with at least three judges of the same texts", v->E,
                         v->E == 1 ? "" : "s");
    if (v->G > MATRIX_MOST || v->E > MATRIX_MOST || v->G * v->E > MATRIX_CELLS_MOST)
        return error_set(err, TARE_E_LIMIT, "matrix.size", where,
                         "%zu authors x %zu judges: at most %d of either and %d cells can be "
                         "analysed at once; leave some out with --without NAME", v->G, v->E,
                         MATRIX_MOST, MATRIX_CELLS_MOST);
    return TARE_OK;
}

/* ---- which items ----------------------------------------------------------------------------- */

/* Cells of an item without a score, and the reason of the first; SIZE_MAX for an item without any
 * row. */
static size_t holes_of(tare_reason *first, const matrix_study *s, const matrix_view *v,
                       uint32_t item)
{
    size_t holes = 0;
    *first = TARE_R_NONE;
    bool any = false;
    for (size_t g = 0; g < v->G; g++)
        for (size_t e = 0; e < v->E; e++) {
            tare_reason r = matrix_cell_status(s, v, item, v->author[g], v->judge[e]);
            any = any || r != TARE_R_ABSENT;
            holes += r != TARE_R_NONE;
            if (*first == TARE_R_NONE) *first = r;
        }
    return any ? holes : SIZE_MAX;
}

/* Items that would be complete without one author or judge (places in the view; SIZE_MAX: with
 * all). */
static size_t complete_without(const matrix_study *s, const matrix_view *v, size_t author,
                               size_t judge)
{
    size_t count = 0;
    for (uint32_t i = 0; i < s->t->item.count; i++) {
        bool complete = true;
        for (size_t g = 0; g < v->G && complete; g++)
            for (size_t e = 0; e < v->E && complete && g != author; e++)
                complete = e == judge || matrix_cell_status(s, v, i, v->author[g], v->judge[e]) ==
                                             TARE_R_NONE;
        count += complete;
    }
    return count;
}

static tare_status refuse_sparse(const matrix_study *s, const matrix_view *v, tare_error *err)
{
    size_t best = 0;
    const char *what = "", *name = "";
    for (size_t e = 0; e < v->E; e++) {
        size_t n = complete_without(s, v, SIZE_MAX, e);
        if (n <= best) continue;
        best = n;
        what = "judge";
        name = v->judge_name[e];
    }
    for (size_t g = 0; g < v->G; g++) {
        size_t n = complete_without(s, v, g, SIZE_MAX);
        if (n <= best) continue;
        best = n;
        what = "author";
        name = v->author_name[g];
    }
    char advice[260] = "no single judge or author is to blame: leave out several with --without "
                       "NAME";
    if (best > v->items)
        snprintf(advice, sizeof advice, "without the %s %.100s it would be %zu: use --without "
                 "\"%.100s\"", what, name, best, name);
    return error_set(err, TARE_E_DATA, "matrix.sparse", v->label[0] ? v->label : NULL,
                     "only %zu of %zu items have a score in every cell (at least %d and half of "
                     "them are needed); %s, or --cells available", v->items, v->items_all,
                     ITEMS_LEAST, advice);
}

static tare_status choose_items(matrix_view *v, matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY_NEW(v->item = arena_new(&s->scratch, s->t->item.count + 1, sizeof *v->item));
    TRY_NEW(v->layer_item = arena_new(&s->scratch, s->t->item.count + 1, sizeof *v->layer_item));
    for (uint32_t i = 0; i < s->t->item.count; i++) {
        tare_reason first;
        size_t holes = holes_of(&first, s, v, i);
        if (holes == SIZE_MAX) continue;
        v->layer_item[v->items_all++] = i;
        bool use = s->o.available ? holes < v->G * v->E : holes == 0;
        if (use) v->item[v->items++] = i;
        missing_add(&v->counts, use ? TARE_R_NONE : first);
    }
    v->balanced = !s->o.available;
    bool few = v->items < ITEMS_LEAST || 2 * v->items < v->items_all;
    if (v->balanced && v->items < v->items_all && few) TRY(refuse_sparse(s, v, err));
done:
    return status;
}

/* ---- views ----------------------------------------------------------------------------------- */

static const char *label_of(matrix_study *s, const matrix_view *v)
{
    bool settings = s->t->setting.count > 1, dims = s->t->dim.count > 1;
    if (settings && dims) return arena_printf(&s->out->a, "%s, %s", v->setting, v->dim);
    return settings ? v->setting : dims ? v->dim : "";
}

static tare_status open_view(matrix_view *v, matrix_study *s, size_t layer, tare_error *err)
{
    tare_status status = TARE_OK;
    const score_table *t = s->t;
    tally author, judge;
    memset(v, 0, sizeof *v);
    v->layer = layer;
    v->reason = "";
    v->setting = t->setting.count ? t->setting.name[t->layer[layer].setting] : "";
    v->dim = t->dim.count ? t->dim.name[t->layer[layer].dim] : "";
    v->cells_only = t->cells_only;
    v->split[0] = v->split[1] = v->split[2] = NAN;
    TRY_NEW(v->label = label_of(s, v));
    TRY_NEW(author.rows = arena_new(&s->scratch, t->author.count + 1, sizeof(size_t)));
    TRY_NEW(author.scores = arena_new(&s->scratch, t->author.count + 1, sizeof(size_t)));
    TRY_NEW(judge.rows = arena_new(&s->scratch, t->judge.count + 1, sizeof(size_t)));
    TRY_NEW(judge.scores = arena_new(&s->scratch, t->judge.count + 1, sizeof(size_t)));
    count_rows(s, layer, &author, &judge);
    TRY(choose(&v->author, &v->author_name, &v->G, s, &author, &t->author, err));
    TRY(choose(&v->judge, &v->judge_name, &v->E, s, &judge, &t->judge, err));
    TRY(check_size(v, err));
    if (!v->cells_only) TRY(choose_items(v, s, err));
    /* A judge without a score anywhere is told of by the missingness audit. */
    if (t->layers > 1) TRY(tell_silent(s, v, &judge, &t->judge, "judge", err));
    TRY(tell_silent(s, v, &author, &t->author, "author", err));
    TRY(matrix_view_kin(v, s, err));
    TRY(matrix_view_fill(v, s, err));
done:
    return status;
}

/* A layer that cannot be analysed is told of in the answer; if none can, its refusal is the result.
 */
tare_status matrix_views_open(matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const score_table *t = s->t;
    tare_error first = {0}, problem = {0};
    TRY(check_without(s, err));
    TRY_NEW(s->view = arena_new(&s->scratch, t->layers + 1, sizeof *s->view));
    TRY_NEW(s->refused = arena_new(&s->scratch, t->layers + 1, sizeof *s->refused));
    for (size_t l = 0; l < t->layers; l++) {
        matrix_view *v = &s->view[s->views];
        tare_status opened = open_view(v, s, l, &problem);
        if (opened == TARE_OK) {
            s->views++;
            continue;
        }
        if (first.status == TARE_OK) first = problem;
        if (opened != TARE_E_DATA) break;
        TRY_NEW(s->refused[s->refusals] = arena_printf(&s->out->a, "%s: %s", v->label,
                                                       problem.message));
        s->refusals++;
    }
    bool fatal = first.status != TARE_OK && (first.status != TARE_E_DATA || s->views == 0);
    if (fatal)
        FAIL(err, first.status, first.code, first.where, "%s", first.message);
    if (s->views == 0)
        FAIL(err, TARE_E_DATA, "matrix.empty", NULL, "the table holds no score");
done:
    return status;
}
