#include "scorer/onnx/model_hash.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/os.h"

/* A file that was written to so lately may be written to again with the same times. */
#define SETTLED_NS INT64_C(2000000000)
enum { ENTRY_MOST = 256 };

/* The folder ends with '/'; false: there is no place. */
static bool cache_folder(char out[PATH_MAX])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int n = -1;
    if (cache != NULL && *cache == '/') n = snprintf(out, PATH_MAX, "%s/tare/sha256/", cache);
    else if (home != NULL && *home == '/') {
        n = snprintf(out, PATH_MAX, "%s/.cache/tare/sha256/", home);
    }
    return n > 0 && n < PATH_MAX;
}

static bool entry_path(char out[PATH_MAX], const model_stamp *s)
{
    if (!cache_folder(out)) return false;
    size_t length = strlen(out);
    int n = snprintf(out + length, PATH_MAX - length, "%" PRIx64 "-%" PRIx64, s->device, s->inode);
    return n > 0 && (size_t)n < PATH_MAX - length;
}

/* What an entry begins with; the sum follows. */
static int entry_head(char out[ENTRY_MOST], const model_stamp *s)
{
    return snprintf(out, ENTRY_MOST, "bytes %" PRIu64 " mtime %" PRId64 " ctime %" PRId64
                    " sha256 ", s->bytes, s->modified_ns, s->changed_ns);
}

static bool is_sum(const char *text)
{
    return strspn(text, "0123456789abcdef") == SHA256_HEX - 1 && text[SHA256_HEX - 1] == '\n';
}

bool model_hash_recall(char out[SHA256_HEX], const model_stamp *stamp)
{
    char path[PATH_MAX], head[ENTRY_MOST], entry[ENTRY_MOST + SHA256_HEX + 2];
    size_t length = 0;
    const char *again = getenv("TARE_REHASH");
    if (stamp->bytes < MODEL_HASH_FROM || (again != NULL && strcmp(again, "1") == 0)
        || !entry_path(path, stamp)
        || os_read_start(entry, &length, sizeof entry - 1, path, NULL) != TARE_OK) {
        return false;
    }
    entry[length] = '\0';
    size_t begin = (size_t)entry_head(head, stamp);
    if (length < begin || memcmp(entry, head, begin) != 0 || !is_sum(entry + begin)) return false;
    memcpy(out, entry + begin, SHA256_HEX - 1);
    out[SHA256_HEX - 1] = '\0';
    return true;
}

void model_hash_keep(const char sum[SHA256_HEX], const model_stamp *stamp)
{
    struct timespec t;
    char path[PATH_MAX], folder[PATH_MAX], entry[ENTRY_MOST + SHA256_HEX + 2];
    clock_gettime(CLOCK_REALTIME, &t);
    int64_t now = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
    int64_t latest = stamp->changed_ns > stamp->modified_ns ? stamp->changed_ns
                                                            : stamp->modified_ns;
    if (stamp->bytes < MODEL_HASH_FROM || now - latest < SETTLED_NS || !cache_folder(folder)
        || !entry_path(path, stamp) || os_make_folders(folder, NULL) != TARE_OK) {
        return;
    }
    int n = entry_head(entry, stamp);
    n += snprintf(entry + n, sizeof entry - (size_t)n, "%s\n", sum);
    /* Not kept: hashed again next time. */
    (void)os_write_file(path, entry, (size_t)n, NULL);
}
