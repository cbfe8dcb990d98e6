/* rng.h - Philox4x32-10 streams: a draw is a pure function of (seed, analysis, replicate, cluster,
 * position). Salmon et al. 2011; statistics section 2. */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

typedef struct rng_key { uint32_t word[2]; } rng_key;

typedef struct rng_stream {
    rng_key key;
    uint32_t counter[4];
    uint32_t words[4];
    unsigned used; /* words already taken of the current block */
} rng_stream;

void rng_philox(const uint32_t counter[4], rng_key key, uint32_t out[4]);
/* First 8 bytes of SHA-256 of the text, little-endian. */
uint64_t rng_h64(const char *text, size_t length);
/* seed XOR h64(analysis). */
rng_key rng_key_of(uint64_t seed, const char *analysis);
void rng_start(rng_stream *s, rng_key key, uint32_t replicate, uint64_t cluster_h64);
uint32_t rng_u32(rng_stream *s);
uint64_t rng_u64(rng_stream *s); /* low word first */
double rng_uniform(rng_stream *s);      /* [0,1) */
double rng_uniform_open(rng_stream *s); /* (0,1) */
uint32_t rng_bounded(rng_stream *s, uint32_t n); /* 0..n-1, unbiased (Lemire); n >= 1 */

#endif
