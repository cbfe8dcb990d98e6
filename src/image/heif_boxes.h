/* heif_boxes.h - the boxes of a HEIF file as far as libheif does not tell of them. */
#ifndef IMAGE_HEIF_BOXES_H
#define IMAGE_HEIF_BOXES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A stretch of bytes that is read from its beginning. */
typedef struct heif_span {
    const unsigned char *at;
    size_t left;
    bool short_of; /* more was asked for than there is: zeros were given */
} heif_span;

/* Unsigned number of `size` bytes, 0 to 8. */
uint64_t heif_take(heif_span *s, unsigned size);

typedef struct heif_box {
    char kind[4];
    heif_span content;
} heif_box;

static inline bool heif_box_is(const heif_box *b, const char *kind)
{
    return b->kind[0] == kind[0] && b->kind[1] == kind[1] && b->kind[2] == kind[2] &&
           b->kind[3] == kind[3];
}

/* The box at the beginning, which `s` moves behind; false: there is none, or it does not fit. */
bool heif_box_next(heif_box *out, heif_span *s);

typedef struct heif_boxes {
    bool whole;       /* each box at the top ends inside the file             */
    bool still;       /* there is a list of still images (meta)               */
    unsigned samples; /* pictures of the longest sequence (moov); 0: none     */
} heif_boxes;

heif_boxes heif_boxes_look(const unsigned char *bytes, size_t length);

/* Is the primary image turned or mirrored by its properties (irot, imir)? */
bool heif_turned(const unsigned char *bytes, size_t length);

#endif
