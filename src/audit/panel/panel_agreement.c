/* Agreement with gold of judges and panels, one bootstrap for all; panel against member on the rows
 * that both have (judge audits B.5, B.7). */
#include <math.h>
#include <string.h>

#include "audit/panel/panel_study.h"
#include "base/error.h"

/* Value `out` is the agreement of column a, or that of a minus that of b. */
typedef struct wanted_value {
    const agree_column *a, *b;
    size_t from_a, from_b;      /* an earlier output that is the same; SIZE_MAX: evaluate */
    inference *to;
    bool keep;
} wanted_value;

typedef struct agreement_job {
    panel_study *s;
    wanted_value *want;
    size_t count;
} agreement_job;

static double value_of(const agreement_job *job, const agree_column *c, const uint8_t *w,
                       void *scratch)
{
    return agree_of_column(job->s->o.agree, c, w, &job->s->labels, scratch);
}

static void evaluate(double *values, const uint8_t *w, const void *user, void *scratch)
{
    const agreement_job *job = user;
    for (size_t k = 0; k < job->count; k++) {
        const wanted_value *x = &job->want[k];
        double a = x->from_a != SIZE_MAX ? values[x->from_a] : value_of(job, x->a, w, scratch);
        if (x->b || x->from_b != SIZE_MAX)
            a -= x->from_b != SIZE_MAX ? values[x->from_b] : value_of(job, x->b, w, scratch);
        values[k] = a;
    }
}

static size_t add(agreement_job *job, const wanted_value *x)
{
    job->want[job->count] = *x;
    return job->count++;
}

static size_t add_column(agreement_job *job, const agree_column *c, inference *to)
{
    wanted_value x = {c, NULL, SIZE_MAX, SIZE_MAX, to, false};
    return add(job, &x);
}

static bool same_rows(const panel_rows *r, const double *x, const double *y)
{
    for (size_t i = 0; i < r->rows; i++)
        if (!isnan(r->gold[i]) && isnan(x[i]) != isnan(y[i])) return false;
    return true;
}

/* Agreement of x less that of y, which are outputs of_x and of_y where both have the same rows. */
typedef struct gap { const double *x, *y; size_t of_x, of_y; } gap;

static tare_status add_gap(agreement_job *job, const gap *g, inference *to, bool keep,
                           tare_error *err)
{
    tare_status status = TARE_OK;
    panel_study *s = job->s;
    wanted_value w = {NULL, NULL, g->of_x, g->of_y, to, keep};
    /* Other rows: both columns again, on those that both have. */
    if (!same_rows(&s->rows, g->x, g->y)) {
        agree_column *a, *b;
        TRY_NEW(a = arena_new(&s->scratch, 1, sizeof *a));
        TRY_NEW(b = arena_new(&s->scratch, 1, sizeof *b));
        TRY(agree_column_make(a, &s->scratch, g->x, g->y, &s->agree_rows, err));
        TRY(agree_column_make(b, &s->scratch, g->y, g->x, &s->agree_rows, err));
        w = (wanted_value){a, b, SIZE_MAX, SIZE_MAX, to, keep};
    }
    add(job, &w);
done:
    return status;
}

static tare_status list_values(agreement_job *job, tare_error *err)
{
    tare_status status = TARE_OK;
    panel_study *s = job->s;
    size_t *of_judge, most = s->rows.judges;
    double *judge;
    for (size_t k = 0; k < s->panels; k++) most += 3 + s->panel[k].count;
    TRY_NEW(job->want = arena_new(&s->scratch, most, sizeof *job->want));
    TRY_NEW(judge = arena_new(&s->scratch, s->rows.rows, sizeof *judge));
    TRY_NEW(of_judge = arena_new(&s->scratch, s->rows.judges, sizeof *of_judge));
    for (size_t j = 0; j < s->rows.judges; j++)
        if (s->rows.usable[j])
            of_judge[j] = add_column(job, &s->judge_column[j], &s->judge_agree[j]);
    for (size_t k = 0; k < s->panels; k++) {
        panel_result *p = &s->panel[k];
        size_t mine = add_column(job, &p->column, &p->agree);
        if (p->lso_score) {
            size_t lso = add_column(job, &p->lso_column, &p->lso_agree);
            gap g = {p->lso_score, p->score, lso, mine};
            TRY(add_gap(job, &g, &p->lso_gap, false, err));
        }
        for (size_t i = 0; i < p->count; i++) {
            size_t j = p->judge[i];
            for (size_t row = 0; row < s->rows.rows; row++)
                judge[row] = s->rows.raw[row * s->rows.judges + j];
            gap g = {p->score, judge, mine, of_judge[j]};
            TRY(add_gap(job, &g, &p->member[i].agree_gap, true, err));
        }
    }
done:
    return status;
}

static size_t scratch_bytes(const agreement_job *job)
{
    size_t most = 0;
    for (size_t k = 0; k < job->count; k++) {
        const wanted_value *x = &job->want[k];
        size_t a = x->a ? agree_column_scratch(x->a, job->s->labels.count) : 0;
        size_t b = x->b ? agree_column_scratch(x->b, job->s->labels.count) : 0;
        most = a > most ? a : most;
        most = b > most ? b : most;
    }
    return most;
}

static tare_status judge_columns(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const panel_rows *r = &s->rows;
    double *x;
    TRY_NEW(s->judge_column = arena_new(&s->scratch, r->judges, sizeof *s->judge_column));
    TRY_NEW(s->judge_agree = arena_new(&s->scratch, r->judges, sizeof *s->judge_agree));
    TRY_NEW(x = arena_new(&s->scratch, r->rows, sizeof *x));
    for (size_t j = 0; j < r->judges; j++) {
        for (size_t i = 0; i < r->rows; i++) x[i] = r->raw[i * r->judges + j];
        TRY(agree_column_make(&s->judge_column[j], &s->scratch, x, NULL, &s->agree_rows, err));
    }
done:
    return status;
}

tare_status panel_agreement_run(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    agreement_job job = {.s = s};
    arena a;
    inference *inf;
    arena_init(&a, s->m);
    TRY(judge_columns(s, err));
    TRY(list_values(&job, err));
    TRY_NEW(inf = arena_new(&a, job.count, sizeof *inf));
    infer_weighted what = {.evaluate = evaluate, .user = &job, .outputs = job.count,
                           .scratch_bytes = scratch_bytes(&job), .n = s->rows.with_gold};
    TRY(infer_weights(inf, &s->plan, &what, &a, err));
    for (size_t k = 0; k < job.count; k++) {
        inference *to = job.want[k].to;
        const double *from = inf[k].replicates;
        *to = inf[k];
        to->replicates = to->influence = NULL;
        if (!job.want[k].keep || !from) continue;
        TRY_NEW(to->replicates = arena_new(&s->book->scratch, s->plan.boot_b, sizeof *from));
        memcpy(to->replicates, from, s->plan.boot_b * sizeof *from);
    }
done:
    arena_free(&a);
    return status;
}
