/* infer_two_way.c - two crossed factors resampled together: the pigeonhole bootstrap. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "stats/draws.h"
#include "stats/infer_case.h"
#include "stats/interval.h"
#include "stats/moments.h"
#include "stats/verdict.h"

typedef struct crossed_place {
    double *values;  /* [outputs]       */
    double *defined; /* [2 infer_scratch]; of the first place only */
    uint8_t *w, *w2; /* [M], [levels]   */
    void *scratch;
} crossed_place;

typedef struct crossed_job {
    const infer_plan *plan;
    const infer_crossed *what;
    rng_key key, key2;
    uint64_t *h64, *h64_2; /* [M], [levels]    */
    double *estimate;      /* [outputs]        */
    double **replicates;   /* [outputs] of [B] */
    uint8_t *thin;         /* [B] fewer than what->least levels have a weight */
    crossed_place *places;
    inference *out;
} crossed_job;

static bool is_thin(const infer_crossed *what, const uint8_t *w2)
{
    size_t drawn = 0;
    for (size_t e = 0; e < what->levels; e++) drawn += w2[e] > 0;
    return drawn < what->least;
}

/* What a replicate gave; NaN where too few levels were drawn. */
static void take(const crossed_job *job, size_t r, const crossed_place *at)
{
    job->thin[r] = is_thin(job->what, at->w2);
    for (size_t k = 0; k < job->what->outputs; k++)
        job->replicates[k][r] = job->thin[r] ? NAN : at->values[k];
}

static tare_status crossed_range(void *arg, size_t begin, size_t end, unsigned worker,
                                 tare_error *err)
{
    const crossed_job *job = arg;
    const infer_crossed *what = job->what;
    const crossed_place *at = &job->places[worker];
    (void)err;
    for (size_t r = begin; r < end; r++) {
        draws_poisson(at->w, job->key, (uint32_t)r, job->h64, job->plan->clusters);
        draws_poisson(at->w2, job->key2, (uint32_t)r, job->h64_2, what->levels);
        what->evaluate(at->values, at->w, at->w2, what->user, at->scratch);
        take(job, r, at);
    }
    return TARE_OK;
}

/* The same from totals: a block of replicates of one product. */
static tare_status crossed_block(void *arg, const resample_block *block, unsigned worker,
                                 tare_error *err)
{
    const crossed_job *job = arg;
    const infer_crossed *what = job->what;
    const crossed_place *at = &job->places[worker];
    (void)err;
    for (size_t i = 0; i < block->count; i++) {
        size_t r = block->first + i;
        draws_poisson(at->w2, job->key2, (uint32_t)r, job->h64_2, what->levels);
        what->of_totals(at->values, block->totals + i * block->stride, at->w2, what->user);
        take(job, r, at);
    }
    return TARE_OK;
}

static tare_status run_totals(crossed_job *job, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    const infer_plan *plan = job->plan;
    const infer_sums *sums = job->what->sums;
    double *total;
    resample_draws draws = {.m = plan->m, .pool = plan->pool, .kind = RESAMPLE_POISSON,
                            .key = job->key, .h64 = job->h64, .clusters = plan->clusters,
                            .replicates = plan->boot_b};
    TRY_NEW(total = arena_new(a, sums->p, sizeof *total));
    resample_column_sums(total, sums->z, plan->clusters, sums->p);
    job->what->of_totals(job->estimate, total, NULL, job->what->user);
    TRY(resample_product(&draws, sums->z, sums->p, crossed_block, job, err));
done:
    return status;
}

static tare_status run_weights(crossed_job *job, tare_error *err)
{
    enum { GRAIN = 8 };
    const infer_crossed *what = job->what;
    const crossed_place *first = &job->places[0];
    what->evaluate(first->values, NULL, NULL, what->user, first->scratch);
    memcpy(job->estimate, first->values, what->outputs * sizeof *job->estimate);
    return pool_for(job->plan->pool, job->plan->boot_b, GRAIN, crossed_range, job, err);
}

#define LEFT_OUT_MOST 0.05

/* `scratch` has 2 infer_scratch places. */
static void conclude_output(const crossed_job *job, const infer_plan *plan, size_t k,
                            double *scratch)
{
    infer_case c = INFER_CASE_INIT;
    infer_plan rest = *plan;
    inference *out = &job->out[k];
    double *defined = scratch, *kept = scratch + infer_scratch(plan);
    size_t count = 0;
    for (size_t r = 0; r < plan->boot_b; r++)
        if (!job->thin[r]) kept[count++] = job->replicates[k][r];
    rest.boot_b = (uint32_t)count;
    size_t m = job->plan->clusters, levels = job->what->levels;
    size_t n = boot_defined(defined, kept, count), left_out = plan->boot_b - count;
    c.estimate = job->estimate[k];
    c.n = job->what->n;
    c.clusters = m < levels ? m : levels;
    c.df = c.df_boot = (double)c.clusters - 1;
    c.replicates = kept;
    c.se = n < 2 ? NAN : moments_sd(defined, n, 1);
    c.scale = n < 2 ? 0 : c.se * sqrt((double)c.clusters);
    c.equal = n > 0;
    for (size_t i = 0; i < n; i++)
        c.equal = c.equal && fabs(defined[i] - c.estimate) <= 1e-10 * fabs(c.estimate);
    if ((double)left_out > LEFT_OUT_MOST * plan->boot_b) c.reason = REASON_DEGENERATE_REPLICATES;
    if (!isfinite(c.estimate)) c.reason = REASON_DEGENERATE;
    infer_conclude(out, &rest, &c, defined);
    out->left_out = left_out;
    out->p_t = NAN; /* there is no t of two factors */
    out->clusters = m;
}

static tare_status prepare(crossed_job *job, arena *a, arena *into, tare_error *err)
{
    tare_status status = TARE_OK;
    const infer_plan *plan = job->plan;
    const infer_crossed *what = job->what;
    unsigned workers = pool_threads(plan->pool);
    if (plan->clusters == 0 || what->levels == 0 || plan->boot_b == 0)
        FAIL(err, TARE_E_USAGE, "infer.plan", NULL,
             "%zu clusters, %zu levels, %u replicates: each must be positive", plan->clusters,
             what->levels, plan->boot_b);
    TRY(draws_key(&job->key, plan->seed, plan->analysis, "pigeonhole", plan->m, err));
    TRY(draws_key(&job->key2, plan->seed, plan->analysis, "pigeonhole2", plan->m, err));
    TRY_NEW(job->h64 = arena_new(a, plan->clusters, sizeof *job->h64));
    TRY_NEW(job->h64_2 = arena_new(a, what->levels, sizeof *job->h64_2));
    draws_hash(job->h64, plan->ids, plan->clusters);
    draws_hash(job->h64_2, what->ids2, what->levels);
    TRY_NEW(job->places = arena_new(a, workers, sizeof *job->places));
    for (unsigned i = 0; i < workers; i++) {
        crossed_place *at = &job->places[i];
        TRY_NEW(at->values = arena_new(a, what->outputs, sizeof *at->values));
        if (i == 0)
            TRY_NEW(at->defined = arena_new(a, infer_scratch(plan), 2 * sizeof *at->defined));
        TRY_NEW(at->w = arena_new(a, plan->clusters, 1));
        TRY_NEW(at->w2 = arena_new(a, what->levels, 1));
        TRY_NEW(at->scratch = arena_new(a, what->scratch_bytes / 64 + 1, 64));
    }
    TRY_NEW(job->estimate = arena_new(a, what->outputs, sizeof *job->estimate));
    TRY_NEW(job->thin = arena_new(a, plan->boot_b, 1));
    TRY_NEW(job->replicates = arena_new(a, what->outputs, sizeof *job->replicates));
    for (size_t k = 0; k < what->outputs; k++)
        TRY_NEW(job->replicates[k] = arena_new(into, plan->boot_b, sizeof(double)));
done:
    return status;
}

tare_status infer_two_way(inference *out, const infer_plan *plan, const infer_crossed *what,
                          arena *keep, tare_error *err)
{
    tare_status status = TARE_OK;
    crossed_job job = {.plan = plan, .what = what, .out = out};
    infer_plan percentile = *plan;
    arena a;
    arena_init(&a, plan->m);
    percentile.interval = CI_PERCENTILE;
    percentile.boot_p = P_CENTRED;
    TRY(prepare(&job, &a, keep ? keep : &a, err));
    TRY(what->sums ? run_totals(&job, &a, err) : run_weights(&job, err));
    for (size_t k = 0; k < what->outputs; k++) {
        conclude_output(&job, &percentile, k, job.places[0].defined);
        if (keep) out[k].replicates = job.replicates[k];
    }
done:
    arena_free(&a);
    return status;
}
