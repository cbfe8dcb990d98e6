/* resample_kernel.c - one body, compiled for three widths. Each column is added up by itself in the
 * order of the entries; width only says how many columns go in one instruction. */
#include "stats/resample_kernel.h"

typedef double lanes __attribute__((vector_size(64), may_alias));

static inline __attribute__((always_inline)) void add_entries(double *sum, const double *slice,
                                                              const kernel_entry *entries,
                                                              size_t count, const double *value)
{
    lanes *out = __builtin_assume_aligned(sum, 64);
    lanes a = out[0], b = out[1], c = out[2], d = out[3];
    for (size_t i = 0; i < count; i++) {
        const lanes *z = __builtin_assume_aligned(
            slice + (size_t)entries[i].cluster * KERNEL_COLUMNS, 64);
        double w = value[entries[i].weight];
        a += w * z[0];
        b += w * z[1];
        c += w * z[2];
        d += w * z[3];
    }
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
}

static void kernel_plain(double *sum, const double *slice, const kernel_entry *entries,
                         size_t count, const double value[256])
{
    add_entries(sum, slice, entries, count, value);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx")))
static void kernel_avx(double *sum, const double *slice, const kernel_entry *entries, size_t count,
                       const double value[256])
{
    add_entries(sum, slice, entries, count, value);
}

__attribute__((target("avx512f")))
static void kernel_avx512(double *sum, const double *slice, const kernel_entry *entries,
                          size_t count, const double value[256])
{
    add_entries(sum, slice, entries, count, value);
}

kernel_fn kernel_choose(void)
{
    if (__builtin_cpu_supports("avx512f")) return kernel_avx512;
    if (__builtin_cpu_supports("avx")) return kernel_avx;
    return kernel_plain;
}
#else
kernel_fn kernel_choose(void)
{
    return kernel_plain;
}
#endif
