/* resize_pass.h - one axis of a resize, on bytes; internal to image/. The wide passes give the same
 * bytes as the plain ones: sums of integers do not depend on the order. */
#ifndef IMAGE_RESIZE_PASS_H
#define IMAGE_RESIZE_PASS_H

#include "image/resize_taps.h"

/* Rows of in_width pixels become rows of t->out pixels. */
typedef struct pass_rows {
    unsigned char *out;
    const unsigned char *in;
    int rows, in_width, channels;
} pass_rows;
void pass_across_plain(const pass_rows *p, const taps *t);
/* Rows of `row` bytes: as many of them as the taps reach become t->out. */
void pass_down_plain(unsigned char *out, const unsigned char *in, size_t row, const taps *t);

/* Whether this processor has what the wide passes need. */
bool pass_wide_available(void);
/* How taps are to be split for pass_across_wide; pass_down_wide wants PASS_DOWN_GROUP. */
enum { PASS_DOWN_GROUP = 2 };
int pass_across_group(int channels);
/* `scratch` of pass_scratch_bytes: rows near the end of the buffer are copied there, because vector
 * loads run over their ends. */
size_t pass_scratch_bytes(int in_width, int channels);
void pass_across_wide(const pass_rows *p, const taps *t, unsigned char *scratch);
void pass_down_wide(unsigned char *out, const unsigned char *in, size_t row, const taps *t);

#endif
