/* fingerprint.h - canonical descriptions of an instrument and their hashes (scorers 1.2).
 *
 * Canonical JSON: one object, keys sorted by bytes, no spaces, shortest doubles. */
#ifndef SCORER_FINGERPRINT_H
#define SCORER_FINGERPRINT_H

#include <stddef.h>
#include <stdint.h>

#include "scorer/scorer.h"

#define FINGERPRINT_FIELDS 24

/* Fields may be added in any order; nested objects and arrays come as canonical JSON. */
typedef struct fingerprint {
    arena *a;
    struct { const char *key, *json; } field[FINGERPRINT_FIELDS];
    size_t count;
    int failed; /* out of memory, or more fields than there is room for */
} fingerprint;

void fingerprint_begin(fingerprint *f, arena *a);
void fingerprint_text(fingerprint *f, const char *key, const char *value);
void fingerprint_number(fingerprint *f, const char *key, double value); /* not finite: null */
void fingerprint_json(fingerprint *f, const char *key, const char *json);
/* The canonical text, in the arena; NULL if anything failed. */
const char *fingerprint_end(fingerprint *f);

/* Fills identity, runtime and both hashes of a description. `identity` is canonical JSON; the
 * runtime holds batch, CPU and tare's version. Errors: MEMORY. */
tare_status fingerprint_describe(scorer_description *d, arena *a, const char *identity,
                                 tare_error *err);
/* The same for what another library computes: canonical JSON that says which, and how it is set. */
tare_status fingerprint_describe_engine(scorer_description *d, arena *a, const char *identity,
                                        const char *engine, tare_error *err);
/* Into the identity of what reads pixels: how they were decoded. The registry does it for all. */
tare_status fingerprint_decoding(scorer_description *d, arena *a, const image_decoding *how,
                                 tare_error *err);
/* A canonical object with one member more, in the arena; `key` is not in it yet. NULL: out of
 * memory. */
const char *fingerprint_with(arena *a, const char *object, const char *key, const char *json);

/* SHA-256 of bytes as hex in the arena, NULL if out of memory. */
const char *fingerprint_hash(arena *a, const void *bytes, size_t length);

#endif
