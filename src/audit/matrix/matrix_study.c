#include "audit/matrix/matrix_study.h"

#include <math.h>
#include <string.h>

#include "audit/matrix/matrix_view.h"
#include "audit/matrix/matrix_words.h"
#include "base/error.h"
#include "stats/verdict.h"

#define MARGIN_SD 0.1

struct matrix_draws {
    infer_draws *draws;
    const char *const *ids;
    size_t clusters;
};

tare_status matrix_open(matrix_study *s, audit_result *out, tare_context *context,
                        const score_table *t, const matrix_options *options, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t *index = NULL;
    memset(s, 0, sizeof *s);
    s->out = out;
    s->context = context;
    s->m = &context->mem;
    s->o = *options;
    s->t = t;
    arena_init(&s->scratch, s->m);
    TRY(book_open(&s->book, out, context, &options->book, err));
    if (!t->cells_only) TRY(score_table_index(&index, &s->scratch, t, err));
    s->index = index;
    TRY(matrix_views_open(s, err));
done:
    return status;
}

void matrix_close(matrix_study *s)
{
    if (!s || !s->m) return;
    for (size_t i = 0; i < s->draws_count; i++) infer_draws_free(s->draws[i].draws);
    mem_free(s->m, s->draws);
    book_close(&s->book);
    arena_free(&s->scratch);
    memset(s, 0, sizeof *s);
}

entry_spec matrix_entry(const matrix_view *v, const char *family, const char *name,
                        const char *judge, const char *condition)
{
    return (entry_spec){.family = family, .name = name, .instrument = judge, .arm = v->setting,
                        .dim = v->dim, .condition = condition, .margin = NAN};
}

tare_status matrix_number(matrix_study *s, const matrix_view *v, const entry_spec *spec,
                          double value, tare_error *err)
{
    entry_spec x = *spec;
    inference inf = inference_none(isnan(value) ? REASON_DEGENERATE : "");
    inf.estimate = value;
    inf.n = v->items;
    inf.clusters = v->plan.clusters;
    x.descriptive = true;
    x.margin = NAN;
    if (!v->cells_only && !x.missing) x.missing = &v->counts;
    return book_add(&s->book, &x, &inf, NULL, err);
}

double matrix_margin(const matrix_view *v, size_t judge)
{
    return v->within_sd[judge] > 0 ? MARGIN_SD * v->within_sd[judge] : NAN;
}

const char *matrix_grid(matrix_study *s, const matrix_view *v, const char *grid)
{
    return v->label[0] ? arena_printf(&s->out->a, "%s (%s)", grid, v->label) : grid;
}

static bool same_ids(const struct matrix_draws *d, const char *const *ids, size_t clusters)
{
    if (d->clusters != clusters) return false;
    for (size_t i = 0; i < clusters; i++)
        if (strcmp(d->ids[i], ids[i]) != 0) return false;
    return true;
}

tare_status matrix_plan(infer_plan *plan, matrix_study *s, const char *const *ids, size_t clusters,
                        tare_error *err)
{
    tare_status status = TARE_OK;
    infer_draws *draws = NULL;
    *plan = book_plan(&s->book, "items", ids, clusters);
    for (size_t i = 0; i < s->draws_count; i++)
        if (same_ids(&s->draws[i], ids, clusters)) {
            plan->draws = s->draws[i].draws;
            return TARE_OK;
        }
    if (clusters == 0) return TARE_OK;
    if (!mem_reserve(s->m, &s->draws, &s->draws_capacity, s->draws_count + 1, sizeof *s->draws))
        FAIL_MEMORY(err);
    /* From 30 clusters on signs are flipped only where the user asks for it. */
    bool flips = clusters < 30 || strcmp(s->o.test, "signflip") == 0;
    TRY(flips ? infer_plan_prepare(&draws, plan, err)
              : infer_plan_prepare_weights(&draws, plan, err));
    s->draws[s->draws_count++] = (struct matrix_draws){draws, ids, clusters};
    plan->draws = draws;
done:
    return status;
}

tare_status matrix_run(matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(matrix_cells_run(s, err));
    TRY(matrix_self_run(s, err));
    TRY(matrix_identity_run(s, err));
    TRY(matrix_settings_run(s, err));
    TRY(matrix_blocks_run(s, err));
    TRY(matrix_regression_run(s, err));
    TRY(matrix_model_level_run(s, err));
    TRY(matrix_cell_entries_run(s, err));
    TRY(matrix_split_run(s, err));
    if (!s->t->cells_only) TRY(missing_rows_audit(&s->book, s->t, err));
    TRY(book_settle(&s->book, err));
    TRY(matrix_unjudge_cells(s, err));
    TRY(matrix_family_run(s, err));
    TRY(matrix_leave_out_run(s, err));
    TRY(matrix_tables_run(s, err));
    TRY(matrix_blocks_tables(s, err));
    TRY(matrix_regression_tables(s, err));
    TRY(matrix_figures_run(s, err));
    TRY(matrix_answer_run(s, err));
done:
    return status;
}
