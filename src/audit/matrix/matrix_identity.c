/* Are self cells larger than chance would have it, over models (judge audits A.5)? The sign test
 * counts positive ones; the identity permutation asks whether it matters who is who. Models whose
 * judge gives every author the same mean are left out of both: it prefers none (ours). */
#include <math.h>

#include "audit/matrix/matrix_study.h"
#include "base/error.h"
#include "stats/draws.h"
#include "stats/identity.h"
#include "stats/proportion.h"
#include "stats/verdict.h"

#define ALL_JUDGES "" /* the report names them */
#define MODELS_LEAST 5 /* below: descriptive */

static bool lives(const matrix_view *v, size_t k)
{
    return !v->constant[v->self[k].judge];
}

/* The paper counts positive Phi~; R counts score units, and can differ. */
static tare_status enter_sign_test(matrix_study *s, const matrix_view *v, const char *what,
                                   const double *values, tare_error *err)
{
    uint64_t positive = 0;
    size_t models = 0;
    for (size_t k = 0; k < v->K; k++) {
        if (!lives(v, k)) continue;
        models++;
        positive += values[v->self[k].author * v->E + v->self[k].judge] > 0;
    }
    inference inf = inference_none(models ? "" : REASON_DEGENERATE);
    inf.estimate = (double)positive;
    inf.p = models ? binomial_upper(positive, models, 0.5) : NAN;
    inf.p_method = "exact sign test, one-sided";
    inf.n = inf.clusters = models;
    entry_spec spec = matrix_entry(v, "identity", "positive_self_cells", ALL_JUDGES, what);
    spec.unit = "models";
    spec.descriptive = true;
    spec.extra = "cells share judges and rows sum to zero";
    return book_add(&s->book, &spec, &inf, NULL, err);
}

static inference as_inference(const identity_result *x, bool two_sided, size_t models)
{
    inference inf = inference_none(isnan(x->p_one) ? REASON_DEGENERATE : "");
    inf.estimate = two_sided ? x->statistic - x->mean : x->statistic;
    inf.p = two_sided ? x->p_two : x->p_one;
    inf.p_floor = x->p_floor;
    inf.p_method = x->exact ? "exact identity permutation" : "identity permutation";
    inf.n = inf.clusters = models;
    return inf;
}

static tare_status enter_permutation(matrix_study *s, const matrix_view *v, const char *what,
                                     const identity_result *x, size_t models, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *grid;
    entry_spec spec = matrix_entry(v, "identity", what, ALL_JUDGES, "one-sided");
    TRY_NEW(grid = matrix_grid(s, v, "identity"));
    spec.grid = grid;
    spec.unit = what[9] == 'R' ? "score" : "SD over authors";
    spec.descriptive = models < MODELS_LEAST || v->cells_only;
    spec.extra = models < MODELS_LEAST ? "no population-level answer: too few models" : "";
    spec.plus = "models favour their own texts more than chance would have it";
    spec.minus = "models disfavour their own texts more than chance would have it";
    inference inf = as_inference(x, false, models);
    TRY(book_add(&s->book, &spec, &inf, NULL, err));
    spec.condition = "two-sided";
    spec.descriptive = true; /* one question, one verdict */
    inf = as_inference(x, true, models);
    TRY(book_add(&s->book, &spec, &inf, NULL, err));
done:
    return status;
}

static tare_status permute_view(matrix_study *s, matrix_view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t K = 0, *model = NULL; /* those that live */
    double *r = NULL;
    identity_result out[2];
    identity_plan plan = {.m = s->m, .draws = s->o.book.perm_p};
    TRY(enter_sign_test(s, v, "Phi~", v->phi2, err));
    TRY(enter_sign_test(s, v, "R", v->r, err));
    if (v->K < 2) goto done;
    TRY_NEW(model = mem_new(s->m, v->K, sizeof *model));
    for (size_t k = 0; k < v->K; k++)
        if (lives(v, k)) model[K++] = k;
    for (size_t n = 0; n < 2; n++) /* degenerate */
        out[n] = (identity_result){.statistic = NAN, .mean = NAN, .p_one = NAN, .p_two = NAN,
                                   .p_floor = NAN};
    TRY(draws_key(&plan.key, s->o.book.seed, "items", "perm", s->m, err));
    TRY_NEW(r = mem_new(s->m, 2 * K * K + 1, sizeof *r));
    for (size_t a = 0; a < K; a++)
        for (size_t j = 0; j < K; j++) {
            size_t cell = v->self[model[a]].author * v->E + v->self[model[j]].judge;
            r[a * K + j] = v->r[cell];
            r[K * K + a * K + j] = v->z[cell];
        }
    if (K >= 2) TRY(identity_permutation(out, r, K, 2, &plan, err));
    TRY(enter_permutation(s, v, "identity_R", &out[0], K, err));
    TRY(enter_permutation(s, v, "identity_Z", &out[1], K, err));
done:
    mem_free(s->m, model);
    mem_free(s->m, r);
    return status;
}

tare_status matrix_identity_run(matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t i = 0; i < s->views; i++) {
        matrix_view *v = &s->view[i];
        if (v->reason[0] || v->K == 0 || s->o.available) continue;
        TRY(permute_view(s, v, err));
    }
done:
    return status;
}
