/* draws.h - what chance decides: weights, signs and orders of clusters (statistics 2).
 *
 * Replicate r of a cluster depends on (seed, analysis, r, cluster id) and on nothing else, except
 * that multinomial picks also depend on the number of clusters and their canonical order. Many
 * streams are started at once, several to a vector register; the words are those of
 * rng_start/rng_u32 on every machine. */
#ifndef STATS_DRAWS_H
#define STATS_DRAWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/rng.h"
#include "tare.h"

/* order[k] = index of the k-th cluster in canonical order: ids ascending by bytes.
 * Errors: DATA (an id twice), MEMORY. */
tare_status draws_canonical(size_t *order, const char *const *ids, size_t n, const mem *m,
                            tare_error *err);
void draws_hash(uint64_t *h64, const char *const *ids, size_t n);
/* Key of "<base>/<method>", e.g. ("skin", "boot"). A long name is no problem. Errors: MEMORY. */
tare_status draws_key(rng_key *out, uint64_t seed, const char *base, const char *method,
                      const mem *m, tare_error *err);

/* The first u64 of each of n streams: words 0 and 1 of block 0, low word first. */
void draws_first(uint64_t *out, rng_key key, uint32_t replicate, const uint64_t *h64, size_t n);

/* w[n] = how often each cluster is drawn in n draws with replacement; their sum is n. False if a
 * count passes 255, which never happens (probability below n/255!): the caller reports a bug.
 * 1 <= n < 2^32. */
bool draws_multinomial(uint8_t *w, rng_key key, uint32_t replicate, const uint64_t *h64, size_t n);
/* w[n] = independent Poisson(1) counts, 0..21. */
void draws_poisson(uint8_t *w, rng_key key, uint32_t replicate, const uint64_t *h64, size_t n);
/* flip[n] = 1 where the cluster's sign is -1, else 0. */
void draws_flips(uint8_t *flip, rng_key key, uint32_t replicate, const uint64_t *h64, size_t n);
/* order[n] = clusters sorted by (first u64, canonical index): the order in which permuted labels
 * are handed out. `scratch` has DRAWS_ORDER_SCRATCH(n) words. n < 2^32. */
#define DRAWS_ORDER_SCRATCH(n) (3 * (n) + 2)
void draws_order(uint32_t *order, uint64_t *scratch, rng_key key, uint32_t replicate,
                 const uint64_t *h64, size_t n);
/* The same sort for keys at hand (within an item: the words of one stream). */
void draws_order_keys(uint32_t *order, uint64_t *scratch, const uint64_t *keys, size_t n);

#endif
