/* philox_lanes.c - first words of many streams at once.
 *
 * Philox needs 32 x 32 -> 64 bit products; x86 has them for 4 (AVX2) and 8 (AVX-512) lanes in one
 * instruction, which the compiler does not find by itself. Integer arithmetic: all paths give the
 * same words. */
#include "stats/draws.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define LANES_X86 1
#include <immintrin.h>
#else
#define LANES_X86 0
#endif

static void first_scalar(uint64_t *out, rng_key key, uint32_t replicate, const uint64_t *h64,
                         size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t counter[4] = {0, replicate, (uint32_t)h64[i], (uint32_t)(h64[i] >> 32)};
        uint32_t words[4];
        rng_philox(counter, key, words);
        out[i] = words[0] | (uint64_t)words[1] << 32;
    }
}

#if LANES_X86
enum { ROUNDS = 10 };
static const uint32_t multiplier[2] = {0xD2511F53u, 0xCD9E8D57u};
static const uint32_t weyl[2] = {0x9E3779B9u, 0xBB67AE85u};

/* Each 64-bit lane carries one 32-bit word of the counter in its low half; high halves are junk,
 * which mul_epu32 ignores. */
__attribute__((target("avx2")))
static size_t first_avx2(uint64_t *out, rng_key key, uint32_t replicate, const uint64_t *h64,
                         size_t n)
{
    const __m256i m0 = _mm256_set1_epi64x(multiplier[0]), m1 = _mm256_set1_epi64x(multiplier[1]);
    const __m256i low = _mm256_set1_epi64x(0xffffffff);
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        __m256i c2 = _mm256_loadu_si256((const __m256i *)(const void *)(h64 + i));
        __m256i c3 = _mm256_srli_epi64(c2, 32);
        __m256i c0 = _mm256_setzero_si256(), c1 = _mm256_set1_epi64x(replicate);
        uint32_t k0 = key.word[0], k1 = key.word[1];
        for (int r = 0; r < ROUNDS; r++, k0 += weyl[0], k1 += weyl[1]) {
            __m256i p0 = _mm256_mul_epu32(c0, m0), p1 = _mm256_mul_epu32(c2, m1);
            c0 = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(p1, 32), c1),
                                  _mm256_set1_epi64x(k0));
            c2 = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(p0, 32), c3),
                                  _mm256_set1_epi64x(k1));
            c1 = p1;
            c3 = p0;
        }
        __m256i words = _mm256_or_si256(_mm256_and_si256(c0, low), _mm256_slli_epi64(c1, 32));
        _mm256_storeu_si256((__m256i *)(void *)(out + i), words);
    }
    return i;
}

__attribute__((target("avx512f")))
static size_t first_avx512(uint64_t *out, rng_key key, uint32_t replicate, const uint64_t *h64,
                           size_t n)
{
    const __m512i m0 = _mm512_set1_epi64(multiplier[0]), m1 = _mm512_set1_epi64(multiplier[1]);
    const __m512i low = _mm512_set1_epi64(0xffffffff);
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        __m512i c2 = _mm512_loadu_si512(h64 + i);
        __m512i c3 = _mm512_srli_epi64(c2, 32);
        __m512i c0 = _mm512_setzero_si512(), c1 = _mm512_set1_epi64(replicate);
        uint32_t k0 = key.word[0], k1 = key.word[1];
        for (int r = 0; r < ROUNDS; r++, k0 += weyl[0], k1 += weyl[1]) {
            __m512i p0 = _mm512_mul_epu32(c0, m0), p1 = _mm512_mul_epu32(c2, m1);
            c0 = _mm512_xor_si512(_mm512_xor_si512(_mm512_srli_epi64(p1, 32), c1),
                                  _mm512_set1_epi64(k0));
            c2 = _mm512_xor_si512(_mm512_xor_si512(_mm512_srli_epi64(p0, 32), c3),
                                  _mm512_set1_epi64(k1));
            c1 = p1;
            c3 = p0;
        }
        __m512i words = _mm512_or_si512(_mm512_and_si512(c0, low), _mm512_slli_epi64(c1, 32));
        _mm512_storeu_si512(out + i, words);
    }
    return i;
}
#endif

void draws_first(uint64_t *out, rng_key key, uint32_t replicate, const uint64_t *h64, size_t n)
{
    size_t done = 0;
#if LANES_X86
    if (__builtin_cpu_supports("avx512f")) done = first_avx512(out, key, replicate, h64, n);
    else if (__builtin_cpu_supports("avx2")) done = first_avx2(out, key, replicate, h64, n);
#endif
    first_scalar(out + done, key, replicate, h64 + done, n - done);
}
