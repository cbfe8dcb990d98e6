#include "scorer/onnx/embedding_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/os.h"

/* Header: magic, version, floats in a vector, both hashes, check sum. Numbers little-endian. */
enum {
    MAGIC = 8, VERSION_AT = 8, LENGTH_AT = 12, HASHES_AT = 16, HASHES = 128,
    HEADER_SUM_AT = HASHES_AT + HASHES, SUM = 8, HEADER = HEADER_SUM_AT + SUM,
    VERSION = 1, BLOCK = 1 << 18
};
static const char magic[MAGIC + 1] = "tarevec\n";

static void put32(unsigned char *out, uint32_t v)
{
    for (int i = 0; i < 4; i++) out[i] = (unsigned char)(v >> 8 * i);
}

static uint32_t get32(const unsigned char *in)
{
    return (uint32_t)in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16 | (uint32_t)in[3] << 24;
}

/* The first bytes of SHA-256 of what stands before them. */
static void put_sum(unsigned char *out, const unsigned char *bytes, size_t count)
{
    unsigned char digest[SHA256_BYTES];
    sha256_of(bytes, count, digest);
    memcpy(out, digest, SUM);
}

static bool sum_fits(const unsigned char *sum, const unsigned char *bytes, size_t count)
{
    unsigned char want[SUM];
    put_sum(want, bytes, count);
    return memcmp(want, sum, SUM) == 0;
}

static void make_header(unsigned char out[HEADER], const embedding_cache_options *o)
{
    memset(out, 0, HEADER);
    memcpy(out, magic, MAGIC);
    put32(out + VERSION_AT, VERSION);
    put32(out + LENGTH_AT, (uint32_t)o->length);
    memcpy(out + HASHES_AT, o->identity, HASHES / 2);
    memcpy(out + HASHES_AT + HASHES / 2, o->runtime, HASHES / 2);
    put_sum(out + HEADER_SUM_AT, out, HEADER_SUM_AT);
}

static uint64_t place_of(const embedding_file *f, uint64_t record)
{
    return HEADER + record * f->record_bytes;
}

/* All of `count` bytes at `at`, or how many there are. Errors: IO. */
static tare_status read_at(size_t *got, const embedding_file *f, unsigned char *out, size_t count,
                           uint64_t at, tare_error *err)
{
    *got = 0;
    while (*got < count) {
        ssize_t n = pread(f->fd, out + *got, count - *got, (off_t)(at + *got));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return error_system(err, errno, "read", f->path);
        if (n == 0) break;
        *got += (size_t)n;
    }
    return TARE_OK;
}

static tare_status write_at(const embedding_file *f, const unsigned char *bytes, size_t count,
                            uint64_t at, tare_error *err)
{
    for (size_t done = 0; done < count;) {
        ssize_t n = pwrite(f->fd, bytes + done, count - done, (off_t)(at + done));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return error_system(err, errno, "write", f->path);
        done += (size_t)n;
    }
    return TARE_OK;
}

static tare_status size_of(uint64_t *out, const embedding_file *f, tare_error *err)
{
    struct stat st;
    if (fstat(f->fd, &st) != 0) return error_system(err, errno, "read", f->path);
    *out = (uint64_t)st.st_size;
    return TARE_OK;
}

static tare_status cut(const embedding_file *f, uint64_t size, tare_error *err)
{
    while (ftruncate(f->fd, (off_t)size) != 0)
        if (errno != EINTR) return error_system(err, errno, "write", f->path);
    return TARE_OK;
}

static tare_status lock(const embedding_file *f, int how, tare_error *err)
{
    while (flock(f->fd, how) != 0)
        if (errno != EINTR) return error_system(err, errno, "lock", f->path);
    return TARE_OK;
}

void embedding_file_leave(embedding_file *f)
{
    if (f->fd >= 0) flock(f->fd, LOCK_UN);
}

/* For writing if that may be, else for reading if the file is there. */
static tare_status open_either(embedding_file *f, const char *folder, tare_error *err)
{
    tare_status status = TARE_OK;
    struct stat st;
    TRY(os_make_folders(folder, err));
    f->fd = open(f->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
    f->writable = f->fd >= 0;
    if (f->fd < 0) {
        int number = errno;
        if (number == EACCES || number == EROFS || number == EPERM)
            f->fd = open(f->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
        char reason[128];
        if (f->fd < 0)
            FAIL(err, TARE_E_IO, "io.write", f->path, "vectors cannot be kept here: %s; name a "
                 "folder that can be written to", strerror_r(number, reason, sizeof reason));
    }
    if (fstat(f->fd, &st) != 0) TRY(error_system(err, errno, "read", f->path));
    if (!S_ISREG(st.st_mode))
        FAIL(err, TARE_E_DATA, "embeddings.kind", f->path, "not a regular file");
done:
    return status;
}

/* With the lock. A new file, or one whose header was half written, gets its header. */
static tare_status settle_header(embedding_file *f, const embedding_cache_options *o,
                                 tare_error *err)
{
    tare_status status = TARE_OK;
    unsigned char want[HEADER], seen[HEADER];
    size_t got;
    make_header(want, o);
    TRY(read_at(&got, f, seen, HEADER, 0, err));
    if (got == HEADER && memcmp(seen, want, HEADER) == 0) goto done;
    if (got < HEADER && memcmp(seen, want, got) == 0) {
        if (!f->writable)
            FAIL(err, TARE_E_DATA, "embeddings.kind", f->path, "a file of vectors that was never "
                 "written to the end, and cannot be written to");
        status = write_at(f, want, HEADER, 0, err);
        if (status != TARE_OK) cut(f, got, NULL);
        goto done;
    }
    if (got < MAGIC || memcmp(seen, magic, MAGIC) != 0)
        FAIL(err, TARE_E_DATA, "embeddings.kind", f->path,
             "not a file of vectors; move it away, or name another folder");
    FAIL(err, TARE_E_DATA, "embeddings.kind", f->path, "vectors of another model, version or "
         "length (%u floats, wanted %zu), or a damaged header; move the file away",
         got < HASHES_AT ? 0u : (unsigned)get32(seen + LENGTH_AT), o->length);
done:
    return status;
}

/* With the lock. Whole records that the file holds; damaged ones at its end are cut off. */
static tare_status cut_damaged(const embedding_file *f, tare_error *err)
{
    tare_status status = TARE_OK;
    uint64_t size = 0;
    TRY(size_of(&size, f, err));
    uint64_t records = size < HEADER ? 0 : (size - HEADER) / f->record_bytes;
    for (; records > 0; records--) {
        size_t got, body = f->record_bytes - SUM;
        TRY(read_at(&got, f, f->block, f->record_bytes, place_of(f, records - 1), err));
        if (got == f->record_bytes && sum_fits(f->block + body, f->block, body)) break;
    }
    if (place_of(f, records) < size) TRY(cut(f, place_of(f, records), err));
done:
    return status;
}

tare_status embedding_file_open(embedding_file *f, const mem *m, const embedding_cache_options *o,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    bool locked = false;
    *f = (embedding_file){.m = m, .fd = -1, .length = o->length};
    f->record_bytes = EMBEDDING_KEY_BYTES + 4 * o->length + SUM;
    f->block_bytes = f->record_bytes > BLOCK ? f->record_bytes : BLOCK;
    size_t room = strlen(o->folder) + 48;
    TRY_NEW(f->path = mem_new(m, room, 1));
    TRY_NEW(f->block = mem_resize(m, NULL, f->block_bytes, 1));
    snprintf(f->path, room, "%s/%.16s-%.16s.vec", o->folder, o->identity, o->runtime);
    TRY(open_either(f, o->folder, err));
    TRY(lock(f, f->writable ? LOCK_EX : LOCK_SH, err));
    locked = true;
    TRY(settle_header(f, o, err));
    if (f->writable) TRY(cut_damaged(f, err));
done:
    if (locked) embedding_file_leave(f);
    return status;
}

void embedding_file_close(embedding_file *f)
{
    if (!f->m) return;
    if (f->fd >= 0) close(f->fd);
    mem_free(f->m, f->path);
    mem_free(f->m, f->block);
    *f = (embedding_file){.fd = -1};
}

tare_status embedding_file_refresh(embedding_file *f, embedding_visit visit, void *arg,
                                   tare_error *err)
{
    tare_status status = TARE_OK;
    uint64_t size = 0;
    size_t most = f->block_bytes / f->record_bytes;
    TRY(size_of(&size, f, err));
    uint64_t records = size < HEADER ? 0 : (size - HEADER) / f->record_bytes;
    if (f->records > records) f->records = records;
    while (f->records < records) {
        size_t got, n = records - f->records < most ? (size_t)(records - f->records) : most;
        TRY(read_at(&got, f, f->block, n * f->record_bytes, place_of(f, f->records), err));
        n = got / f->record_bytes;
        if (n == 0) break; /* cut by another process since */
        for (size_t i = 0; i < n; i++, f->records++)
            TRY(visit(arg, f->block + i * f->record_bytes, f->records, err));
    }
done:
    return status;
}

tare_status embedding_file_enter(embedding_file *f, embedding_visit visit, void *arg,
                                 tare_error *err)
{
    tare_status status = TARE_OK;
    bool locked = false;
    TRY(lock(f, LOCK_EX, err));
    locked = true;
    TRY(embedding_file_refresh(f, visit, arg, err));
    TRY(cut(f, place_of(f, f->records), err)); /* what a killed writer left */
done:
    if (status != TARE_OK && locked) embedding_file_leave(f);
    return status;
}

tare_status embedding_file_append(embedding_file *f, const unsigned char *key, const float *vector,
                                  tare_error *err)
{
    tare_status status = TARE_OK;
    unsigned char *p = f->block;
    uint64_t at = place_of(f, f->records);
    size_t body = f->record_bytes - SUM;
    memcpy(p, key, EMBEDDING_KEY_BYTES);
    for (size_t i = 0; i < f->length; i++) {
        uint32_t bits;
        memcpy(&bits, &vector[i], sizeof bits);
        put32(p + EMBEDDING_KEY_BYTES + 4 * i, bits);
    }
    put_sum(p + body, p, body);
    TRY(write_at(f, p, f->record_bytes, at, err));
    f->records++;
done:
    if (status != TARE_OK) cut(f, at, NULL);
    return status;
}

tare_status embedding_file_read(float *vector, bool *good, embedding_file *f, uint64_t record,
                                const unsigned char *key, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t got, body = f->record_bytes - SUM;
    const unsigned char *p = f->block;
    *good = false;
    TRY(read_at(&got, f, f->block, f->record_bytes, place_of(f, record), err));
    if (got < f->record_bytes || memcmp(p, key, EMBEDDING_KEY_BYTES) != 0 ||
        !sum_fits(p + body, p, body))
        goto done;
    for (size_t i = 0; i < f->length; i++) {
        uint32_t bits = get32(p + EMBEDDING_KEY_BYTES + 4 * i);
        memcpy(&vector[i], &bits, sizeof bits);
    }
    *good = true;
done:
    return status;
}
