#include <math.h>
#include <string.h>

#include "base/error.h"
#include "stats/moments.h"
#include "stats/permute.h"

/* ---- Exact ----------------------------------------------------------------------------------- */

enum { HALF_MAX = 1 << (FLIP_EXACT_CLUSTERS / 2) };

/* All 2^n signed sums, by doubling. */
static size_t signed_sums(double *sums, const double *x, size_t n)
{
    size_t count = 1;
    sums[0] = 0;
    for (size_t c = 0; c < n; c++, count *= 2)
        for (size_t i = 0; i < count; i++) {
            sums[count + i] = sums[i] - x[c];
            sums[i] += x[c];
        }
    return count;
}

static uint64_t count_exact(const double *x, size_t n, double bound)
{
    double first[HALF_MAX], second[HALF_MAX];
    size_t a = signed_sums(first, x, n / 2);
    size_t b = signed_sums(second, x + n / 2, n - n / 2);
    uint64_t count = 0;
    for (size_t i = 0; i < a; i++)
        for (size_t j = 0; j < b; j++) count += fabs(first[i] + second[j]) >= bound;
    return count;
}

/* ---- Sampled --------------------------------------------------------------------------------- */

typedef struct flips {
    const double *bound; /* [k] */
    uint64_t *count;     /* [workers][k] */
    size_t k;
} flips;

static tare_status count_block(void *arg, const resample_block *block, unsigned worker,
                               tare_error *err)
{
    const flips *job = arg;
    uint64_t *count = job->count + worker * job->k;
    (void)err;
    for (size_t i = 0; i < block->count; i++)
        for (size_t j = 0; j < job->k; j++)
            count[j] += fabs(block->totals[i * block->stride + j]) >= job->bound[j];
    return TARE_OK;
}

/* z [M][k] of the columns that are sampled; `which` names them. */
static tare_status flip_sampled(permute_result *out, const resample_draws *signs, const double *x,
                                const size_t *which, const double *bound, size_t k,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    size_t clusters = signs->clusters;
    unsigned workers = pool_threads(signs->pool);
    flips job = {bound, NULL, k};
    double *z = NULL;
    TRY_NEW(z = mem_new(signs->m, clusters, k * sizeof *z));
    TRY_NEW(job.count = mem_new(signs->m, workers, k * sizeof *job.count));
    for (size_t j = 0; j < k; j++)
        for (size_t c = 0; c < clusters; c++) {
            double value = x[which[j] * clusters + c];
            z[c * k + j] = isnan(value) ? 0 : value;
        }
    TRY(resample_product(signs, z, k, count_block, &job, err));
    for (size_t j = 0; j < k; j++) {
        permute_result *r = &out[which[j]];
        for (unsigned w = 0; w < workers; w++) r->count += job.count[w * k + j];
        r->total = signs->replicates;
        r->p = (double)(1 + r->count) / ((double)r->total + 1);
        r->p_floor = 1 / ((double)r->total + 1);
    }
done:
    mem_free(signs->m, job.count);
    mem_free(signs->m, z);
    return status;
}

/* ---- Both ------------------------------------------------------------------------------------ */

/* Observed statistic and the bound that replicates must reach. Returns the clusters with data, of
 * which the first FLIP_EXACT_CLUSTERS are copied. */
static size_t flip_observed(permute_result *r, double *bound, double *copy, const double *x,
                            size_t clusters)
{
    neumaier sum = {0, 0}, absolute = {0, 0};
    size_t n = 0;
    for (size_t c = 0; c < clusters; c++) {
        if (isnan(x[c])) continue;
        neumaier_add(&sum, x[c]);
        neumaier_add(&absolute, fabs(x[c]));
        if (n < FLIP_EXACT_CLUSTERS) copy[n] = x[c];
        n++;
    }
    double t = fabs(neumaier_total(&sum)), scale = n ? neumaier_total(&absolute) / (double)n : 0;
    *r = (permute_result){.statistic = n ? t : NAN, .p = NAN, .p_floor = NAN};
    *bound = t - 1e-12 * fmax(t, scale);
    return n;
}

tare_status permute_flip(permute_result *out, const resample_draws *signs, permute_mode mode,
                         const double *x, size_t k, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t sampled = 0;
    size_t *which = NULL;
    double *bound = NULL, copy[FLIP_EXACT_CLUSTERS];
    TRY_NEW(which = mem_new(signs->m, k, sizeof *which));
    TRY_NEW(bound = mem_new(signs->m, k, sizeof *bound));
    for (size_t j = 0; j < k; j++) {
        permute_result *r = &out[j];
        size_t n = flip_observed(r, &bound[sampled], copy, x + j * signs->clusters,
                                 signs->clusters);
        if (n == 0) continue;
        r->exact = mode != PERMUTE_SAMPLED && n <= FLIP_EXACT_CLUSTERS;
        if (!r->exact) {
            if (mode == PERMUTE_EXACT)
                FAIL(err, TARE_E_USAGE, "flip.exact", NULL,
                     "exact sign flips take at most %d clusters, not %zu", FLIP_EXACT_CLUSTERS, n);
            which[sampled++] = j;
            continue;
        }
        r->count = count_exact(copy, n, bound[sampled]);
        r->total = (uint64_t)1 << n;
        r->p = (double)r->count / (double)r->total;
        r->p_floor = 2 / (double)r->total;
    }
    if (sampled > 0) TRY(flip_sampled(out, signs, x, which, bound, sampled, err));
done:
    mem_free(signs->m, which);
    mem_free(signs->m, bound);
    return status;
}
