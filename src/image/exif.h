/* exif.h - the one thing wanted of EXIF: which way is up. */
#ifndef IMAGE_EXIF_H
#define IMAGE_EXIF_H

#include <stddef.h>

/* Orientation 1..8 from a TIFF block (an "Exif\0\0" before it is skipped); 0: none, or damaged.
 * Reads the first folder only and at most 1,000 entries of it. */
int exif_orientation(const unsigned char *bytes, size_t length);

#endif
