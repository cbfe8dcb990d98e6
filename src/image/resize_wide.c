/* resize_wide.c - the passes with AVX2. A weight of 22 bits is split into two numbers of 16
 * (taps_split), so that one multiply-add takes two taps of eight sums; the halves of a sum are put
 * together at its end. All modulo 2^32, where the order does not matter. */
#include "image/resize_pass.h"

#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define WIDE_X86 1
#include <immintrin.h>
#else
#define WIDE_X86 0
#endif

enum { ROWS = 4, OVER = 64, BLOCK = 32 }; /* rows together; bytes loads may run over; a vector */

bool pass_wide_available(void)
{
#if WIDE_X86
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

int pass_across_group(int channels)
{
    return channels > 2 ? 4 : 8;
}

size_t pass_scratch_bytes(int in_width, int channels)
{
    return ROWS * ((size_t)in_width * (size_t)channels + OVER);
}

#if WIDE_X86
#define AVX2 __attribute__((target("avx2")))
#define AVX2_INLINE AVX2 __attribute__((always_inline)) static inline

/* How sixteen bytes of pixels are reordered so that two taps of a channel are neighbours, and how
 * the weights of a group are laid beside them. */
AVX2_INLINE __m128i pixel_order(int channels)
{
    switch (channels) {
    case 1: return _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, -1, -1, -1, -1, -1, -1, -1, -1);
    case 2: return _mm_setr_epi8(0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14, 13, 15);
    case 3: return _mm_setr_epi8(0, 3, 1, 4, 2, 5, -1, -1, 6, 9, 7, 10, 8, 11, -1, -1);
    default: return _mm_setr_epi8(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15);
    }
}

AVX2_INLINE __m256i weight_order(int channels)
{
    const int p0 = 0x03020100, p1 = 0x07060504, p2 = 0x0b0a0908, p3 = 0x0f0e0d0c;
    switch (channels) {
    case 1: return _mm256_setr_epi32(p0, p1, p2, p3, -1, -1, -1, -1);
    case 2: return _mm256_setr_epi32(p0, p0, p1, p1, p2, p2, p3, p3);
    default: return _mm256_setr_epi32(p0, p0, p0, p0, p1, p1, p1, p1);
    }
}

AVX2_INLINE __m256i whole(__m256i high, __m256i low)
{
    return _mm256_add_epi32(_mm256_slli_epi32(high, TAPS_LOW_BITS), low);
}

/* One output pixel from the sums of its taps. */
AVX2_INLINE void put_pixel(unsigned char *out, __m256i high, __m256i low, int channels)
{
    __m256i both = whole(high, low);
    __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
    if (channels < 3) sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4e));
    if (channels < 2) sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xb1));
    sum = _mm_srai_epi32(_mm_add_epi32(sum, _mm_set1_epi32(TAPS_HALF)), TAPS_BITS);
    sum = _mm_packs_epi32(sum, sum);
    int bytes = _mm_cvtsi128_si32(_mm_packus_epi16(sum, sum));
    memcpy(out, &bytes, (size_t)channels);
}

/* ROWS rows share the weights. */
AVX2_INLINE void across_rows(unsigned char *const out[ROWS], const unsigned char *const in[ROWS],
                             const taps *t, int channels)
{
    const __m128i pixels = pixel_order(channels);
    const __m256i weights = weight_order(channels);
    const int group = channels > 2 ? 4 : 8;
    for (int i = 0; i < t->out; i++) {
        const short *w = t->halves + (size_t)i * (size_t)t->stride;
        size_t at = (size_t)t->first[i] * (size_t)channels;
        __m256i high[ROWS], low[ROWS];
#pragma GCC unroll 4
        for (int r = 0; r < ROWS; r++) high[r] = low[r] = _mm256_setzero_si256();
        for (int j = 0; j < t->count[i]; j += group) {
            __m256i wh = _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)w));
            __m256i wl = _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)(w + group)));
            wh = _mm256_shuffle_epi8(wh, weights);
            wl = _mm256_shuffle_epi8(wl, weights);
#pragma GCC unroll 4
            for (int r = 0; r < ROWS; r++) {
                __m128i bytes = _mm_loadu_si128((const void *)(in[r] + at));
                __m256i p = _mm256_cvtepu8_epi16(_mm_shuffle_epi8(bytes, pixels));
                high[r] = _mm256_add_epi32(high[r], _mm256_madd_epi16(p, wh));
                low[r] = _mm256_add_epi32(low[r], _mm256_madd_epi16(p, wl));
            }
            w += 2 * group;
            at += (size_t)(group * channels);
        }
        size_t to = (size_t)i * (size_t)channels;
#pragma GCC unroll 4
        for (int r = 0; r < ROWS; r++) put_pixel(out[r] + to, high[r], low[r], channels);
    }
}

AVX2 static void across_1(unsigned char *const out[ROWS], const unsigned char *const in[ROWS],
                          const taps *t)
{
    across_rows(out, in, t, 1);
}
AVX2 static void across_2(unsigned char *const out[ROWS], const unsigned char *const in[ROWS],
                          const taps *t)
{
    across_rows(out, in, t, 2);
}
AVX2 static void across_3(unsigned char *const out[ROWS], const unsigned char *const in[ROWS],
                          const taps *t)
{
    across_rows(out, in, t, 3);
}
AVX2 static void across_4(unsigned char *const out[ROWS], const unsigned char *const in[ROWS],
                          const taps *t)
{
    across_rows(out, in, t, 4);
}

void pass_across_wide(const pass_rows *p, const taps *t, unsigned char *scratch)
{
    static void (*const across[])(unsigned char *const[ROWS], const unsigned char *const[ROWS],
                                  const taps *) = {across_1, across_2, across_3, across_4};
    size_t in_row = (size_t)p->in_width * (size_t)p->channels;
    size_t out_row = (size_t)t->out * (size_t)p->channels;
    const unsigned char *end = p->in + (size_t)p->rows * in_row;
    for (int y = 0; y < p->rows; y += ROWS) {
        const unsigned char *in[ROWS];
        unsigned char *out[ROWS];
        for (int r = 0; r < ROWS; r++) {
            int row = y + r < p->rows ? y + r : p->rows - 1; /* what is left over: the last again */
            in[r] = p->in + (size_t)row * in_row;
            out[r] = p->out + (size_t)row * out_row;
            if ((size_t)(end - in[r]) < in_row + OVER) {
                unsigned char *copy = scratch + (size_t)r * (in_row + OVER);
                memcpy(copy, in[r], in_row);
                memset(copy + in_row, 0, OVER);
                in[r] = copy;
            }
        }
        across[p->channels - 1](out, in, t);
    }
}

/* Two rows at a time into BLOCK columns. */
AVX2_INLINE void down_block(unsigned char *out, const unsigned char *in, size_t row,
                            const short *halves, int count)
{
    const __m256i zero = _mm256_setzero_si256();
    __m256i high[4] = {zero, zero, zero, zero}, low[4] = {zero, zero, zero, zero};
    for (int j = 0; j < count; j += 2, halves += 4) {
        const unsigned char *q = in + (size_t)j * row;
        __m256i a = _mm256_loadu_si256((const void *)q), b = a;
        if (j + 1 < count) b = _mm256_loadu_si256((const void *)(q + row));
        int pair[2];
        memcpy(pair, halves, sizeof pair);
        __m256i wh = _mm256_set1_epi32(pair[0]), wl = _mm256_set1_epi32(pair[1]);
        __m256i first = _mm256_unpacklo_epi8(a, b), second = _mm256_unpackhi_epi8(a, b);
        __m256i p[4] = {_mm256_unpacklo_epi8(first, zero), _mm256_unpackhi_epi8(first, zero),
                        _mm256_unpacklo_epi8(second, zero), _mm256_unpackhi_epi8(second, zero)};
#pragma GCC unroll 4
        for (int k = 0; k < 4; k++) {
            high[k] = _mm256_add_epi32(high[k], _mm256_madd_epi16(p[k], wh));
            low[k] = _mm256_add_epi32(low[k], _mm256_madd_epi16(p[k], wl));
        }
    }
    __m256i sum[4];
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++)
        sum[k] = _mm256_srai_epi32(_mm256_add_epi32(whole(high[k], low[k]),
                                                    _mm256_set1_epi32(TAPS_HALF)), TAPS_BITS);
    _mm256_storeu_si256((void *)out, _mm256_packus_epi16(_mm256_packs_epi32(sum[0], sum[1]),
                                                         _mm256_packs_epi32(sum[2], sum[3])));
}

AVX2 void pass_down_wide(unsigned char *out, const unsigned char *in, size_t row, const taps *t)
{
    if (row < BLOCK) {
        pass_down_plain(out, in, row, t);
        return;
    }
    for (int i = 0; i < t->out; i++) {
        const unsigned char *p = in + (size_t)t->first[i] * row;
        const short *halves = t->halves + (size_t)i * (size_t)t->stride;
        for (size_t at = 0; at < row; at += BLOCK) {
            if (at + BLOCK > row) at = row - BLOCK; /* the last block overlaps the one before */
            down_block(out + (size_t)i * row + at, p + at, row, halves, t->count[i]);
        }
    }
}

#else

void pass_across_wide(const pass_rows *p, const taps *t, unsigned char *scratch)
{
    (void)scratch;
    pass_across_plain(p, t);
}

void pass_down_wide(unsigned char *out, const unsigned char *in, size_t row, const taps *t)
{
    pass_down_plain(out, in, row, t);
}

#endif
