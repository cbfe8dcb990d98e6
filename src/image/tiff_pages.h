/* tiff_pages.h - a first look at a TIFF file, before libtiff allocates by what it claims. */
#ifndef IMAGE_TIFF_PAGES_H
#define IMAGE_TIFF_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TIFF_PAGES_MOST 1000 /* looked at */

typedef struct tiff_pages {
    const char *damage;     /* static text, NULL: none                                    */
    uint64_t width, height; /* of the first page; 0: not said                             */
    unsigned count;         /* pages, without previews of smaller size and masks; at least 1 */
    bool raw;               /* what a camera's sensor gave: the first page is a preview of it */
    bool loop;              /* the list leads back into itself: it was left there           */
} tiff_pages;

/* Classic and BigTIFF, either order of bytes. All that the first page refers to must lie inside the
 * file, but for the pixels. */
tiff_pages tiff_pages_look(const unsigned char *bytes, size_t length);

#endif
