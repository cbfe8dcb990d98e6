/* store.h - the run folder: `run.sqlite`, everything raw, resumable.
 *
 * SQLite in WAL mode, one connection, used by one thread. What is committed survives kill -9. The
 * store knows rows, not their meaning: plans, statuses and scores are given and taken as they are.
 * Opening checks schema version and that no other process holds the folder. */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "tare.h"

typedef struct store store;

/* Open or create FOLDER/run.sqlite. `create` false: it must exist. Errors: IO (permission, disk
 * full, in use by another process), DATA (not a tare run; made by a newer version). */
tare_status store_open(store **out, const mem *m, const char *folder, bool create, tare_error *err);
void store_close(store *s);

/* Options and facts of the run, text by key ("option.axis", "plan.hash"). get: NULL if absent; the
 * text lives in `a`. */
tare_status store_set(store *s, const char *key, const char *value, tare_error *err);
tare_status store_get(const char **out, store *s, arena *a, const char *key, tare_error *err);

/* Write in groups: begin, rows, commit. A group is all there or not at all. */
tare_status store_begin(store *s, tare_error *err);
tare_status store_commit(store *s, tare_error *err);
void store_rollback(store *s);

typedef struct store_base {
    int64_t index;            /* position in the plan                              */
    const char *id, *file, *cluster, *group, *arm, *kind;
    int status;               /* tare_reason, 0: usable                            */
    const char *why;          /* one line, "" if usable                            */
    int width, height;
    double skin_share;
    const char *pixels_hash;  /* SHA-256 hex of the decoded pixels                 */
    const char *notes;        /* decoding notes, comma-separated                   */
    const char *shown, *mask; /* id as printed; path of a user mask or ""          */
    double dose, attribute, artifact; /* of a row of a variants table; else NaN    */
    int64_t bytes, modified_ns; /* stamp of the file when it was looked at         */
} store_base;

typedef struct store_variant {
    int64_t base, slot;       /* slot: position among the variants of a base       */
    const char *operator_name;
    double dose;
    const char *pixels_hash;
    const char *measures;     /* JSON object of doubles, sorted keys               */
} store_variant;

typedef struct store_score {
    int64_t base, slot, scorer, pass; /* pass 0: first scoring; 1...: noise passes */
    double value;             /* NaN unless status 0                               */
    int status;               /* tare_reason                                       */
    const char *note;
} store_score;

tare_status store_put_base(store *s, const store_base *row, tare_error *err);
tare_status store_put_variant(store *s, const store_variant *row, tare_error *err);
tare_status store_put_score(store *s, const store_score *row, tare_error *err);
/* A batch is the unit of resume: mark it when all its scores are written in the same group. */
tare_status store_mark_batch(store *s, int64_t scorer, int64_t pass, int64_t batch,
                             tare_error *err);
/* What is to be made and asked anew. */
tare_status store_unmark_batches(store *s, int64_t scorer, int64_t pass, int64_t first,
                                 int64_t count, tare_error *err);
tare_status store_forget_variants(store *s, int64_t base, tare_error *err);
/* Bit array over batches 0..count-1 (one byte each) of those marked. */
tare_status store_marked_batches(unsigned char *out, int64_t count, store *s, int64_t scorer,
                                 int64_t pass, tare_error *err);

/* Rows in key order. The row's strings live until the callback returns. A status other than OK ends
 * the walk and is returned. */
tare_status store_each_base(store *s,
                            tare_status (*row)(void *arg, const store_base *, tare_error *),
                            void *arg, tare_error *err);
tare_status store_each_variant(store *s,
                               tare_status (*row)(void *arg, const store_variant *, tare_error *),
                               void *arg, tare_error *err);
tare_status store_each_score(store *s,
                             tare_status (*row)(void *arg, const store_score *, tare_error *),
                             void *arg, tare_error *err);

/* Small files by content: put gives the SHA-256 hex name; the same bytes are kept once, as
 * FOLDER/blobs/ab/abcdef....<suffix>. */
tare_status store_put_blob(store *s, char hash[65], const void *bytes, size_t length,
                           const char *suffix, tare_error *err);
tare_status store_get_blob(char **out, size_t *length, store *s, const char *hash,
                           const char *suffix, tare_error *err);

#endif
