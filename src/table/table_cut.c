/* table_cut.c - where pieces of the file can be parsed on their own.
 *
 * The bytes are cut into slices of equal size; a chunk goes from after the last line feed of one
 * slice to the last line feed of the next. Whether a chunk begins inside a quoted field depends on
 * all before it: each chunk is walked once for each of the two answers, and a short walk over the
 * chunks then tells which was right. Files without quotes need none of it. */
#include <string.h>

#include "base/error.h"
#include "table/field.h"
#include "table/table_parts.h"

typedef struct contents {
    size_t newlines;
    bool quotes, ascii;
} contents;

/* One pass over the bytes for all that needs one. */
static contents look_at(const char *s, const char *end)
{
    contents c = {0, false, true};
#if defined(__SSE2__)
    const __m128i newline = _mm_set1_epi8('\n'), quote = _mm_set1_epi8('"');
    const __m128i zero = _mm_setzero_si128();
    __m128i quotes = zero, other = zero;
    while (end - s >= 16) {
        __m128i sums = zero;
        for (int k = 0; k < 255 && end - s >= 16; k++, s += 16) {
            __m128i v = _mm_loadu_si128((const __m128i *)(const void *)s);
            sums = _mm_sub_epi8(sums, _mm_cmpeq_epi8(v, newline));
            quotes = _mm_or_si128(quotes, _mm_cmpeq_epi8(v, quote));
            other = _mm_or_si128(other, _mm_or_si128(v, _mm_cmpeq_epi8(v, zero)));
        }
        __m128i total = _mm_sad_epu8(sums, zero);
        c.newlines += (size_t)_mm_cvtsi128_si64(total)
                      + (size_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(total, total));
    }
    c.quotes = _mm_movemask_epi8(quotes) != 0;
    c.ascii = _mm_movemask_epi8(other) == 0; /* the top bits */
#endif
    for (; s < end; s++) {
        c.newlines += *s == '\n';
        c.quotes |= *s == '"';
        c.ascii &= *s > 0 && (unsigned char)*s < 0x80;
    }
    return c;
}

size_t table_count_lines(const char *s, const char *end)
{
    return look_at(s, end).newlines;
}

typedef struct cut_job {
    table *t;
    const char **last; /* after the last line feed of each slice; NULL: none */
} cut_job;

static tare_status look_at_slice(void *arg, size_t begin, size_t end, unsigned worker,
                                 tare_error *err)
{
    cut_job *job = arg;
    (void)end, (void)worker, (void)err;
    table *t = job->t;
    chunk *c = &t->chunks[begin];
    const char *from = t->data + begin * t->options.chunk_bytes;
    size_t length = (size_t)(t->end - from);
    if (length > t->options.chunk_bytes) length = t->options.chunk_bytes;
    const char *last = memrchr(from, '\n', length);
    job->last[begin] = last == NULL ? NULL : last + 1;
    contents found = look_at(from, from + length);
    c->lines = found.newlines;
    c->quotes = found.quotes;
    c->ascii = found.ascii;
    return TARE_OK;
}

/* Is the reader inside a quoted field at `end`, which follows a line feed? */
static bool walk(const char *s, const char *end, char delimiter, bool inside)
{
    bool escaped;
    for (;;) {
        if (inside) {
            s = field_closing(s, end, &escaped);
            if (s == NULL) return true;
            s++;
        }
        s = field_stop(s, end, delimiter);
        if (s == end) return false;
        s++; /* a delimiter or line end: a field begins */
        inside = s < end && *s == '"';
        s += inside;
    }
}

static tare_status walk_chunk(void *arg, size_t begin, size_t end, unsigned worker, tare_error *err)
{
    table *t = arg;
    chunk *c = &t->chunks[begin];
    (void)end, (void)worker, (void)err;
    c->next_inside[0] = false;
    c->next_inside[1] = true;
    if (!c->quotes || c->start == c->end) return TARE_OK;
    bool first = *c->start == '"';
    c->next_inside[0] = walk(c->start + first, c->end, t->options.delimiter, first);
    c->next_inside[1] = walk(c->start, c->end, t->options.delimiter, true);
    return TARE_OK;
}

tare_status table_cut(table *t, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t bytes = (size_t)(t->end - t->data);
    size_t n = bytes == 0 ? 0 : (bytes - 1) / t->options.chunk_bytes + 1;
    cut_job job = {t, NULL};
    TRY_NEW(t->chunks = mem_new(t->m, n, sizeof *t->chunks));
    t->chunk_count = n;
    TRY_NEW(job.last = mem_new(t->m, n, sizeof *job.last));
    TRY(table_for(t, n, look_at_slice, &job, err));
    const char *start = t->data;
    size_t line = t->data_line, slot = 0;
    bool pending = false, any = false, ascii = true;
    for (size_t i = 0; i < n; i++) {
        chunk *c = &t->chunks[i];
        bool here = c->quotes, ascii_here = c->ascii;
        c->start = start;
        c->end = i + 1 == n ? t->end : job.last[i] != NULL ? job.last[i] : start;
        c->first_line = line;
        c->slot = slot;
        line += c->lines;
        slot += c->lines;
        start = c->end;
        /* What follows the last line feed of a slice is in the next chunk. */
        c->quotes = pending |= here;
        c->ascii = ascii &= ascii_here;
        if (job.last[i] != NULL) {
            pending = here;
            ascii = ascii_here;
        }
        any |= here;
    }
    if (any) {
        TRY(table_for(t, n, walk_chunk, t, err));
        for (size_t i = 1; i < n; i++) {
            t->chunks[i].inside = t->chunks[i - 1].next_inside[t->chunks[i - 1].inside];
        }
    }
done:
    mem_free(t->m, job.last);
    return status;
}
