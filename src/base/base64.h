/* base64.h - base64 of RFC 4648 (section 4) to bytes: the standard alphabet, padded, no line
 * breaks. */
#ifndef BASE_BASE64_H
#define BASE_BASE64_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes that `length` characters may become. */
static inline size_t base64_room(size_t length)
{
    return length / 4 * 3;
}
/* out[base64_room(length)], *count of it filled. False: at *bad is a character that must not stand
 * there (`length`: the end comes too early). Bits that no byte takes must be 0, so that equal bytes
 * are equal text. */
bool base64_decode(unsigned char *out, size_t *count, const char *text, size_t length,
                   size_t *bad);

#endif
