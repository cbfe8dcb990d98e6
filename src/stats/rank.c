/* rank.c - see rank.h. */
#include "stats/rank.h"

#include <math.h>

#include "base/error.h"
#include "stats/sort_parts.h"

/* 10^k is exact in a double for 0 <= k <= 22. */
static double scale10(double x, int k)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    for (; k > 22; k -= 22) x *= 1e22;
    for (; k < -22; k += 22) x /= 1e22;
    return k >= 0 ? x * power[k] : x / power[-k];
}

double rank_key(double x)
{
    if (!isfinite(x) || x == 0.0 || fabs(x) < 1e-290) return x;
    int shift = 11 - (int)floor(log10(fabs(x)));
    double digits = rint(scale10(x, shift));
    return scale10(digits, -shift);
}

static bool has_nan(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (isnan(x[i])) return true;
    return false;
}

bool rank_sort(double *x, size_t n)
{
    if (has_nan(x, n)) return false;
    for (size_t i = 0; i < n; i++) x[i] += 0.0; /* -0.0 + 0.0 is 0.0 */
    sort_doubles(x, n);
    return true;
}

bool rank_order(uint32_t *order, const double *x, uint32_t n)
{
    if (has_nan(x, n)) return false;
    for (uint32_t i = 0; i < n; i++) order[i] = i;
    sort_indices(order, x, n);
    return true;
}

bool rank_average_doubled(int64_t *rank2, uint32_t *order, const double *x, uint32_t n)
{
    if (!rank_order(order, x, n)) return false;
    for (uint32_t first = 0, end; first < n; first = end) {
        end = first + 1;
        while (end < n && x[order[end]] == x[order[first]]) end++;
        /* ranks first + 1 .. end average to (first + 1 + end) / 2 */
        for (uint32_t k = first; k < end; k++) rank2[order[k]] = (int64_t)first + 1 + (int64_t)end;
    }
    return true;
}

int rank_monotone(const double *x, size_t n)
{
    if (n < 2) return 0;
    bool up = true, down = true;
    for (size_t i = 1; i < n; i++) {
        up = up && x[i] > x[i - 1];
        down = down && x[i] < x[i - 1];
    }
    return up ? 1 : down ? -1 : 0;
}

double rank_median(double *x, size_t n)
{
    return rank_sort(x, n) ? rank_median_sorted(x, n) : NAN;
}

double rank_median_sorted(const double *x, size_t n)
{
    if (n == 0) return NAN;
    double low = x[(n - 1) / 2], high = x[n / 2];
    return low == high ? low : low + 0.5 * (high - low);
}

double rank_correlation(const int64_t *a, const int64_t *b, uint32_t n)
{
    __extension__ typedef __int128 wide;
    wide sa = 0, sb = 0, aa = 0, bb = 0, ab = 0;
    for (uint32_t i = 0; i < n; i++) {
        sa += a[i];
        sb += b[i];
        aa += (wide)a[i] * a[i];
        bb += (wide)b[i] * b[i];
        ab += (wide)a[i] * b[i];
    }
    /* Doubled ranks are below 2^33 and n below 2^32, so the sums stay below 2^98; their mean is
     * n + 1 exactly. */
    wide mean = (wide)n + 1;
    aa -= sa * mean;
    bb -= sb * mean;
    ab -= sb * mean;
    if (n < 2 || aa <= 0 || bb <= 0) return NAN;
    return (double)ab / sqrt((double)aa) / sqrt((double)bb);
}

tare_status rank_spearman(double *out, const double *x, const double *y, size_t n, const mem *m,
                          tare_error *err)
{
    tare_status status = TARE_OK;
    int64_t *ranks = NULL;
    uint32_t *order = NULL;
    if (n > UINT32_MAX / 2) FAIL(err, TARE_E_LIMIT, "rank.size", NULL, "%zu values to rank", n);
    TRY_NEW(ranks = mem_new(m, 2 * n, sizeof *ranks));
    TRY_NEW(order = mem_new(m, n, sizeof *order));
    if (!rank_average_doubled(ranks, order, x, (uint32_t)n)
        || !rank_average_doubled(ranks + n, order, y, (uint32_t)n))
        FAIL(err, TARE_E_DATA, "rank.nan", NULL, "a value to rank is not a number");
    *out = rank_correlation(ranks, ranks + n, (uint32_t)n);
done:
    mem_free(m, ranks);
    mem_free(m, order);
    return status;
}
