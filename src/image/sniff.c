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
    {IMAGE_JPEG2000, 0, 12, "\0\0\0\x0cjP  \r\n\x87\n"},
    {IMAGE_JPEG2000, 0, 4, "\xff\x4f\xff\x51"},
    {IMAGE_JPEGXL, 0, 12, "\0\0\0\x0cJXL \r\n\x87\n"},
    {IMAGE_JPEGXL, 0, 2, "\xff\x0a"},
    {IMAGE_OPENEXR, 0, 4, "\x76\x2f\x31\x01"},
    {IMAGE_RADIANCE, 0, 10, "#?RADIANCE"},
    {IMAGE_RADIANCE, 0, 6, "#?RGBE"},
    {IMAGE_PSD, 0, 4, "8BPS"},
    {IMAGE_JPEGXR, 0, 4, "II\xbc\x01"},
    {IMAGE_RAW, 0, 15, "FUJIFILMCCD-RAW"}, /* RAF */
    {IMAGE_RAW, 0, 4, "IIRO"},             /* ORF */
    {IMAGE_RAW, 0, 4, "IIRS"},
    {IMAGE_RAW, 0, 4, "MMOR"},
    {IMAGE_RAW, 0, 4, "IIU\0"},            /* RW2 */
    {IMAGE_RAW, 4, 8, "ftypcrx "},         /* CR3 */
};

/* Still images and sequences of HEIF: HEVC, AV1, and those that leave the coding open. */
static int is_heif_brand(const unsigned char *p)
{
    static const char brands[] = "heicheixhevchevxheimheishevmhevs" "avifavis" "mif1mif2msf1miaf";
    for (const char *brand = brands; *brand != '\0'; brand += 4)
        if (memcmp(p, brand, 4) == 0) return 1;
    return 0;
}

/* The main brand, or one of the first it says to be compatible with: some writers name their own
 * brand first. */
static int is_heif(const unsigned char *p, size_t length)
{
    if (length < 12 || memcmp(p + 4, "ftyp", 4) != 0) return 0;
    if (is_heif_brand(p + 8)) return 1;
    size_t box = (size_t)p[0] << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3];
    if (box > IMAGE_SNIFF_BYTES) box = IMAGE_SNIFF_BYTES;
    for (size_t at = 16; at + 4 <= box && at + 4 <= length; at += 4)
        if (is_heif_brand(p + at)) return 1;
    return 0;
}

/* "BM" alone begins many a text: the size of the second header must be one that exists. */
static int is_bmp(const unsigned char *p, size_t length)
{
    static const unsigned char sizes[] = {12, 40, 52, 56, 64, 108, 124};
    if (length < 18 || p[0] != 'B' || p[1] != 'M' || p[15] || p[16] || p[17]) return 0;
    return memchr(sizes, p[14], sizeof sizes) != NULL;
}

/* Four bytes alone say little: there must be icons, of which the first entry has a zero in its
 * place and begins behind the list. */
static int is_ico(const unsigned char *p, size_t length)
{
    if (length < 22 || memcmp(p, "\0\0\1\0", 4) != 0 || p[9] != 0) return 0;
    unsigned icons = p[4] | (unsigned)p[5] << 8;
    unsigned at = p[18] | (unsigned)p[19] << 8 | (unsigned)p[20] << 16 | (unsigned)p[21] << 24;
    return icons > 0 && at >= 6 + 16 * icons;
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
    if (is_heif(p, length)) return IMAGE_HEIF;
    if (is_ico(p, length)) return IMAGE_ICO;
    return length > 0 && is_bmp(p, length) ? IMAGE_BMP : IMAGE_NOT;
}

bool image_readable(image_format format)
{
    return format == IMAGE_JPEG || format == IMAGE_PNG || format == IMAGE_WEBP ||
           format == IMAGE_TIFF || format == IMAGE_HEIF;
}
