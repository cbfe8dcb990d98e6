#include <math.h>
#include <string.h>

#include "base/error.h"
#include "stats/infer_case.h"
#include "stats/linear.h"
#include "stats/moments.h"
#include "stats/permute.h"
#include "stats/verdict.h"

/* Means as ratios of cluster sums. The product runs over e_c = S_c - n_c mean, so that a replicate
 * is mean + sum w e / sum w n: small numbers, nothing cancels. */
typedef struct means {
    const infer_plan *plan;
    const infer_column *columns;
    const infer_rows *rows;
    size_t k, m;
    double *sum;        /* [k][m]; 0 without data                          */
    double *count;      /* [k][m]                                          */
    double *influence;  /* [k][m]                                          */
    double **replicates;/* [k] of [B]                                      */
    infer_case *cases;  /* [k]                                             */
    size_t *count_at;   /* [k] column of sum w n in the product            */
    double *z;          /* [m][p]                                          */
    size_t p;
    permute_result *flip; /* [k] */
    double *scratch;    /* [workers][infer_scratch] */
    inference *out;
} means;

/* Sums and counts of one column. False if a value is not finite. */
static bool add_rows(means *job, size_t j, neumaier *sums)
{
    const infer_column *column = &job->columns[j];
    double *sum = job->sum + j * job->m, *count = job->count + j * job->m;
    bool finite = true;
    memset(sums, 0, job->m * sizeof *sums);
    for (size_t i = 0; i < job->rows->n; i++) {
        if (column->used && !column->used[i]) continue;
        uint32_t c = job->rows->cluster[i];
        neumaier_add(&sums[c], column->x[i]);
        count[c]++;
    }
    for (size_t c = 0; c < job->m; c++) {
        sum[c] = neumaier_total(&sums[c]);
        if (isfinite(sum[c])) continue;
        finite = false;
        sum[c] = 0;
    }
    return finite;
}

static void fill_case(means *job, size_t j, bool finite)
{
    const double *sum = job->sum + j * job->m, *count = job->count + j * job->m;
    double *influence = job->influence + j * job->m;
    infer_case *c = &job->cases[j];
    linear_mean mean = linear_mean_cr2(sum, count, job->m);
    double total = moments_sum(count, job->m), size = 0, largest = 0, spread = 0;
    bool unequal = false;
    *c = INFER_CASE_INIT;
    for (size_t g = 0; g < job->m; g++) {
        if (!(count[g] > 0)) continue;
        if (size == 0) size = count[g];
        else if (count[g] != size) unequal = true;
        c->clusters++;
    }
    neumaier absolute = {0, 0};
    for (size_t g = 0; g < job->m; g++) {
        influence[g] = NAN;
        if (!(count[g] > 0)) continue;
        double e = sum[g] - count[g] * mean.mean;
        influence[g] = ((double)c->clusters - 1) * e / (total - count[g]);
        largest = fmax(largest, fabs(sum[g]));
        spread = fmax(spread, fabs(e));
        neumaier_add(&absolute, fabs(sum[g]));
    }
    c->n = (size_t)total;
    c->estimate = finite ? mean.mean : NAN;
    if (!finite) c->reason = REASON_DEGENERATE;
    c->scale = neumaier_total(&absolute) / total;
    c->se = mean.se;
    c->df = mean.df;
    c->df_boot = (double)c->clusters - 1;
    c->t_name = unequal ? "CR2" : "t";
    c->influence = influence;
    c->influences = job->m;
    c->shape = infer_shape_of(influence, job->m);
    c->equal = spread <= 1e-12 * largest;
}

/* Columns of the product: e of each mean, then the counts, each different one once. */
static void fill_product(means *job)
{
    size_t counts = 0, m = job->m;
    for (size_t j = 0; j < job->k; j++) {
        const double *count = job->count + j * m;
        size_t same = 0;
        while (same < j && memcmp(job->count + same * m, count, m * sizeof *count) != 0) same++;
        job->count_at[j] = same < j ? job->count_at[same] : job->k + counts++;
    }
    job->p = job->k + counts;
    for (size_t j = 0; j < job->k; j++)
        for (size_t c = 0; c < m; c++) {
            double n = job->count[j * m + c], mean = job->cases[j].estimate;
            job->z[c * job->p + j] = n > 0 && isfinite(mean) ? job->sum[j * m + c] - n * mean : 0;
            job->z[c * job->p + job->count_at[j]] = n;
        }
}

static tare_status visit_means(void *arg, const resample_block *block, unsigned worker,
                               tare_error *err)
{
    means *job = arg;
    (void)worker;
    (void)err;
    for (size_t i = 0; i < block->count; i++) {
        const double *total = block->totals + i * block->stride;
        for (size_t j = 0; j < job->k; j++) {
            double n = nearbyint(total[job->count_at[j]]); /* counts are whole */
            job->replicates[j][block->first + i] =
                n > 0 ? job->cases[j].estimate + total[j] / n : NAN;
        }
    }
    return TARE_OK;
}

static tare_status flip_means(means *job, const resample_draws *signs, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    double *x = NULL;
    TRY_NEW(x = arena_new(a, job->k * job->m, sizeof *x));
    TRY_NEW(job->flip = arena_new(a, job->k, sizeof *job->flip));
    for (size_t i = 0; i < job->k * job->m; i++) x[i] = job->count[i] > 0 ? job->sum[i] : NAN;
    TRY(permute_flip(job->flip, signs, PERMUTE_AUTO, x, job->k, err));
    for (size_t j = 0; j < job->k; j++) {
        job->cases[j].p_flip = job->flip[j].p;
        job->cases[j].flip_floor = job->flip[j].p_floor;
    }
done:
    return status;
}

static tare_status conclude_range(void *arg, size_t begin, size_t end, unsigned worker,
                                  tare_error *err)
{
    means *job = arg;
    (void)err;
    for (size_t j = begin; j < end; j++)
        infer_conclude(&job->out[j], job->plan, &job->cases[j],
                       job->scratch + worker * infer_scratch(job->plan));
    return TARE_OK;
}

static tare_status allocate(means *job, arena *a, arena *keep, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t k = job->k, m = job->m;
    TRY_NEW(job->sum = arena_new(a, k * m, sizeof *job->sum));
    TRY_NEW(job->count = arena_new(a, k * m, sizeof *job->count));
    TRY_NEW(job->influence = arena_new(keep, k * m, sizeof *job->influence));
    TRY_NEW(job->cases = arena_new(a, k, sizeof *job->cases));
    TRY_NEW(job->count_at = arena_new(a, k, sizeof *job->count_at));
    TRY_NEW(job->z = arena_new(a, 2 * k * m, sizeof *job->z));
    TRY_NEW(job->replicates = arena_new(a, k, sizeof *job->replicates));
    TRY_NEW(job->scratch = arena_new(a, pool_threads(job->plan->pool),
                                     infer_scratch(job->plan) * sizeof *job->scratch));
    for (size_t j = 0; j < k; j++)
        TRY_NEW(job->replicates[j] = arena_new(keep, job->plan->boot_b, sizeof(double)));
done:
    return status;
}

tare_status infer_means(inference *out, const infer_plan *plan, const infer_column *columns,
                        size_t k, const infer_rows *rows, arena *keep, tare_error *err)
{
    tare_status status = TARE_OK;
    means job = {.plan = plan, .columns = columns, .rows = rows, .k = k, .m = plan->clusters,
                 .out = out};
    const infer_draws *draws = NULL;
    infer_draws *own = NULL;
    neumaier *sums = NULL;
    arena a;
    arena_init(&a, plan->m);
    TRY(infer_draws_of(&draws, &own, plan, true, err));
    TRY(allocate(&job, &a, keep ? keep : &a, err));
    TRY_NEW(sums = arena_new(&a, job.m, sizeof *sums));
    for (size_t i = 0; i < rows->n; i++)
        if (rows->cluster[i] >= job.m)
            FAIL(err, TARE_E_USAGE, "infer.cluster", NULL, "row %zu: cluster %u of %zu", i,
                 rows->cluster[i], job.m);
    for (size_t j = 0; j < k; j++) {
        bool finite = add_rows(&job, j, sums);
        fill_case(&job, j, finite);
    }
    fill_product(&job);
    TRY(resample_product(&draws->boot, job.z, job.p, visit_means, &job, err));
    TRY(flip_means(&job, &draws->flip, &a, err));
    for (size_t j = 0; j < k; j++) job.cases[j].replicates = job.replicates[j];
    TRY(pool_for(plan->pool, k, 1, conclude_range, &job, err));
    for (size_t j = 0; j < k && keep; j++) {
        out[j].replicates = job.replicates[j];
        out[j].influence = job.influence + j * job.m;
    }
done:
    arena_free(&a);
    infer_draws_free(own);
    return status;
}

tare_status infer_mean(inference *out, const infer_plan *plan, const infer_column *column,
                       const infer_rows *rows, arena *keep, tare_error *err)
{
    return infer_means(out, plan, column, 1, rows, keep, err);
}
