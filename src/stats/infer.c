#include "stats/infer.h"

#include <math.h>

#include "base/error.h"
#include "stats/draws.h"
#include "stats/infer_case.h"
#include "stats/interval.h"

/* ---- Draws ----------------------------------------------------------------------------------- */

typedef struct drawing { resample_kind kind; bool keep; } drawing;

static tare_status draw(resample_draws *d, const infer_plan *plan, const uint64_t *h64,
                        drawing what, tare_error *err)
{
    tare_status status = TARE_OK;
    bool boot = what.kind == RESAMPLE_MULTINOMIAL;
    *d = (resample_draws){.m = plan->m, .pool = plan->pool, .kind = what.kind, .h64 = h64,
                          .clusters = plan->clusters,
                          .replicates = boot ? plan->boot_b : plan->perm_p};
    TRY(draws_key(&d->key, plan->seed, plan->analysis, boot ? "boot" : "flip", plan->m, err));
    if (what.keep) TRY(resample_keep(d, err));
done:
    return status;
}

static tare_status prepare(infer_draws **out, const infer_plan *plan, bool flips, tare_error *err)
{
    tare_status status = TARE_OK;
    infer_draws *d = NULL;
    *out = NULL;
    if (plan->clusters == 0 || plan->clusters > UINT32_MAX || plan->boot_b == 0 ||
        plan->perm_p == 0)
        FAIL(err, TARE_E_USAGE, "infer.plan", NULL,
             "%zu clusters, %u bootstrap and %u permutation replicates: each must be positive",
             plan->clusters, plan->boot_b, plan->perm_p);
    TRY_NEW(d = mem_new(plan->m, 1, sizeof *d));
    d->m = plan->m;
    TRY_NEW(d->h64 = mem_new(plan->m, plan->clusters, sizeof *d->h64));
    draws_hash(d->h64, plan->ids, plan->clusters);
    TRY(draw(&d->boot, plan, d->h64, (drawing){RESAMPLE_MULTINOMIAL, true}, err));
    TRY(draw(&d->flip, plan, d->h64, (drawing){RESAMPLE_SIGNS, flips}, err));
    *out = d;
    d = NULL;
done:
    infer_draws_free(d);
    return status;
}

tare_status infer_plan_prepare(infer_draws **out, const infer_plan *plan, tare_error *err)
{
    return prepare(out, plan, true, err);
}

tare_status infer_plan_prepare_weights(infer_draws **out, const infer_plan *plan, tare_error *err)
{
    return prepare(out, plan, false, err);
}

void infer_draws_free(infer_draws *d)
{
    if (!d) return;
    mem_free(d->m, d->boot.kept);
    mem_free(d->m, d->flip.kept);
    mem_free(d->m, d->h64);
    mem_free(d->m, d);
}

tare_status infer_draws_of(const infer_draws **out, infer_draws **own, const infer_plan *plan,
                           bool flips, tare_error *err)
{
    tare_status status = TARE_OK;
    *own = NULL;
    *out = plan->draws;
    if (!*out) {
        TRY(prepare(own, plan, flips, err));
        *out = *own;
    }
    if ((*out)->boot.clusters != plan->clusters || (*out)->boot.replicates != plan->boot_b)
        FAIL(err, TARE_E_USAGE, "infer.draws", NULL, "the draws were prepared for another plan");
done:
    return status;
}

/* ---- Differences ----------------------------------------------------------------------------- */

static const char *reason_of_two(const inference *a, const inference *b)
{
    return a->reason[0] != '\0' ? a->reason : b->reason;
}

/* Influences of a difference on one set of clusters. Returns the clusters that have data in either;
 * a cluster without data for one side does not influence that side. */
static size_t subtract_influence(double *out, const inference *a, const inference *b, size_t m)
{
    size_t clusters = 0;
    for (size_t c = 0; c < m; c++) {
        double la = a->influence[c], lb = b->influence[c];
        out[c] = isnan(la) && isnan(lb) ? NAN : (isnan(la) ? 0 : la) - (isnan(lb) ? 0 : lb);
        clusters += !isnan(out[c]);
    }
    return clusters;
}

static void difference_paired(infer_case *c, double *influence, const inference *a,
                              const inference *b, const infer_plan *plan)
{
    c->clusters = subtract_influence(influence, a, b, plan->clusters);
    c->influence = influence;
    c->influences = plan->clusters;
    c->shape = infer_shape_of(influence, plan->clusters);
    c->se = infer_jackknife_se(&c->shape);
    c->df = c->df_boot = (double)c->clusters - 1;
    c->t_name = "jackknife t";
    c->scale = c->shape.absolute;
    /* Influences are differences of estimates times M: that is their rounding. */
    c->equal = c->se <= 1e-12 * fmax(fabs(a->estimate), fabs(b->estimate));
    c->n = a->n < b->n ? a->n : b->n;
}

static void difference_independent(infer_case *c, const inference *a, const inference *b)
{
    double va = a->se * a->se, vb = b->se * b->se;
    c->clusters = a->clusters < b->clusters ? a->clusters : b->clusters;
    c->se = sqrt(va + vb);
    c->df = (va + vb) * (va + vb) / (va * va / a->df + vb * vb / b->df);
    c->df_boot = c->df;
    c->t_name = "Welch t";
    c->scale = fmax(c->se * sqrt((double)c->clusters), 0);
    c->equal = c->se == 0;
    if (c->equal) c->df_boot = (double)c->clusters - 1;
    c->n = a->n + b->n;
}

tare_status infer_difference(inference *out, const inference *a, const inference *b,
                             const infer_plan *plan, bool paired, arena *keep, tare_error *err)
{
    tare_status status = TARE_OK;
    infer_case c = INFER_CASE_INIT;
    double *replicates = NULL, *influence = NULL, *scratch = NULL;
    arena temporary, *into = keep ? keep : &temporary;
    arena_init(&temporary, plan->m);
    if (!a->replicates || !b->replicates || (paired && (!a->influence || !b->influence)))
        FAIL(err, TARE_E_USAGE, "infer.replicates", NULL,
             "a difference needs the replicates of both sides");
    TRY_NEW(replicates = arena_new(into, plan->boot_b, sizeof *replicates));
    TRY_NEW(scratch = arena_new(&temporary, infer_scratch(plan), sizeof *scratch));
    for (size_t r = 0; r < plan->boot_b; r++) replicates[r] = a->replicates[r] - b->replicates[r];
    c.estimate = a->estimate - b->estimate;
    c.replicates = replicates;
    c.reason = reason_of_two(a, b);
    if (paired) {
        TRY_NEW(influence = arena_new(into, plan->clusters, sizeof *influence));
        difference_paired(&c, influence, a, b, plan);
    } else {
        difference_independent(&c, a, b);
    }
    infer_conclude(out, plan, &c, scratch);
    if (!paired) {
        out->under_cover = a->under_cover || b->under_cover;
        out->clusters = a->clusters + b->clusters;
    }
    if (keep) {
        out->replicates = replicates;
        out->influence = influence;
    }
done:
    arena_free(&temporary);
    return status;
}
