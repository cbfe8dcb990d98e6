#include "base/rng.h"

#include <string.h>

#include "base/hash.h"

void rng_philox(const uint32_t counter[4], rng_key key, uint32_t out[4])
{
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint32_t k0 = key.word[0], k1 = key.word[1];
    for (int round = 0; round < 10; round++) {
        uint64_t a = (uint64_t)0xD2511F53u * c0, b = (uint64_t)0xCD9E8D57u * c2;
        c0 = (uint32_t)(b >> 32) ^ c1 ^ k0;
        c2 = (uint32_t)(a >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)b;
        c3 = (uint32_t)a;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

uint64_t rng_h64(const char *text, size_t length)
{
    unsigned char digest[SHA256_BYTES];
    uint64_t h = 0;
    sha256_of(text, length, digest);
    for (int i = 7; i >= 0; i--) h = h << 8 | digest[i];
    return h;
}

rng_key rng_key_of(uint64_t seed, const char *analysis)
{
    uint64_t key = seed ^ rng_h64(analysis, strlen(analysis));
    return (rng_key){{(uint32_t)key, (uint32_t)(key >> 32)}};
}

void rng_start(rng_stream *s, rng_key key, uint32_t replicate, uint64_t cluster_h64)
{
    *s = (rng_stream){
        key, {0, replicate, (uint32_t)cluster_h64, (uint32_t)(cluster_h64 >> 32)}, {0}, 4};
}

uint32_t rng_u32(rng_stream *s)
{
    if (s->used == 4) {
        rng_philox(s->counter, s->key, s->words);
        s->counter[0]++;
        s->used = 0;
    }
    return s->words[s->used++];
}

uint64_t rng_u64(rng_stream *s)
{
    uint64_t low = rng_u32(s);
    return low | (uint64_t)rng_u32(s) << 32;
}

double rng_uniform(rng_stream *s)
{
    return (double)(rng_u64(s) >> 11) * 0x1p-53;
}

double rng_uniform_open(rng_stream *s)
{
    return ((double)(rng_u64(s) >> 11) + 0.5) * 0x1p-53;
}

uint32_t rng_bounded(rng_stream *s, uint32_t n)
{
    uint64_t product = (uint64_t)rng_u32(s) * n;
    if ((uint32_t)product < n) { /* only then can the low half be under the threshold */
        uint32_t threshold = -n % n;
        while ((uint32_t)product < threshold) product = (uint64_t)rng_u32(s) * n;
    }
    return (uint32_t)(product >> 32);
}
