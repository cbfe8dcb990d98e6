/* embedding_cache.c - what is in memory: some vectors, first in first out, and an index by key. */
#include "scorer/onnx/embedding_cache.h"

#include <pthread.h>
#include <string.h>

#include "base/error.h"
#include "scorer/onnx/embedding_file.h"

enum { INDEX_ENTRY_BYTES = 64, INDEX_FIRST = 64, SLOTS_FIRST = 16 };

/* Where the vector of a key is. Keys are SHA-256: their first bytes are as good as any hash, and
 * the rest is compared where the vector lies. Neither record nor slot: an empty entry. */
typedef struct entry {
    uint64_t prefix;
    uint32_t record, slot; /* each plus one; 0: not there */
} entry;

struct embedding_cache {
    const mem *m;
    size_t length;
    pthread_mutex_t mutex;
    embedding_file file; /* fd -1: none */
    bool told;           /* that the file cannot be written to */
    entry *index;        /* [size], a power of two; linear probing */
    size_t size, count, entries_most;
    unsigned char (*slot_key)[EMBEDDING_KEY_BYTES];
    float *slot_vector;
    size_t slots, slots_room, slots_most, next; /* next: to be used or used again */
};

static uint64_t prefix_of(const unsigned char *key)
{
    uint64_t p;
    memcpy(&p, key, sizeof p);
    return p;
}

static bool empty(const entry *e)
{
    return e->record == 0 && e->slot == 0;
}

static void put_entry(embedding_cache *c, entry e)
{
    size_t at = e.prefix & (c->size - 1);
    while (!empty(&c->index[at])) at = (at + 1) & (c->size - 1);
    c->index[at] = e;
    c->count++;
}

static tare_status index_grow(embedding_cache *c, tare_error *err)
{
    entry *old = c->index;
    size_t old_size = c->size, size = old_size ? 2 * old_size : INDEX_FIRST;
    if (old && 2 * (c->count + 1) <= old_size) return TARE_OK;
    entry *made = mem_new(c->m, size, sizeof *made);
    if (!made) return error_memory(err);
    c->index = made;
    c->size = size;
    c->count = 0;
    for (size_t i = 0; i < old_size; i++)
        if (!empty(&old[i])) put_entry(c, old[i]);
    mem_free(c->m, old);
    return TARE_OK;
}

/* Those behind move up, so that no probe stops early. */
static void drop_entry(embedding_cache *c, size_t at)
{
    size_t mask = c->size - 1, hole = at;
    for (size_t k = (at + 1) & mask; !empty(&c->index[k]); k = (k + 1) & mask) {
        size_t home = c->index[k].prefix & mask;
        if (((k - home) & mask) < ((k - hole) & mask)) continue;
        c->index[hole] = c->index[k];
        hole = k;
    }
    c->index[hole] = (entry){0, 0, 0};
    c->count--;
}

/* The slot is wanted for another vector: its entry goes, or points to the file alone. */
static void empty_slot(embedding_cache *c, size_t slot)
{
    size_t mask = c->size - 1, at = prefix_of(c->slot_key[slot]) & mask;
    while (c->index[at].slot != slot + 1) at = (at + 1) & mask;
    if (c->index[at].record == 0 || c->count > c->entries_most) drop_entry(c, at);
    else c->index[at].slot = 0;
}

/* A place in memory that no entry points to. */
static tare_status take_slot(size_t *out, embedding_cache *c, tare_error *err)
{
    if (c->slots == c->slots_room && c->slots < c->slots_most) {
        size_t room = c->slots_room ? 2 * c->slots_room : SLOTS_FIRST;
        if (room > c->slots_most) room = c->slots_most;
        void *keys = mem_resize(c->m, c->slot_key, room, sizeof *c->slot_key);
        if (!keys) return error_memory(err);
        c->slot_key = keys;
        void *vectors = mem_resize(c->m, c->slot_vector, room, c->length * sizeof(float));
        if (!vectors) return error_memory(err);
        c->slot_vector = vectors;
        c->slots_room = room;
    }
    if (c->slots < c->slots_room) {
        *out = c->slots++;
        return TARE_OK;
    }
    *out = c->next;
    c->next = (c->next + 1) % c->slots_most;
    empty_slot(c, *out);
    return TARE_OK;
}

static float *vector_of(const embedding_cache *c, size_t slot)
{
    return c->slot_vector + slot * c->length;
}

static void fill_slot(embedding_cache *c, size_t slot, const unsigned char *key,
                      const float *vector)
{
    memcpy(c->slot_key[slot], key, EMBEDDING_KEY_BYTES);
    memcpy(vector_of(c, slot), vector, c->length * sizeof(float));
}

/* A new entry for a vector that is in `record` (or nowhere: 0) and is now in memory too. */
static tare_status remember(embedding_cache *c, const unsigned char *key, const float *vector,
                            uint32_t record, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t slot = 0;
    TRY(index_grow(c, err));
    TRY(take_slot(&slot, c, err));
    fill_slot(c, slot, key, vector);
    put_entry(c, (entry){prefix_of(key), record, (uint32_t)slot + 1});
done:
    return status;
}

/* Copies the vector if it is here or in the file; what the file does not hold any more, or holds
 * damaged, is forgotten. */
static tare_status look_up(float *vector, bool *found, embedding_cache *c,
                           const unsigned char *key, tare_error *err)
{
    tare_status status = TARE_OK;
    uint64_t prefix = prefix_of(key);
    size_t mask = c->size - 1, at = prefix & mask;
    *found = false;
    while (!empty(&c->index[at])) {
        entry e = c->index[at];
        if (e.prefix != prefix) {
            at = (at + 1) & mask;
            continue;
        }
        if (e.slot) {
            *found = memcmp(c->slot_key[e.slot - 1], key, EMBEDDING_KEY_BYTES) == 0;
            if (*found) {
                memcpy(vector, vector_of(c, e.slot - 1), c->length * sizeof(float));
                goto done;
            }
            at = (at + 1) & mask;
            continue;
        }
        TRY(embedding_file_read(vector, found, &c->file, e.record - 1, key, err));
        drop_entry(c, at); /* and comes again with its place in memory */
        if (*found) {
            TRY(remember(c, key, vector, e.record, err));
            goto done;
        }
    }
done:
    return status;
}

/* A record of the file that was not known. */
static tare_status visit(void *arg, const unsigned char *key, uint64_t record, tare_error *err)
{
    embedding_cache *c = arg;
    if (c->count >= c->entries_most || record >= UINT32_MAX) return TARE_OK;
    tare_status status = index_grow(c, err);
    if (status == TARE_OK) put_entry(c, (entry){prefix_of(key), (uint32_t)record + 1, 0});
    return status;
}

static tare_status check_options(const embedding_cache_options *o, tare_error *err)
{
    if (o->length < 1 || o->length > EMBEDDING_LENGTH_MOST)
        return error_set(err, TARE_E_USAGE, "embeddings.length", NULL,
                         "vectors of %zu numbers: 1 to %d can be kept", o->length,
                         EMBEDDING_LENGTH_MOST);
    if (o->folder && (strlen(o->identity) != 64 || strlen(o->runtime) != 64))
        return error_set(err, TARE_E_BUG, "embeddings.hash", NULL, "hashes of 64 digits, please");
    return TARE_OK;
}

tare_status embedding_cache_open(embedding_cache **out, const mem *m,
                                 const embedding_cache_options *o, tare_error *err)
{
    tare_status status = TARE_OK;
    embedding_cache *c = NULL;
    *out = NULL;
    TRY(check_options(o, err));
    TRY_NEW(c = mem_new(m, 1, sizeof *c));
    c->m = m;
    c->length = o->length;
    c->file.fd = -1;
    pthread_mutex_init(&c->mutex, NULL);
    c->slots_most = o->memory_bytes / (EMBEDDING_KEY_BYTES + o->length * sizeof(float));
    if (c->slots_most < 1) c->slots_most = 1;
    if (c->slots_most > UINT32_MAX / 2) c->slots_most = UINT32_MAX / 2;
    c->entries_most = o->memory_bytes / INDEX_ENTRY_BYTES;
    TRY(index_grow(c, err));
    if (o->folder) {
        TRY(embedding_file_open(&c->file, m, o, err));
        TRY(embedding_file_refresh(&c->file, visit, c, err));
    }
    *out = c;
    c = NULL;
done:
    embedding_cache_close(c);
    return status;
}

void embedding_cache_close(embedding_cache *c)
{
    if (!c) return;
    embedding_file_close(&c->file);
    pthread_mutex_destroy(&c->mutex);
    mem_free(c->m, c->index);
    mem_free(c->m, c->slot_key);
    mem_free(c->m, c->slot_vector);
    mem_free(c->m, c);
}

tare_status embedding_cache_get(float *vector, bool *found, embedding_cache *c,
                                const unsigned char key[EMBEDDING_KEY_BYTES], tare_error *err)
{
    tare_status status = TARE_OK;
    pthread_mutex_lock(&c->mutex);
    TRY(look_up(vector, found, c, key, err));
    if (*found || c->file.fd < 0) goto done;
    TRY(embedding_file_refresh(&c->file, visit, c, err)); /* what others have added */
    TRY(look_up(vector, found, c, key, err));
done:
    pthread_mutex_unlock(&c->mutex);
    return status;
}

/* Into the file, unless another process was faster. *record: its number plus one. */
static tare_status add_to_file(uint32_t *record, embedding_cache *c, const unsigned char *key,
                               const float *vector, float *scratch, tare_error *err)
{
    tare_status status = TARE_OK;
    bool found = false, entered = false;
    *record = 0;
    TRY(embedding_file_enter(&c->file, visit, c, err));
    entered = true;
    TRY(look_up(scratch, &found, c, key, err));
    if (found || c->count >= c->entries_most || c->file.records >= UINT32_MAX - 1) goto done;
    TRY(embedding_file_append(&c->file, key, vector, err));
    *record = (uint32_t)c->file.records;
done:
    if (entered) embedding_file_leave(&c->file);
    return status;
}

static tare_status read_only(const embedding_file *f, tare_error *err)
{
    return error_set(err, TARE_E_IO, "io.write", f->path, "the file of vectors cannot be written "
                     "to: new ones are kept in memory only");
}

tare_status embedding_cache_put(embedding_cache *c,
                                const unsigned char key[EMBEDDING_KEY_BYTES], const float *vector,
                                tare_error *err)
{
    tare_status status = TARE_OK, kept = TARE_OK;
    bool found;
    uint32_t record = 0;
    float *scratch = mem_resize(c->m, NULL, c->length, sizeof *scratch);
    if (!scratch) return error_memory(err);
    pthread_mutex_lock(&c->mutex);
    TRY(look_up(scratch, &found, c, key, err));
    if (found) goto done;
    if (c->file.fd >= 0 && !c->told) {
        kept = c->file.writable ? add_to_file(&record, c, key, vector, scratch, err)
                                : read_only(&c->file, err);
        if (kept == TARE_E_MEMORY) TRY(kept);
        c->told = kept != TARE_OK;
    }
    TRY(look_up(scratch, &found, c, key, NULL)); /* another process may have put it there */
    if (!found) status = remember(c, key, vector, record, kept == TARE_OK ? err : NULL);
    if (status == TARE_OK) status = kept;
done:
    pthread_mutex_unlock(&c->mutex);
    mem_free(c->m, scratch);
    return status;
}
