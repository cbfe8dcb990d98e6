/* Zip archives, made here by the format's description (APPNOTE 4.3), as torch writes them: stored
 * entries, data padded to 64 bytes in the local header only, a zip64 record at the end. */
#include <string.h>

#include "base/text.h"
#include "scorer/checkpoint/zip_directory.h"
#include "support/check.h"
#include "support/failing_mem.h"

enum { FULL16 = 0xffff, MOST = 4 };
#define FULL32 UINT64_C(0xffffffff)

/* What an entry says; a test falsifies one thing. */
typedef struct entry {
    const char *name, *local_name; /* local_name NULL: the same */
    size_t name_bytes;             /* 0: strlen */
    const char *data;
    unsigned flags, method, local_method;
    bool wide;                     /* sizes and place in the zip64 field */
    uint64_t packed, unpacked;     /* 0: of data */
    uint64_t local;                /* added to the true place */
    size_t extra;                  /* of the local header only */
} entry;

typedef struct recipe {
    entry entry[MOST];
    size_t count;
    bool zip64;
    uint64_t said, size_off, from_off; /* count said instead if not 0; added to the true values */
    unsigned disk;
    const char *comment;
} recipe;

static void put(text *t, uint64_t value, unsigned bytes)
{
    for (unsigned k = 0; k < bytes; k++, value >>= 8) text_add_char(t, (char)(value & 0xff));
}

static size_t name_bytes(const entry *e)
{
    return e->name_bytes ? e->name_bytes : strlen(e->name);
}

static void put_local(text *t, const entry *e)
{
    size_t bytes = strlen(e->data);
    text_add_bytes(t, "PK\3\4", 4);
    put(t, 0, 2);
    put(t, e->flags, 2);
    put(t, e->method + e->local_method, 2);
    put(t, 0, 8);
    put(t, bytes, 4);
    put(t, bytes, 4);
    put(t, name_bytes(e), 2);
    put(t, e->extra, 2);
    text_add_bytes(t, e->local_name ? e->local_name : e->name, name_bytes(e));
    for (size_t i = 0; i < e->extra; i++) text_add_char(t, 'Z');
    text_add(t, e->data);
}

static void put_central(text *t, const entry *e, uint64_t at)
{
    uint64_t packed = e->packed ? e->packed : strlen(e->data);
    uint64_t unpacked = e->unpacked ? e->unpacked : strlen(e->data);
    text_add_bytes(t, "PK\1\2", 4);
    put(t, 0, 4);
    put(t, e->flags, 2);
    put(t, e->method, 2);
    put(t, 0, 8);
    put(t, e->wide ? FULL32 : packed, 4);
    put(t, e->wide ? FULL32 : unpacked, 4);
    put(t, name_bytes(e), 2);
    put(t, e->wide ? 5 + 28 : 0, 2);
    put(t, 0, 10);
    put(t, e->wide ? FULL32 : at + e->local, 4);
    text_add_bytes(t, e->name, name_bytes(e));
    if (!e->wide) return;
    put(t, 0x5455, 2); /* another field before it: a time stamp */
    put(t, 1, 2);
    put(t, 0, 1);
    put(t, 1, 2);
    put(t, 24, 2);
    put(t, unpacked, 8);
    put(t, packed, 8);
    put(t, at + e->local, 8);
}

static void make(text *t, const recipe *r)
{
    uint64_t at[MOST], count = r->said ? r->said : r->count;
    text_clear(t);
    for (size_t i = 0; i < r->count; i++) {
        at[i] = t->length;
        put_local(t, &r->entry[i]);
    }
    uint64_t from = t->length;
    for (size_t i = 0; i < r->count; i++) put_central(t, &r->entry[i], at[i]);
    uint64_t size = t->length - from + r->size_off, end = t->length;
    from += r->from_off;
    if (r->zip64) {
        text_add_bytes(t, "PK\6\6", 4);
        put(t, 44, 8);
        put(t, 45 << 16, 4);
        put(t, r->disk, 4);
        put(t, 0, 4);
        put(t, count, 8);
        put(t, count, 8);
        put(t, size, 8);
        put(t, from, 8);
        text_add_bytes(t, "PK\6\7", 4);
        put(t, 0, 4);
        put(t, end, 8);
        put(t, 1, 4);
    }
    text_add_bytes(t, "PK\5\6", 4);
    put(t, r->disk, 2);
    put(t, 0, 2);
    put(t, count < FULL16 ? count : FULL16, 2);
    put(t, count < FULL16 ? count : FULL16, 2);
    put(t, size < FULL32 ? size : FULL32, 4);
    put(t, from < FULL32 ? from : FULL32, 4);
    put(t, r->comment ? strlen(r->comment) : 0, 2);
    if (r->comment) text_add(t, r->comment);
    assert_false(t->failed);
}

/* On a block of the exact length: a sanitizer sees what is read beyond. The bytes must outlive the
 * directory's use in the caller: none of it points into them. */
static tare_status read_zip(zip_directory *z, arena *a, const char *bytes, size_t length,
                            tare_error *err)
{
    unsigned char *exact = malloc(length > 0 ? length : 1);
    assert_non_null(exact);
    if (length > 0) memcpy(exact, bytes, length);
    memset(err, 0, sizeof *err);
    tare_status status = zip_directory_read(z, a, "f.pt", exact, length, err);
    free(exact);
    return status;
}

/* Reads it and says what must come of it: a code that begins so; NULL: it is good. */
static void expect(const recipe *r, tare_status want, const char *code, const char *message)
{
    mem m = mem_system();
    arena a;
    text t;
    zip_directory z;
    tare_error err;
    arena_init(&a, &m);
    text_init(&t, &m);
    make(&t, r);
    tare_status status = read_zip(&z, &a, t.data, t.length, &err);
    bool said = code == NULL || (strncmp(err.code, code, strlen(code)) == 0
                                 && strstr(err.message, message) != NULL);
    if (status != want || !said)
        fail_msg("%s: got %d [%s] %s", code ? code : "good", status, err.code, err.message);
    if (want != TARE_OK) {
        assert_int_equal(z.count, 0);
        assert_string_equal(err.where, "f.pt");
    }
    text_free(&t);
    arena_free(&a);
}

static const entry pickle = {.name = "m/data.pkl", .data = "\x80\x02.", .extra = 20};
static const entry weight = {.name = "m/data/0", .data = "0123456789abcdef", .extra = 3};

static void entries_are_found_where_their_bytes_are(void **state)
{
    (void)state;
    mem m = mem_system();
    for (int k = 0; k < 8; k++) {
        arena a;
        text t;
        zip_directory z;
        tare_error err;
        recipe r = {.entry = {weight, pickle, {.name = "m/code/", .data = ""},
                              {.name = "m/packed", .data = "xyz", .method = 8, .unpacked = 77}},
                    .count = 4, .zip64 = k & 1,
                    .comment = k & 2 ? "PK\5\6, I say, and 22 bytes" : NULL};
        for (size_t i = 0; i < 4; i++) r.entry[i].wide = k & 4;
        arena_init(&a, &m);
        text_init(&t, &m);
        make(&t, &r);
        assert_ok(read_zip(&z, &a, t.data, t.length, &err));
        assert_int_equal(z.count, 4);
        assert_string_equal(z.entry[0].name, "m/code/");
        assert_string_equal(z.entry[3].name, "m/packed");
        const zip_entry *e = zip_directory_find(&z, "m/data/0");
        assert_true(e->stored && e->bytes == 16 && e->offset == 30 + 8 + 3);
        assert_memory_equal(t.data + e->offset, "0123456789abcdef", 16);
        e = zip_directory_find(&z, "m/data.pkl");
        assert_true(e->stored && e->bytes == 3);
        assert_memory_equal(t.data + e->offset, "\x80\x02.", 3);
        e = zip_directory_find(&z, "m/packed");
        assert_true(!e->stored && e->bytes == 3);
        assert_null(zip_directory_find(&z, "m/data/1"));
        text_free(&t);
        arena_free(&a);
    }
    expect(&(recipe){.count = 0}, TARE_OK, NULL, NULL);
    entry locked = weight;
    locked.flags = 1;
    locked.packed = 4; /* an encrypted entry may have two lengths */
    expect(&(recipe){.entry = {locked}, .count = 1}, TARE_OK, NULL, NULL);
}

#define REFUSED(change, status, code, message)                           \
    do {                                                                 \
        recipe r = {.entry = {pickle, weight}, .count = 2};              \
        for (int wide = 0; wide < 2; wide++) {                           \
            r.zip64 = r.entry[0].wide = r.entry[1].wide = wide == 1;     \
            change;                                                      \
            expect(&r, status, code, message);                           \
        }                                                                \
    } while (0)

static void lies_of_entries_are_refused(void **state)
{
    (void)state;
    REFUSED(r.entry[1].packed = r.entry[1].unpacked = 17, TARE_E_DATA, "zip.entry",
            "the 17 bytes of entry m/data/0 run over the end");
    REFUSED(r.entry[1].packed = r.entry[1].unpacked = FULL32 - 1, TARE_E_DATA, "zip.entry", "run");
    REFUSED(r.entry[1].unpacked = 15, TARE_E_DATA, "zip.entry", "two lengths, 16 and 15");
    REFUSED(r.entry[1].local = 1, TARE_E_DATA, "zip.entry", "is not there");
    REFUSED(r.entry[1].local = FULL32 - 100, TARE_E_DATA, "zip.entry", "is not there");
    REFUSED(r.entry[1].local_name = "m/data/1", TARE_E_DATA, "zip.entry", "another name");
    REFUSED(r.entry[1].local_method = 8, TARE_E_DATA, "zip.entry", "another name or method");
    REFUSED(r.entry[1].name = r.entry[0].name, TARE_E_DATA, "zip.duplicate",
            "two entries are called m/data.pkl");
    REFUSED((r.entry[1].name = "m/d\0ta/0", r.entry[1].name_bytes = 8), TARE_E_DATA, "zip.name",
            "NUL");
    recipe r = {.entry = {pickle, weight}, .count = 2, .zip64 = true};
    r.entry[1].wide = true;
    r.entry[1].packed = r.entry[1].unpacked = UINT64_MAX;
    expect(&r, TARE_E_DATA, "zip.entry", "run over");
    r.entry[1] = weight;
    r.entry[1].wide = true;
    r.entry[1].local = UINT64_MAX - 50; /* with the true place: past 2^64 or near it */
    expect(&r, TARE_E_DATA, "zip.entry", "is not there");
}

static void lies_of_the_last_records_are_refused(void **state)
{
    (void)state;
    REFUSED(r.said = 3, TARE_E_DATA, "zip.list", "");
    REFUSED(r.said = 4, TARE_E_DATA, "zip.list", "too short for their number");
    REFUSED(r.said = 1, TARE_E_DATA, "zip.list", "longer than their number");
    REFUSED(r.said = 60000, TARE_E_DATA, "zip.list", "too short for their number");
    REFUSED(r.size_off = 1, TARE_E_DATA, "zip.end", "outside");
    REFUSED(r.size_off = UINT64_MAX, TARE_E_DATA, "zip.", ""); /* one byte less */
    REFUSED(r.from_off = 1, TARE_E_DATA, "zip.end", "outside");
    REFUSED(r.from_off = FULL32 - 1000, TARE_E_DATA, "zip.end", "outside");
    REFUSED(r.disk = 1, TARE_E_DATA, "zip.parts", "join");
    recipe r = {.entry = {pickle, weight}, .count = 2, .zip64 = true};
    r.said = UINT64_C(1) << 40;
    expect(&r, TARE_E_LIMIT, "zip.entries", "1099511627776 entries");
    r.said = UINT64_MAX;
    expect(&r, TARE_E_LIMIT, "zip.entries", "");
    r.said = ZIP_ENTRIES_MOST; /* as many as are allowed: no room in the list */
    expect(&r, TARE_E_DATA, "zip.list", "too short");
    r.said = 0;
    r.size_off = UINT64_MAX - 5;
    expect(&r, TARE_E_DATA, "zip.", "");
    r.size_off = UINT64_MAX - 120; /* with the place: past 2^64 */
    expect(&r, TARE_E_DATA, "zip.end", "outside");
    r.size_off = 0;
    r.from_off = UINT64_MAX - 5;
    expect(&r, TARE_E_DATA, "zip.", "");
}

/* The two last records say different numbers: readers would see different archives. */
static void two_last_records_that_differ(void **state)
{
    (void)state;
    static const size_t places[] = {10, 12, 16};
    mem m = mem_system();
    for (size_t i = 0; i < 3; i++) {
        arena a;
        text t;
        zip_directory z;
        tare_error err;
        arena_init(&a, &m);
        text_init(&t, &m);
        make(&t, &(recipe){.entry = {pickle, weight}, .count = 2, .zip64 = true});
        t.data[t.length - 22 + places[i]]++;
        assert_int_equal(read_zip(&z, &a, t.data, t.length, &err), TARE_E_DATA);
        assert_string_equal(err.code, "zip.end");
        assert_non_null(strstr(err.message, "contradict"));
        text_free(&t);
        arena_free(&a);
    }
}

static void cut_at_every_byte(void **state)
{
    (void)state;
    mem m = mem_system();
    text t;
    text_init(&t, &m);
    for (int wide = 0; wide < 2; wide++) {
        recipe r = {.entry = {pickle, weight}, .count = 2, .zip64 = wide == 1};
        r.entry[0].extra = 4200; /* all of the first 4 kB before the second entry */
        make(&t, &r);
        for (size_t length = 0; length < t.length; length++) {
            arena a;
            zip_directory z;
            tare_error err;
            arena_init(&a, &m);
            assert_int_equal(read_zip(&z, &a, t.data, length, &err), TARE_E_DATA);
            assert_string_equal(err.code, "zip.truncated");
            arena_free(&a);
        }
    }
    text_free(&t);
}

/* Whatever byte is changed to whatever: refused, or all entries are in the file. */
static void no_byte_is_believed(void **state)
{
    (void)state;
    mem m = mem_system();
    text t;
    text_init(&t, &m);
    recipe r = {.entry = {pickle, weight}, .count = 2, .zip64 = true};
    r.entry[1].wide = true;
    make(&t, &r);
    for (size_t at = 0; at < t.length; at++) {
        static const unsigned char with[] = {0, 1, 0x7f, 0x80, 0xff};
        char kept = t.data[at];
        for (size_t k = 0; k < sizeof with; k++) {
            arena a;
            zip_directory z;
            tare_error err;
            arena_init(&a, &m);
            t.data[at] = (char)with[k];
            tare_status status = read_zip(&z, &a, t.data, t.length, &err);
            assert_true(status == TARE_OK || status == TARE_E_DATA || status == TARE_E_LIMIT);
            for (size_t i = 0; i < z.count; i++)
                assert_true(z.entry[i].offset + z.entry[i].bytes <= t.length);
            arena_free(&a);
        }
        t.data[at] = kept;
    }
    text_free(&t);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    mem system = mem_system();
    text t;
    text_init(&t, &system);
    make(&t, &(recipe){.entry = {pickle, weight}, .count = 2, .zip64 = true});
    for (long k = 1;; k++) {
        failing_mem f;
        mem m = failing_mem_start(&f, k);
        arena a;
        zip_directory z;
        tare_error err;
        arena_init(&a, &m);
        tare_status status = read_zip(&z, &a, t.data, t.length, &err);
        arena_free(&a);
        assert_int_equal(failing_mem_live(&f), 0);
        assert_int_equal(status, failing_mem_failed(&f) ? TARE_E_MEMORY : TARE_OK);
        if (!failing_mem_failed(&f)) {
            assert_true(k > 1);
            break;
        }
    }
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_found_where_their_bytes_are),
        cmocka_unit_test(lies_of_entries_are_refused),
        cmocka_unit_test(lies_of_the_last_records_are_refused),
        cmocka_unit_test(two_last_records_that_differ),
        cmocka_unit_test(cut_at_every_byte),
        cmocka_unit_test(no_byte_is_believed),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
