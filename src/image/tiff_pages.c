#include "image/tiff_pages.h"

#include <string.h>

enum { TAG_NEW_SUBFILE = 254, TAG_SUBFILE = 255, TAG_WIDTH = 256, TAG_HEIGHT = 257,
       TAG_PHOTOMETRIC = 262, TAG_COLOUR_MAP = 320, TAG_SUB_IFDS = 330, TAG_DNG_VERSION = 50706 };
enum { PHOTOMETRIC_IS_PALETTE = 3 };
enum { ENTRIES_MOST = 4096 }; /* of a page (ours): libtiff sorts them anew for each unknown one */
enum { NEW_SUBFILE_REDUCED = 1, NEW_SUBFILE_MASK = 4, SUBFILE_REDUCED = 2 };

/* The two layouts: how wide counts and places are. */
typedef struct layout {
    size_t header, place_at, count, entry, place;
} layout;

typedef struct file {
    const unsigned char *bytes;
    size_t length;
    bool little;
    layout l;
    uint64_t left; /* bytes of lists that may still be read: they do not overlap */
} file;

/* One list of tags: what of it counts here. */
typedef struct page {
    uint64_t next, width, height;
    bool reduced, mask, dng, sub_ifds, outside, palette, map;
} page;

/* Unsigned number of `size` bytes at `at`, which the caller has checked to be inside. */
static uint64_t number_at(const file *f, size_t at, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++)
        value = value << 8 | f->bytes[f->little ? at + size - 1 - i : at + i];
    return value;
}

static size_t type_size(unsigned type)
{
    static const unsigned char sizes[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8};
    return type < sizeof sizes ? sizes[type] : 0;
}

static void read_entry(page *p, const file *f, size_t at)
{
    unsigned tag = (unsigned)number_at(f, at, 2), type = (unsigned)number_at(f, at + 2, 2);
    uint64_t count = number_at(f, at + 4, f->l.place), size = type_size(type);
    size_t value_at = at + 4 + f->l.place;
    if (size > 0 && count > f->l.place / size) { /* the entry holds a place */
        uint64_t place = number_at(f, value_at, f->l.place);
        if (place > f->length || count > (f->length - place) / size) p->outside = true;
        if (tag == TAG_SUB_IFDS) p->sub_ifds = true;
        if (tag == TAG_COLOUR_MAP) p->map = true;
        return;
    }
    if (size == 0 || count == 0) return;
    uint64_t value = number_at(f, value_at, (size_t)size);
    if (tag == TAG_WIDTH) p->width = value;
    if (tag == TAG_HEIGHT) p->height = value;
    if (tag == TAG_SUB_IFDS) p->sub_ifds = true;
    if (tag == TAG_PHOTOMETRIC) p->palette = value == PHOTOMETRIC_IS_PALETTE;
    if (tag == TAG_DNG_VERSION) p->dng = true;
    if (tag == TAG_NEW_SUBFILE) {
        p->reduced |= (value & NEW_SUBFILE_REDUCED) != 0;
        p->mask |= (value & NEW_SUBFILE_MASK) != 0;
    }
    if (tag == TAG_SUBFILE) p->reduced |= value == SUBFILE_REDUCED;
}

/* NULL, or what is wrong with it. */
static const char *read_page(page *p, file *f, uint64_t at)
{
    const char *outside = "its list of pages leads out of the file";
    if (f->left == f->length) outside = "its first page is not inside the file";
    memset(p, 0, sizeof *p);
    if (at < f->l.header || at > f->length || f->length - at < f->l.count) return outside;
    uint64_t entries = number_at(f, (size_t)at, f->l.count);
    size_t from = (size_t)at + f->l.count, room = f->length - from;
    if (entries < 1 || entries > room / f->l.entry) return outside;
    if (room - entries * f->l.entry < f->l.place) return outside;
    if (entries > ENTRIES_MOST) return "a page of more than 4096 tags";
    if (entries * f->l.entry > f->left) return "its pages lie upon one another";
    f->left -= entries * f->l.entry;
    for (uint64_t i = 0; i < entries; i++)
        read_entry(p, f, from + (size_t)i * f->l.entry);
    p->next = number_at(f, from + (size_t)entries * f->l.entry, f->l.place);
    return NULL;
}

static bool read_header(file *f)
{
    static const layout classic = {8, 4, 2, 12, 4}, big = {16, 8, 8, 20, 8};
    if (f->length < 4) return false;
    f->little = f->bytes[0] == 'I';
    f->l = number_at(f, 2, 2) == 43 ? big : classic;
    return f->length >= f->l.header;
}

tiff_pages tiff_pages_look(const unsigned char *bytes, size_t length)
{
    tiff_pages out = {.damage = NULL};
    file f = {.bytes = bytes, .length = length};
    page p;
    uint64_t places[TIFF_PAGES_MOST];
    f.left = length;
    if (!read_header(&f)) {
        out.damage = "it is cut short";
        return out;
    }
    uint64_t at = number_at(&f, f.l.place_at, f.l.place);
    for (unsigned seen = 0; (seen == 0 || at != 0) && seen < TIFF_PAGES_MOST; seen++, at = p.next) {
        places[seen] = at;
        for (unsigned k = 0; k < seen; k++) out.loop |= places[k] == at;
        if (out.loop || out.damage != NULL) return out;
        if ((out.damage = read_page(&p, &f, at)) != NULL) return out;
        if (seen == 0) {
            out.width = p.width;
            out.height = p.height;
            out.count = 1;
            out.raw = p.dng || (p.reduced && p.sub_ifds);
            /* The library would show the numbers of the colours as grey. */
            if (p.palette && !p.map) out.damage = "it has no colour map";
            if (p.outside) out.damage = "what its first page refers to is not inside the file";
        } else if (!p.reduced && !p.mask) {
            out.count++;
        }
    }
    return out;
}
