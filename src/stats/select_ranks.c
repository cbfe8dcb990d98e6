/* select_ranks.c - quickselect for several ranks: intervals need eight of 9,999 values. */
#include "stats/interval.h"

static void insertion(double *t, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        double x = t[i];
        size_t j = i;
        for (; j > 0 && t[j - 1] > x; j--) t[j] = t[j - 1];
        t[j] = x;
    }
}

static double middle(double a, double b, double c)
{
    if (a > b) {
        double swap = a;
        a = b;
        b = swap;
    }
    if (b > c) b = a > c ? a : c;
    return b;
}

static void sift(double *t, size_t root, size_t n)
{
    double x = t[root];
    for (size_t child; (child = 2 * root + 1) < n; root = child) {
        if (child + 1 < n && t[child + 1] > t[child]) child++;
        if (t[child] <= x) break;
        t[root] = t[child];
    }
    t[root] = x;
}

static void heap_sort(double *t, size_t n)
{
    for (size_t i = n / 2; i-- > 0;) sift(t, i, n);
    for (size_t last = n; last-- > 1;) {
        double x = t[0];
        t[0] = t[last];
        t[last] = x;
        sift(t, 0, last);
    }
}

/* Hoare partition about the pivot: [0, *left] <= pivot <= [*right, n). */
static void partition(double *t, size_t n, size_t *left, size_t *right)
{
    double pivot = middle(t[0], t[n / 2], t[n - 1]);
    size_t i = 0, j = n - 1;
    for (;;) {
        while (t[i] < pivot) i++;
        while (t[j] > pivot) j--;
        if (i >= j) break;
        double x = t[i];
        t[i++] = t[j];
        t[j--] = x;
    }
    *left = j;
    *right = i == j ? i + 1 : i;
}

/* Depth is bounded: bad pivots end in a heap sort of what is left. */
static void select_within(double *t, size_t n, size_t base, const size_t *ranks, size_t count,
                          int depth)
{
    while (count > 0 && n > 24) {
        if (depth-- == 0) {
            heap_sort(t, n);
            return;
        }
        size_t left, right;
        partition(t, n, &left, &right);
        size_t low = 0, high = count;
        while (low < count && ranks[low] - base <= left) low++;
        while (high > low && ranks[high - 1] - base >= right) high--;
        select_within(t, left + 1, base, ranks, low, depth);
        t += right;
        n -= right;
        base += right;
        ranks += high;
        count -= high;
    }
    if (count > 0) insertion(t, n);
}

void select_ranks(double *t, size_t n, const size_t *ranks, size_t count)
{
    int depth = 8;
    for (size_t left = n; left > 1; left /= 2) depth += 2;
    select_within(t, n, 0, ranks, count, depth);
}
