/* sort.c - quicksort with a heap for bad cases, once for plain doubles and once for indices.
 *
 * glibc's qsort may allocate and calls through a pointer; medians inside replicates can afford
 * neither. */
#include <stdbool.h>

#include "stats/sort_parts.h"

#define SMALL 16

static bool index_less(uint32_t a, uint32_t b, const double *key)
{
    return key[a] < key[b] || (key[a] == key[b] && a < b);
}

static bool double_less(double a, double b, const double *key)
{
    (void)key;
    return a < b;
}

/* The body of both sorts: TYPE items compared by LESS(a, b, key). */
#define DEFINE_SORT(NAME, TYPE, LESS)                                                     \
    static void NAME##_sift(TYPE *v, size_t root, size_t n, const double *key)            \
    {                                                                                     \
        TYPE item = v[root];                                                              \
        for (size_t child; (child = 2 * root + 1) < n; root = child) {                    \
            if (child + 1 < n && LESS(v[child], v[child + 1], key)) child++;              \
            if (!LESS(item, v[child], key)) break;                                        \
            v[root] = v[child];                                                           \
        }                                                                                 \
        v[root] = item;                                                                   \
    }                                                                                     \
    static void NAME##_heap(TYPE *v, size_t n, const double *key)                         \
    {                                                                                     \
        for (size_t k = n / 2; k-- > 0;) NAME##_sift(v, k, n, key);                       \
        for (size_t end = n; end-- > 1;) {                                                \
            TYPE top = v[0];                                                              \
            v[0] = v[end];                                                                \
            v[end] = top;                                                                 \
            NAME##_sift(v, 0, end, key);                                                  \
        }                                                                                 \
    }                                                                                     \
    static void NAME##_insertion(TYPE *v, size_t n, const double *key)                    \
    {                                                                                     \
        for (size_t i = 1; i < n; i++) {                                                  \
            TYPE item = v[i];                                                             \
            size_t k = i;                                                                 \
            for (; k > 0 && LESS(item, v[k - 1], key); k--) v[k] = v[k - 1];              \
            v[k] = item;                                                                  \
        }                                                                                 \
    }                                                                                     \
    static TYPE NAME##_pivot(const TYPE *v, size_t n, const double *key)                  \
    {                                                                                     \
        TYPE a = v[0], b = v[n / 2], c = v[n - 1];                                        \
        if (LESS(b, a, key)) {                                                            \
            TYPE swap = a;                                                                \
            a = b;                                                                        \
            b = swap;                                                                     \
        }                                                                                 \
        return LESS(c, a, key) ? a : LESS(c, b, key) ? c : b;                             \
    }                                                                                     \
    /* Hoare: returns k, 1 <= k < n, with v[0..k-1] <= pivot <= v[k..n-1]. */             \
    static size_t NAME##_split(TYPE *v, size_t n, const double *key)                      \
    {                                                                                     \
        TYPE pivot = NAME##_pivot(v, n, key);                                             \
        size_t i = 0, j = n - 1;                                                          \
        for (;;) {                                                                        \
            while (LESS(v[i], pivot, key)) i++;                                           \
            while (LESS(pivot, v[j], key)) j--;                                           \
            if (i >= j) break;                                                            \
            TYPE swap = v[i];                                                             \
            v[i++] = v[j];                                                                \
            v[j--] = swap;                                                                \
        }                                                                                 \
        return i == 0 ? 1 : i;                                                            \
    }                                                                                     \
    static void NAME##_sort(TYPE *v, size_t n, unsigned depth, const double *key)         \
    {                                                                                     \
        while (n > SMALL) {                                                               \
            if (depth-- == 0) {                                                           \
                NAME##_heap(v, n, key);                                                   \
                return;                                                                   \
            }                                                                             \
            size_t cut = NAME##_split(v, n, key);                                         \
            if (cut < n - cut) { /* recurse into the shorter part: depth stays O(log n) */ \
                NAME##_sort(v, cut, depth, key);                                          \
                v += cut;                                                                 \
                n -= cut;                                                                 \
            } else {                                                                      \
                NAME##_sort(v + cut, n - cut, depth, key);                                \
                n = cut;                                                                  \
            }                                                                             \
        }                                                                                 \
        NAME##_insertion(v, n, key);                                                      \
    }

DEFINE_SORT(doubles, double, double_less)
DEFINE_SORT(indices, uint32_t, index_less)

static unsigned depth_limit(size_t n)
{
    unsigned depth = 0;
    for (; n > 1; n >>= 1) depth += 2;
    return depth;
}

void sort_doubles(double *x, size_t n)
{
    doubles_sort(x, n, depth_limit(n), NULL);
}

void sort_indices(uint32_t *index, const double *key, size_t n)
{
    indices_sort(index, n, depth_limit(n), key);
}
