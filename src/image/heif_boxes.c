#include "image/heif_boxes.h"

#include <limits.h>
#include <string.h>

enum { DEPTH_MOST = 6 };

uint64_t heif_take(heif_span *s, unsigned size)
{
    uint64_t value = 0;
    if (s->left < size) {
        s->short_of = true;
        s->left = 0;
        return 0;
    }
    for (unsigned i = 0; i < size; i++) value = value << 8 | s->at[i];
    s->at += size;
    s->left -= size;
    return value;
}

bool heif_box_next(heif_box *out, heif_span *s)
{
    heif_span from = *s;
    uint64_t size = heif_take(&from, 4), header = 8;
    if (from.short_of || from.left < 4) return false;
    memcpy(out->kind, from.at, 4);
    heif_take(&from, 4);
    if (size == 1) {
        size = heif_take(&from, 8);
        header = 16;
    } else if (size == 0) { /* to the end */
        size = s->left;
    }
    if (from.short_of || size < header || size > s->left) return false;
    out->content = (heif_span){from.at, (size_t)(size - header), false};
    s->at += size;
    s->left -= (size_t)size;
    return true;
}

/* The most pictures that a track below says it has. */
static unsigned count_samples(heif_span s, int depth)
{
    static const char *const holders[] = {"trak", "mdia", "minf", "stbl"};
    unsigned most = 0;
    heif_box box;
    while (heif_box_next(&box, &s)) {
        unsigned found = 0;
        if (heif_box_is(&box, "stsz") || heif_box_is(&box, "stz2")) {
            heif_take(&box.content, 8); /* version and the size of all */
            uint64_t n = heif_take(&box.content, 4);
            found = n < UINT_MAX ? (unsigned)n : UINT_MAX;
        }
        for (size_t k = 0; k < sizeof holders / sizeof *holders && depth < DEPTH_MOST; k++)
            if (heif_box_is(&box, holders[k])) found = count_samples(box.content, depth + 1);
        if (found > most) most = found;
    }
    return most;
}

heif_boxes heif_boxes_look(const unsigned char *bytes, size_t length)
{
    heif_boxes out = {false, false, 0};
    heif_span s = {bytes, length, false};
    heif_box box;
    while (s.left > 0 && heif_box_next(&box, &s)) {
        if (heif_box_is(&box, "meta")) out.still = true;
        if (heif_box_is(&box, "moov")) out.samples = count_samples(box.content, 0);
    }
    out.whole = s.left == 0;
    return out;
}
