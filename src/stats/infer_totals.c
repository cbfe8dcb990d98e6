#include <math.h>
#include <string.h>

#include "base/error.h"
#include "stats/infer_case.h"
#include "stats/verdict.h"

/* One smooth function and where its outputs are. */
typedef struct evaluated {
    const infer_smooth *f;
    size_t first, count;  /* columns                      */
    size_t at, outputs;   /* outputs at .. at + outputs-1 */
    size_t clusters;      /* with data                    */
    bool finite;
} evaluated;

enum { TOGETHER = 8, CLUSTER_GRAIN = 64, OUTPUT_GRAIN = 4 };

typedef struct totals_job {
    const infer_plan *plan;
    const double *z, *total;
    size_t p, k, outputs, m;
    evaluated *functions;
    double **replicates;  /* [outputs] of [B] */
    double *influence;    /* [outputs][m]     */
    bool *data;           /* [k][m] the cluster has data for the function */
    interval_ends ends;
    double *estimate;     /* [outputs]        */
    double *scratch;      /* [workers][each]  */
    size_t each;
    inference *out;
} totals_job;

static void evaluate(double *values, const evaluated *f, const double *total)
{
    if (f->f->many) f->f->many(values, total + f->first, f->count, f->f->user);
    else values[0] = f->f->g(total + f->first, f->count, f->f->user);
}

static tare_status visit_totals(void *arg, const resample_block *block, unsigned worker,
                                tare_error *err)
{
    totals_job *job = arg;
    double *values = job->scratch + worker * job->each;
    (void)err;
    for (size_t i = 0; i < block->count; i++)
        for (size_t j = 0; j < job->k; j++) {
            const evaluated *f = &job->functions[j];
            evaluate(values, f, block->totals + i * block->stride);
            for (size_t v = 0; v < f->outputs; v++)
                job->replicates[f->at + v][block->first + i] = values[v];
        }
    return TARE_OK;
}

static bool has_data(const totals_job *job, const evaluated *f, size_t c)
{
    const double *z = job->z + c * job->p + f->first;
    for (size_t j = 0; j < f->count; j++)
        if (z[j] != 0) return true;
    return false;
}

/* Statistics without a cluster to values [outputs]. */
static void leave_out(double *values, double *without, const totals_job *job, size_t c)
{
    for (size_t j = 0; j < job->p; j++) without[j] = job->total[j] - job->z[c * job->p + j];
    for (size_t j = 0; j < job->k; j++) {
        const evaluated *f = &job->functions[j];
        if (job->data[j * job->m + c]) evaluate(values + f->at, f, without);
    }
}

/* L_c = (M-1)(theta - theta_(-c)) of a few clusters at once, which are neighbours in memory. */
static tare_status influence_range(void *arg, size_t begin, size_t end, unsigned worker,
                                   tare_error *err)
{
    const totals_job *job = arg;
    double *values = job->scratch + worker * job->each, *without = values + TOGETHER * job->outputs;
    (void)err;
    for (size_t first = begin; first < end; first += TOGETHER) {
        size_t count = end - first < TOGETHER ? end - first : TOGETHER;
        for (size_t i = 0; i < count; i++)
            leave_out(values + i * job->outputs, without, job, first + i);
        for (size_t j = 0; j < job->k; j++) {
            const evaluated *f = &job->functions[j];
            const bool *data = job->data + j * job->m + first;
            double others = (double)f->clusters - 1;
            for (size_t v = f->at; v < f->at + f->outputs; v++)
                for (size_t i = 0; i < count; i++)
                    job->influence[v * job->m + first + i] =
                        data[i] ? others * (job->estimate[v] - values[i * job->outputs + v]) : NAN;
        }
    }
    return TARE_OK;
}

static void conclude_output(const totals_job *job, const evaluated *f, size_t v, double *scratch)
{
    size_t at = f->at + v;
    const double *influence = job->influence + at * job->m, *cr2 = f->f->cr2;
    infer_case c = INFER_CASE_INIT;
    c.influence = influence;
    c.influences = job->m;
    c.shape = infer_shape_of(influence, job->m);
    c.ends = &job->ends;
    double jackknife_se = infer_jackknife_se(&c.shape);
    c.estimate = job->estimate[at];
    c.n = f->f->n;
    c.clusters = f->clusters;
    c.df = c.df_boot = (double)f->clusters - 1;
    c.se = c.shape.used == f->clusters ? jackknife_se : NAN; /* undefined without some cluster */
    c.t_name = "jackknife t";
    if (cr2) {
        c.se = cr2[2 * v];
        c.df = cr2[2 * v + 1];
        c.t_name = "CR2";
    }
    c.scale = c.shape.absolute;
    c.replicates = job->replicates[at];
    /* Influences are differences of estimates times M: that is their rounding. */
    c.equal = c.shape.used == f->clusters && jackknife_se <= 1e-12 * fabs(c.estimate);
    if (!f->finite) c.reason = REASON_DEGENERATE;
    infer_conclude(&job->out[at], job->plan, &c, scratch);
}

static tare_status conclude_range(void *arg, size_t begin, size_t end, unsigned worker,
                                  tare_error *err)
{
    totals_job *job = arg;
    (void)err;
    for (size_t j = 0; j < job->k; j++) {
        const evaluated *f = &job->functions[j];
        for (size_t v = 0; v < f->outputs; v++)
            if (f->at + v >= begin && f->at + v < end)
                conclude_output(job, f, v, job->scratch + worker * job->each);
    }
    return TARE_OK;
}

/* ---- Around ---------------------------------------------------------------------------------- */

static tare_status lay_out(totals_job *job, const infer_smooth *functions, arena *a,
                           tare_error *err)
{
    tare_status status = TARE_OK;
    TRY_NEW(job->functions = arena_new(a, job->k, sizeof *job->functions));
    for (size_t j = 0; j < job->k; j++) {
        const infer_smooth *f = &functions[j];
        evaluated *e = &job->functions[j];
        *e = (evaluated){.f = f, .first = f->first, .count = f->count ? f->count : job->p,
                         .at = job->outputs, .outputs = f->many ? f->outputs : 1, .finite = true};
        if (e->count > job->p || e->first > job->p - e->count)
            FAIL(err, TARE_E_USAGE, "infer.columns", NULL, "columns %zu..%zu of %zu", e->first,
                 e->first + e->count, job->p);
        job->outputs += e->outputs;
    }
done:
    return status;
}

/* A copy of z in which what is not finite is 0; the functions that see such a column are told. */
static tare_status load(totals_job *job, const double *z, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    double *copy = NULL, *total;
    bool *finite;
    size_t p = job->p;
    job->z = z;
    TRY_NEW(total = arena_new(a, p, sizeof *total));
    TRY_NEW(finite = arena_new(a, p, sizeof *finite));
    resample_column_sums(total, z, job->m, p);
    for (size_t j = 0; j < p; j++) {
        finite[j] = isfinite(total[j]);
        if (finite[j]) continue;
        if (!copy) {
            TRY_NEW(copy = arena_new(a, job->m, p * sizeof *copy));
            memcpy(copy, z, job->m * p * sizeof *copy);
            job->z = copy;
        }
        total[j] = 0;
        for (size_t c = 0; c < job->m; c++) copy[c * p + j] = 0;
    }
    job->total = total;
    for (size_t j = 0; j < job->k; j++) {
        evaluated *f = &job->functions[j];
        for (size_t i = 0; i < f->count; i++) f->finite = f->finite && finite[f->first + i];
        for (size_t c = 0; c < job->m; c++)
            f->clusters += job->data[j * job->m + c] = has_data(job, f, c);
        evaluate(job->estimate + f->at, f, total);
    }
done:
    return status;
}

tare_status infer_totals(inference *out, const infer_plan *plan, const infer_sums *sums,
                         const infer_smooth *functions, size_t k, arena *keep, tare_error *err)
{
    tare_status status = TARE_OK;
    totals_job job = {.plan = plan, .p = sums->p, .k = k, .m = plan->clusters, .out = out};
    const infer_draws *draws = NULL;
    infer_draws *own = NULL;
    arena a, *into = keep ? keep : &a;
    arena_init(&a, plan->m);
    TRY(infer_draws_of(&draws, &own, plan, false, err));
    TRY(lay_out(&job, functions, &a, err));
    job.each = TOGETHER * job.outputs + job.p;
    if (job.each < infer_scratch(plan)) job.each = infer_scratch(plan);
    job.ends = infer_ends(plan);
    TRY_NEW(job.estimate = arena_new(&a, job.outputs, sizeof *job.estimate));
    TRY_NEW(job.data = arena_new(&a, k, job.m * sizeof *job.data));
    TRY_NEW(job.influence = arena_raw(into, job.outputs * job.m, sizeof *job.influence));
    TRY_NEW(job.replicates = arena_new(&a, job.outputs, sizeof *job.replicates));
    TRY_NEW(job.scratch = arena_new(&a, pool_threads(plan->pool), job.each * sizeof(double)));
    for (size_t i = 0; i < job.outputs; i++)
        TRY_NEW(job.replicates[i] = arena_raw(into, plan->boot_b, sizeof(double)));
    TRY(load(&job, sums->z, &a, err));
    TRY(resample_product(&draws->boot, job.z, job.p, visit_totals, &job, err));
    TRY(pool_for(plan->pool, job.m, CLUSTER_GRAIN, influence_range, &job, err));
    TRY(pool_for(plan->pool, job.outputs, OUTPUT_GRAIN, conclude_range, &job, err));
    for (size_t i = 0; i < job.outputs && keep; i++) {
        out[i].replicates = job.replicates[i];
        out[i].influence = job.influence + i * job.m;
    }
done:
    arena_free(&a);
    infer_draws_free(own);
    return status;
}
