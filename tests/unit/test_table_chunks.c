/* However the bytes are cut and however many threads read them: the result is that of a plain
 * sequential reader, written here a second time in the simplest way. */
#include <string.h>

#include "base/rng.h"
#include "base/text.h"
#include "support/check.h"
#include "table/table.h"

enum { COLUMNS = 2, ROWS_MAX = 200, TEXT_MAX = 64 };

typedef struct expected {
    size_t rows;
    char cell[ROWS_MAX][COLUMNS][TEXT_MAX];
    size_t line[ROWS_MAX];
    const char *code; /* NULL: good */
    size_t at;        /* place of the fault */
} expected;

/* `s` begins after the header. */
static void read_plainly(expected *e, const char *s, size_t n)
{
    size_t i = 0, line = 2;
    memset(e, 0, sizeof *e);
    while (i < n && e->code == NULL) {
        if (s[i] == '\n' || (s[i] == '\r' && i + 1 < n && s[i + 1] == '\n')) {
            i += s[i] == '\r' ? 2 : 1;
            line++;
            continue;
        }
        e->line[e->rows] = line;
        for (size_t k = 0; e->code == NULL; k++) {
            char *out = e->cell[e->rows][k < COLUMNS ? k : 0];
            size_t length = 0;
            if (i < n && s[i] == '"') {
                size_t opening = i++;
                while (i < n && !(s[i] == '"' && !(i + 1 < n && s[i + 1] == '"'))) {
                    if (s[i] == '"') i++;
                    line += s[i] == '\n';
                    out[length++] = s[i++];
                }
                if (i == n) {
                    e->code = "table.quote";
                    e->at = opening;
                } else if (++i < n && s[i] != ',' && s[i] != '\n'
                           && !(s[i] == '\r' && i + 1 < n && s[i + 1] == '\n')) {
                    e->code = "table.quote";
                    e->at = i;
                }
            } else {
                while (i < n && s[i] != ',' && s[i] != '\n' && s[i] != '\r') out[length++] = s[i++];
                if (i < n && s[i] == '\r' && !(i + 1 < n && s[i + 1] == '\n')) {
                    e->code = "table.carriage_return";
                    e->at = i;
                }
            }
            if (e->code != NULL) break;
            out[length] = '\0';
            if (i < n && s[i] == '\r') i++;
            bool more = i < n && s[i] == ',';
            if (more != (k + 1 < COLUMNS)) {
                e->code = "table.ragged";
                e->at = i;
            } else if (!more) {
                if (i < n) line++;
                i++;
                break;
            } else {
                i++;
            }
        }
        e->rows++;
    }
    size_t valid = utf8_valid_prefix(s, e->code != NULL ? e->at : n);
    if (valid < (e->code != NULL ? e->at : n)) {
        e->code = "table.utf8";
        e->at = valid;
    }
}

static void assert_as_expected(const expected *e, const char *source, size_t header,
                               const table_options *o, pool *p)
{
    static const unsigned kinds[COLUMNS] = {TABLE_TEXT | TABLE_NUMBER, TABLE_TEXT};
    mem m = mem_system();
    tare_error err = {TARE_OK, "", "", ""};
    table *t;
    assert_ok(table_open_bytes(&t, &m, p, &(table_bytes){"t", source, strlen(source)}, o, &err));
    tare_status status = table_load(t, kinds, &err);
    if (e->code != NULL) {
        size_t line = 1, start = 0;
        char where[64];
        for (size_t i = 0; i < header + e->at; i++) {
            if (source[i] == '\n') {
                line++;
                start = i + 1;
            }
        }
        snprintf(where, sizeof where, "t:%zu:%zu", line, header + e->at - start + 1);
        if (status != TARE_E_DATA || strcmp(err.code, e->code) != 0
            || strcmp(err.where, where) != 0) {
            fail_msg("chunks of %zu: %s at %s, want %s at %s in\n%s", o->chunk_bytes, err.code,
                     err.where, e->code, where, source);
        }
    } else {
        if (status != TARE_OK || table_rows(t) != e->rows) {
            fail_msg("chunks of %zu: %zu rows, want %zu, %s %s in\n%s", o->chunk_bytes,
                     table_rows(t), e->rows, err.code, err.where, source);
        }
        for (size_t k = 0; k < COLUMNS; k++) {
            table_texts c = table_text_column(t, k);
            size_t seen = 0;
            for (size_t r = 0; r < e->rows; r++) {
                assert_true(c.codes[r] <= seen); /* numbered by first appearance */
                seen += c.codes[r] == seen;
                assert_string_equal(table_level(t, k, c.codes[r], NULL), e->cell[r][k]);
            }
            assert_int_equal(seen, c.levels);
        }
        for (size_t r = 0; r < e->rows; r++) {
            double v;
            const char *s = e->cell[r][0];
            table_numbers n = table_number_column(t, 0);
            bool good = number_parse(s, strlen(s), &v) && isfinite(v);
            assert_int_equal(n.status[r] == TABLE_OK, good);
            if (good) assert_true(n.values[r] == v);
            assert_int_equal(table_line(t, r), e->line[r]);
        }
    }
    table_free(t);
}

/* Bytes that matter to the format, so that every state meets every cut. */
static void random_bytes(void **state)
{
    (void)state;
    static const char *const pieces[] = {",", ",", "\n", "\n", "\"", "\"\"", "\r\n", "a", "7",
                                         "bc", "\xC3\xA9", "1.5", "\"x\"", "\"y\nz\"", "\r",
                                         "\xFF"};
    static char source[4096];
    static expected e;
    rng_stream s;
    mem m = mem_system();
    pool *p = pool_new(&m, 3);
    size_t good = 0;
    rng_start(&s, rng_key_of(3, "test/chunks"), 0, 0);
    for (int round = 0; round < 6000; round++) {
        size_t length = (size_t)snprintf(source, sizeof source, "a,b\n");
        size_t count = rng_bounded(&s, 24);
        uint32_t kinds = rng_bounded(&s, 4) == 0 ? 16 : 14; /* the last two are always faults */
        for (size_t i = 0; i < count; i++) {
            if (rng_bounded(&s, 2)) { /* mostly well-formed lines */
                length += (size_t)sprintf(source + length, "%u,\"q%u\n\"\n", rng_bounded(&s, 9),
                                          rng_bounded(&s, 4));
            } else if (rng_bounded(&s, 2)) {
                length += (size_t)sprintf(source + length, "w%u,x\n", rng_bounded(&s, 5));
            } else {
                length += (size_t)sprintf(source + length, "%s", pieces[rng_bounded(&s, kinds)]);
            }
        }
        read_plainly(&e, source + 4, length - 4);
        good += e.code == NULL && e.rows > 3;
        for (size_t chunk = 1; chunk < 40; chunk += 1 + chunk / 4) {
            table_options o = {.delimiter = ',', .chunk_bytes = chunk};
            assert_as_expected(&e, source, 4, &o, round % 16 == 0 ? p : NULL);
        }
    }
    assert_true(good > 300);
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
    text_add(&source, "id,x,note\n");
    for (int i = 0; i < ROWS; i++) {
        text_add_format(&source, "item-%d,%d.25,%s\n", i * 7919 % 1000, i,
                        i % 50 == 0 ? "\"with, \"\"quotes\"\"\nand lines\"" : "plain");
    }
    static const unsigned kinds[] = {TABLE_TEXT, TABLE_NUMBER, TABLE_TEXT};
    for (unsigned threads = 0; threads <= 4; threads++) {
        pool *p = threads == 0 ? NULL : pool_new(&m, threads);
        table_options o = {.chunk_bytes = 10000 + 777 * threads};
        const table_bytes in = {"t.csv", source.data, source.length};
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
        assert_string_equal(table_level(t, 2, 0, NULL), "with, \"quotes\"\nand lines");
        assert_int_equal(table_line(t, ROWS - 1), 1 + ROWS + ROWS / 50);
        table_free(t);
        pool_free(p);
    }
    text_free(&source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_bytes),
        cmocka_unit_test(long_tables_on_many_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
