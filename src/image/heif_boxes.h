/* heif_boxes.h - the boxes of a HEIF file as far as libheif does not tell of them. */
#ifndef IMAGE_HEIF_BOXES_H
#define IMAGE_HEIF_BOXES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct heif_boxes {
    bool whole;       /* each box at the top ends inside the file             */
    bool still;       /* there is a list of still images (meta)               */
    unsigned samples; /* pictures of the longest sequence (moov); 0: none     */
} heif_boxes;

heif_boxes heif_boxes_look(const unsigned char *bytes, size_t length);

#endif
