/* One layer of the table: rows, labels, panels, search; then every family of readings. */
#include <math.h>
#include <string.h>

#include "audit/job.h"
#include "audit/panel/panel_study.h"
#include "base/error.h"
#include "stats/moments.h"
#include "stats/rank.h"

/* Labels that scores are compared as: all values of gold and of the judges. */
static tare_status find_labels(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const panel_rows *r = &s->rows;
    double *all, *values;
    size_t count, n = r->rows * (r->judges + 1);
    s->labels = (agree_labels){NULL, 0, s->o.aggregate.ties};
    if (s->o.agree != AGREE_ACCURACY && s->o.agree != AGREE_KAPPA) return TARE_OK;
    TRY_NEW(all = arena_new(&s->scratch, n, sizeof *all));
    memcpy(all, r->raw, r->rows * r->judges * sizeof *all);
    memcpy(all + r->rows * r->judges, r->gold, r->rows * sizeof *all);
    TRY(agree_code(&values, &count, NULL, &s->scratch, all, n, err));
    if (count > AGREE_LABELS_MAX)
        FAIL(err, TARE_E_DATA, "panel.labels", "--agree",
             "%s compares labels, and the scores have %zu values (at most %d): use tau_b, pearson "
             "or spearman",
             s->o.agree_name, count, AGREE_LABELS_MAX);
    s->labels.value = values;
    s->labels.count = count;
done:
    return status;
}

/* SD over items within authors, pooled: the yardstick of margins of D (A.8). */
static tare_status find_yardstick(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const panel_rows *r = &s->rows;
    neumaier *sum;
    size_t *n;
    TRY_NEW(s->within_sd = arena_new(&s->scratch, r->judges, sizeof *s->within_sd));
    TRY_NEW(sum = arena_new(&s->scratch, r->authors, sizeof *sum));
    TRY_NEW(n = arena_new(&s->scratch, r->authors, sizeof *n));
    for (size_t j = 0; j < r->judges; j++) {
        neumaier square = {0, 0};
        double df = 0;
        memset(sum, 0, r->authors * sizeof *sum);
        memset(n, 0, r->authors * sizeof *n);
        for (size_t i = 0; i < r->rows; i++) {
            double v = r->score[i * r->judges + j];
            if (!r->in_matrix[i] || isnan(v)) continue;
            neumaier_add(&sum[r->t->unit_author[i]], v);
            n[r->t->unit_author[i]]++;
        }
        for (size_t i = 0; i < r->rows; i++) {
            double v = r->score[i * r->judges + j];
            uint32_t g = r->t->unit_author[i];
            if (!r->in_matrix[i] || isnan(v)) continue;
            double d = v - neumaier_total(&sum[g]) / (double)n[g];
            neumaier_add(&square, d * d);
        }
        for (size_t g = 0; g < r->authors; g++) df += n[g] ? (double)n[g] - 1 : 0;
        s->within_sd[j] = df > 0 ? sqrt(neumaier_total(&square) / df) : NAN;
    }
done:
    return status;
}

/* Without judges that write there is no preference for the own model: all authors stand in. */
static void choose_bias(panel_study *s)
{
    bool writes = false;
    for (size_t k = 0; k < s->candidates; k++)
        writes = writes || s->rows.author_of[s->candidate[k]] != SIZE_MAX;
    if (writes || s->o.bias == BIAS_RMS || !s->rows.matrix) return;
    s->o.bias = BIAS_RMS;
    s->o.bias_name = "rms";
}

static tare_status open_plan(panel_study *s, tare_error *err)
{
    const score_table *t = s->t;
    s->plan = book_plan(s->book, "items", t->cluster.name, t->cluster.count);
    tare_status status = infer_plan_prepare(&s->draws, &s->plan, err);
    s->plan.draws = s->draws;
    return status;
}

tare_status panel_open(panel_study *s, const tare_job *job, tare_error *err)
{
    tare_status status = TARE_OK;
    const score_layer *l = &s->t->layer[s->layer];
    arena_init(&s->scratch, s->m);
    s->setting = s->t->setting.count > 1 ? s->t->setting.name[l->setting] : "";
    s->dim = s->t->dim.count > 1 ? s->t->dim.name[l->dim] : "";
    TRY(panel_rows_make(&s->rows, &s->scratch, s->t, s->layer, &s->o.aggregate, s->o.available,
                        err));
    s->agree_rows = (agree_rows){s->rows.gold, s->rows.cluster, s->rows.rows};
    TRY(find_labels(s, err));
    TRY(find_yardstick(s, err));
    TRY(panel_list_read(s, job, err));
    choose_bias(s);
    TRY(open_plan(s, err));
    TRY(panel_search_and_fit(s, err));
    TRY(panel_effects(s, err));
    TRY(panel_scores_make(s, err));
    TRY(context_check(s->context, err));
    TRY(panel_matrix_run(s, err));
    TRY(context_check(s->context, err));
    TRY(panel_agreement_run(s, err));
    TRY(panel_without_member(s, err));
    TRY(context_check(s->context, err));
    TRY(panel_votes_run(s, err));
    TRY(panel_crossfit_infer(s, err));
    TRY(panel_crossfit_bias(s, err));
    TRY(panel_enter(s, err));
done:
    return status;
}

void panel_close(panel_study *s)
{
    if (!s || !s->m) return;
    panel_search_free(&s->search);
    infer_draws_free(s->draws);
    arena_free(&s->scratch);
    memset(s, 0, sizeof *s);
}
