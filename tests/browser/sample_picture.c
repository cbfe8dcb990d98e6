#include "sample_picture.h"

#include <stdint.h>
#include <string.h>

#define SIDE 96
#define LINE (1 + 3 * SIDE)
#define RAW (SIDE * LINE)

struct bytes { unsigned char *at; };

static void put32(struct bytes *b, uint32_t v)
{
    for (int shift = 24; shift >= 0; shift -= 8) *b->at++ = (unsigned char)(v >> shift);
}

static uint32_t crc(const unsigned char *data, size_t length)
{
    uint32_t c = 0xFFFFFFFFu;
    for (size_t i = 0; i < length; i++) {
        c ^= data[i];
        for (int k = 0; k < 8; k++) c = c & 1 ? c >> 1 ^ 0xEDB88320u : c >> 1;
    }
    return ~c;
}

static void put_chunk(struct bytes *b, const char *type, const unsigned char *data, size_t length)
{
    put32(b, (uint32_t)length);
    unsigned char *start = b->at;
    memcpy(b->at, type, 4);
    memcpy(b->at + 4, data, length);
    b->at += 4 + length;
    put32(b, crc(start, length + 4));
}

static unsigned char clamp(int v)
{
    return (unsigned char)(v < 0 ? 0 : v > 255 ? 255 : v);
}

static void paint(unsigned char *raw, int lightness)
{
    for (int y = 0; y < SIDE; y++) {
        unsigned char *line = raw + y * LINE;
        line[0] = 0;
        for (int x = 0; x < SIDE; x++) {
            int dx = x - SIDE / 2, dy = (y - SIDE / 2) * 4 / 5;
            int inside = dx * dx + dy * dy < 30 * 30, shade = (dx + dy) / 2;
            int base[3] = {inside ? 190 - shade : 150 + y / 3, inside ? 140 - shade : 165 + y / 4,
                           inside ? 110 - shade : 180};
            for (int c = 0; c < 3; c++)
                line[1 + 3 * x + c] = clamp(base[c] + (inside ? lightness : 0));
        }
    }
}

/* One stored block: RAW is below 65536. */
static size_t store(unsigned char *z, const unsigned char *raw)
{
    uint32_t low = 1, high = 0;
    for (size_t i = 0; i < RAW; i++) {
        low = (low + raw[i]) % 65521;
        high = (high + low) % 65521;
    }
    unsigned char head[7] = {0x78, 0x01, 1, RAW & 255, RAW >> 8, (unsigned char)~(RAW & 255),
                             (unsigned char)~(RAW >> 8)};
    memcpy(z, head, sizeof head);
    memcpy(z + sizeof head, raw, RAW);
    struct bytes b = {z + sizeof head + RAW};
    put32(&b, high << 16 | low);
    return (size_t)(b.at - z);
}

unsigned char *sample_picture(arena *a, int lightness, size_t *length)
{
    unsigned char *raw = arena_new(a, RAW, 1), *z = arena_new(a, RAW + 16, 1);
    unsigned char *png = arena_new(a, RAW + 100, 1);
    if (!raw || !z || !png) return NULL;
    paint(raw, lightness);
    struct bytes b = {png};
    memcpy(b.at, "\x89PNG\r\n\x1a\n", 8);
    b.at += 8;
    const unsigned char header[13] = {0, 0, 0, SIDE, 0, 0, 0, SIDE, 8, 2, 0, 0, 0};
    put_chunk(&b, "IHDR", header, sizeof header);
    put_chunk(&b, "IDAT", z, store(z, raw));
    put_chunk(&b, "IEND", header, 0);
    *length = (size_t)(b.at - png);
    return png;
}
