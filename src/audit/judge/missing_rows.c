/* missing_rows.c - the missingness audit from its beginning to its end. */
#include "audit/judge/missing_rows.h"

#include <string.h>

#include "audit/judge/missing_study.h"
#include "base/error.h"

/* Places of rows by layer: those of layer l are at[start[l]] ... at[start[l + 1] - 1]. */
typedef struct layer_rows { size_t *start; uint32_t *at; } layer_rows;

static tare_status sort_rows(layer_rows *x, missing_counts *total, arena *a, const score_table *t,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    size_t *next;
    TRY_NEW(x->start = arena_new(a, t->layers + 1, sizeof *x->start));
    TRY_NEW(next = arena_new(a, t->layers + 1, sizeof *next));
    TRY_NEW(x->at = arena_new(a, t->rows, sizeof *x->at));
    for (size_t i = 0; i < t->rows; i++) {
        missing_add(total, (tare_reason)t->row_status[i]);
        x->start[t->row_layer[i] + 1]++;
    }
    for (size_t l = 0; l < t->layers; l++) next[l] = x->start[l + 1] += x->start[l];
    for (size_t i = t->rows; i > 0; i--)
        x->at[--next[t->row_layer[i - 1]]] = (uint32_t)(i - 1);
done:
    return status;
}

/* Judges with rows among these and no score. */
static tare_status find_silent(missing_study *s, const uint32_t *row, size_t rows, tare_error *err)
{
    tare_status status = TARE_OK;
    const score_table *t = s->t;
    bool *scores;
    TRY_NEW(s->silent = arena_new(s->a, t->judge.count, sizeof *s->silent));
    TRY_NEW(scores = arena_new(s->a, t->judge.count, sizeof *scores));
    for (size_t i = 0; i < rows; i++) {
        s->silent[t->row_judge[row[i]]] = true;
        if (t->row_status[row[i]] == TARE_R_NONE) scores[t->row_judge[row[i]]] = true;
    }
    for (size_t j = 0; j < t->judge.count; j++) s->silent[j] = s->silent[j] && !scores[j];
done:
    return status;
}

/* Rows by item, in the table's order within one; those of silent judges are left out. */
static tare_status make_view(missing_study *s, const uint32_t *row, size_t rows, tare_error *err)
{
    tare_status status = TARE_OK;
    const score_table *t = s->t;
    missing_view *v = &s->view;
    size_t *at;
    v->t = t;
    TRY_NEW(v->start = arena_new(s->a, t->item.count + 1, sizeof *v->start));
    TRY_NEW(at = arena_new(s->a, t->item.count, sizeof *at));
    for (size_t i = 0; i < rows; i++) {
        if (s->silent[t->row_judge[row[i]]]) continue;
        v->start[t->unit_item[t->row_unit[row[i]]] + 1]++;
        v->rows++;
    }
    for (size_t k = 0; k < t->item.count; k++) v->start[k + 1] += v->start[k];
    memcpy(at, v->start, t->item.count * sizeof *at);
    TRY_NEW(v->row = arena_new(s->a, v->rows + 1, sizeof *v->row));
    TRY_NEW(v->flag = arena_new(s->a, v->rows + 1, sizeof *v->flag));
    for (size_t i = 0; i < rows; i++) {
        if (s->silent[t->row_judge[row[i]]]) continue;
        size_t to = at[t->unit_item[t->row_unit[row[i]]]]++;
        v->row[to] = row[i];
        v->flag[to] = t->row_status[row[i]] != TARE_R_NONE;
        v->flags += v->flag[to];
    }
done:
    return status;
}

/* What we decided, beside the numbers that it shaped. */
static tare_status add_facts(missing_study *s, tare_error *err)
{
    static const char *const rows[][2] = {
        {"missing_rate, interval", "Wilson, rows taken for independent (ours)"},
        {"rate_spread, p", "missing rows move within items, or factors over clusters"},
        {"missing_informative", "q <= alpha and rates apart by 0.02 or more (ours)"},
        {"where", "within each setting and dim; a reading is capped by what misses there (ours)"},
        {"whose verdicts are capped", "all; if rates differ inside one judge alone, those of this "
                                      "judge and of the authors that it misses (ours)"},
        {"a judge without any score", "takes no part (ours)"},
        {"length", "tertiles over items and authors (ours)"},
    };
    tare_status status = TARE_OK;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        TRY(result_fact_add(s->b->out, "Missing scores", rows[k][0], rows[k][1], err));
done:
    return status;
}

/* The study of one layer, or of all of them. */
static tare_status open_study(missing_study *s, const layer_rows *x, tare_error *err)
{
    tare_status status = TARE_OK;
    const score_table *t = s->t;
    bool all = s->layer == MISSING_ALL_LAYERS;
    const uint32_t *row = all ? x->at : x->at + x->start[s->layer];
    size_t rows = all ? t->rows : x->start[s->layer + 1] - x->start[s->layer];
    s->setting = s->dim = "";
    if (!all && t->layers > 1) {
        s->setting = t->setting.name[t->layer[s->layer].setting];
        s->dim = t->dim.name[t->layer[s->layer].dim];
    }
    TRY(find_silent(s, row, rows, err));
    TRY(make_view(s, row, rows, err));
    if (s->view.flags == 0) goto done; /* nothing to explain beside the silent judges */
    factor_choice which = {all, !all || s->pooled};
    TRY(missing_factors_make(&s->factor, &s->factors, s->a, &s->view, which, err));
    TRY(missing_test_factors(s, err));
done:
    return status;
}

static tare_status audit_rows(missing_study *whole, tare_error *err)
{
    tare_status status = TARE_OK;
    const score_table *t = whole->t;
    layer_rows x;
    missing_counts total = {0};
    missing_study *s;
    size_t n = t->layers > 1 ? t->layers + 1 : 1;
    TRY(sort_rows(&x, &total, whole->a, t, err));
    whole->total = &total;
    TRY(missing_report_total(whole, err));
    if (missing_total(&total) == 0) goto done;
    TRY(add_facts(whole, err));
    TRY(missing_list_rows(whole, err));
    TRY(find_silent(whole, x.at, t->rows, err));
    TRY(missing_report_silent(whole, err));
    for (size_t k = 0; n > 1 && k < whole->b->count && !whole->pooled; k++)
        whole->pooled = missing_pools(whole, book_reading(whole->b, k));
    TRY_NEW(s = arena_new(whole->a, n, sizeof *s));
    for (size_t i = 0; i < n; i++) {
        s[i] = *whole;
        s[i].layer = i < t->layers ? i : MISSING_ALL_LAYERS;
        TRY(open_study(&s[i], &x, err));
    }
    TRY(missing_adjust(s, n, err));
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < s[i].factors; k++)
            TRY(missing_report_factor(&s[i], &s[i].factor[k], err));
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < s[i].factors; k++)
            if (s[i].factor[k].informative) TRY(missing_cap(&s[i], &s[i].factor[k], err));
done:
    return status;
}

tare_status missing_rows_audit(book *b, const score_table *t, tare_error *err)
{
    tare_status status = TARE_OK;
    arena scratch; /* labels of all rows: given back before the book is settled */
    missing_study s;
    arena_init(&scratch, b->m);
    memset(&s, 0, sizeof s);
    s.b = b;
    s.t = t;
    s.a = &scratch;
    s.layer = MISSING_ALL_LAYERS;
    s.setting = s.dim = "";
    if (t->rows == 0 || !t->row_status)
        TRY(result_fact_add(b->out, "Missing scores", "which rows lack a score",
                            "not known: the table has no single scores", err));
    else
        TRY(audit_rows(&s, err));
done:
    arena_free(&scratch);
    return status;
}
