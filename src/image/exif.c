#include "image/exif.h"

#include <stdint.h>
#include <string.h>

enum { ENTRY_BYTES = 12, ENTRIES_MOST = 1000, TAG_ORIENTATION = 0x0112 };
enum { TYPE_BYTE = 1, TYPE_SHORT = 3, TYPE_LONG = 4 };

typedef struct tiff {
    const unsigned char *bytes;
    size_t length;
    int little;
} tiff;

/* Unsigned number of `size` bytes at `at`, which the caller has checked to be inside. */
static uint32_t number_at(const tiff *t, size_t at, unsigned size)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < size; i++)
        value = value << 8 | t->bytes[t->little ? at + size - 1 - i : at + i];
    return value;
}

static int orientation_of_entry(const tiff *t, size_t at)
{
    uint32_t type = number_at(t, at + 2, 2), value = 0;
    if (number_at(t, at + 4, 4) != 1) return 0;
    if (type == TYPE_SHORT) value = number_at(t, at + 8, 2);
    else if (type == TYPE_LONG) value = number_at(t, at + 8, 4);
    else if (type == TYPE_BYTE) value = t->bytes[at + 8];
    return value >= 1 && value <= 8 ? (int)value : 0;
}

int exif_orientation(const unsigned char *bytes, size_t length)
{
    if (length >= 6 && memcmp(bytes, "Exif\0", 5) == 0) {
        bytes += 6;
        length -= 6;
    }
    if (length < 8) return 0;
    tiff t = {bytes, length, memcmp(bytes, "II*\0", 4) == 0};
    if (!t.little && memcmp(bytes, "MM\0*", 4) != 0) return 0;
    size_t at = number_at(&t, 4, 4);
    if (at > length - 2) return 0;
    size_t entries = number_at(&t, at, 2), room = (length - at - 2) / ENTRY_BYTES;
    if (entries > room) entries = room;
    if (entries > ENTRIES_MOST) entries = ENTRIES_MOST;
    for (size_t i = 0; i < entries; i++) {
        size_t entry = at + 2 + i * ENTRY_BYTES;
        if (number_at(&t, entry, 2) == TAG_ORIENTATION) return orientation_of_entry(&t, entry);
    }
    return 0;
}
