/* resize_pass.c - the passes in plain C. */
#include "image/resize_pass.h"

enum { CHUNK = 256 };

static inline unsigned char to_byte(int sum)
{
    int v = sum >> TAPS_BITS;
    return (unsigned char)(v < 0 ? 0 : v > 255 ? 255 : v);
}

static inline void across_row(unsigned char *out, const unsigned char *in, const taps *t,
                              int channels)
{
    for (int i = 0; i < t->out; i++, out += channels) {
        const unsigned char *p = in + (size_t)t->first[i] * (size_t)channels;
        const int *weight = t->weight + (size_t)i * (size_t)t->width;
        int sum[4] = {TAPS_HALF, TAPS_HALF, TAPS_HALF, TAPS_HALF};
        for (int j = 0; j < t->count[i]; j++, p += channels) {
#pragma GCC unroll 4
            for (int c = 0; c < channels; c++) sum[c] += p[c] * weight[j];
        }
#pragma GCC unroll 4
        for (int c = 0; c < channels; c++) out[c] = to_byte(sum[c]);
    }
}

void pass_across_plain(const pass_rows *p, const taps *t)
{
    size_t in_row = (size_t)p->in_width * (size_t)p->channels;
    size_t out_row = (size_t)t->out * (size_t)p->channels;
    for (int y = 0; y < p->rows; y++) {
        unsigned char *out = p->out + (size_t)y * out_row;
        const unsigned char *in = p->in + (size_t)y * in_row;
        switch (p->channels) { /* a loop of its own for each, so that it is unrolled */
        case 1: across_row(out, in, t, 1); break;
        case 2: across_row(out, in, t, 2); break;
        case 3: across_row(out, in, t, 3); break;
        default: across_row(out, in, t, 4); break;
        }
    }
}

static void add_row(int *restrict sum, const unsigned char *restrict p, int weight)
{
    for (int k = 0; k < CHUNK; k++) sum[k] += p[k] * weight;
}

/* Whole rows at a time, CHUNK bytes together. */
void pass_down_plain(unsigned char *out, const unsigned char *in, size_t row, const taps *t)
{
    int sum[CHUNK];
    for (int i = 0; i < t->out; i++) {
        const unsigned char *p = in + (size_t)t->first[i] * row;
        const int *weight = t->weight + (size_t)i * (size_t)t->width;
        for (size_t at = 0; at < row; at += CHUNK) {
            size_t n = row - at < CHUNK ? row - at : CHUNK;
            for (size_t k = 0; k < CHUNK; k++) sum[k] = TAPS_HALF;
            for (int j = 0; j < t->count[i]; j++) {
                const unsigned char *q = p + (size_t)j * row + at;
                if (n == CHUNK) add_row(sum, q, weight[j]);
                else
                    for (size_t k = 0; k < n; k++) sum[k] += q[k] * weight[j];
            }
            for (size_t k = 0; k < n; k++) out[(size_t)i * row + at + k] = to_byte(sum[k]);
        }
    }
}
