/* However JSON lines are cut and however many threads read them: the same columns, rows, places and
 * faults. What is expected was known before the text was written. */
#include <string.h>

#include "base/rng.h"
#include "base/text.h"
#include "support/check.h"
#include "table/table.h"

enum { KEYS = 9, ROWS_MAX = 40, TEXT_MAX = 24 };

static const char *const NAMES[KEYS] = {"item", "judge", "n.a", "n.b", "n.m.c", "score", "x", "y",
                                        "list"};

typedef struct expected {
    size_t rows, columns;
    size_t order[KEYS]; /* keys in the order of first appearance */
    bool seen[KEYS];
    char cell[ROWS_MAX][KEYS][TEXT_MAX];
    size_t line[ROWS_MAX];
} expected;

/* A value of the key, as JSON at the end of `out` and as text in `cell`. */
static void add_value(text *out, char *cell, rng_stream *s)
{
    unsigned k = rng_bounded(s, 12);
    switch (rng_bounded(s, 6)) {
    case 0:
        snprintf(cell, TEXT_MAX, "t%u", k);
        text_add_format(out, "\"t%u\"", k);
        break;
    case 1:
        snprintf(cell, TEXT_MAX, "say \"%u\"", k);
        text_add_format(out, "\"say \\\"%u\\\"\"", k);
        break;
    case 2:
        snprintf(cell, TEXT_MAX, "%u.50", k);
        text_add_format(out, "%u.50", k);
        break;
    case 3:
        snprintf(cell, TEXT_MAX, "caf\xC3\xA9 number %u", k);
        text_add_format(out, k % 2 ? "\"caf\xC3\xA9 number %u\"" : "\"caf\\u00E9 number %u\"", k);
        break;
    case 4:
        snprintf(cell, TEXT_MAX, "[%u,\"a b\"]", k);
        text_add_format(out, "[ %u , \"a b\"]", k);
        break;
    default:
        cell[0] = '\0';
        text_add(out, k % 2 ? "null" : "\"\"");
        break;
    }
}

static void add_key(text *out, expected *e, size_t key, const char *name, rng_stream *s)
{
    if (!e->seen[key]) {
        e->seen[key] = true;
        e->order[e->columns++] = key;
    }
    text_add_format(out, "%s\"%s\":", out->data[out->length - 1] == '{' ? "" : ",", name);
    add_value(out, e->cell[e->rows][key], s);
}

static void add_row(text *out, expected *e, rng_stream *s)
{
    bool usual = rng_bounded(s, 4) > 0;
    text_add(out, "{");
    for (size_t k = 0; k < 2; k++) {
        if (usual || rng_bounded(s, 2)) add_key(out, e, k, NAMES[k], s);
    }
    if (usual || rng_bounded(s, 2)) {
        text_add_format(out, "%s\"n\":{", out->data[out->length - 1] == '{' ? "" : ",");
        if (rng_bounded(s, 8) > 0) add_key(out, e, 2, "a", s);
        if (rng_bounded(s, 8) > 0) add_key(out, e, 3, "b", s);
        if (rng_bounded(s, 2) > 0) {
            text_add_format(out, "%s\"m\":{", out->data[out->length - 1] == '{' ? "" : ",");
            add_key(out, e, 4, "c", s);
            text_add(out, "}");
        }
        text_add(out, "}");
    }
    size_t from = usual ? 5 : 5 + rng_bounded(s, 4); /* the others in another order */
    for (size_t i = 0; i < 4; i++) {
        size_t k = 5 + (from - 5 + i) % 4;
        if (usual ? k < 7 : rng_bounded(s, 3) > 0) add_key(out, e, k, NAMES[k], s);
    }
    text_add(out, "}");
    e->rows++;
}

static void assert_as_expected(const expected *e, const text *source, const table_options *o,
                               pool *p)
{
    unsigned kinds[KEYS];
    mem m = mem_system();
    tare_error err = {TARE_OK, "", "", ""};
    table *t;
    for (size_t i = 0; i < KEYS; i++) kinds[i] = TABLE_TEXT | (i % 2 ? TABLE_NUMBER : 0);
    const table_bytes in = {"t.jsonl", source->data, source->length};
    assert_ok(table_open_bytes(&t, &m, p, &in, o, &err));
    assert_ok(table_load(t, kinds, &err));
    assert_int_equal(table_rows(t), e->rows);
    assert_int_equal(table_columns(t), e->columns);
    for (size_t c = 0; c < e->columns; c++) {
        size_t key = e->order[c], seen = 0;
        table_texts texts = table_text_column(t, c);
        table_numbers n = table_number_column(t, c);
        assert_string_equal(table_column_name(t, c), NAMES[key]);
        for (size_t r = 0; r < e->rows; r++) {
            double v;
            const char *want = e->cell[r][key];
            assert_true(texts.codes[r] <= seen); /* numbered by first appearance */
            seen += texts.codes[r] == seen;
            assert_string_equal(table_level(t, c, texts.codes[r], NULL), want);
            if (n.values == NULL) continue;
            bool good = number_parse(want, strlen(want), &v);
            assert_int_equal(n.status[r],
                             good ? TABLE_OK : want[0] == '\0' ? TABLE_MISSING : TABLE_BAD);
            if (good) assert_true(n.values[r] == v);
        }
        assert_int_equal(seen, texts.levels);
    }
    for (size_t r = 0; r < e->rows; r++) assert_int_equal(table_line(t, r), e->line[r]);
    table_free(t);
}

static void random_rows(void **state)
{
    (void)state;
    static expected e;
    rng_stream s;
    mem m = mem_system();
    pool *pools[] = {NULL, pool_new(&m, 2), pool_new(&m, 8)};
    text source;
    text_init(&source, &m);
    rng_start(&s, rng_key_of(4, "test/jsonl"), 0, 0);
    for (int round = 0; round < 300; round++) {
        size_t rows = 1 + rng_bounded(&s, ROWS_MAX - 1), line = 1;
        memset(&e, 0, sizeof e);
        text_clear(&source);
        for (size_t r = 0; r < rows; r++) {
            for (; rng_bounded(&s, 6) == 0; line++) {
                text_add(&source, rng_bounded(&s, 2) ? "\n" : " \t\r\n");
            }
            e.line[e.rows] = line++;
            add_row(&source, &e, &s);
            if (r + 1 < rows || rng_bounded(&s, 2)) text_add(&source, "\n");
        }
        if (e.columns == 0) continue;
        for (size_t chunk = 1; chunk < 2000; chunk += 1 + chunk) {
            table_options o = {.chunk_bytes = chunk + rng_bounded(&s, 3)};
            assert_as_expected(&e, &source, &o, round % 10 == 0 ? pools[1 + round / 10 % 2] : NULL);
        }
    }
    text_free(&source);
    pool_free(pools[1]);
    pool_free(pools[2]);
}

static tare_status read_damaged(const text *source, size_t chunk, pool *p, tare_error *err)
{
    mem m = mem_system();
    table *t = NULL;
    const table_bytes in = {"t.jsonl", source->data, source->length};
    const table_options o = {.chunk_bytes = chunk, .max_columns = 8};
    tare_status status = table_open_bytes(&t, &m, p, &in, &o, err);
    table_free(t);
    return status;
}

/* Any byte changed to any of those that matter: all cuts agree on the first fault. */
static void the_first_fault_is_found(void **state)
{
    (void)state;
    static const char bytes[] = "{}[]\",:\\0x\n ";
    rng_stream s;
    mem m = mem_system();
    pool *p = pool_new(&m, 3);
    text source;
    size_t faults = 0;
    text_init(&source, &m);
    rng_start(&s, rng_key_of(5, "test/jsonl"), 0, 0);
    for (int round = 0; round < 1500; round++) {
        static expected e;
        tare_error want = {TARE_OK, "", "", ""}, got = want;
        memset(&e, 0, sizeof e);
        text_clear(&source);
        for (size_t r = 0; r < 12; r++) {
            add_row(&source, &e, &s);
            text_add(&source, "\n");
        }
        for (size_t n = 1 + rng_bounded(&s, 3); n > 0; n--) {
            source.data[rng_bounded(&s, (uint32_t)source.length)] =
                bytes[rng_bounded(&s, sizeof bytes - 1)];
        }
        tare_status status = read_damaged(&source, 1 << 20, NULL, &want);
        faults += status != TARE_OK;
        for (size_t chunk = 1; chunk < 1000; chunk += 1 + chunk) {
            assert_int_equal(read_damaged(&source, chunk, round % 8 ? NULL : p, &got), status);
            assert_string_equal(got.where, want.where);
            assert_string_equal(got.code, want.code);
            assert_string_equal(got.message, want.message);
        }
    }
    assert_true(faults > 500);
    text_free(&source);
    pool_free(p);
}

static void long_tables_on_many_threads(void **state)
{
    (void)state;
    enum { ROWS = 20000 };
    mem m = mem_system();
    text source;
    tare_error err;
    text_init(&source, &m);
    for (int i = 0; i < ROWS; i++) {
        const char *note = i % 50 == 0 ? "with \\\"quotes\\\"\\nand lines" : "plain";
        text_add_format(&source, "{\"id\":\"item-%d\",\"x\":%d.25,\"note\":\"%s\"}\n",
                        i * 7919 % 1000, i, note);
    }
    static const unsigned kinds[] = {TABLE_TEXT, TABLE_NUMBER, TABLE_TEXT};
    static const unsigned counts[] = {0, 1, 2, 8};
    for (size_t k = 0; k < 8; k++) {
        unsigned threads = counts[k / 2];
        pool *p = threads == 0 ? NULL : pool_new(&m, threads);
        table_options o = {.chunk_bytes = 10000 + 777 * threads};
        /* as lines, and as one array */
        for (size_t i = 0; k % 2 && i + 1 < source.length; i++) {
            if (source.data[i] == '\n') source.data[i] = ',';
        }
        text whole;
        text_init(&whole, &m);
        text_add_format(&whole, k % 2 ? "[%.*s]" : "%.*s", (int)source.length, source.data);
        for (size_t i = 0; k % 2 && i < source.length; i++) {
            if (source.data[i] == ',' && source.data[i - 1] == '}') source.data[i] = '\n';
        }
        const table_bytes in = {k % 2 ? "t.json" : "t.jsonl", whole.data, whole.length};
        table *t;
        assert_ok(table_open_bytes(&t, &m, p, &in, &o, &err));
        assert_ok(table_load(t, kinds, &err));
        assert_int_equal(table_rows(t), ROWS);
        table_texts id = table_text_column(t, 0), note = table_text_column(t, 2);
        assert_int_equal(id.levels, 1000);
        assert_int_equal(note.levels, 2);
        for (int i = 0; i < ROWS; i++) {
            char want[32];
            snprintf(want, sizeof want, "item-%d", i * 7919 % 1000);
            assert_string_equal(table_level(t, 0, id.codes[i], NULL), want);
            assert_true(table_number_column(t, 1).values[i] == i + 0.25);
            assert_int_equal(note.codes[i], i % 50 != 0);
        }
        assert_string_equal(table_level(t, 2, 0, NULL), "with \"quotes\"\nand lines");
        assert_int_equal(table_line(t, ROWS - 1), k % 2 ? 1 : ROWS);
        table_free(t);
        text_free(&whole);
        pool_free(p);
    }
    text_free(&source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_rows),
        cmocka_unit_test(the_first_fault_is_found),
        cmocka_unit_test(long_tables_on_many_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
