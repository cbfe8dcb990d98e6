/* sha256_x86.c - SHA-256 with the x86 SHA extensions (Intel SDM, SHA256RNDS2, SHA256MSG1/2). */
#include "base/sha256_blocks.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include <cpuid.h>
#include <immintrin.h>

bool sha256_fast_available(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSSE3) || !(c & bit_SSE4_1)) return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & (1u << 29));
}

/* The unit wants the state as (a b e f) and (c d g h), high word first. */
__attribute__((target("sha,sse4.1,ssse3"))) void
sha256_fast_blocks(uint32_t state[8], const unsigned char *p, size_t count, const uint32_t k[64])
{
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i dcba = _mm_loadu_si128((const __m128i *)(const void *)state);
    __m128i hgfe = _mm_loadu_si128((const __m128i *)(const void *)(state + 4));
    __m128i cdab = _mm_shuffle_epi32(dcba, 0xB1), efgh = _mm_shuffle_epi32(hgfe, 0x1B);
    __m128i abef = _mm_alignr_epi8(cdab, efgh, 8), cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);
    for (; count > 0; count--, p += 64) {
        __m128i before_abef = abef, before_cdgh = cdgh, w[4];
        for (int i = 0; i < 4; i++) {
            w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i)),
                                    swap);
        }
#pragma GCC unroll 16
        for (int i = 0; i < 16; i++) {
            __m128i now = w[i & 3];
            if (i >= 4) { /* four new words of the schedule from the last sixteen */
                __m128i last = w[(i + 3) & 3];
                now = _mm_sha256msg1_epu32(now, w[(i + 1) & 3]);
                now = _mm_add_epi32(now, _mm_alignr_epi8(last, w[(i + 2) & 3], 4));
                now = _mm_sha256msg2_epu32(now, last);
                w[i & 3] = now;
            }
            __m128i wk = _mm_add_epi32(
                now, _mm_loadu_si128((const __m128i *)(const void *)(k + 4 * i)));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, wk);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(wk, 0x0E));
        }
        abef = _mm_add_epi32(abef, before_abef);
        cdgh = _mm_add_epi32(cdgh, before_cdgh);
    }
    __m128i feba = _mm_shuffle_epi32(abef, 0x1B), dchg = _mm_shuffle_epi32(cdgh, 0xB1);
    _mm_storeu_si128((__m128i *)(void *)state, _mm_blend_epi16(feba, dchg, 0xF0));
    _mm_storeu_si128((__m128i *)(void *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

#else

bool sha256_fast_available(void)
{
    return false;
}

void sha256_fast_blocks(uint32_t state[8], const unsigned char *p, size_t count,
                        const uint32_t k[64])
{
    (void)state, (void)p, (void)count, (void)k;
}

#endif
