/* Rows of a million columns are refused at once, whatever the format; as many columns as are
 * allowed are read. */
#include <string.h>

#include "base/os.h"
#include "base/text.h"
#include "support/check.h"
#include "table/table.h"

enum { MANY = 1000000 };

static void refuse(const char *name, const text *source, const char *where)
{
    mem m = mem_system();
    table *t = NULL;
    tare_error err;
    double start = os_seconds();
    const table_bytes in = {name, source->data, source->length};
    assert_int_equal(table_open_bytes(&t, &m, NULL, &in, NULL, &err), TARE_E_LIMIT);
    assert_null(t);
    assert_string_equal(err.code, "table.columns");
    assert_string_equal(err.where, where);
    assert_non_null(strstr(err.message, "columns"));
    if (os_seconds() - start > 5) fail_msg("%s: %g seconds", name, os_seconds() - start);
}

static void a_million_columns_are_refused(void **state)
{
    (void)state;
    mem m = mem_system();
    text source;
    text_init(&source, &m);
    for (int i = 0; i < MANY; i++) text_add_format(&source, "%sc%d", i ? "," : "", i);
    text_add(&source, "\n");
    refuse("t.csv", &source, "t.csv:1:58891"); /* 10 + 90 + 900 + 9000 names of 3 to 6 bytes */
    text_clear(&source);
    for (int i = 0; i < MANY; i++) text_add_format(&source, "%s\"c%d\":1", i ? "," : "{", i);
    text_add(&source, "}\n");
    refuse("t.jsonl", &source, "t.jsonl:1:98892"); /* and 5 bytes more each, and a brace */
    text_clear(&source);
    for (int i = 0; i < MANY; i++) text_add_format(&source, "{\"c%d\":1}\n", i);
    refuse("t.jsonl", &source, "t.jsonl:10001:2");
    text_clear(&source);
    text_add(&source, "{\"a\":{");
    for (int i = 0; i < MANY; i++) text_add_format(&source, "%s\"c%d\":{}", i ? "," : "", i);
    text_add(&source, "}}\n");
    assert_false(source.failed);
    refuse("t.jsonl", &source, "t.jsonl:1:108886");
    text_free(&source);
}

/* A short header and one long row: the row is ragged. */
static void a_million_fields_are_ragged(void **state)
{
    (void)state;
    mem m = mem_system();
    text source;
    table *t = NULL;
    tare_error err;
    text_init(&source, &m);
    text_add(&source, "a,b\n1,2\n");
    for (int i = 0; i < MANY; i++) text_add(&source, "3,");
    const table_bytes in = {"t.csv", source.data, source.length};
    assert_ok(table_open_bytes(&t, &m, NULL, &in, NULL, &err));
    assert_int_equal(table_load(t, (const unsigned[]){1, 2}, &err), TARE_E_DATA);
    assert_string_equal(err.where, "t.csv:3:4");
    table_free(t);
    text_free(&source);
}

static void the_most_columns_are_read(void **state)
{
    (void)state;
    enum { MOST = 10000 };
    static unsigned kinds[MOST];
    mem m = mem_system();
    text source;
    table *t = NULL;
    tare_error err;
    text_init(&source, &m);
    for (int row = 0; row < 3; row++) {
        for (int i = 0; i < MOST; i++) {
            text_add_format(&source, "%s\"c%d\":%d", i ? "," : "{", i, i + row);
        }
        text_add(&source, "}\n");
    }
    for (int i = 0; i < MOST; i++) kinds[i] = TABLE_NUMBER | TABLE_TEXT;
    const table_bytes in = {"t.jsonl", source.data, source.length};
    assert_ok(table_open_bytes(&t, &m, NULL, &in, NULL, &err));
    assert_int_equal(table_columns(t), MOST);
    assert_ok(table_load(t, kinds, &err));
    assert_true(table_number_column(t, MOST - 1).values[2] == MOST + 1);
    table_free(t);
    text_free(&source);
}

static void mixed_delimiters_are_told(void **state)
{
    (void)state;
    static const struct { const char *name, *source, *where, *says; } cases[] = {
        {"t.csv", "a,b\n1,2\n3;4\n", "t.csv:3:4", "the comma"},
        {"t.csv", "a;b\n1;2\n3,4\n", "t.csv:3:4", "the semicolon"},
        {"t.tsv", "a\tb\n1\t2\n3,4\n", "t.tsv:3:4", "the tab"},
        {"t.csv", "a,b\n1,2\n3,4,5\n", "t.csv:3:4", "more than 2 fields"},
        {"t.csv", "a,b\n1\n", "t.csv:2:2", "only 1 field,"}};
    mem m = mem_system();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        table *t = NULL;
        tare_error err;
        const table_bytes in = {cases[i].name, cases[i].source, strlen(cases[i].source)};
        assert_ok(table_open_bytes(&t, &m, NULL, &in, NULL, &err));
        assert_int_equal(table_load(t, (const unsigned[]){1, 1}, &err), TARE_E_DATA);
        assert_string_equal(err.code, "table.ragged");
        assert_string_equal(err.where, cases[i].where);
        if (strstr(err.message, cases[i].says) == NULL) fail_msg("%s", err.message);
        table_free(t);
    }
    table *t = NULL;
    tare_error err;
    table_options o = {.delimiter = '|'};
    assert_ok(table_open_bytes(&t, &m, NULL, &(table_bytes){"t", "a|b\n1\n", 6}, &o, &err));
    assert_int_equal(table_load(t, (const unsigned[]){1, 1}, &err), TARE_E_DATA);
    assert_non_null(strstr(err.message, "'|'"));
    table_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_million_columns_are_refused),
        cmocka_unit_test(a_million_fields_are_ragged),
        cmocka_unit_test(the_most_columns_are_read),
        cmocka_unit_test(mixed_delimiters_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
