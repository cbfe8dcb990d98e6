/* heif_bits.c - the few bits of AV1 and HEVC that say how large a picture will be, and of AV1 in
 * which colours: AV1 5.5 (sequence header), HEVC 7.3.2.2 (sequence parameter set). */
#include "image/heif_boxes.h"
#include "image/heif_coded.h"

typedef struct bits {
    const unsigned char *at;
    size_t count, next; /* in bits; beyond the end there are zeros */
    bool escaped;       /* HEVC: 00 00 03 stands for 00 00         */
} bits;

static unsigned one(bits *b)
{
    size_t byte = b->next / 8;
    if (b->escaped && b->next % 8 == 0 && byte >= 2 && b->next < b->count && b->at[byte] == 3 &&
        b->at[byte - 1] == 0 && b->at[byte - 2] == 0) {
        b->next += 8;
        byte++;
    }
    if (b->next >= b->count) return 0;
    unsigned bit = b->at[byte] >> (7 - b->next % 8) & 1;
    b->next++;
    return bit;
}

static uint64_t take(bits *b, unsigned n)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < n; i++) value = value << 1 | one(b);
    return value;
}

/* Exp-Golomb code: ue(v), and uvlc() of AV1. */
static uint64_t golomb(bits *b)
{
    unsigned zeros = 0;
    while (zeros < 32 && b->next < b->count && one(b) == 0) zeros++;
    return ((uint64_t)1 << zeros) - 1 + take(b, zeros);
}

static void keep_larger(heif_coded *out, uint64_t width, uint64_t height)
{
    if (width * height <= out->width * out->height) return;
    out->width = width;
    out->height = height;
}

/* ---- AV1 ------------------------------------------------------------------------ */

static void skip_operating_points(bits *b)
{
    unsigned delay_bits = 0;
    bool model = false;
    if (one(b)) { /* timing */
        take(b, 64);
        if (one(b)) golomb(b);
        if ((model = one(b))) {
            delay_bits = (unsigned)take(b, 5) + 1;
            take(b, 42);
        }
    }
    bool display = one(b);
    unsigned count = (unsigned)take(b, 5) + 1;
    for (unsigned i = 0; i < count; i++) {
        take(b, 12);
        if (take(b, 5) > 7) take(b, 1);
        if (model && one(b)) take(b, 2 * delay_bits + 1);
        if (display && one(b)) take(b, 4);
    }
}

/* Which tools the frames may use: between the size and the colours. */
static void skip_tools(bits *b)
{
    take(b, 4); /* compound, masked, warped, dual filter */
    bool order = one(b);
    if (order) take(b, 2);
    if (one(b) || one(b)) /* screen content by the frame, or always: then whole vectors, too */
        if (!one(b)) one(b);
    if (order) take(b, 3);
}

static void read_colours(heif_coded *out, bits *b, unsigned profile)
{
    bool deep = one(b);
    if (profile == 2 && deep) one(b);
    if (profile != 1) one(b); /* monochrome */
    if (!one(b) || out->numbers.transfer != 0) return;
    out->numbers.primaries = (int)take(b, 8);
    out->numbers.transfer = (int)take(b, 8);
}

static void read_sequence_header(heif_coded *out, bits b)
{
    unsigned profile = (unsigned)take(&b, 3);
    take(&b, 1); /* still picture */
    bool reduced = one(&b);
    if (reduced) take(&b, 5);
    else skip_operating_points(&b);
    unsigned width_bits = (unsigned)take(&b, 4) + 1, height_bits = (unsigned)take(&b, 4) + 1;
    uint64_t width = take(&b, width_bits) + 1, height = take(&b, height_bits) + 1;
    if (!reduced) { /* a frame may say another size, in as many bits */
        width = (uint64_t)1 << width_bits;
        height = (uint64_t)1 << height_bits;
    }
    keep_larger(out, width, height);
    if (!reduced && one(&b)) take(&b, 7); /* numbers of frames */
    take(&b, 3);
    if (!reduced) skip_tools(&b);
    take(&b, 3); /* super resolution, two filters */
    read_colours(out, &b, profile);
}

void heif_coded_av1(heif_coded *out, const unsigned char *bytes, size_t length)
{
    enum { SEQUENCE_HEADER = 1 };
    heif_span s = {bytes, length, false};
    while (s.left > 0) {
        unsigned head = (unsigned)heif_take(&s, 1);
        uint64_t size = 0;
        if (head & 4) heif_take(&s, 1); /* extension */
        if (head & 2) {
            unsigned byte = 0x80;
            for (unsigned k = 0; k < 8 && (byte & 0x80) != 0; k++) {
                byte = (unsigned)heif_take(&s, 1);
                size |= (uint64_t)(byte & 0x7f) << 7 * k;
            }
        } else {
            size = s.left;
        }
        if (s.short_of || size > s.left) return; /* the decoder stops here, too */
        if ((head >> 3 & 15) == SEQUENCE_HEADER)
            read_sequence_header(out, (bits){s.at, (size_t)size * 8, 0, false});
        s.at += size;
        s.left -= (size_t)size;
    }
}

/* ---- HEVC ----------------------------------------------------------------------- */

static void read_parameter_set(heif_coded *out, bits b)
{
    unsigned profile = 0, level = 0;
    take(&b, 4);
    unsigned layers = (unsigned)take(&b, 3);
    take(&b, 1 + 88 + 8);
    for (unsigned i = 0; i < layers; i++) {
        profile += one(&b);
        level += one(&b);
    }
    if (layers > 0) take(&b, 2 * (8 - layers));
    take(&b, 88 * profile + 8 * level);
    golomb(&b);
    if (golomb(&b) == 3) take(&b, 1);
    uint64_t width = golomb(&b), height = golomb(&b);
    keep_larger(out, width, height);
}

void heif_coded_hevc(heif_coded *out, const unsigned char *bytes, size_t length)
{
    enum { HEADER = 2, SEQUENCE_PARAMETER_SET = 33 };
    if (length > HEADER && (bytes[0] >> 1 & 63) == SEQUENCE_PARAMETER_SET)
        read_parameter_set(out, (bits){bytes + HEADER, (length - HEADER) * 8, 0, true});
}
