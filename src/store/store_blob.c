#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/os.h"
#include "base/text.h"
#include "store/store_internal.h"

/* One file, whole: a picture of a dose series. */
#define BLOB_MAX_BYTES ((size_t)1 << 30)

static void blob_path(text *path, const store *s, const char *hash, const char *suffix)
{
    text_add_format(path, "%s/blobs/%.2s/%s%s", s->folder, hash, hash, suffix);
}

tare_status store_put_blob(store *s, char hash[65], const void *bytes, size_t length,
                           const char *suffix, tare_error *err)
{
    tare_status status = TARE_OK;
    unsigned char digest[SHA256_BYTES];
    text path;
    text_init(&path, s->m);
    sha256_of(bytes, length, digest);
    sha256_hex(digest, hash);
    text_add_format(&path, "%s/blobs", s->folder);
    if (path.failed) FAIL_MEMORY(err);
    TRY(os_make_own_folder(path.data, err));
    text_add_format(&path, "/%.2s", hash);
    if (path.failed) FAIL_MEMORY(err);
    TRY(os_make_own_folder(path.data, err));
    text_clear(&path);
    blob_path(&path, s, hash, suffix);
    if (path.failed) FAIL_MEMORY(err);
    /* The name is the content: what is there already is the same bytes, unless a crash of the
     * machine cut it short. */
    if (os_is_own_file(path.data) && os_file_size(path.data) == length) goto done;
    TRY(os_write_file(path.data, bytes, length, err));
done:
    text_free(&path);
    return status;
}

tare_status store_get_blob(char **out, size_t *length, store *s, const char *hash,
                           const char *suffix, tare_error *err)
{
    tare_status status = TARE_OK;
    unsigned char digest[SHA256_BYTES];
    char seen[SHA256_HEX];
    text path;
    text_init(&path, s->m);
    blob_path(&path, s, hash, suffix);
    if (path.failed) FAIL_MEMORY(err);
    TRY(os_read_file(out, length, s->m, path.data, BLOB_MAX_BYTES, err));
    sha256_of(*out, *length, digest);
    sha256_hex(digest, seen);
    if (strcmp(seen, hash)) {
        mem_free(s->m, *out);
        *out = NULL;
        FAIL(err, TARE_E_DATA, "store.blob", path.data, "the file is not what its name says");
    }
done:
    text_free(&path);
    return status;
}
