/* code_points.h - a prompt as code points, and what Unicode says of them, as the tokenisers ask. */
#ifndef SCORER_TOKEN_CODE_POINTS_H
#define SCORER_TOKEN_CODE_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

/* Functions that return bool: false, out of memory. What an `out` held before is gone. */
typedef struct code_points {
    const mem *m;
    int32_t *at;
    size_t count, capacity;
} code_points;

void code_points_init(code_points *c, const mem *m);
void code_points_free(code_points *c);
bool code_points_add(code_points *c, int32_t point);
/* `text` must be valid UTF-8. */
bool code_points_read(code_points *out, const char *text, size_t length);
/* NFD: in canonical order, in time that does not grow with the square of what follows a letter. */
bool code_points_decompose(code_points *out, const code_points *in);
/* From NFD to NFC, in place. */
void code_points_compose(code_points *c);
/* To lower case, each by itself: a capital I with a dot becomes two, a final sigma is as any. */
bool code_points_lower(code_points *out, const code_points *in);
/* Bytes of one in UTF-8, 1 to 4. */
size_t code_point_bytes(unsigned char out[4], int32_t point);

bool code_point_is_letter(int32_t point);      /* L*                                           */
bool code_point_is_number(int32_t point);      /* N*                                           */
bool code_point_is_space(int32_t point);       /* the property White_Space                     */
bool code_point_is_mark(int32_t point);        /* Mn                                           */
bool code_point_is_other(int32_t point);       /* C*: control, format, private, not assigned   */
bool code_point_is_punctuation(int32_t point); /* P*, and all signs of ASCII                   */
bool code_point_is_ideograph(int32_t point);   /* in the blocks of CJK ideographs BERT splits  */

#endif
