/* Scoring one panel on all subsets: members' scores are codes of few values, so that a panel is a
 * table from tuples of codes to values, and its rows are counted, not sorted. */
#include <math.h>
#include <string.h>

#include "audit/judge/preference.h"
#include "audit/panel/search_data.h"
#include "base/error.h"
#include "stats/rank.h"

static size_t tuples_of(const search_data *d, const searched *p)
{
    size_t all = d->coded ? 1 : SIZE_MAX;
    for (size_t k = 0; d->coded && k < p->size; k++) {
        all *= d->levels[p->member[k]];
        if (all > SEARCH_TUPLES) return SIZE_MAX;
    }
    return all;
}

/* The value of each row of the search, from the tuple of its members' codes. */
static void values_by_tuple(const panel_search *s, const searched *p, size_t tuples,
                            search_scratch *w)
{
    const search_data *d = s->data;
    memset(w->tuple, 0, d->n * sizeof *w->tuple);
    for (size_t k = 0; k < p->size; k++) {
        const uint8_t *code = d->code + p->member[k] * d->n;
        uint32_t levels = (uint32_t)d->levels[p->member[k]];
        for (size_t i = 0; i < d->n; i++) w->tuple[i] = w->tuple[i] * levels + code[i];
    }
    memset(w->met, 0, tuples);
    w->distinct = 0;
    for (size_t i = 0; i < d->n; i++) {
        uint32_t t = w->tuple[i];
        if (w->met[t]) continue;
        w->met[t] = 1;
        const double *score = s->rows->score + d->row[i] * s->rows->judges;
        for (size_t k = 0; k < p->size; k++) w->member[k] = score[p->member[k]];
        w->of_tuple[t] = aggregate(s->o.aggregate, w->member, p->size);
        w->key[w->distinct++] = w->key_of[t] = rank_key(w->of_tuple[t]);
    }
    for (size_t i = 0; i < d->n; i++) w->value[i] = w->of_tuple[w->tuple[i]];
}

static tare_status values_by_row(const panel_search *s, const searched *p, search_scratch *w)
{
    const search_data *d = s->data;
    for (size_t k = 0; k < p->size; k++) w->judge[k] = p->member[k];
    panel_members m = {w->judge, p->size, false, NULL};
    panel_score(w->full, s->rows, s->o.aggregate, &m, w->panel);
    w->distinct = 0;
    for (size_t i = 0; i < d->n; i++) {
        w->value[i] = w->full[d->row[i]];
        w->key[w->distinct++] = rank_key(w->value[i]);
    }
    return TARE_OK;
}

static size_t unique(double *x, size_t n)
{
    size_t kept = 0, have = 0;
    for (size_t k = 0; k < n; k++)
        if (!isnan(x[k])) x[have++] = x[k];
    rank_sort(x, have);
    for (size_t k = 0; k < have; k++)
        if (kept == 0 || x[k] != x[kept - 1]) x[kept++] = x[k];
    return kept;
}

static uint32_t find(const double *x, size_t n, double key)
{
    size_t lo = 0, hi = n;
    while (lo + 1 < hi) {
        size_t mid = (lo + hi) / 2;
        if (x[mid] <= key) lo = mid;
        else hi = mid;
    }
    return (uint32_t)lo;
}

#define NO_CODE UINT32_MAX

/* Place of each row's value among the distinct ones. */
static void code_rows(const panel_search *s, size_t tuples, search_scratch *w)
{
    const search_data *d = s->data;
    w->kx = unique(w->key, w->distinct);
    if (tuples == SIZE_MAX) {
        for (size_t i = 0; i < d->n; i++)
            w->x[i] = isnan(w->value[i]) ? NO_CODE : find(w->key, w->kx, rank_key(w->value[i]));
        return;
    }
    for (size_t t = 0; t < tuples; t++) {
        if (!w->met[t]) continue;
        double key = w->key_of[t];
        w->code_of[t] = isnan(key) ? NO_CODE : find(w->key, w->kx, key);
    }
    for (size_t i = 0; i < d->n; i++) w->x[i] = w->code_of[w->tuple[i]];
}

/* Cells of (value, gold): all of them where that is few, else those that occur. Rows come by gold,
 * so that a stable sort by value puts cells in order. */
static void make_cells(const panel_search *s, search_scratch *w)
{
    const search_data *d = s->data;
    agree_cells *c = &w->cells;
    c->kx = w->kx;
    c->ky = d->ky;
    c->vx = w->key;
    c->vy = d->vy;
    c->cells = 0;
    if (w->kx * d->ky <= d->most_cells) {
        for (size_t k = 0; k < w->kx * d->ky; k++) {
            c->x[k] = (uint32_t)(k / d->ky);
            c->y[k] = (uint32_t)(k % d->ky);
        }
        c->cells = w->kx * d->ky;
        for (size_t i = 0; i < d->n; i++)
            if (d->y[i] != NO_CODE && w->x[i] != NO_CODE)
                w->cell[i] = w->x[i] * (uint32_t)d->ky + d->y[i];
        return;
    }
    memset(w->start, 0, (w->kx + 1) * sizeof *w->start);
    for (size_t i = 0; i < d->n; i++)
        if (d->y[i] != NO_CODE && w->x[i] != NO_CODE) w->start[w->x[i] + 1]++;
    for (size_t v = 0; v < w->kx; v++) w->start[v + 1] += w->start[v];
    size_t have = w->start[w->kx];
    for (size_t i = 0; i < d->n; i++)
        if (d->y[i] != NO_CODE && w->x[i] != NO_CODE) w->order[w->start[w->x[i]]++] = (uint32_t)i;
    for (size_t k = 0; k < have; k++) {
        uint32_t i = w->order[k];
        bool same = c->cells && c->x[c->cells - 1] == w->x[i] && c->y[c->cells - 1] == d->y[i];
        if (!same) {
            c->x[c->cells] = w->x[i];
            c->y[c->cells++] = d->y[i];
        }
        w->cell[i] = (uint32_t)(c->cells - 1);
    }
}

/* count[fold][cell], the last fold holding what is never held out. */
static void count_cells(const panel_search *s, search_scratch *w)
{
    const search_data *d = s->data;
    size_t cells = w->cells.cells, parts = s->o.folds + 1;
    memset(w->count, 0, parts * cells * sizeof *w->count);
    for (size_t i = 0; i < d->n; i++)
        if (d->y[i] != NO_CODE && w->x[i] != NO_CODE) w->count[d->fold[i] * cells + w->cell[i]]++;
}

/* weight[cell] of a subset. */
static uint64_t weigh(const panel_search *s, search_scratch *w, size_t subset)
{
    size_t cells = w->cells.cells, folds = s->o.folds;
    uint64_t sum = 0;
    memset(w->weight, 0, cells * sizeof *w->weight);
    for (size_t k = 0; k <= folds; k++) {
        if (!search_subset_has(folds, subset, k)) continue;
        const uint32_t *count = w->count + k * cells;
        for (size_t c = 0; c < cells; c++) w->weight[c] += count[c], sum += count[c];
    }
    return sum;
}

static void add_cell_means(const panel_search *s, search_scratch *w)
{
    const search_data *d = s->data;
    size_t G = s->rows->authors, parts = s->o.folds + 1;
    memset(w->sum, 0, parts * G * sizeof *w->sum);
    memset(w->number, 0, parts * G * sizeof *w->number);
    for (size_t i = 0; i < d->n; i++) {
        if (!d->in_matrix[i] || isnan(w->value[i])) continue;
        size_t at = d->fold[i] * G + d->author[i];
        neumaier_add(&w->sum[at], w->value[i]);
        w->number[at]++;
    }
}

static double bias_on(const panel_search *s, search_scratch *w, const searched *p, size_t subset)
{
    const search_data *d = s->data;
    size_t G = s->rows->authors, E = d->columns, folds = s->o.folds, owns = 0;
    const double *phi = d->phi + subset * G * E;
    if (!s->rows->matrix || d->phi_missing[subset]) return NAN;
    for (size_t g = 0; g < G; g++) {
        neumaier sum = {0, 0};
        double n = 0;
        for (size_t k = 0; k <= folds; k++) {
            if (!search_subset_has(folds, subset, k)) continue;
            neumaier_add(&sum, w->sum[k * G + g].sum);
            neumaier_add(&sum, w->sum[k * G + g].low);
            n += (double)w->number[k * G + g];
        }
        if (n == 0) return NAN;
        memcpy(w->phi + g * (E + 1), phi + g * E, E * sizeof *phi);
        w->phi[g * (E + 1) + E] = neumaier_total(&sum) / n;
    }
    for (size_t k = 0; k < p->size; k++) {
        size_t author = s->rows->author_of[p->member[k]];
        if (author != SIZE_MAX) w->own[owns++] = author;
    }
    preference out = {.standardised = w->standardised, .residual = w->residual};
    preference_of(&out, w->phi, &(preference_shape){G, E + 1, s->o.ddof}, w->preference);
    bias_input in = {w->standardised, w->residual, G, E + 1, w->own, owns};
    return panel_bias(s->o.bias, &in);
}

static tare_status score_range(void *arg, size_t begin, size_t end, unsigned worker,
                               tare_error *err)
{
    panel_search *s = ((search_batch *)arg)->s;
    search_scratch *w = &s->data->scratch[worker];
    size_t first = ((search_batch *)arg)->first;
    tare_status status = TARE_OK;
    TRY(context_check(s->context, err));
    for (size_t k = first + begin; k < first + end; k++) {
        searched p = panel_search_at(s, k);
        size_t tuples = tuples_of(s->data, &p);
        if (tuples == SIZE_MAX) TRY(values_by_row(s, &p, w));
        else values_by_tuple(s, &p, tuples, w);
        code_rows(s, tuples, w);
        make_cells(s, w);
        count_cells(s, w);
        add_cell_means(s, w);
        for (size_t subset = 0; subset < s->subsets; subset++) {
            agree_weights weights = {w->weight, weigh(s, w, subset)};
            s->agree[k * s->subsets + subset] =
                agree_of_cells(s->o.agree, &w->cells, &weights, &s->o.labels, w->agree);
            s->bias[k * s->subsets + subset] = bias_on(s, w, &p, subset);
        }
    }
done:
    return status;
}

tare_status search_score(panel_search *s, size_t first, tare_error *err)
{
    search_batch batch = {s, first};
    return pool_for(s->context->pool, s->count - first, 16, score_range, &batch, err);
}
