/* hash.h - SHA-256, and a map from byte strings to indices. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

#define SHA256_BYTES 32
#define SHA256_HEX 65 /* with NUL */

typedef struct sha256 {
    uint32_t state[8];
    uint64_t length;
    unsigned char block[64];
    int path; /* which code runs: found out at the first long piece */
} sha256;

void sha256_init(sha256 *h);
void sha256_add(sha256 *h, const void *bytes, size_t count);
void sha256_done(sha256 *h, unsigned char out[SHA256_BYTES]);
void sha256_of(const void *bytes, size_t count, unsigned char out[SHA256_BYTES]);
void sha256_hex(const unsigned char digest[SHA256_BYTES], char out[SHA256_HEX]);

/* Insertion-ordered set of byte strings: the k-th distinct key gets index k. Keys are copied. */
typedef struct map map;
map *map_new(const mem *m);
void map_free(map *s);
size_t map_count(const map *s);
/* Index of the key, added if new. SIZE_MAX: out of memory. *is_new may be NULL. */
size_t map_add(map *s, const char *key, size_t length, bool *is_new);
/* Index, or SIZE_MAX if absent. */
size_t map_find(const map *s, const char *key, size_t length);
/* Key of an index: NUL-terminated; *length may be NULL. */
const char *map_key(const map *s, size_t index, size_t *length);

#endif
