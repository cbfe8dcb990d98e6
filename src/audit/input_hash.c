#include "audit/input_hash.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/os.h"
#include "base/pool.h"

enum { PIECE = 1 << 18 };

struct input_hash {
    const mem *m;
    const char *path;
    pool_aside *task;
    unsigned char digest[SHA256_BYTES];
};

/* A pipe gives its bytes once: whoever reads them for the hash takes them from the table. */
static bool has_bytes(const char *path)
{
    return strncmp(path, "duckdb:", 7) != 0 && !os_gives_once(path);
}

static tare_status hash_file(input_hash *h, const atomic_bool *stop, tare_error *err)
{
    tare_status status = TARE_OK;
    sha256 state;
    ptrdiff_t got;
    unsigned char *piece = NULL;
    int file = os_open(h->path, O_RDONLY | O_NOCTTY);
    if (file < 0) return error_system(err, errno, "open", h->path);
    TRY_NEW(piece = mem_new(h->m, PIECE, 1));
    sha256_init(&state);
    while ((got = os_read(file, piece, PIECE)) > 0 && !(stop && atomic_load(stop)))
        sha256_add(&state, piece, (size_t)got);
    if (got < 0) {
        status = error_system(err, errno, "read", h->path);
        goto done;
    }
    sha256_done(&state, h->digest);
done:
    mem_free(h->m, piece);
    close(file);
    return status;
}

static tare_status log_digest(const input_hash *h, audit_result *r, tare_error *err)
{
    char hex[SHA256_HEX];
    sha256_hex(h->digest, hex);
    return result_log_add(r, "Input", h->path, hex, err);
}

tare_status input_hash_log(audit_result *r, const char *path, tare_error *err)
{
    tare_status status = TARE_OK;
    input_hash h = {.m = r->m, .path = path};
    if (!has_bytes(path)) return TARE_OK;
    TRY(hash_file(&h, NULL, err));
    TRY(log_digest(&h, r, err));
done:
    return status;
}

static tare_status run_aside(void *arg, const atomic_bool *stop, tare_error *err)
{
    return hash_file(arg, stop, err);
}

tare_status input_hash_start(input_hash **out, const tare_context *c, const char *path,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    input_hash *h = NULL;
    *out = NULL;
    TRY_NEW(h = mem_new(&c->mem, 1, sizeof *h));
    h->m = &c->mem;
    h->path = path;
    if (has_bytes(path)) TRY(pool_aside_start(&h->task, c->pool, run_aside, h, err));
    *out = h;
    h = NULL;
done:
    input_hash_drop(h);
    return status;
}

tare_status input_hash_finish(input_hash *h, audit_result *r, tare_error *err)
{
    tare_status status = TARE_OK;
    pool_aside *task = h->task;
    h->task = NULL;
    if (!task) goto done;
    TRY(pool_aside_wait(task, err));
    TRY(log_digest(h, r, err));
done:
    input_hash_drop(h);
    return status;
}

void input_hash_drop(input_hash *h)
{
    if (!h) return;
    pool_aside_drop(h->task);
    mem_free(h->m, h);
}
