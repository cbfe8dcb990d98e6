#include <string.h>

#include "image/image.h"

typedef struct magic {
    image_format format;
    size_t offset, length;
    const char *bytes;
} magic;

static const magic magics[] = {
    {IMAGE_JPEG, 0, 3, "\xff\xd8\xff"},
    {IMAGE_PNG, 0, 8, "\x89PNG\r\n\x1a\n"},
    {IMAGE_TIFF, 0, 4, "II*\0"},
    {IMAGE_TIFF, 0, 4, "MM\0*"},
    {IMAGE_TIFF, 0, 4, "II+\0"},
    {IMAGE_TIFF, 0, 4, "MM\0+"},
    {IMAGE_GIF, 0, 6, "GIF87a"},
    {IMAGE_GIF, 0, 6, "GIF89a"},
    {IMAGE_HEIF, 4, 8, "ftypheic"},
    {IMAGE_HEIF, 4, 8, "ftypheix"},
    {IMAGE_HEIF, 4, 8, "ftyphevc"},
    {IMAGE_HEIF, 4, 8, "ftypheim"},
    {IMAGE_HEIF, 4, 8, "ftypmif1"},
    {IMAGE_HEIF, 4, 8, "ftypmsf1"},
    {IMAGE_HEIF, 4, 8, "ftypavif"},
    {IMAGE_HEIF, 4, 8, "ftypavis"},
    {IMAGE_JPEG2000, 0, 12, "\0\0\0\x0cjP  \r\n\x87\n"},
    {IMAGE_JPEG2000, 0, 4, "\xff\x4f\xff\x51"},
    {IMAGE_JPEGXL, 0, 12, "\0\0\0\x0cJXL \r\n\x87\n"},
    {IMAGE_JPEGXL, 0, 2, "\xff\x0a"},
};

/* "BM" alone begins many a text: the size of the second header must be one that exists. */
static int is_bmp(const unsigned char *p, size_t length)
{
    static const unsigned char sizes[] = {12, 40, 52, 56, 64, 108, 124};
    if (length < 18 || p[0] != 'B' || p[1] != 'M' || p[15] || p[16] || p[17]) return 0;
    return memchr(sizes, p[14], sizeof sizes) != NULL;
}

image_format image_sniff(const void *bytes, size_t length)
{
    const unsigned char *p = bytes;
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
        const magic *g = &magics[i];
        if (length >= g->offset + g->length &&
            memcmp(p + g->offset, g->bytes, g->length) == 0)
            return g->format;
    }
    if (length >= 12 && memcmp(p, "RIFF", 4) == 0 && memcmp(p + 8, "WEBP", 4) == 0)
        return IMAGE_WEBP;
    return length > 0 && is_bmp(p, length) ? IMAGE_BMP : IMAGE_NOT;
}
