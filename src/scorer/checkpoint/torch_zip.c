/* torch_zip.c - files of torch.save since 1.6, and of torch.jit.save. Scorers 4.1. */
#include <string.h>

#include "base/error.h"
#include "scorer/checkpoint/torch_tree.h"
#include "scorer/checkpoint/zip_directory.h"

enum { ENTRY_NAME_MOST = 512 };

typedef struct torch_archive {
    const checkpoint *c;
    zip_directory entries;
    const char *prefix; /* not ended: `prefix_length` bytes */
    size_t prefix_length;
} torch_archive;

/* The one entry PREFIX/data.pkl. Entries may not be named by the empty prefix. */
static tare_status find_pickle(const zip_entry **out, torch_archive *z, tare_error *err)
{
    tare_status status = TARE_OK;
    static const char ending[] = "/data.pkl";
    size_t tail = sizeof ending - 1;
    *out = NULL;
    for (size_t i = 0; i < z->entries.count; i++) {
        const zip_entry *e = &z->entries.entry[i];
        size_t length = strlen(e->name);
        if (length <= tail || strcmp(e->name + length - tail, ending) != 0) continue;
        if (*out != NULL) {
            FAIL(err, TARE_E_DATA, "torch.archive", z->c->path,
                 "the archive holds two pickles, %.100s and %.100s: save each model alone",
                 (*out)->name, e->name);
        }
        *out = e;
        z->prefix = e->name;
        z->prefix_length = length - tail;
    }
    if (*out == NULL) {
        FAIL(err, TARE_E_DATA, "torch.archive", z->c->path,
             "this zip archive has no */data.pkl, so torch did not write it: unpack it and give "
             "the file of weights in it");
    }
done:
    return status;
}

/* torch packs nothing. */
static tare_status check_stored(const zip_entry *e, const char *path, tare_error *err)
{
    char shown[CHECKPOINT_SHOWN];
    if (e->stored) return TARE_OK;
    return error_set(err, TARE_E_DATA, "torch.archive", path, "the entry %s is %s",
                     checkpoint_shown(shown, e->name),
                     e->encrypted ? "encrypted, which torch never does: unpack the archive with "
                                    "its password and pack it without one, and without "
                                    "compression (zip -0)"
                                  : "compressed, which torch never does: unpack the archive and "
                                    "pack it without compression (zip -0)");
}

/* Before a tensor asks for one: what is wrong is the archive, not the tensor. */
static tare_status check_storages(const torch_archive *z, tare_error *err)
{
    static const char folder[] = "/data/";
    tare_status status = TARE_OK;
    for (size_t i = 0; i < z->entries.count; i++) {
        const zip_entry *e = &z->entries.entry[i];
        if (strncmp(e->name, z->prefix, z->prefix_length) == 0
            && strncmp(e->name + z->prefix_length, folder, sizeof folder - 1) == 0)
            TRY(check_stored(e, z->c->path, err));
    }
done:
    return status;
}

/* PREFIX/REST; NULL: none, or the name is longer than any. */
static const zip_entry *find_entry(const torch_archive *z, const char *rest, size_t length)
{
    char name[ENTRY_NAME_MOST];
    if (z->prefix_length >= sizeof name || length + 2 > sizeof name - z->prefix_length)
        return NULL;
    memcpy(name, z->prefix, z->prefix_length);
    name[z->prefix_length] = '/';
    memcpy(name + z->prefix_length + 1, rest, length);
    name[z->prefix_length + 1 + length] = '\0';
    return zip_directory_find(&z->entries, name);
}

static bool has_folder(const torch_archive *z, const char *folder)
{
    size_t length = strlen(folder);
    for (size_t i = 0; i < z->entries.count; i++) {
        const char *name = z->entries.entry[i].name;
        if (strncmp(name, z->prefix, z->prefix_length) == 0
            && strncmp(name + z->prefix_length, folder, length) == 0)
            return true;
    }
    return false;
}

static const char *find_storage(torch_storage *out, const void *user, const torch_storage_id *id)
{
    const torch_archive *z = user;
    static const char folder[] = "data/";
    char rest[ENTRY_NAME_MOST];
    size_t before = sizeof folder - 1;
    if (id->key_length > sizeof rest - before || memchr(id->key, '\0', id->key_length) != NULL)
        return "its storage has no usable key";
    memcpy(rest, folder, before);
    memcpy(rest + before, id->key, id->key_length);
    const zip_entry *e = find_entry(z, rest, before + id->key_length);
    if (e == NULL) return "the archive lacks the entry of its storage";
    *out = (torch_storage){z->c->file[0].bytes + e->offset, e->bytes, e->offset};
    return NULL;
}

static tare_status check_byte_order(const torch_archive *z, tare_error *err)
{
    tare_status status = TARE_OK;
    static const char rest[] = "byteorder", little[] = "little";
    const zip_entry *e = find_entry(z, rest, sizeof rest - 1);
    if (e == NULL) return TARE_OK; /* before torch 2.1 */
    TRY(check_stored(e, z->c->path, err));
    if (e->bytes != sizeof little - 1
        || memcmp(z->c->file[0].bytes + e->offset, little, sizeof little - 1) != 0) {
        FAIL(err, TARE_E_DATA, "torch.byteorder", z->c->path,
             "its numbers are not stored with the low byte first: save it again on another "
             "machine, as safetensors");
    }
done:
    return status;
}

static tare_status check_pickle(const zip_entry *e, const char *path, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(check_stored(e, path, err));
    if (e->bytes > PICKLE_BYTES_MOST) {
        FAIL(err, TARE_E_LIMIT, "pickle.size", path,
             "the pickle %.100s has more than %d MB: this is no file of weights", e->name,
             PICKLE_BYTES_MOST >> 20);
    }
done:
    return status;
}

tare_status torch_zip_read(checkpoint *c, tare_error *err)
{
    tare_status status = TARE_OK;
    torch_archive z = {.c = c};
    const torch_source source = {find_storage, &z};
    const zip_entry *e;
    const char *name;
    pickle p;
    TRY(zip_directory_read(&z.entries, &c->a, c->path, c->file[0].bytes, c->file[0].length, err));
    TRY(find_pickle(&e, &z, err));
    TRY(check_pickle(e, c->path, err));
    TRY(check_byte_order(&z, err));
    TRY(check_storages(&z, err));
    c->kind = has_folder(&z, "/code/") ? CHECKPOINT_TORCHSCRIPT : CHECKPOINT_TORCH_ZIP;
    TRY_NEW(name = arena_printf(&c->a, "%s:%s", c->path, e->name));
    TRY(pickle_read(&p, &c->a, name, c->file[0].bytes + e->offset, (size_t)e->bytes, err));
    TRY(torch_tree_read(c, &p, &source, err));
done:
    return status;
}
