/* What is written reads back. */
#include <string.h>

#include "support/check.h"
#include "table/table.h"

static const char *const TEXTS[] = {"", "plain", "a,b", "a\tb", "say \"hi\"", "two\nlines", "\r",
                                    "caf\xC3\xA9", " spaces ", "\"", "\"\"\"", "NA"};
enum { TEXT_COUNT = sizeof TEXTS / sizeof *TEXTS };

static void every_text_survives(void **state)
{
    (void)state;
    mem m = mem_system();
    for (int pass = 0; pass < 4; pass++) {
        bool alone = pass >= 2;
        table_writer *w = table_writer_new(&m, pass % 2 ? '\t' : ',');
        table_put_header(w, alone ? "name" : "name|value|more");
        for (int i = 0; i < TEXT_COUNT; i++) {
            table_put_text(w, TEXTS[i]);
            if (!alone) {
                table_put_number(w, i == 1 ? (double)NAN : i / 3.0);
                table_put_integer(w, -i);
            }
            table_end_row(w);
        }
        const char *bytes;
        size_t length;
        tare_error err;
        table *t;
        assert_ok(table_writer_text(&bytes, &length, w, &err));
        const table_bytes in = {pass % 2 ? "w.tsv" : "w.csv", bytes, length};
        assert_ok(table_open_bytes(&t, &m, NULL, &in, NULL, &err));
        static const unsigned kinds[] = {TABLE_TEXT, TABLE_NUMBER, TABLE_NUMBER};
        assert_ok(table_load(t, kinds, &err));
        assert_int_equal(table_rows(t), TEXT_COUNT);
        for (size_t i = 0; i < TEXT_COUNT; i++) {
            const char *got = table_level(t, 0, table_text_column(t, 0).codes[i], NULL);
            assert_string_equal(got, TEXTS[i]);
            if (alone) continue;
            table_numbers n = table_number_column(t, 1);
            assert_int_equal(n.status[i], i == 1 ? TABLE_MISSING : TABLE_OK);
            if (i != 1) assert_true(n.values[i] == (double)i / 3.0);
            assert_true(table_number_column(t, 2).values[i] == -(double)i);
        }
        table_free(t);
        table_writer_free(w);
    }
    table_writer_free(NULL);
}

static void bytes_as_documented(void **state)
{
    (void)state;
    mem m = mem_system();
    tare_error err;
    table_writer *w = table_writer_new(&m, ',');
    table_put_header(w, "a|b");
    table_put_number(w, 0.1);
    table_put_number(w, (double)INFINITY);
    table_end_row(w);
    table_put_bytes(w, "x,\"", 3);
    table_put_integer(w, INT64_MIN);
    table_end_row(w);
    const char *bytes;
    size_t length;
    assert_ok(table_writer_text(&bytes, &length, w, &err));
    assert_string_equal(bytes, "a,b\n0.1,\n\"x,\"\"\",-9223372036854775808\n");
    assert_int_equal(length, strlen(bytes));
    table_put_text(w, "one field only");
    table_end_row(w);
    assert_int_equal(table_writer_text(&bytes, &length, w, &err), TARE_E_BUG);
    assert_int_equal(table_writer_save(w, "/tmp/never-written.csv", &err), TARE_E_BUG);
    table_writer_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_text_survives),
        cmocka_unit_test(bytes_as_documented),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
