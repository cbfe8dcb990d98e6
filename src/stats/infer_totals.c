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

typedef struct totals_job {
    const infer_plan *plan;
    const double *z, *total;
    size_t p, k, outputs, m, most; /* most: outputs of one function */
    evaluated *functions;
    double **replicates;  /* [outputs] of [B] */
    double *influence;    /* [outputs][m]     */
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

/* Leave each cluster out once: L_c = (M-1)(theta - theta_(-c)). */
static void jackknife(const totals_job *job, const evaluated *f, double *without, double *values)
{
    double others = (double)f->clusters - 1;
    for (size_t c = 0; c < job->m; c++) {
        bool data = has_data(job, f, c);
        if (data) {
            const double *z = job->z + c * job->p + f->first;
            for (size_t j = 0; j < f->count; j++)
                without[f->first + j] = job->total[f->first + j] - z[j];
            evaluate(values, f, without);
        }
        for (size_t v = 0; v < f->outputs; v++)
            job->influence[(f->at + v) * job->m + c] =
                data ? others * (job->estimate[f->at + v] - values[v]) : NAN;
    }
}

static void conclude_output(const totals_job *job, const evaluated *f, size_t v, double *scratch)
{
    size_t at = f->at + v, used;
    const double *influence = job->influence + at * job->m, *cr2 = f->f->cr2;
    infer_case c = INFER_CASE_INIT;
    double jackknife_se = infer_jackknife_se(influence, job->m, &used);
    c.estimate = job->estimate[at];
    c.n = f->f->n;
    c.clusters = f->clusters;
    c.df = c.df_boot = (double)f->clusters - 1;
    c.se = used == f->clusters ? jackknife_se : NAN; /* undefined without some cluster */
    c.t_name = "jackknife t";
    if (cr2) {
        c.se = cr2[2 * v];
        c.df = cr2[2 * v + 1];
        c.t_name = "CR2";
    }
    c.scale = infer_mean_absolute(influence, job->m);
    c.influence = influence;
    c.influences = job->m;
    c.replicates = job->replicates[at];
    /* Influences are differences of estimates times M: that is their rounding. */
    c.equal = used == f->clusters && jackknife_se <= 1e-12 * fabs(c.estimate);
    if (!f->finite) c.reason = REASON_DEGENERATE;
    infer_conclude(&job->out[at], job->plan, &c, scratch);
}

static tare_status conclude_range(void *arg, size_t begin, size_t end, unsigned worker,
                                  tare_error *err)
{
    totals_job *job = arg;
    double *values = job->scratch + worker * job->each, *without = values + job->most;
    (void)err;
    for (size_t j = begin; j < end; j++) {
        const evaluated *f = &job->functions[j];
        jackknife(job, f, without, values);
        for (size_t v = 0; v < f->outputs; v++)
            conclude_output(job, f, v, without + job->p);
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
        if (e->outputs > job->most) job->most = e->outputs;
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
        for (size_t c = 0; c < job->m; c++) f->clusters += has_data(job, f, c);
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
    job.each = job.most + job.p + infer_scratch(plan);
    TRY_NEW(job.estimate = arena_new(&a, job.outputs, sizeof *job.estimate));
    TRY_NEW(job.influence = arena_new(into, job.outputs * job.m, sizeof *job.influence));
    TRY_NEW(job.replicates = arena_new(&a, job.outputs, sizeof *job.replicates));
    TRY_NEW(job.scratch = arena_new(&a, pool_threads(plan->pool), job.each * sizeof(double)));
    for (size_t i = 0; i < job.outputs; i++)
        TRY_NEW(job.replicates[i] = arena_new(into, plan->boot_b, sizeof(double)));
    TRY(load(&job, sums->z, &a, err));
    TRY(resample_product(&draws->boot, job.z, job.p, visit_totals, &job, err));
    TRY(pool_for(plan->pool, k, 1, conclude_range, &job, err));
    for (size_t i = 0; i < job.outputs && keep; i++) {
        out[i].replicates = job.replicates[i];
        out[i].influence = job.influence + i * job.m;
    }
done:
    arena_free(&a);
    infer_draws_free(own);
    return status;
}
