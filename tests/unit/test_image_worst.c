/* Small files that would take minutes: each is answered within seconds, whatever it holds. */
#include <string.h>

#include "base/os.h"
#include "image/heif_boxes.h"
#include "image/heif_coded.h"
#include "image/image.h"
#include "image/tiff_pages.h"
#include "support/check.h"

#define SECONDS_MOST 5.0 /* on a busy machine, with sanitizers */

static mem m;
static tare_error err;

/* A file that is being written, large numbers first. */
typedef struct pen {
    unsigned char *bytes;
    size_t length, capacity;
} pen;

static void put(pen *p, uint64_t value, unsigned size)
{
    assert_true(mem_reserve(&m, &p->bytes, &p->capacity, p->length + size, 1));
    while (size > 0) p->bytes[p->length++] = (unsigned char)(value >> 8 * --size);
}

static void put_text(pen *p, const char *text)
{
    for (; *text != '\0'; text++) put(p, (unsigned char)*text, 1);
}

static size_t box_begin(pen *p, const char *kind)
{
    put(p, 0, 4);
    put_text(p, kind);
    return p->length - 8;
}

static void box_end(pen *p, size_t at)
{
    size_t size = p->length - at;
    for (size_t k = 0; k < 4; k++) p->bytes[at + k] = (unsigned char)(size >> 8 * (3 - k));
}

static void file_type(pen *p)
{
    size_t at = box_begin(p, "ftyp");
    put_text(p, "avif");
    put(p, 0, 4);
    put_text(p, "mif1");
    box_end(p, at);
}

/* `items` entries in iinf, and as many in iloc with `extents` extents of `width` bytes each. */
static void many_items(pen *p, unsigned items, unsigned extents, unsigned width)
{
    file_type(p);
    size_t meta = box_begin(p, "meta");
    put(p, 0, 4);
    size_t list = box_begin(p, "iinf");
    put(p, 0, 4);
    put(p, items, 2);
    for (unsigned k = 0; k < items; k++) {
        size_t entry = box_begin(p, "infe");
        put(p, 2, 1);
        put(p, 0, 3);
        put(p, items - k, 2);
        put(p, 0, 2);
        put_text(p, "av01");
        put(p, 0, 1);
        box_end(p, entry);
    }
    box_end(p, list);
    size_t places = box_begin(p, "iloc");
    put(p, 0, 4);
    put(p, width << 12 | width << 8, 2);
    put(p, items, 2);
    for (unsigned k = 0; k < items; k++) {
        put(p, k + 1, 2);
        put(p, 0, 2);
        put(p, extents, 2);
        for (unsigned e = 0; e < extents && width > 0; e++) {
            put(p, 0, width);
            put(p, 128, width);
        }
    }
    box_end(p, places);
    box_end(p, meta);
}

static image must_be_quick(const pen *p)
{
    image i;
    image_decoding how = IMAGE_DECODING_DEFAULT;
    how.policy = IMAGE_CANONICAL;
    double before = os_seconds();
    tare_status status = image_decode(&i, &m, p->bytes, p->length, "worst", &how, &err);
    double after = os_seconds();
    print_message("%zu bytes, %.2f s: %s\n", p->length, after - before, i.note);
    assert_true(status == TARE_E_DATA || status == TARE_E_LIMIT);
    assert_true(after - before < SECONDS_MOST);
    return i;
}

static void items_of_heif(void **state)
{
    pen p = {0}, empty = {0}, again = {0};
    heif_coded c;
    (void)state;
    many_items(&p, 60000, 1, 4);
    must_be_quick(&p);
    assert_ok(heif_coded_look(&c, &m, p.bytes, p.length, &err));
    assert_true(c.too_much); /* 60,000 times 128 bytes, more than twice the file */
    many_items(&empty, 60000, 65535, 0);
    must_be_quick(&empty);
    assert_ok(heif_coded_look(&c, &m, empty.bytes, empty.length, &err));
    assert_true(c.too_much);
    many_items(&again, 10, 4, 4);
    assert_ok(heif_coded_look(&c, &m, again.bytes, again.length, &err));
    assert_true(c.too_much);
    mem_free(&m, p.bytes);
    mem_free(&m, empty.bytes);
    mem_free(&m, again.bytes);
}

/* Each box of the list inside the one before. */
static void nested_properties(void **state)
{
    enum { DEPTH = 200000 };
    pen p = {0};
    (void)state;
    file_type(&p);
    size_t meta = box_begin(&p, "meta");
    put(&p, 0, 4);
    size_t all = box_begin(&p, "iprp");
    for (unsigned k = 0; k < DEPTH; k++) {
        put(&p, 8 * (DEPTH - k), 4);
        put_text(&p, "ipco");
    }
    box_end(&p, all);
    box_end(&p, meta);
    must_be_quick(&p);
    mem_free(&m, p.bytes);
}

/* A page of 3 x 3 pixels and `tags` tags, most unknown and of one byte each; the next one is at
 * `next`. */
static void big_page(pen *p, uint64_t tags, uint64_t next)
{
    put(p, tags, 8);
    for (uint64_t k = 0; k < tags; k++) {
        put(p, k < 2 ? 256 + k : 1000 + k * 37 % 60000, 2);
        put(p, 1, 2);
        put(p, 1, 8);
        put(p, k < 2 ? 3 : 0, 1);
        put(p, 0, 7);
    }
    put(p, next, 8);
}

static void tags_of_tiff(void **state)
{
    static const uint64_t counts[] = {1500000, 65535, 4097, 4096};
    (void)state;
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        pen p = {0};
        put_text(&p, "MM");
        put(&p, 43, 2);
        put(&p, 8, 2);
        put(&p, 0, 2);
        put(&p, 16, 8);
        big_page(&p, counts[k], 16);
        tiff_pages pages = tiff_pages_look(p.bytes, p.length);
        assert_int_equal(pages.damage != NULL, counts[k] > 4096);
        assert_int_equal(pages.loop, counts[k] <= 4096);
        must_be_quick(&p);
        mem_free(&m, p.bytes);
    }
}

/* Pages whose lists lie upon one another, a tag further on each. */
static void pages_upon_one_another(void **state)
{
    enum { PAGES = 900, TAGS = 4000, ENTRY = 12 };
    pen p = {0};
    (void)state;
    put_text(&p, "MM");
    put(&p, 42, 2);
    put(&p, 8, 4);
    for (unsigned k = 0; k < PAGES + TAGS + 8; k++) { /* every 12 bytes a count, and far behind */
        put(&p, TAGS, 2);                             /* it the place of the next page         */
        put(&p, 0, 2);
        put(&p, k < TAGS ? 0 : 8 + ENTRY * (uint64_t)(k - TAGS + 1) - 2 + 2, 4);
        put(&p, 0, 4);
    }
    for (unsigned k = TAGS; k < PAGES + TAGS; k++) { /* two bytes behind the last entry */
        size_t at = 8 + ENTRY * (size_t)k + 2;
        uint64_t next = 8 + ENTRY * (uint64_t)(k - TAGS + 1);
        for (size_t b = 0; b < 4; b++) p.bytes[at + b] = (unsigned char)(next >> 8 * (3 - b));
    }
    tiff_pages pages = tiff_pages_look(p.bytes, p.length);
    assert_non_null(pages.damage);
    assert_string_equal(pages.damage, "its pages lie upon one another");
    mem_free(&m, p.bytes);
}

int main(void)
{
    m = mem_system();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_of_heif), cmocka_unit_test(nested_properties),
        cmocka_unit_test(tags_of_tiff), cmocka_unit_test(pages_upon_one_another)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
