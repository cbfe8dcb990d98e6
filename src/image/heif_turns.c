/* heif_turns.c - is the primary image turned or mirrored by its properties? libheif does it and
 * does not say. */
#include "image/heif_boxes.h"

#include <string.h>

enum { PROPERTIES_MOST = 32767 }; /* as many as an association can name */

typedef struct associations {
    heif_span properties, list; /* ipco; ipma after its version and flags */
    unsigned version, flags;
} associations;

/* Does the index-th property, from 1, turn what it belongs to? */
static bool turns(heif_span properties, uint64_t index)
{
    heif_box box;
    for (uint64_t k = 1; k <= PROPERTIES_MOST && heif_box_next(&box, &properties); k++) {
        if (k != index) continue;
        if (heif_box_is(&box, "irot")) return (heif_take(&box.content, 1) & 3) != 0;
        return heif_box_is(&box, "imir");
    }
    return false;
}

static bool item_turns(associations *a, uint64_t item)
{
    heif_span *s = &a->list;
    uint64_t entries = heif_take(s, 4);
    for (uint64_t i = 0; i < entries && !s->short_of; i++) {
        uint64_t id = heif_take(s, a->version < 1 ? 2 : 4), count = heif_take(s, 1);
        bool any = false;
        for (uint64_t k = 0; k < count && !s->short_of; k++) {
            uint64_t index = a->flags & 1 ? heif_take(s, 2) & 0x7fff : heif_take(s, 1) & 0x7f;
            if (id == item && turns(a->properties, index)) any = true;
        }
        if (id == item) return any;
    }
    return false;
}

static void read_properties(associations *a, heif_span s)
{
    heif_box box;
    while (heif_box_next(&box, &s)) {
        if (heif_box_is(&box, "ipco")) a->properties = box.content;
        if (!heif_box_is(&box, "ipma")) continue;
        uint64_t head = heif_take(&box.content, 4);
        a->version = (unsigned)(head >> 24);
        a->flags = (unsigned)head & 0xffffff;
        a->list = box.content;
    }
}

bool heif_turned(const unsigned char *bytes, size_t length)
{
    heif_span s = {bytes, length, false}, meta = {NULL, 0, false};
    associations a = {.version = 0};
    uint64_t primary = 0;
    heif_box box;
    while (heif_box_next(&box, &s))
        if (heif_box_is(&box, "meta")) meta = box.content;
    heif_take(&meta, 4);
    while (heif_box_next(&box, &meta)) {
        if (heif_box_is(&box, "pitm"))
            primary = heif_take(&box.content, heif_take(&box.content, 4) >> 24 == 0 ? 2 : 4);
        if (heif_box_is(&box, "iprp")) read_properties(&a, box.content);
    }
    return a.list.at != NULL && item_turns(&a, primary);
}
