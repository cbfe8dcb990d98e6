/* linear_crossed.c - two crossed effects taken out by turns (see linear.h). */
#include <math.h>

#include "base/error.h"
#include "stats/linear.h"
#include "stats/moments.h"

#define SWEEPS 10000

static tare_status check_ids(const linear_clusters by[2], size_t n, tare_error *err)
{
    for (size_t i = 0; i < n; i++)
        for (int f = 0; f < 2; f++)
            if (by[f].id[i] >= by[f].count)
                return error_set(err, TARE_E_DATA, "linear.cluster", NULL,
                                 "row %zu has level %u of %zu", i, by[f].id[i], by[f].count);
    return TARE_OK;
}

tare_status linear_demean_two(bool *converged, double *v, const linear_clusters by[2], size_t n,
                              const mem *m, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t levels = by[0].count > by[1].count ? by[0].count : by[1].count;
    size_t *counts = NULL;
    double *sums = NULL, *before = NULL;
    TRY(check_ids(by, n, err));
    TRY_NEW(counts = mem_new(m, levels, sizeof *counts));
    TRY_NEW(sums = mem_new(m, levels, 3 * sizeof *sums));
    TRY_NEW(before = mem_new(m, n, sizeof *before));
    double limit = n > 0 ? 1e-13 * moments_sd(v, n, 0) : 0.0;
    *converged = false;
    for (int sweep = 0; !*converged && sweep < SWEEPS; sweep++) {
        double change = 0.0;
        for (size_t i = 0; i < n; i++) before[i] = v[i];
        linear_demean(v, by[0].id, n, by[0].count, counts, sums);
        linear_demean(v, by[1].id, n, by[1].count, counts, sums);
        for (size_t i = 0; i < n; i++) change = fmax(change, fabs(v[i] - before[i]));
        *converged = change <= limit;
    }
done:
    mem_free(m, counts);
    mem_free(m, sums);
    mem_free(m, before);
    return status;
}

static uint32_t root_of(uint32_t *parent, uint32_t k)
{
    while (parent[k] != k) k = parent[k] = parent[parent[k]];
    return k;
}

tare_status linear_components(size_t *count, uint32_t *part, const linear_clusters by[2], size_t n,
                              const mem *m, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t nodes = by[0].count + by[1].count;
    uint32_t *parent = NULL, *number = NULL;
    if (nodes >= UINT32_MAX)
        FAIL(err, TARE_E_LIMIT, "linear.size", NULL, "%zu levels", nodes);
    TRY(check_ids(by, n, err));
    TRY_NEW(parent = mem_new(m, nodes, sizeof *parent));
    TRY_NEW(number = mem_new(m, nodes, sizeof *number));
    for (size_t k = 0; k < nodes; k++) parent[k] = (uint32_t)k;
    for (size_t i = 0; i < n; i++) {
        uint32_t a = root_of(parent, by[0].id[i]);
        uint32_t b = root_of(parent, (uint32_t)by[0].count + by[1].id[i]);
        parent[a > b ? a : b] = a < b ? a : b;
    }
    *count = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t root = root_of(parent, by[0].id[i]);
        if (number[root] == 0) number[root] = (uint32_t)++*count;
        if (part) part[i] = number[root] - 1;
    }
done:
    mem_free(m, parent);
    mem_free(m, number);
    return status;
}
