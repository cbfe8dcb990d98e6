#include "image/heif_coded.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "image/heif_boxes.h"

enum { ITEMS_MOST = 65536 };

/* An item by its entry in iinf. */
typedef struct item_kind {
    uint64_t id;
    size_t at; /* its place in the list: the first of one number counts */
    char kind[4];
} item_kind;

typedef struct items {
    const mem *m;
    heif_span file, inside; /* inside: the box idat            */
    item_kind *kinds;       /* by number                       */
    size_t count, capacity;
    uint64_t left;          /* bytes that may be looked through */
    heif_coded *out;
} items;

/* ---- Which items there are ------------------------------------------------------- */

static int by_number(const void *left, const void *right)
{
    const item_kind *a = left, *b = right;
    if (a->id != b->id) return a->id < b->id ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

static tare_status read_kinds(items *x, heif_span s, tare_error *err)
{
    tare_status status = TARE_OK;
    heif_box box;
    x->count = 0; /* the last list of several counts */
    unsigned version = (unsigned)(heif_take(&s, 4) >> 24);
    heif_take(&s, version == 0 ? 2 : 4);
    while (x->count < ITEMS_MOST && heif_box_next(&box, &s)) {
        heif_span e = box.content;
        unsigned v = (unsigned)(heif_take(&e, 4) >> 24);
        uint64_t id = heif_take(&e, v == 2 ? 2 : 4);
        heif_take(&e, 2); /* protection */
        if (e.left < 4) continue;
        if (!mem_reserve(x->m, &x->kinds, &x->capacity, x->count + 1, sizeof *x->kinds))
            FAIL_MEMORY(err);
        item_kind *k = &x->kinds[x->count];
        *k = (item_kind){.id = id, .at = x->count++};
        memcpy(k->kind, e.at, sizeof k->kind);
    }
    if (x->count > 0) qsort(x->kinds, x->count, sizeof *x->kinds, by_number);
done:
    return status;
}

static bool kind_of(char kind[4], const items *x, uint64_t id)
{
    size_t low = 0, high = x->count;
    while (low < high) { /* the first whose number is not below */
        size_t middle = low + (high - low) / 2;
        if (x->kinds[middle].id < id) low = middle + 1;
        else high = middle;
    }
    if (low == x->count || x->kinds[low].id != id) return false;
    memcpy(kind, x->kinds[low].kind, 4);
    return true;
}

static void look_into_item(const items *x, const char kind[4], heif_span data)
{
    if (memcmp(kind, "av01", 4) == 0) heif_coded_av1(x->out, data.at, data.left);
    if (memcmp(kind, "hvc1", 4) != 0) return;
    while (data.left > 4) { /* units with their length before them */
        uint64_t size = heif_take(&data, 4);
        if (size > data.left) return;
        heif_coded_hevc(x->out, data.at, (size_t)size);
        data.at += size;
        data.left -= (size_t)size;
    }
}

/* ---- Where their data are --------------------------------------------------------- */

typedef struct widths {
    unsigned version, offset, length, base, index;
} widths;

static bool may_look_through(items *x, uint64_t bytes)
{
    if (bytes > x->left) x->out->too_much = true;
    else x->left -= bytes;
    return !x->out->too_much;
}

/* One entry of iloc: its extents one after another, put together where there are several. */
static tare_status look_at_entry(items *x, heif_span *s, const widths *w, tare_error *err)
{
    tare_status status = TARE_OK;
    unsigned char *joined = NULL;
    heif_span data = {NULL, 0, false};
    char kind[4];
    uint64_t id = heif_take(s, w->version < 2 ? 2 : 4);
    bool in_box = w->version > 0 && (heif_take(s, 2) & 15) == 1;
    heif_take(s, 2);
    uint64_t base = heif_take(s, w->base), count = heif_take(s, 2);
    bool wanted = kind_of(kind, x, id) &&
                  (memcmp(kind, "av01", 4) == 0 || memcmp(kind, "hvc1", 4) == 0);
    heif_span from = in_box ? x->inside : x->file;
    for (uint64_t k = 0; k < count && !s->short_of; k++) {
        heif_take(s, w->version > 0 ? w->index : 0);
        uint64_t at = base + heif_take(s, w->offset), size = heif_take(s, w->length);
        if (!may_look_through(x, 1)) break; /* an extent may take no bytes in the list */
        if (!wanted || at > from.left) continue;
        if (size == 0 && count == 1) size = from.left - at; /* to the end */
        if (size > from.left - at || size > x->file.left - data.left) continue;
        if (!may_look_through(x, size)) break;
        if (count == 1) {
            data = (heif_span){from.at + at, (size_t)size, false};
            continue;
        }
        unsigned char *more = mem_resize(x->m, joined, data.left + (size_t)size + 1, 1);
        if (more == NULL) FAIL_MEMORY(err);
        joined = more;
        memcpy(joined + data.left, from.at + at, (size_t)size);
        data = (heif_span){joined, data.left + (size_t)size, false};
    }
    if (data.left > 0) look_into_item(x, kind, data);
done:
    mem_free(x->m, joined);
    return status;
}

static tare_status look_at_places(items *x, heif_span s, tare_error *err)
{
    tare_status status = TARE_OK;
    widths w = {.version = (unsigned)(heif_take(&s, 4) >> 24)};
    unsigned sizes = (unsigned)heif_take(&s, 2);
    w.offset = sizes >> 12 & 15;
    w.length = sizes >> 8 & 15;
    w.base = sizes >> 4 & 15;
    w.index = sizes & 15;
    if (w.offset > 8 || w.length > 8 || w.base > 8 || w.index > 8) return TARE_OK;
    uint64_t count = heif_take(&s, w.version < 2 ? 2 : 4);
    for (uint64_t i = 0; i < count && i < ITEMS_MOST && !s.short_of && !x->out->too_much; i++)
        TRY(look_at_entry(x, &s, &w, err));
done:
    return status;
}

/* Parameter sets that stand among the properties, in hvcC. */
static void look_at_properties(const items *x, heif_span s, bool inside)
{
    heif_box box;
    while (heif_box_next(&box, &s)) {
        heif_span c = box.content;
        if (heif_box_is(&box, "ipco") && !inside) look_at_properties(x, c, true);
        if (heif_box_is(&box, "av1C") && c.left > 4)
            heif_coded_av1(x->out, c.at + 4, c.left - 4);
        if (!heif_box_is(&box, "hvcC") || c.left < 23) continue;
        c.at += 22;
        c.left -= 22;
        for (uint64_t arrays = heif_take(&c, 1); arrays > 0 && !c.short_of; arrays--) {
            heif_take(&c, 1);
            for (uint64_t n = heif_take(&c, 2); n > 0 && !c.short_of; n--) {
                uint64_t size = heif_take(&c, 2);
                if (size > c.left) break;
                heif_coded_hevc(x->out, c.at, (size_t)size);
                c.at += size;
                c.left -= (size_t)size;
            }
        }
    }
}

tare_status heif_coded_look(heif_coded *out, const mem *m, const unsigned char *bytes,
                            size_t length, tare_error *err)
{
    tare_status status = TARE_OK;
    heif_span s = {bytes, length, false}, meta = {NULL, 0, false};
    items x = {.m = m, .file = s, .left = 2 * (uint64_t)length, .out = out};
    heif_box box, places = {.kind = ""};
    *out = (heif_coded){.too_much = false};
    while (heif_box_next(&box, &s))
        if (heif_box_is(&box, "meta")) meta = box.content;
    heif_take(&meta, 4); /* version */
    while (heif_box_next(&box, &meta)) {
        if (heif_box_is(&box, "iinf")) TRY(read_kinds(&x, box.content, err));
        if (heif_box_is(&box, "idat")) x.inside = box.content;
        if (heif_box_is(&box, "iloc")) places = box;
        if (heif_box_is(&box, "iprp")) look_at_properties(&x, box.content, false);
    }
    if (places.content.at != NULL) TRY(look_at_places(&x, places.content, err));
done:
    mem_free(m, x.kinds);
    return status;
}
