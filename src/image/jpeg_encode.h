/* jpeg_encode.h - lossy out: baseline JPEG 4:4:4, in memory. For the one operator whose change is
 * the loss; nothing else in the house is kept so. */
#ifndef IMAGE_JPEG_ENCODE_H
#define IMAGE_JPEG_ENCODE_H

#include "image/image.h"

/* 8-bit RGB, libjpeg's tables of a quality 1..100, accurate integer DCT, no subsampling of colour,
 * the standard Huffman tables: the bytes depend on pixels and quality alone. *out (of *length
 * bytes) is released with mem_free(m, ...). Errors: USAGE (no RGB image, quality), LIMIT (a side
 * above 65,500), MEMORY. */
tare_status image_jpeg_encode(unsigned char **out, size_t *length, const mem *m, const image *in,
                              int quality, tare_error *err);

#endif
