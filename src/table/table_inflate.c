/* table_inflate.c - gzip (RFC 1952): one member or several, each with its checksum. */
#include <string.h>
#define ZLIB_CONST
#include <zlib.h>

#include "base/error.h"
#include "table/gunzip.h"
#include "table/table_parts.h"

enum { PIECE = 1 << 30, FIRST_ROOM = 1 << 16 };

bool table_is_gzip(const char *bytes, size_t length)
{
    return length >= 2 && memcmp(bytes, "\x1F\x8B", 2) == 0;
}

typedef struct inflater {
    z_stream z;
    const mem *m;
    const char *name;             /* for messages */
    const char *in, *in_end; /* what zlib was not given yet */
    char *out;
    size_t length, room, limit;
    tare_error *err;
} inflater;

static void *zlib_new(void *opaque, unsigned count, unsigned size)
{
    return mem_new(opaque, count, size);
}

static void zlib_free(void *opaque, void *pointer)
{
    mem_free(opaque, pointer);
}

static size_t inflated_limit(const table_options *o, size_t length)
{
    size_t limit = o->max_inflated;
    if (limit == 0) {
        limit = (size_t)1 << 30;
        if (length > limit / 200) limit = length > SIZE_MAX / 200 ? SIZE_MAX : 200 * length;
    }
    if (limit > o->max_bytes) limit = o->max_bytes;
    return limit < PTRDIFF_MAX / 2 ? limit : PTRDIFF_MAX / 2;
}

/* Room for what the file says it becomes (the last four bytes, modulo 2^32, if there is one
 * member), unless that is much for its size: then it grows. */
static size_t first_room(const char *bytes, size_t length, size_t limit)
{
    size_t said = FIRST_ROOM;
    if (length >= 18) {
        const unsigned char *s = (const unsigned char *)bytes + length - 4;
        said = (size_t)s[0] | (size_t)s[1] << 8 | (size_t)s[2] << 16 | (size_t)s[3] << 24;
    }
    if (said > length * 32 + FIRST_ROOM) said = length * 32 + FIRST_ROOM;
    return said < limit ? said + 1 : limit + 1;
}

static bool set_room(inflater *f, size_t room)
{
    char *grown = mem_resize(f->m, f->out, room + TABLE_PADDING, 1);
    if (grown == NULL) return false;
    f->out = grown;
    f->room = room;
    return true;
}

/* Gives zlib input and room. One byte more than the limit may come, to see that it goes on. */
static tare_status feed(inflater *f)
{
    if (f->z.avail_in == 0 && f->in < f->in_end) {
        size_t n = (size_t)(f->in_end - f->in);
        if (n > PIECE) n = PIECE;
        f->z.next_in = (const Bytef *)f->in;
        f->z.avail_in = (uInt)n;
        f->in += n;
    }
    if (f->length == f->room) {
        size_t room = f->room > (f->limit + 1) / 2 ? f->limit + 1 : f->room * 2;
        if (!set_room(f, room)) return error_memory(f->err);
    }
    size_t n = f->room - f->length;
    f->z.next_out = (Bytef *)f->out + f->length;
    f->z.avail_out = (uInt)(n < PIECE ? n : PIECE);
    return TARE_OK;
}

static size_t offset(const inflater *f, const char *bytes)
{
    return (size_t)(f->in - bytes) - f->z.avail_in;
}

static tare_status damaged(const inflater *f, const char *bytes, const char *what)
{
    return error_set(f->err, TARE_E_DATA, "table.gzip", f->name,
                     "the compressed data is damaged at byte %zu (%s)", offset(f, bytes), what);
}

/* Behind a member: another, or zeros (which some programs write), or the end. *more: another. */
static tare_status after_member(inflater *f, bool *more, const char *bytes)
{
    const char *s = f->in - f->z.avail_in;
    *more = table_is_gzip(s, (size_t)(f->in_end - s));
    if (*more) {
        inflateReset(&f->z); /* input stays */
        return TARE_OK;
    }
    while (s < f->in_end && *s == '\0') s++;
    if (s == f->in_end) return TARE_OK;
    return error_set(f->err, TARE_E_DATA, "table.gzip", f->name,
                     "there is something else after the compressed data, at byte %zu",
                     (size_t)(s - bytes));
}

static tare_status run(inflater *f, const char *bytes)
{
    tare_status status = TARE_OK;
    for (bool more = true; more;) {
        TRY(feed(f));
        uInt room = f->z.avail_out;
        int code = inflate(&f->z, Z_NO_FLUSH);
        f->length += room - f->z.avail_out;
        if (f->length > f->limit) {
            FAIL(f->err, TARE_E_LIMIT, "table.inflated", f->name,
                 "inflates to more than the limit of %zu bytes", f->limit);
        }
        if (code == Z_STREAM_END) {
            TRY(after_member(f, &more, bytes));
        } else if (code == Z_MEM_ERROR) {
            FAIL_MEMORY(f->err);
        } else if (code != Z_OK && code != Z_BUF_ERROR) {
            TRY(damaged(f, bytes, f->z.msg != NULL ? f->z.msg : "no gzip stream"));
        } else if (f->z.avail_in == 0 && f->in == f->in_end && f->z.avail_out > 0) {
            FAIL(f->err, TARE_E_DATA, "table.gzip", f->name,
                 "the compressed data ends too early, at byte %zu: was the file copied whole?",
                 offset(f, bytes));
        }
    }
done:
    return status;
}

tare_status gunzip(char **out, size_t *out_length, const mem *m, const gunzip_input *in,
                   tare_error *err)
{
    tare_status status = TARE_OK;
    inflater f = {.m = m, .name = in->name, .in = in->bytes, .in_end = in->bytes + in->length,
                  .limit = in->limit < PTRDIFF_MAX / 2 ? in->limit : PTRDIFF_MAX / 2, .err = err};
    bool begun = false;
    *out = NULL;
    f.z.zalloc = zlib_new;
    f.z.zfree = zlib_free;
    f.z.opaque = (void *)(uintptr_t)m;
    if (!set_room(&f, first_room(in->bytes, in->length, f.limit))) FAIL_MEMORY(err);
    begun = inflateInit2(&f.z, 15 + 16) == Z_OK; /* the largest window, gzip only */
    if (!begun) FAIL_MEMORY(err);
    TRY(run(&f, in->bytes));
    memset(f.out + f.length, 0, TABLE_PADDING);
    *out = f.out;
    *out_length = f.length;
    f.out = NULL;
done:
    if (begun) inflateEnd(&f.z);
    mem_free(m, f.out);
    return status;
}

tare_status table_inflate(char **out, size_t *out_length, const table *t, const char *bytes,
                          size_t length, tare_error *err)
{
    gunzip_input in = {t->name, bytes, length, inflated_limit(&t->options, length)};
    return gunzip(out, out_length, t->m, &in, err);
}
