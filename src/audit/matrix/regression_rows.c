#include "audit/matrix/regression_rows.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "stats/moments.h"

bool regression_self(const matrix_study *s, const regression_cast *cast, size_t a, size_t j)
{
    return s->t->author_of_judge[cast->judge[j]] == cast->author[a];
}

bool regression_kin(const matrix_study *s, const regression_cast *cast, size_t a, size_t j)
{
    return s->t->models && !regression_self(s, cast, a, j)
           && score_table_kin(s->t, 0, cast->author[a], cast->judge[j]);
}

typedef struct walk {
    matrix_study *s;
    regression_rows *out;
    const regression_cast *cast;
    const regression_ask *ask;
    size_t *place;          /* [authors of the table] place in the cast; SIZE_MAX: not in it */
    uint8_t *peer;          /* [A][J] the judge may stand in for gold of the author          */
    uint8_t *few;           /* [A][J] it has fewer than two peers, whatever is scored        */
    uint8_t *occurs;        /* [D][J] the judge has a row in the layer                       */
    double *length;         /* [units] NaN: none; NULL: not asked for                        */
    size_t *next;           /* [clusters] where its next row goes; NULL: only count           */
    neumaier y, l, *g, *gn; /* sums for the shifts; g and gn by judge                         */
} walk;

/* ---- Scale and length ------------------------------------------------------------------------ */

static void widen(double *lo, double *hi, double x)
{
    if (!isfinite(x)) return;
    if (!(x >= *lo)) *lo = x;
    if (!(x <= *hi)) *hi = x;
}

static void set_scale(const walk *w)
{
    const score_table *t = w->s->t;
    double lo = NAN, hi = NAN;
    w->out->scale = 1;
    w->out->offset = 0;
    if (strcmp(w->ask->rescale, "none") == 0) return;
    for (size_t d = 0; d < w->cast->D; d++) {
        const score_layer *l = &t->layer[w->cast->layer[d]];
        for (size_t u = 0; u < t->units; u++) {
            if (w->place[t->unit_author[u]] == SIZE_MAX) continue;
            const double *score = score_of_unit(t, l, u);
            for (size_t j = 0; j < w->cast->J; j++) widen(&lo, &hi, score[w->cast->judge[j]]);
            if (l->gold) widen(&lo, &hi, l->gold[u]);
        }
    }
    bool range = strcmp(w->ask->rescale, "range") == 0;
    double scale = range ? hi - lo : hi;
    if (scale > 0 && isfinite(scale)) w->out->scale = scale;
    if (range && isfinite(lo)) w->out->offset = lo;
}

/* tanh of the length standardised within its item (population SD); units are in order of items. */
static void item_lengths(walk *w, size_t from, size_t to)
{
    const score_table *t = w->s->t;
    neumaier sum = {0, 0}, square = {0, 0};
    double n = 0;
    for (size_t u = from; u < to; u++) {
        bool use = w->place[t->unit_author[u]] != SIZE_MAX && isfinite(t->length[u]);
        w->length[u] = use ? t->length[u] : NAN;
        if (!use) continue;
        neumaier_add(&sum, t->length[u]);
        n++;
    }
    double mean = neumaier_total(&sum) / n;
    for (size_t u = from; u < to; u++)
        if (!isnan(w->length[u])) neumaier_add(&square, pow(w->length[u] - mean, 2));
    double sd = sqrt(neumaier_total(&square) / n);
    for (size_t u = from; u < to; u++)
        if (!isnan(w->length[u])) w->length[u] = sd > 0 ? tanh((w->length[u] - mean) / sd) : 0;
}

static tare_status make_lengths(walk *w, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    const score_table *t = w->s->t;
    if (!w->ask->length || !t->length) return TARE_OK;
    TRY_NEW(w->length = arena_new(a, t->units + 1, sizeof(double)));
    for (size_t from = 0, to; from < t->units; from = to) {
        for (to = from; to < t->units && t->unit_item[to] == t->unit_item[from]; to++) {}
        item_lengths(w, from, to);
    }
done:
    return status;
}

/* ---- Gold ------------------------------------------------------------------------------------ */

static tare_status find_peers(walk *w, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t A = w->cast->A, J = w->cast->J;
    if (w->ask->gold != GOLD_PEERS) return TARE_OK;
    TRY_NEW(w->peer = arena_new(a, A * J + 1, 1));
    TRY_NEW(w->few = arena_new(a, A * J + 1, 1));
    for (size_t g = 0; g < A; g++) {
        size_t peers = 0;
        for (size_t j = 0; j < J; j++) {
            w->peer[g * J + j] = !regression_self(w->s, w->cast, g, j)
                                 && !regression_kin(w->s, w->cast, g, j);
            peers += w->peer[g * J + j];
        }
        for (size_t j = 0; j < J; j++) w->few[g * J + j] = peers - w->peer[g * J + j] < 2;
    }
done:
    return status;
}

/* Gold of each of the cast's judges for one unit. */
static void gold_of_unit(double *gold, const walk *w, const score_layer *l, size_t unit,
                         size_t place)
{
    size_t J = w->cast->J;
    const double *score = score_of_unit(w->s->t, l, unit);
    const uint8_t *peer = w->peer ? w->peer + place * J : NULL;
    neumaier all = {0, 0};
    double count = 0;
    for (size_t k = 0; k < J && peer; k++) {
        double x = score[w->cast->judge[k]];
        if (!peer[k] || !isfinite(x)) continue;
        neumaier_add(&all, x);
        count++;
    }
    for (size_t j = 0; j < J; j++) {
        double x = score[w->cast->judge[j]], n = count;
        neumaier others = all;
        gold[j] = w->ask->gold == GOLD_COLUMN && l->gold ? l->gold[unit] : NAN;
        if (peer && peer[j] && isfinite(x)) {
            neumaier_add(&others, -x);
            n--;
        }
        if (n >= 2) gold[j] = neumaier_total(&others) / n;
    }
}

/* ---- The walk -------------------------------------------------------------------------------- */

static void take_row(walk *w, size_t cluster, size_t cell, const double values[3])
{
    cell_rows *rows = &w->out->rows;
    size_t judge = cell / w->cast->D % w->cast->J;
    if (!w->next) {
        rows->start[cluster + 1]++;
        neumaier_add(&w->y, values[0]);
        neumaier_add(&w->g[judge], values[1]);
        w->gn[judge].sum += 1;
        neumaier_add(&w->l, values[2]);
        return;
    }
    size_t at = w->next[cluster]++;
    rows->cell[at] = (uint32_t)cell;
    rows->y[at] = values[0] - rows->y_shift;
    if (rows->gold) rows->gold[at] = values[1] - rows->gold_shift[cell];
    if (rows->length) rows->length[at] = values[2] - rows->length_shift;
}

/* Does the text have a row in this layer? Items of one dim need not be in another. */
static bool unit_occurs(const score_table *t, const score_layer *l, size_t unit)
{
    for (size_t k = 0; k < t->judge.count; k++)
        if (l->status[unit * t->judge.count + k] != TARE_R_ABSENT) return true;
    return false;
}

static tare_status find_judges(walk *w, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    const score_table *t = w->s->t;
    TRY_NEW(w->occurs = arena_new(a, w->cast->D * w->cast->J + 1, 1));
    for (size_t d = 0; d < w->cast->D; d++)
        for (size_t j = 0; j < w->cast->J; j++) {
            const uint8_t *at = t->layer[w->cast->layer[d]].status + w->cast->judge[j];
            for (size_t u = 0; u < t->units && !w->occurs[d * w->cast->J + j]; u++)
                w->occurs[d * w->cast->J + j] = at[u * t->judge.count] != TARE_R_ABSENT;
        }
done:
    return status;
}

static void count_missing(missing_counts *missing, uint8_t why)
{
    missing->by_reason[why == TARE_R_NONE ? TARE_R_MISSING : why]++;
}

static void walk_unit(walk *w, const score_layer *l, size_t d, size_t unit, double *gold)
{
    const score_table *t = w->s->t;
    const regression_cast *cast = w->cast;
    const double *score = score_of_unit(t, l, unit);
    size_t place = w->place[t->unit_author[unit]], cluster = t->item_cluster[t->unit_item[unit]];
    bool count = !w->next;
    missing_counts *missing = &w->out->missing;
    if (!unit_occurs(t, l, unit)) return;
    if (w->ask->gold != GOLD_NONE) gold_of_unit(gold, w, l, unit, place);
    for (size_t j = 0; j < cast->J; j++) {
        double x = score[cast->judge[j]], length = w->length ? w->length[unit] : 0;
        if (!w->occurs[d * cast->J + j]) continue;
        if (count) missing->expected++;
        if (!isfinite(x)) {
            if (count) count_missing(missing, l->status[unit * t->judge.count + cast->judge[j]]);
            continue;
        }
        if (w->ask->gold != GOLD_NONE && !isfinite(gold[j])) {
            bool few = w->few && w->few[place * cast->J + j];
            w->out->no_gold += count;
            w->out->no_peers += count && few;
            if (count) count_missing(missing, few ? TARE_R_EXCLUDED : TARE_R_MISSING);
            continue;
        }
        if (isnan(length)) {
            w->out->no_length += count;
            if (count) count_missing(missing, TARE_R_MISSING);
            continue;
        }
        missing->used += count;
        double scaled = w->ask->gold != GOLD_NONE ? (gold[j] - w->out->offset) / w->out->scale : 0;
        const double values[3] = {(x - w->out->offset) / w->out->scale, scaled, length};
        take_row(w, cluster, (place * cast->J + j) * cast->D + d, values);
    }
}

static void walk_rows(walk *w, double *gold)
{
    const score_table *t = w->s->t;
    for (size_t d = 0; d < w->cast->D; d++)
        for (size_t u = 0; u < t->units; u++)
            if (w->place[t->unit_author[u]] != SIZE_MAX)
                walk_unit(w, &t->layer[w->cast->layer[d]], d, u, gold);
}

static void set_shifts(walk *w)
{
    cell_rows *rows = &w->out->rows;
    const regression_cast *cast = w->cast;
    for (size_t c = 0; c < rows->clusters; c++) rows->start[c + 1] += rows->start[c];
    rows->n = rows->start[rows->clusters];
    if (rows->n == 0) return;
    rows->y_shift = neumaier_total(&w->y) / (double)rows->n;
    rows->length_shift = neumaier_total(&w->l) / (double)rows->n;
    for (size_t c = 0; c < rows->cells; c++) {
        size_t j = c / cast->D % cast->J;
        rows->gold_shift[c] = w->gn[j].sum > 0 ? neumaier_total(&w->g[j]) / w->gn[j].sum : 0;
    }
}

static tare_status make_rows(walk *w, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    cell_rows *rows = &w->out->rows;
    arena *keep = &w->s->scratch;
    double *gold;
    rows->cells = w->cast->A * w->cast->J * w->cast->D;
    rows->clusters = w->s->t->cluster.count;
    if (rows->cells >= UINT32_MAX / CELL_SUMS)
        FAIL(err, TARE_E_LIMIT, "regression.cells", NULL, "%zu cells", rows->cells);
    TRY_NEW(gold = arena_new(a, w->cast->J + 1, sizeof *gold));
    TRY_NEW(w->g = arena_new(a, w->cast->J + 1, sizeof *w->g));
    TRY_NEW(w->gn = arena_new(a, w->cast->J + 1, sizeof *w->gn));
    TRY_NEW(rows->start = arena_new(keep, rows->clusters + 2, sizeof *rows->start));
    TRY_NEW(rows->gold_shift = arena_new(keep, rows->cells + 1, sizeof(double)));
    walk_rows(w, gold);
    set_shifts(w);
    TRY_NEW(rows->cell = arena_new(keep, rows->n + 1, sizeof *rows->cell));
    TRY_NEW(rows->y = arena_new(keep, rows->n + 1, sizeof(double)));
    if (w->ask->gold != GOLD_NONE)
        TRY_NEW(rows->gold = arena_new(keep, rows->n + 1, sizeof(double)));
    if (w->length) TRY_NEW(rows->length = arena_new(keep, rows->n + 1, sizeof(double)));
    TRY_NEW(w->next = arena_new(a, rows->clusters + 1, sizeof *w->next));
    memcpy(w->next, rows->start, rows->clusters * sizeof *w->next);
    walk_rows(w, gold);
    TRY_NEW(w->out->sums = arena_new(keep, rows->cells + 1, CELL_SUMS * sizeof(double)));
    TRY(cell_sums(w->out->sums, rows, w->s->m, w->s->context->pool, err));
done:
    return status;
}

tare_status regression_rows_make(regression_rows *out, matrix_study *s,
                                 const regression_cast *cast, const regression_ask *ask,
                                 tare_error *err)
{
    tare_status status = TARE_OK;
    walk w = {.s = s, .out = out, .cast = cast, .ask = ask};
    arena a;
    arena_init(&a, s->m);
    *out = (regression_rows){.cast = cast, .gold = ask->gold};
    TRY_NEW(w.place = arena_new(&a, s->t->author.count + 1, sizeof *w.place));
    for (size_t k = 0; k < s->t->author.count; k++) w.place[k] = SIZE_MAX;
    for (size_t k = 0; k < cast->A; k++) w.place[cast->author[k]] = k;
    set_scale(&w);
    TRY(make_lengths(&w, &a, err));
    TRY(find_peers(&w, &a, err));
    TRY(find_judges(&w, &a, err));
    TRY(make_rows(&w, &a, err));
done:
    arena_free(&a);
    return status;
}
