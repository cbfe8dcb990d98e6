#include "stats/draws.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { CHUNK = 256 }; /* streams started together: 2 KiB of stack */

/* ---- Names ----------------------------------------------------------------------------------- */

typedef struct named {
    const char *id;
    size_t index;
} named;

static int by_bytes(const void *a, const void *b)
{
    const named *x = a, *y = b;
    int order = strcmp(x->id, y->id);
    if (order != 0) return order;
    return x->index < y->index ? -1 : x->index > y->index;
}

tare_status draws_canonical(size_t *order, const char *const *ids, size_t n, const mem *m,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    named *list = NULL;
    TRY_NEW(list = mem_new(m, n, sizeof *list));
    for (size_t k = 0; k < n; k++) list[k] = (named){ids[k], k};
    qsort(list, n, sizeof *list, by_bytes);
    for (size_t k = 0; k < n; k++) {
        if (k > 0 && strcmp(list[k].id, list[k - 1].id) == 0)
            FAIL(err, TARE_E_DATA, "cluster.duplicate", NULL, "cluster %s is named twice",
                 list[k].id);
        order[k] = list[k].index;
    }
done:
    mem_free(m, list);
    return status;
}

void draws_hash(uint64_t *h64, const char *const *ids, size_t n)
{
    for (size_t k = 0; k < n; k++) h64[k] = rng_h64(ids[k], strlen(ids[k]));
}

tare_status draws_key(rng_key *out, uint64_t seed, const char *base, const char *method,
                      const mem *m, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t base_length = strlen(base), method_length = strlen(method);
    char *name = NULL;
    TRY_NEW(name = mem_new(m, base_length + method_length + 2, 1));
    memcpy(name, base, base_length);
    name[base_length] = '/';
    memcpy(name + base_length + 1, method, method_length);
    *out = rng_key_of(seed, name);
done:
    mem_free(m, name);
    return status;
}

/* ---- Weights and signs ----------------------------------------------------------------------- */

/* Lemire's bounded draw once more from the start of the stream, for the few picks (n in 2^32) whose
 * first word is rejected. */
static uint32_t bounded_again(rng_key key, uint32_t replicate, uint64_t h64, uint32_t n)
{
    rng_stream s;
    rng_start(&s, key, replicate, h64);
    return rng_bounded(&s, n);
}

bool draws_multinomial(uint8_t *w, rng_key key, uint32_t replicate, const uint64_t *h64, size_t n)
{
    uint64_t first[CHUNK];
    uint32_t clusters = (uint32_t)n, reject = (0u - clusters) % clusters;
    memset(w, 0, n);
    for (size_t begin = 0; begin < n; begin += CHUNK) {
        size_t count = n - begin < CHUNK ? n - begin : CHUNK;
        draws_first(first, key, replicate, h64 + begin, count);
        for (size_t i = 0; i < count; i++) {
            uint64_t product = (uint64_t)(uint32_t)first[i] * clusters;
            uint32_t pick = (uint32_t)(product >> 32);
            if ((uint32_t)product < reject)
                pick = bounded_again(key, replicate, h64[begin + i], clusters);
            if (++w[pick] == 0) return false;
        }
    }
    return true;
}

/* floor(2^64 CDF) of Poisson(1), from e^-1 to 60 digits. */
static const uint64_t poisson_table[21] = {
    0x5e2d58d8b3bcdf1au, 0xbc5ab1b16779be35u, 0xeb715e1dc1582dc2u, 0xfb23979734a252f1u,
    0xff1025f59174dc3du, 0xffd90f3ba4055e19u, 0xfffa8b71fc72c913u, 0xffff540c0914b3c9u,
    0xffffed1f4aa8f120u, 0xfffffe216e641462u, 0xffffffd4d85d3183u, 0xfffffffc6da262b4u,
    0xffffffffba12d178u, 0xfffffffffb07c64cu, 0xffffffffffab8ea5u, 0xfffffffffffabe22u,
    0xffffffffffffb11au, 0xfffffffffffffba1u, 0xffffffffffffffc5u, 0xfffffffffffffffdu,
    0xffffffffffffffffu};

void draws_poisson(uint8_t *w, rng_key key, uint32_t replicate, const uint64_t *h64, size_t n)
{
    uint64_t first[CHUNK];
    for (size_t begin = 0; begin < n; begin += CHUNK) {
        size_t count = n - begin < CHUNK ? n - begin : CHUNK;
        draws_first(first, key, replicate, h64 + begin, count);
        for (size_t i = 0; i < count; i++) {
            /* Counts above 4 are rare; the others are found without a branch to guess. */
            uint64_t u = first[i];
            unsigned below = (unsigned)(poisson_table[0] <= u) + (poisson_table[1] <= u) +
                             (poisson_table[2] <= u) + (poisson_table[3] <= u) +
                             (poisson_table[4] <= u);
            while (below >= 5 && below < 21 && poisson_table[below] <= u) below++;
            w[begin + i] = (uint8_t)below;
        }
    }
}

void draws_flips(uint8_t *flip, rng_key key, uint32_t replicate, const uint64_t *h64, size_t n)
{
    uint64_t first[CHUNK];
    for (size_t begin = 0; begin < n; begin += CHUNK) {
        size_t count = n - begin < CHUNK ? n - begin : CHUNK;
        draws_first(first, key, replicate, h64 + begin, count);
        for (size_t i = 0; i < count; i++) flip[begin + i] = first[i] & 1;
    }
}

/* ---- Orders ---------------------------------------------------------------------------------- */

/* The keys are uniform, so n buckets by their high half hold one each on average: a counting pass
 * leaves almost everything in place for insertion. Both passes are stable, hence ties stay in
 * canonical order. */
void draws_order_keys(uint32_t *order, uint64_t *scratch, const uint64_t *keys, size_t n)
{
    uint64_t *sorted = scratch, *start = scratch + n;
    memset(start, 0, (n + 1) * sizeof *start);
    for (size_t i = 0; i < n; i++) start[((keys[i] >> 32) * n >> 32) + 1]++;
    for (size_t b = 0; b < n; b++) start[b + 1] += start[b];
    for (size_t i = 0; i < n; i++) {
        uint64_t slot = start[(keys[i] >> 32) * n >> 32]++;
        sorted[slot] = keys[i];
        order[slot] = (uint32_t)i;
    }
    for (size_t i = 1; i < n; i++) {
        uint64_t key = sorted[i];
        uint32_t index = order[i];
        size_t j = i;
        for (; j > 0 && sorted[j - 1] > key; j--) {
            sorted[j] = sorted[j - 1];
            order[j] = order[j - 1];
        }
        sorted[j] = key;
        order[j] = index;
    }
}

void draws_order(uint32_t *order, uint64_t *scratch, rng_key key, uint32_t replicate,
                 const uint64_t *h64, size_t n)
{
    draws_first(scratch, key, replicate, h64, n);
    draws_order_keys(order, scratch + n, scratch, n);
}
