/* torch_legacy.c - files of torch.save before 1.6. Scorers 4.1.
 *
 * Five pickles (magic number, protocol, system, object, keys), then for each key a count and the
 * elements. Only the object's pickle tells how large an element is. */
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "scorer/checkpoint/torch_tree.h"

enum { MAGIC_BYTES = 10, PROTOCOL = 1001, COUNT_BYTES = 8 };

/* 0x1950a86a20f9469cfc6c, lowest byte first. */
static const char magic_number[MAGIC_BYTES + 1] = "\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19";

typedef struct legacy_file {
    checkpoint *c;
    size_t at;              /* in the file */
    map *keys;              /* of the object's storages */
    size_t *element;        /* bytes of one, by index in keys */
    torch_storage *storage; /* data NULL: not found in the file */
} legacy_file;

static tare_status next_pickle(pickle *out, legacy_file *f, const char *what, tare_error *err)
{
    tare_status status = TARE_OK;
    const model_file *file = &f->c->file[0];
    const char *name;
    TRY_NEW(name = arena_printf(&f->c->a, "%s:%s at byte %zu", f->c->path, what, f->at));
    TRY(pickle_read(out, &f->c->a, name, file->bytes + f->at, file->length - f->at, err));
    f->at += out->used;
done:
    return status;
}

static bool is_little_endian(const pickle_node *system)
{
    if (system->kind != PICKLE_DICT) return false;
    for (uint32_t i = 0; i + 1 < system->count; i += 2)
        if (pickle_is_text(system->item[i], "little_endian"))
            return system->item[i + 1]->kind == PICKLE_BOOL && system->item[i + 1]->integer == 1;
    return false;
}

static tare_status read_opening(legacy_file *f, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *path = f->c->path;
    pickle p;
    TRY(next_pickle(&p, f, "magic number", err));
    if (p.root->kind != PICKLE_LONG || p.root->count != MAGIC_BYTES
        || memcmp(p.root->bytes, magic_number, MAGIC_BYTES) != 0) {
        FAIL(err, TARE_E_DATA, "torch.magic", path,
             "this is a pickle and not one of torch: save the weights with torch.save or as "
             "safetensors");
    }
    TRY(next_pickle(&p, f, "protocol", err));
    if (p.root->kind != PICKLE_INT || p.root->integer != PROTOCOL) {
        FAIL(err, TARE_E_DATA, "torch.protocol", path,
             "the file has another protocol than %d, the only one that torch ever had: it is "
             "damaged", PROTOCOL);
    }
    TRY(next_pickle(&p, f, "system", err));
    if (!is_little_endian(p.root)) {
        FAIL(err, TARE_E_DATA, "torch.byteorder", path,
             "its numbers are not stored with the low byte first: save it again on another "
             "machine, as safetensors");
    }
done:
    return status;
}

static uint64_t count_at(const unsigned char *bytes)
{
    uint64_t count = 0;
    for (size_t i = COUNT_BYTES; i-- > 0;) count = count << 8 | bytes[i];
    return count;
}

/* The size of an element of every storage that the object names, of opaque values too: the file
 * holds all of them in a row. */
static tare_status note_storages(legacy_file *f, const pickle *p, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t count = 0, index;
    bool is_new;
    torch_storage_id id;
    for (const pickle_node *n = p->persistent; n != NULL; n = n->next) count++;
    TRY_NEW(f->element = arena_new(&f->c->a, count, sizeof *f->element));
    TRY_NEW(f->storage = arena_new(&f->c->a, count, sizeof *f->storage));
    for (const pickle_node *n = p->persistent; n != NULL; n = n->next) {
        torch_storage_id_read(&id, n); /* what is wrong with it is told where a tensor uses it */
        if (id.key == NULL) continue;  /* the source of a module, and no storage */
        index = map_add(f->keys, id.key, id.key_length, &is_new);
        if (index == SIZE_MAX) FAIL_MEMORY(err);
        if (!is_new && f->element[index] != id.size) {
            FAIL(err, TARE_E_DATA, "torch.storage", f->c->path,
                 "the same storage is said to hold elements of %zu and of %zu bytes (byte %u of "
                 "the pickle): the file is damaged", f->element[index], id.size, n->offset);
        }
        f->element[index] = id.size;
    }
done:
    return status;
}

static tare_status place_storage(legacy_file *f, const pickle_node *key, tare_error *err)
{
    tare_status status = TARE_OK;
    const model_file *file = &f->c->file[0];
    uint64_t elements = 0, bytes;
    size_t index = key->kind == PICKLE_TEXT ? map_find(f->keys, key->bytes, key->count) : SIZE_MAX;
    if (index == SIZE_MAX || f->element[index] == 0 || f->storage[index].data != NULL) {
        FAIL(err, TARE_E_DATA, "torch.storage", f->c->path,
             "the list of keys names a storage at byte %zu that the pickle does not, or twice, "
             "or whose element type is unknown: save the weights again, as safetensors", f->at);
    }
    if (file->length - f->at >= COUNT_BYTES) elements = count_at(file->bytes + f->at);
    if (file->length - f->at < COUNT_BYTES
        || __builtin_mul_overflow(elements, (uint64_t)f->element[index], &bytes)
        || bytes > file->length - f->at - COUNT_BYTES) {
        FAIL(err, TARE_E_DATA, "torch.truncated", f->c->path,
             "the file ends within the storage that begins at byte %zu: it is not complete, fetch "
             "it again", f->at);
    }
    f->at += COUNT_BYTES;
    f->storage[index] = (torch_storage){file->bytes + f->at, bytes, f->at};
    f->at += (size_t)bytes;
done:
    return status;
}

static tare_status place_storages(legacy_file *f, const pickle_node *keys, tare_error *err)
{
    tare_status status = TARE_OK;
    if (keys->kind != PICKLE_LIST) {
        FAIL(err, TARE_E_DATA, "torch.storage", f->c->path,
             "there is no list of keys after the pickle: the file is damaged");
    }
    for (uint32_t i = 0; i < keys->count; i++) TRY(place_storage(f, keys->item[i], err));
done:
    return status;
}

static const char *find_storage(torch_storage *out, const void *user, const torch_storage_id *id)
{
    const legacy_file *f = user;
    size_t index = map_find(f->keys, id->key, id->key_length);
    if (index == SIZE_MAX || f->storage[index].data == NULL)
        return "the file lacks its storage";
    *out = f->storage[index];
    return NULL;
}

tare_status torch_legacy_read(checkpoint *c, tare_error *err)
{
    tare_status status = TARE_OK;
    legacy_file f = {.c = c};
    const torch_source source = {find_storage, &f};
    pickle object, keys;
    c->kind = CHECKPOINT_TORCH_LEGACY;
    TRY_NEW(f.keys = map_new(c->a.m));
    TRY(read_opening(&f, err));
    TRY(next_pickle(&object, &f, "object", err));
    TRY(next_pickle(&keys, &f, "keys", err));
    TRY(note_storages(&f, &object, err));
    TRY(place_storages(&f, keys.root, err));
    TRY(torch_tree_read(c, &object, &source, err));
done:
    map_free(f.keys);
    return status;
}
