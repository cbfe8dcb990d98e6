#include "image/heif_boxes.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

enum { DEPTH_MOST = 6, HEADER = 8, LONG_HEADER = 16, SAMPLE_COUNT_AT = 8 };

static uint64_t big_endian(const unsigned char *p, int size)
{
    uint64_t value = 0;
    for (int i = 0; i < size; i++) value = value << 8 | p[i];
    return value;
}

/* Length of the box at the beginning, and where its content starts; 0: it does not fit. */
static size_t measure(const unsigned char *p, size_t room, size_t *content)
{
    if (room < HEADER) return 0;
    uint64_t size = big_endian(p, 4);
    *content = HEADER;
    if (size == 0) return room; /* to the end */
    if (size == 1) {
        if (room < LONG_HEADER) return 0;
        size = big_endian(p + HEADER, 8);
        *content = LONG_HEADER;
    }
    return size >= *content && size <= room ? (size_t)size : 0;
}

static bool is(const unsigned char *box, const char *kind)
{
    return memcmp(box + 4, kind, 4) == 0;
}

/* The most pictures that a track below says it has. */
static unsigned count_samples(const unsigned char *p, size_t room, int depth)
{
    static const char *const holders[] = {"trak", "mdia", "minf", "stbl"};
    unsigned most = 0;
    size_t size, content;
    for (size_t at = 0; (size = measure(p + at, room - at, &content)) > 0; at += size) {
        const unsigned char *box = p + at;
        unsigned found = 0;
        if ((is(box, "stsz") || is(box, "stz2")) && size >= content + SAMPLE_COUNT_AT + 4) {
            uint64_t n = big_endian(box + content + SAMPLE_COUNT_AT, 4);
            found = n < UINT_MAX ? (unsigned)n : UINT_MAX;
        }
        for (size_t k = 0; k < sizeof holders / sizeof *holders && depth < DEPTH_MOST; k++)
            if (is(box, holders[k]))
                found = count_samples(box + content, size - content, depth + 1);
        if (found > most) most = found;
    }
    return most;
}

heif_boxes heif_boxes_look(const unsigned char *bytes, size_t length)
{
    heif_boxes out = {false, false, 0};
    size_t at = 0, size, content;
    while (at < length && (size = measure(bytes + at, length - at, &content)) > 0) {
        if (is(bytes + at, "meta")) out.still = true;
        if (is(bytes + at, "moov"))
            out.samples = count_samples(bytes + at + content, size - content, 0);
        at += size;
    }
    out.whole = at == length;
    return out;
}
