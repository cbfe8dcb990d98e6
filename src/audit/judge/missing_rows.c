/* missing_rows.c - the missingness audit from its beginning to its end. */
#include "audit/judge/missing_rows.h"

#include <string.h>

#include "audit/judge/missing_study.h"
#include "base/error.h"

static tare_status count_rows(missing_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const score_table *t = s->t;
    TRY_NEW(s->used = arena_new(s->a, t->judge.count, sizeof *s->used));
    TRY_NEW(s->all = arena_new(s->a, t->judge.count, sizeof *s->all));
    TRY_NEW(s->silent = arena_new(s->a, t->judge.count, sizeof *s->silent));
    for (size_t i = 0; i < t->rows; i++) {
        missing_add(&s->total, (tare_reason)t->row_status[i]);
        s->all[t->row_judge[i]]++;
        s->used[t->row_judge[i]] += t->row_status[i] == TARE_R_NONE;
    }
    for (size_t j = 0; j < t->judge.count; j++) s->silent[j] = s->all[j] && !s->used[j];
done:
    return status;
}

/* Rows by item, in the table's order within one; those of silent judges are left out. */
static tare_status make_view(missing_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const score_table *t = s->t;
    missing_view *v = &s->view;
    size_t *at;
    v->t = t;
    TRY_NEW(v->start = arena_new(s->a, t->item.count + 1, sizeof *v->start));
    TRY_NEW(at = arena_new(s->a, t->item.count, sizeof *at));
    for (size_t i = 0; i < t->rows; i++) {
        if (s->silent[t->row_judge[i]]) continue;
        v->start[t->unit_item[t->row_unit[i]] + 1]++;
        v->rows++;
    }
    for (size_t k = 0; k < t->item.count; k++) v->start[k + 1] += v->start[k];
    memcpy(at, v->start, t->item.count * sizeof *at);
    TRY_NEW(v->row = arena_new(s->a, v->rows, sizeof *v->row));
    TRY_NEW(v->flag = arena_new(s->a, v->rows, sizeof *v->flag));
    for (size_t i = 0; i < t->rows; i++) {
        if (s->silent[t->row_judge[i]]) continue;
        size_t to = at[t->unit_item[t->row_unit[i]]]++;
        v->row[to] = (uint32_t)i;
        v->flag[to] = t->row_status[i] != TARE_R_NONE;
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
        {"whose verdicts are capped", "all, or one judge's if rates differ inside it alone (ours)"},
        {"a judge without any score", "takes no part (ours)"},
        {"length", "tertiles over items and authors (ours)"},
    };
    tare_status status = TARE_OK;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        TRY(result_fact_add(s->b->out, "Missing scores", rows[k][0], rows[k][1], err));
done:
    return status;
}

static tare_status audit_rows(missing_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(count_rows(s, err));
    TRY(missing_report_total(s, err));
    if (missing_total(&s->total) == 0) goto done;
    TRY(add_facts(s, err));
    TRY(missing_list_rows(s, err));
    TRY(missing_report_silent(s, err));
    TRY(make_view(s, err));
    if (s->view.flags == 0) goto done; /* nothing to explain beside the silent judges */
    TRY(missing_factors_make(&s->factor, &s->factors, s->a, &s->view, err));
    TRY(missing_test_factors(s, err));
    for (size_t k = 0; k < s->factors; k++) TRY(missing_report_factor(s, &s->factor[k], err));
    for (size_t k = 0; k < s->factors; k++)
        if (s->factor[k].informative) TRY(missing_cap(s, &s->factor[k], err));
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
    if (t->rows == 0 || !t->row_status)
        TRY(result_fact_add(b->out, "Missing scores", "which rows lack a score",
                            "not known: the table has no single scores", err));
    else
        TRY(audit_rows(&s, err));
done:
    arena_free(&scratch);
    return status;
}
