/* infer_weights.c - statistics that are computed again for each set of cluster weights. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "stats/infer_case.h"
#include "stats/interval.h"
#include "stats/moments.h"
#include "stats/verdict.h"

typedef struct worker_place {
    double *values;  /* [outputs]; of all lanes      */
    double *defined; /* [infer_scratch]: conclusions */
    uint8_t *w;      /* [M]; of all lanes            */
    uint8_t *lanes;  /* [M][INFER_LANES]             */
    void *scratch;   /* the caller's                 */
} worker_place;

typedef struct weights_job {
    const infer_plan *plan;
    const infer_weighted *what;
    const resample_draws *draws;
    size_t m;
    double *estimate;    /* [outputs]                */
    double **replicates; /* [outputs] of [B]         */
    double *influence;   /* [outputs][M]; NULL: none */
    worker_place *places;
    inference *out;
} weights_job;

/* ---- Evaluations ----------------------------------------------------------------------------- */

static void evaluate(const weights_job *job, const worker_place *at, const uint8_t *w)
{
    job->what->evaluate(at->values, w, job->what->user, at->scratch);
}

/* Weights of `count` replicates, one after the other. */
static tare_status weights_of(const uint8_t **out, const weights_job *job, const worker_place *at,
                              size_t first, size_t count, tare_error *err)
{
    tare_status status = TARE_OK;
    *out = job->draws->kept ? job->draws->kept + first * job->m : at->w;
    for (size_t k = 0; k < count && !job->draws->kept; k++)
        TRY(resample_weights(at->w + k * job->m, job->draws, (uint32_t)(first + k), err));
done:
    return status;
}

static tare_status replicate_lanes(const weights_job *job, const worker_place *at, size_t first,
                                   tare_error *err)
{
    size_t outputs = job->what->outputs;
    const uint8_t *w;
    tare_status status = weights_of(&w, job, at, first, INFER_LANES, err);
    if (status) return status;
    for (size_t c = 0; c < job->m; c++)
        for (size_t k = 0; k < INFER_LANES; k++)
            at->lanes[c * INFER_LANES + k] = w[k * job->m + c];
    job->what->evaluate_lanes(at->values, at->lanes, w, job->what->user, at->scratch);
    for (size_t k = 0; k < INFER_LANES; k++)
        for (size_t j = 0; j < outputs; j++)
            job->replicates[j][first + k] = at->values[k * outputs + j];
    return TARE_OK;
}

static tare_status replicate_range(void *arg, size_t begin, size_t end, unsigned worker,
                                   tare_error *err)
{
    const weights_job *job = arg;
    const worker_place *at = &job->places[worker];
    tare_status status = TARE_OK;
    size_t r = begin;
    for (; job->what->evaluate_lanes && end - r >= INFER_LANES; r += INFER_LANES)
        TRY(replicate_lanes(job, at, r, err));
    for (; r < end; r++) {
        const uint8_t *w;
        TRY(weights_of(&w, job, at, r, 1, err));
        evaluate(job, at, w);
        for (size_t k = 0; k < job->what->outputs; k++) job->replicates[k][r] = at->values[k];
    }
done:
    return status;
}

static bool has_data(const weights_job *job, size_t output, size_t c)
{
    return !job->what->data || job->what->data[output * job->m + c];
}

static size_t clusters_of(const weights_job *job, size_t output)
{
    size_t count = 0;
    for (size_t c = 0; c < job->m; c++) count += has_data(job, output, c);
    return count;
}

/* Values without each cluster; L_c = (M-1)(theta - theta_(-c)) is made of them later. */
static tare_status leave_out_range(void *arg, size_t begin, size_t end, unsigned worker,
                                   tare_error *err)
{
    const weights_job *job = arg;
    const worker_place *at = &job->places[worker];
    (void)err;
    memset(at->w, 1, job->m);
    for (size_t c = begin; c < end; c++) {
        at->w[c] = 0;
        evaluate(job, at, at->w);
        at->w[c] = 1;
        for (size_t k = 0; k < job->what->outputs; k++)
            job->influence[k * job->m + c] = at->values[k];
    }
    return TARE_OK;
}

/* ---- Conclusions ----------------------------------------------------------------------------- */

/* SD of the replicates, and whether all of them are the estimate but for rounding. */
static double spread_of(const double *replicates, size_t b, double estimate, double *defined,
                        bool *still)
{
    size_t n = boot_defined(defined, replicates, b);
    *still = n > 0;
    for (size_t i = 0; i < n; i++)
        *still = *still && fabs(defined[i] - estimate) <= 1e-10 * fabs(estimate);
    return n < 2 ? NAN : moments_sd(defined, n, 1);
}

static void conclude_output(const weights_job *job, size_t k, double *defined)
{
    infer_case c = INFER_CASE_INIT;
    bool still;
    c.estimate = job->estimate[k];
    c.n = job->what->n;
    c.clusters = clusters_of(job, k);
    c.df = c.df_boot = (double)c.clusters - 1;
    c.t_name = "jackknife t";
    c.replicates = job->replicates[k];
    double sd = spread_of(c.replicates, job->plan->boot_b, c.estimate, defined, &still);
    if (job->influence) {
        double *influence = job->influence + k * job->m;
        for (size_t i = 0; i < job->m; i++)
            influence[i] = has_data(job, k, i) ? c.df * (c.estimate - influence[i]) : NAN;
        c.influence = influence;
        c.influences = job->m;
        c.shape = infer_shape_of(influence, job->m);
        c.scale = c.shape.absolute;
        c.se = infer_jackknife_se(&c.shape);
        /* Influences are differences of estimates times M: that is their rounding. */
        bool flat = c.shape.used == c.clusters && c.se <= 1e-12 * fabs(c.estimate);
        if (c.shape.used != c.clusters) c.se = NAN; /* undefined without some cluster */
        c.equal = flat && still;
        if (flat && !still) {
            c.se = sd;
            c.t_name = "bootstrap SE, t";
        }
    } else {
        c.scale = isnan(sd) ? 0 : sd * sqrt((double)c.clusters);
        c.equal = still;
    }
    if (!isfinite(c.estimate)) c.reason = REASON_DEGENERATE;
    infer_conclude(&job->out[k], job->plan, &c, defined);
}

static tare_status conclude_range(void *arg, size_t begin, size_t end, unsigned worker,
                                  tare_error *err)
{
    const weights_job *job = arg;
    (void)err;
    for (size_t k = begin; k < end; k++) conclude_output(job, k, job->places[worker].defined);
    return TARE_OK;
}

/* ---- Around ---------------------------------------------------------------------------------- */

static bool wants_influence(const weights_job *job)
{
    const infer_plan *plan = job->plan;
    if (job->what->jackknife || plan->interval == CI_BCA || plan->interval == CI_T) return true;
    for (size_t k = 0; k < job->what->outputs && plan->interval == CI_AUTO; k++)
        if (clusters_of(job, k) < INFER_CLUSTERS_BOOT) return true;
    return job->m < INFER_CLUSTERS_BOOT;
}

static tare_status make_places(weights_job *job, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    unsigned workers = pool_threads(job->plan->pool);
    TRY_NEW(job->places = arena_new(a, workers, sizeof *job->places));
    for (unsigned i = 0; i < workers; i++) {
        worker_place *at = &job->places[i];
        size_t lanes = job->what->evaluate_lanes ? INFER_LANES : 1;
        TRY_NEW(at->values = arena_new(a, lanes * job->what->outputs, sizeof *at->values));
        TRY_NEW(at->defined = arena_new(a, infer_scratch(job->plan), sizeof *at->defined));
        TRY_NEW(at->w = arena_new(a, lanes * job->m, 1));
        TRY_NEW(at->lanes = arena_new(a, lanes * job->m, 1));
        TRY_NEW(at->scratch = arena_new(a, job->what->scratch_bytes / 64 + 1, 64));
    }
done:
    return status;
}

tare_status infer_weights(inference *out, const infer_plan *plan, const infer_weighted *what,
                          arena *keep, tare_error *err)
{
    enum { GRAIN = INFER_LANES };
    tare_status status = TARE_OK;
    weights_job job = {.plan = plan, .what = what, .m = plan->clusters, .out = out};
    const infer_draws *draws = NULL;
    infer_draws *own = NULL;
    arena a, *into = keep ? keep : &a;
    arena_init(&a, plan->m);
    TRY(infer_draws_of(&draws, &own, plan, false, err));
    job.draws = &draws->boot;
    TRY(make_places(&job, &a, err));
    TRY_NEW(job.estimate = arena_new(&a, what->outputs, sizeof *job.estimate));
    TRY_NEW(job.replicates = arena_new(&a, what->outputs, sizeof *job.replicates));
    for (size_t k = 0; k < what->outputs; k++)
        TRY_NEW(job.replicates[k] = arena_new(into, plan->boot_b, sizeof(double)));
    if (wants_influence(&job))
        TRY_NEW(job.influence = arena_new(into, what->outputs * job.m, sizeof *job.influence));
    evaluate(&job, &job.places[0], NULL);
    memcpy(job.estimate, job.places[0].values, what->outputs * sizeof *job.estimate);
    TRY(pool_for(plan->pool, plan->boot_b, GRAIN, replicate_range, &job, err));
    if (job.influence) TRY(pool_for(plan->pool, job.m, GRAIN, leave_out_range, &job, err));
    TRY(pool_for(plan->pool, what->outputs, 1, conclude_range, &job, err));
    for (size_t k = 0; k < what->outputs && keep; k++) {
        out[k].replicates = job.replicates[k];
        out[k].influence = job.influence ? job.influence + k * job.m : NULL;
    }
done:
    arena_free(&a);
    infer_draws_free(own);
    return status;
}
