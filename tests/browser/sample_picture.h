/* sample_picture.h - a small PNG made without any library: a disc of one colour on a plain
 * ground. */
#ifndef TESTS_SAMPLE_PICTURE_H
#define TESTS_SAMPLE_PICTURE_H

#include "base/mem.h"

/* `lightness` is added to the disc's channels. NULL: no memory. */
unsigned char *sample_picture(arena *a, int lightness, size_t *length);

#endif
