/* resample_whole_kernel.c - bytes times bytes, four clusters at a time: integers, so all ways give
 * the same. x86 has an instruction for it (VNNI), or two of which one widens (AVX2). */
#include "stats/resample_whole.h"

#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define WHOLE_X86 1
#include <immintrin.h>
#else
#define WHOLE_X86 0
#endif

static void whole_plain(int32_t sum[WHOLE_ROWS][32], const uint8_t *const weights[WHOLE_ROWS],
                        const int8_t *z, size_t next_lane, size_t groups)
{
    for (size_t k = 0; k < groups; k++)
        for (size_t i = 0; i < WHOLE_ROWS; i++) {
            const uint8_t *w = weights[i] + 4 * k;
            for (size_t j = 0; j < 32; j++) {
                const int8_t *x = z + (j / 16) * next_lane + k * 64 + j % 16 * 4;
                sum[i][j] += w[0] * x[0] + w[1] * x[1] + w[2] * x[2] + w[3] * x[3];
            }
        }
}

#if WHOLE_X86
__attribute__((target("avx2")))
static void whole_avx2(int32_t sum[WHOLE_ROWS][32], const uint8_t *const weights[WHOLE_ROWS],
                       const int8_t *z, size_t next_lane, size_t groups)
{
    for (size_t part = 0; part < 8; part++) { /* 4 columns of a lane, two sums to each */
        const int8_t *x = z + part / 4 * next_lane + part % 4 * 16;
        __m256i total[WHOLE_ROWS];
        for (size_t i = 0; i < WHOLE_ROWS; i++) total[i] = _mm256_setzero_si256();
        for (size_t k = 0; k < groups; k++) {
            __m256i wide =
                _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)(x + 64 * k)));
            for (size_t i = 0; i < WHOLE_ROWS; i++) {
                int32_t four;
                memcpy(&four, weights[i] + 4 * k, 4);
                __m256i w = _mm256_cvtepu8_epi16(_mm_set1_epi32(four));
                total[i] = _mm256_add_epi32(total[i], _mm256_madd_epi16(wide, w));
            }
        }
        for (size_t i = 0; i < WHOLE_ROWS; i++) {
            int32_t pair[8];
            _mm256_storeu_si256((__m256i *)(void *)pair, total[i]);
            for (size_t j = 0; j < 4; j++)
                sum[i][part * 4 + j] += pair[2 * j] + pair[2 * j + 1];
        }
    }
}

__attribute__((target("avx512f,avx512vnni")))
static void whole_vnni(int32_t sum[WHOLE_ROWS][32], const uint8_t *const weights[WHOLE_ROWS],
                       const int8_t *z, size_t next_lane, size_t groups)
{
    __m512i a[WHOLE_ROWS], b[WHOLE_ROWS];
    for (size_t i = 0; i < WHOLE_ROWS; i++) {
        a[i] = _mm512_loadu_si512(sum[i]);
        b[i] = _mm512_loadu_si512(sum[i] + 16);
    }
    for (size_t k = 0; k < groups; k++) {
        __m512i x = _mm512_loadu_si512(z + 64 * k);
        __m512i y = _mm512_loadu_si512(z + next_lane + 64 * k);
#pragma GCC unroll 8
        for (size_t i = 0; i < WHOLE_ROWS; i++) {
            int32_t four;
            memcpy(&four, weights[i] + 4 * k, 4);
            __m512i w = _mm512_set1_epi32(four);
            a[i] = _mm512_dpbusd_epi32(a[i], w, x);
            b[i] = _mm512_dpbusd_epi32(b[i], w, y);
        }
    }
    for (size_t i = 0; i < WHOLE_ROWS; i++) {
        _mm512_storeu_si512(sum[i], a[i]);
        _mm512_storeu_si512(sum[i] + 16, b[i]);
    }
}

whole_fn whole_choose(void)
{
    if (__builtin_cpu_supports("avx512vnni")) return whole_vnni;
    if (__builtin_cpu_supports("avx2")) return whole_avx2;
    return whole_plain;
}
#else
whole_fn whole_choose(void)
{
    return whole_plain;
}
#endif
