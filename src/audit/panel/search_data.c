#include "audit/panel/search_data.h"

#include <math.h>
#include <string.h>

#include "audit/judge/preference.h"
#include "base/error.h"
#include "stats/rank.h"

/* Rows with a score of every candidate, by gold; at the end those without gold and those of the
 * matrix that miss a score: they have no part in agreement, but in the cell means of the panels
 * that score them, as they have in those of the judges. */
static tare_status pick_rows(panel_search *s, tare_error *err)
{
    tare_status status = TARE_OK;
    search_data *d = s->data;
    const panel_rows *r = s->rows;
    size_t *row, *start;
    double *gold;
    uint32_t *y;
    TRY_NEW(row = arena_new(&d->a, r->rows, sizeof *row));
    TRY_NEW(gold = arena_new(&d->a, r->rows, sizeof *gold));
    TRY_NEW(y = arena_new(&d->a, r->rows, sizeof *y));
    for (size_t i = 0; i < r->rows; i++) {
        bool complete = panel_row_complete(r, s->o.candidate, s->o.candidates, i);
        if (!complete && !r->in_matrix[i]) continue;
        row[d->n] = i;
        gold[d->n++] = complete ? r->gold[i] : NAN;
    }
    TRY(agree_code(&d->vy, &d->ky, y, &d->a, gold, d->n, err));
    TRY_NEW(start = arena_new(&d->a, d->ky + 2, sizeof *start));
    TRY_NEW(d->row = arena_new(&d->a, d->n, sizeof *d->row));
    TRY_NEW(d->y = arena_new(&d->a, d->n, sizeof *d->y));
    for (size_t i = 0; i < d->n; i++) {
        if (y[i] == UINT32_MAX) y[i] = (uint32_t)d->ky;
        else s->rows_used++;
        start[y[i] + 1]++;
    }
    for (size_t v = 0; v <= d->ky; v++) start[v + 1] += start[v];
    for (size_t i = 0; i < d->n; i++) {
        size_t at = start[y[i]]++;
        d->row[at] = row[i];
        d->y[at] = y[i] == d->ky ? UINT32_MAX : y[i];
    }
    if (s->rows_used < 2)
        FAIL(err, TARE_E_DATA, "search.rows", "",
             "%zu rows have a score of every candidate and a gold score: panels cannot be compared "
             "on common rows; leave out the judges that miss most (--candidates)",
             s->rows_used);
done:
    return status;
}

static tare_status describe_rows(panel_search *s, tare_error *err)
{
    tare_status status = TARE_OK;
    search_data *d = s->data;
    const panel_rows *r = s->rows;
    TRY_NEW(d->fold = arena_new(&d->a, d->n, sizeof *d->fold));
    TRY_NEW(d->author = arena_new(&d->a, d->n, sizeof *d->author));
    TRY_NEW(d->in_matrix = arena_new(&d->a, d->n, 1));
    for (size_t i = 0; i < d->n; i++) {
        uint32_t fold = s->o.folds ? s->o.fold[r->cluster[d->row[i]]] : FOLD_NONE;
        d->fold[i] = fold < s->o.folds ? fold : (uint32_t)s->o.folds;
        d->author[i] = r->t->unit_author[d->row[i]];
        d->in_matrix[i] = r->in_matrix[d->row[i]];
    }
done:
    return status;
}

static tare_status code_judges(panel_search *s, tare_error *err)
{
    tare_status status = TARE_OK;
    search_data *d = s->data;
    const panel_rows *r = s->rows;
    double *x, *values;
    uint32_t *order;
    d->coded = r->dims == 1;
    if (!d->coded) return TARE_OK;
    TRY_NEW(d->code = arena_new(&d->a, r->judges * d->n, 1));
    TRY_NEW(d->levels = arena_new(&d->a, r->judges, sizeof *d->levels));
    TRY_NEW(x = arena_new(&d->a, d->n, sizeof *x));
    TRY_NEW(order = arena_new(&d->a, d->n, sizeof *order));
    for (size_t k = 0; k < s->o.candidates; k++) {
        size_t j = s->o.candidate[k];
        for (size_t i = 0; i < d->n; i++) x[i] = r->score[d->row[i] * r->judges + j];
        size_t distinct;
        TRY(agree_code(&values, &distinct, order, &d->a, x, d->n, err));
        d->levels[j] = SEARCH_TUPLES + 1;
        if (distinct > SEARCH_LEVELS) continue;
        d->levels[j] = distinct + 1; /* the last: missing */
        for (size_t i = 0; i < d->n; i++)
            d->code[j * d->n + i] = (uint8_t)(order[i] == UINT32_MAX ? distinct : order[i]);
    }
done:
    return status;
}

/* Cell means of the usable judges on one subset. */
static void judge_means(const panel_search *s, double *phi, bool *missing, size_t subset,
                        neumaier *sum, size_t *n)
{
    const panel_rows *r = s->rows;
    size_t G = r->authors, E = s->data->columns, folds = s->o.folds;
    memset(sum, 0, G * E * sizeof *sum);
    memset(n, 0, G * E * sizeof *n);
    for (size_t i = 0; i < r->rows; i++) {
        uint32_t fold = folds ? s->o.fold[r->cluster[i]] : FOLD_NONE;
        if (!r->in_matrix[i]) continue;
        if (!search_subset_has(folds, subset, fold < folds ? fold : folds)) continue;
        for (size_t j = 0, e = 0; j < r->judges; j++) {
            if (!r->usable[j]) continue;
            double v = r->score[i * r->judges + j];
            size_t at = r->t->unit_author[i] * E + e++;
            if (isnan(v)) continue;
            neumaier_add(&sum[at], v);
            n[at]++;
        }
    }
    for (size_t k = 0; k < G * E; k++) {
        *missing = *missing || n[k] == 0;
        phi[k] = n[k] ? neumaier_total(&sum[k]) / (double)n[k] : NAN;
    }
}

static tare_status make_means(panel_search *s, tare_error *err)
{
    tare_status status = TARE_OK;
    search_data *d = s->data;
    size_t cells = s->rows->authors * s->rows->usable_count;
    neumaier *sum;
    size_t *n;
    d->columns = s->rows->usable_count;
    TRY_NEW(d->phi = arena_new(&d->a, s->subsets * cells, sizeof *d->phi));
    TRY_NEW(d->phi_missing = arena_new(&d->a, s->subsets, sizeof *d->phi_missing));
    TRY_NEW(sum = arena_new(&d->a, cells, sizeof *sum));
    TRY_NEW(n = arena_new(&d->a, cells, sizeof *n));
    for (size_t k = 0; k < s->subsets; k++)
        judge_means(s, d->phi + k * cells, &d->phi_missing[k], k, sum, n);
done:
    return status;
}

static tare_status new_rows(search_scratch *w, arena *a, const panel_search *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const search_data *d = s->data;
    size_t parts = s->o.folds + 1, most = s->o.most;
    TRY_NEW(w->tuple = arena_new(a, d->n, sizeof *w->tuple));
    TRY_NEW(w->x = arena_new(a, d->n, sizeof *w->x));
    TRY_NEW(w->cell = arena_new(a, d->n, sizeof *w->cell));
    TRY_NEW(w->order = arena_new(a, d->n, sizeof *w->order));
    TRY_NEW(w->value = arena_new(a, d->n, sizeof *w->value));
    TRY_NEW(w->key = arena_new(a, d->n + 1, sizeof *w->key));
    TRY_NEW(w->full = arena_new(a, s->rows->rows, sizeof *w->full));
    TRY_NEW(w->panel = arena_new(a, PANEL_SCRATCH(most, s->rows->dims), sizeof *w->panel));
    TRY_NEW(w->start = arena_new(a, d->n + 2, sizeof *w->start));
    TRY_NEW(w->cells.x = arena_new(a, d->most_cells, sizeof *w->cells.x));
    TRY_NEW(w->cells.y = arena_new(a, d->most_cells, sizeof *w->cells.y));
    TRY_NEW(w->count = arena_new(a, parts * d->most_cells, sizeof *w->count));
    TRY_NEW(w->weight = arena_new(a, d->most_cells, sizeof *w->weight));
done:
    return status;
}

static tare_status new_rest(search_scratch *w, arena *a, const panel_search *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const search_data *d = s->data;
    size_t G = s->rows->authors, wide = d->columns + 1, parts = s->o.folds + 1;
    size_t agree = agree_scratch_bytes(d->n + 1, d->ky, s->o.labels.count);
    if (d->coded) {
        TRY_NEW(w->met = arena_new(a, SEARCH_TUPLES, 1));
        TRY_NEW(w->of_tuple = arena_new(a, SEARCH_TUPLES, sizeof *w->of_tuple));
        TRY_NEW(w->key_of = arena_new(a, SEARCH_TUPLES, sizeof *w->key_of));
        TRY_NEW(w->code_of = arena_new(a, SEARCH_TUPLES, sizeof *w->code_of));
    }
    TRY_NEW(w->member = arena_new(a, s->o.most, sizeof *w->member));
    TRY_NEW(w->judge = arena_new(a, s->o.most, sizeof *w->judge));
    TRY_NEW(w->own = arena_new(a, s->o.most, sizeof *w->own));
    TRY_NEW(w->sum = arena_new(a, parts * G, sizeof *w->sum));
    TRY_NEW(w->number = arena_new(a, parts * G, sizeof *w->number));
    TRY_NEW(w->phi = arena_new(a, G * wide, sizeof *w->phi));
    TRY_NEW(w->standardised = arena_new(a, G * wide, sizeof *w->standardised));
    TRY_NEW(w->residual = arena_new(a, G * wide, sizeof *w->residual));
    TRY_NEW(w->preference = arena_new(a, PREFERENCE_SCRATCH(G, wide), sizeof *w->preference));
    TRY_NEW(w->agree = arena_new(a, agree, 1));
done:
    return status;
}

tare_status search_data_new(panel_search *s, tare_error *err)
{
    tare_status status = TARE_OK;
    search_data *d;
    unsigned threads = pool_threads(s->context->pool);
    TRY_NEW(d = s->data = mem_new(s->m, 1, sizeof *d));
    arena_init(&d->a, s->m);
    TRY(pick_rows(s, err));
    TRY(describe_rows(s, err));
    TRY(code_judges(s, err));
    TRY(make_means(s, err));
    d->most_cells = 8 * d->n + 64 < 65536 ? 8 * d->n + 64 : d->n > 65536 ? d->n : 65536;
    TRY_NEW(d->scratch = arena_new(&d->a, threads, sizeof *d->scratch));
    for (unsigned k = 0; k < threads; k++) {
        TRY(new_rows(&d->scratch[k], &d->a, s, err));
        TRY(new_rest(&d->scratch[k], &d->a, s, err));
    }
done:
    return status;
}

void search_data_free(panel_search *s)
{
    if (!s->data) return;
    arena_free(&s->data->a);
    mem_free(s->m, s->data);
    s->data = NULL;
}
