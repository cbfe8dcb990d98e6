/* zip_directory.c - an archive is read from its end: the last record says where the list of entries
 * is, each of those where its own header is, and that where its bytes begin. No number is believed:
 * every place is checked against the file before it is looked at. */
#include "scorer/checkpoint/zip_directory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "scorer/checkpoint/checkpoint.h"

enum {
    END_BYTES = 22, END64_BYTES = 56, LOCATOR_BYTES = 20, CENTRAL_BYTES = 46, LOCAL_BYTES = 30,
    COMMENT_MOST = 65535, ENCRYPTED = 1, EXTRA_ZIP64 = 1
};
#define FULL16 UINT64_C(0xffff)
#define FULL32 UINT64_C(0xffffffff)

typedef struct archive {
    const char *name;
    const unsigned char *bytes;
    size_t length;
    uint64_t count, from, to; /* entries; the list of them, which ends before the last records */
} archive;

/* What the list says of an entry. */
typedef struct central {
    const unsigned char *name;
    size_t name_bytes, bytes; /* bytes: of this record with all that belongs to it */
    unsigned flags, method;
    uint64_t packed, unpacked, local;
} central;

static uint64_t number(const unsigned char *p, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned k = bytes; k-- > 0;) value = value << 8 | p[k];
    return value;
}

static bool is(const unsigned char *p, const char *signature)
{
    return memcmp(p, signature, 4) == 0;
}

static tare_status damaged(const archive *z, const char *code, const char *what, tare_error *err)
{
    return error_set(err, TARE_E_DATA, code, z->name,
                     "%s. Was the file copied or downloaded whole?", what);
}

/* The last record, behind which only its comment stands. */
static const unsigned char *find_end(const archive *z)
{
    if (z->length < END_BYTES) return NULL;
    size_t at = z->length - END_BYTES;
    size_t stop = at > COMMENT_MOST ? at - COMMENT_MOST : 0;
    for (;; at--) {
        const unsigned char *p = z->bytes + at;
        if (is(p, "PK\5\6") && number(p + 20, 2) == z->length - END_BYTES - at) return p;
        if (at == stop) return NULL;
    }
}

/* The record of 64 bits says the same as the other where that has room for it. */
static bool agrees(uint64_t narrow, uint64_t full, uint64_t wide)
{
    return narrow == full || narrow == wide;
}

static tare_status read_end64(archive *z, const unsigned char *end, size_t locator,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    const unsigned char *l = z->bytes + locator;
    uint64_t at = number(l + 8, 8);
    if (at > locator || locator - at < END64_BYTES || !is(z->bytes + at, "PK\6\6"))
        TRY(damaged(z, "zip.end", "the zip64 record of this archive is not where it should be",
                    err));
    const unsigned char *p = z->bytes + at;
    if (number(l + 4, 4) != 0 || number(l + 16, 4) > 1 || number(p + 16, 4) != 0
        || number(p + 20, 4) != 0 || number(p + 24, 8) != number(p + 32, 8))
        FAIL(err, TARE_E_DATA, "zip.parts", z->name, "one of the parts of an archive: join them");
    z->count = number(p + 32, 8);
    z->from = number(p + 48, 8);
    if (!agrees(number(end + 10, 2), FULL16, z->count)
        || !agrees(number(end + 12, 4), FULL32, number(p + 40, 8))
        || !agrees(number(end + 16, 4), FULL32, z->from))
        TRY(damaged(z, "zip.end", "the last two records of this archive contradict each other",
                    err));
    if (z->from > at || number(p + 40, 8) > at - z->from)
        TRY(damaged(z, "zip.end", "the list of entries of this archive lies outside of it", err));
    z->to = z->from + number(p + 40, 8);
done:
    return status;
}

static tare_status read_end(archive *z, tare_error *err)
{
    tare_status status = TARE_OK;
    const unsigned char *end = find_end(z);
    if (end == NULL)
        TRY(damaged(z, "zip.truncated", "the last record of this zip archive is missing", err));
    size_t at = (size_t)(end - z->bytes);
    if (at >= LOCATOR_BYTES && is(end - LOCATOR_BYTES, "PK\6\7")) {
        TRY(read_end64(z, end, at - LOCATOR_BYTES, err));
        goto done;
    }
    if (number(end + 4, 2) != 0 || number(end + 6, 2) != 0
        || number(end + 8, 2) != number(end + 10, 2))
        FAIL(err, TARE_E_DATA, "zip.parts", z->name, "one of the parts of an archive: join them");
    uint64_t size = number(end + 12, 4);
    z->count = number(end + 10, 2);
    z->from = number(end + 16, 4);
    if (z->from > at || size > at - z->from)
        TRY(damaged(z, "zip.end", "the list of entries of this archive lies outside of it", err));
    z->to = z->from + size;
done:
    return status;
}

/* Sizes and place that do not fit 32 bits stand in an extra field, in this order. */
static bool read_zip64(central *e, const unsigned char *extra, size_t length)
{
    uint64_t *const wide[] = {&e->unpacked, &e->packed, &e->local};
    bool needed = e->unpacked == FULL32 || e->packed == FULL32 || e->local == FULL32;
    while (needed && length >= 4) {
        size_t size = (size_t)number(extra + 2, 2);
        if (size > length - 4) return false;
        if (number(extra, 2) == EXTRA_ZIP64) {
            const unsigned char *p = extra + 4;
            for (size_t i = 0; i < 3; i++) {
                if (*wide[i] != FULL32) continue;
                if (size < 8) return false;
                *wide[i] = number(p, 8);
                p += 8;
                size -= 8;
            }
            return true;
        }
        extra += 4 + size;
        length -= 4 + size;
    }
    return !needed;
}

/* The record at `at` of the list. False: it is none, or runs over the end of the list. */
static bool read_central(central *e, const archive *z, uint64_t at)
{
    const unsigned char *p = z->bytes + at;
    if (z->to - at < CENTRAL_BYTES || !is(p, "PK\1\2")) return false;
    size_t extra = (size_t)number(p + 30, 2);
    e->flags = (unsigned)number(p + 8, 2);
    e->method = (unsigned)number(p + 10, 2);
    e->packed = number(p + 20, 4);
    e->unpacked = number(p + 24, 4);
    e->local = number(p + 42, 4);
    e->name = p + CENTRAL_BYTES;
    e->name_bytes = (size_t)number(p + 28, 2);
    e->bytes = CENTRAL_BYTES + e->name_bytes + extra + (size_t)number(p + 32, 2);
    return e->bytes <= z->to - at && read_zip64(e, e->name + e->name_bytes, extra);
}

/* Its bytes: behind its own header, before the list. */
static tare_status place_entry(zip_entry *out, const archive *z, const central *e, tare_error *err)
{
    tare_status status = TARE_OK;
    char shown[CHECKPOINT_SHOWN];
    checkpoint_shown(shown, out->name);
    if (e->local > z->from || z->from - e->local < LOCAL_BYTES
        || !is(z->bytes + e->local, "PK\3\4"))
        FAIL(err, TARE_E_DATA, "zip.entry", z->name, "the header of entry %s should be at byte "
             "%" PRIu64 " and is not there. Was the file copied or downloaded whole?", shown,
             e->local);
    const unsigned char *p = z->bytes + e->local;
    uint64_t room = z->from - e->local - LOCAL_BYTES;
    uint64_t name = number(p + 26, 2), head = name + number(p + 28, 2);
    if (name != e->name_bytes || name > room || memcmp(p + LOCAL_BYTES, e->name, name) != 0
        || number(p + 8, 2) != e->method)
        FAIL(err, TARE_E_DATA, "zip.entry", z->name, "the header of entry %s has another name or "
             "method than the list of entries: the archive is damaged, or was made to deceive",
             shown);
    if (head > room || e->packed > room - head)
        FAIL(err, TARE_E_DATA, "zip.entry", z->name, "the %" PRIu64 " bytes of entry %s run over "
             "the end of the data. Was the file copied or downloaded whole?", e->packed, shown);
    out->encrypted = (e->flags & ENCRYPTED) != 0;
    out->stored = e->method == 0 && !out->encrypted;
    if (out->stored && e->packed != e->unpacked)
        FAIL(err, TARE_E_DATA, "zip.entry", z->name, "entry %s is not compressed and has two "
             "lengths, %" PRIu64 " and %" PRIu64 ": the archive is damaged", shown, e->packed,
             e->unpacked);
    out->offset = e->local + LOCAL_BYTES + head;
    out->bytes = e->packed;
done:
    return status;
}

static int by_name(const void *x, const void *y)
{
    return strcmp(((const zip_entry *)x)->name, ((const zip_entry *)y)->name);
}

static tare_status sort_entries(zip_directory *d, const archive *z, tare_error *err)
{
    tare_status status = TARE_OK;
    char shown[CHECKPOINT_SHOWN];
    if (d->count > 1) qsort(d->entry, d->count, sizeof *d->entry, by_name);
    for (size_t i = 1; i < d->count; i++) {
        if (strcmp(d->entry[i - 1].name, d->entry[i].name) != 0) continue;
        FAIL(err, TARE_E_DATA, "zip.duplicate", z->name,
             "two entries are called %s: which one is meant cannot be told",
             checkpoint_shown(shown, d->entry[i].name));
    }
done:
    return status;
}

tare_status zip_directory_read(zip_directory *out, arena *a, const char *name,
                               const unsigned char *bytes, size_t length, tare_error *err)
{
    tare_status status = TARE_OK;
    archive z = {.name = name, .bytes = bytes, .length = length};
    *out = (zip_directory){NULL, 0};
    TRY(read_end(&z, err));
    if (z.count > ZIP_ENTRIES_MOST)
        FAIL(err, TARE_E_LIMIT, "zip.entries", name, "%" PRIu64 " entries; at most %d", z.count,
             (int)ZIP_ENTRIES_MOST);
    if (z.count > (z.to - z.from) / CENTRAL_BYTES)
        TRY(damaged(&z, "zip.list", "the list of entries is too short for their number", err));
    TRY_NEW(out->entry = arena_new(a, (size_t)z.count, sizeof *out->entry));
    uint64_t at = z.from;
    for (size_t i = 0; i < z.count; i++) {
        central e;
        if (!read_central(&e, &z, at))
            TRY(damaged(&z, "zip.list", "the list of entries of this archive is damaged", err));
        if (memchr(e.name, '\0', e.name_bytes) != NULL)
            TRY(damaged(&z, "zip.name", "the name of an entry has a NUL in it", err));
        TRY_NEW(out->entry[i].name = arena_text(a, (const char *)e.name, e.name_bytes));
        TRY(place_entry(&out->entry[i], &z, &e, err));
        at += e.bytes;
    }
    if (at != z.to)
        TRY(damaged(&z, "zip.list", "the list of entries is longer than their number", err));
    out->count = (size_t)z.count;
    TRY(sort_entries(out, &z, err));
done:
    if (status != TARE_OK) *out = (zip_directory){NULL, 0};
    return status;
}

const zip_entry *zip_directory_find(const zip_directory *z, const char *name)
{
    const zip_entry wanted = {.name = name};
    if (z->count == 0) return NULL;
    return bsearch(&wanted, z->entry, z->count, sizeof *z->entry, by_name);
}
