/* Reading: formats, kinds of cells, faults and their places. */
#include <string.h>

#include "base/os.h"
#include "support/check.h"
#include "table/table.h"

static tare_status load(table **out, const mem *m, const char *name, const char *bytes,
                        size_t length, const table_options *options, tare_error *err)
{
    unsigned kinds[64];
    const table_bytes in = {name, bytes, length};
    for (size_t i = 0; i < 64; i++) kinds[i] = TABLE_TEXT | TABLE_NUMBER;
    tare_status status = table_open_bytes(out, m, NULL, &in, options, err);
    if (status != TARE_OK) return status;
    status = table_load(*out, kinds, err);
    if (status != TARE_OK) {
        table_free(*out);
        *out = NULL;
    }
    return status;
}

static const char *cell(const table *t, size_t row, size_t column)
{
    return table_level(t, column, table_text_column(t, column).codes[row], NULL);
}

static void plain_and_quoted_fields(void **state)
{
    (void)state;
    static const char source[] = "\xEF\xBB\xBF" "base,\"a \"\"b\"\"\",c\r\n"
                                 "x,\"1,5\",2\r\n"
                                 "\r\n"
                                 "\"\",\"two\nlines\",\"say \"\"hi\"\"\"\n"
                                 "caf\xC3\xA9,5\" tall, 7 ";
    mem m = mem_system();
    table *t;
    tare_error err;
    assert_ok(load(&t, &m, "t.csv", source, sizeof source - 1, NULL, &err));
    assert_int_equal(table_columns(t), 3);
    assert_string_equal(table_column_name(t, 0), "base");
    assert_string_equal(table_column_name(t, 1), "a \"b\"");
    assert_int_equal(table_rows(t), 3);
    assert_string_equal(cell(t, 0, 1), "1,5");
    assert_string_equal(cell(t, 1, 0), "");
    assert_string_equal(cell(t, 1, 1), "two\nlines");
    assert_string_equal(cell(t, 1, 2), "say \"hi\"");
    assert_string_equal(cell(t, 2, 0), "caf\xC3\xA9");
    assert_string_equal(cell(t, 2, 1), "5\" tall");
    assert_string_equal(cell(t, 2, 2), " 7 ");
    assert_true(table_number_column(t, 2).values[2] == 7);
    assert_int_equal(table_line(t, 0), 2);
    assert_int_equal(table_line(t, 1), 4);
    assert_int_equal(table_line(t, 2), 6);
    char where[TABLE_WHERE_MAX];
    table_where(where, t, 1, 2);
    assert_string_equal(where, "t.csv:5:8");
    table_where(where, t, 2, 1);
    assert_string_equal(where, "t.csv:6:7");
    table_where(where, t, 2, TABLE_NONE);
    assert_string_equal(where, "t.csv:6");
    table_free(t);
}

static void cells_of_a_number_column(void **state)
{
    (void)state;
    static const char source[] = "v\n1\n-2.5e-3\n\"\"\nNA\nnan\nNull\nNone\nn/a\ninf\n-Infinity\n"
                                 "1e999\nabc\n1,5\n 3\t\n\"4\"\n\"\"\"5\"\"\"\n0x10\n+6\n";
    static const struct { int status; double value; } want[] = {
        {TABLE_OK, 1}, {TABLE_OK, -0.0025}, {TABLE_MISSING, 0}, {TABLE_MISSING, 0},
        {TABLE_MISSING, 0}, {TABLE_MISSING, 0}, {TABLE_MISSING, 0}, {TABLE_MISSING, 0},
        {TABLE_INFINITE, (double)INFINITY}, {TABLE_INFINITE, -(double)INFINITY},
        {TABLE_INFINITE, (double)INFINITY}, {TABLE_BAD, 0}, {TABLE_BAD, 0}, {TABLE_OK, 3},
        {TABLE_OK, 4}, {TABLE_BAD, 0}, {TABLE_BAD, 0}, {TABLE_OK, 6}};
    mem m = mem_system();
    table *t;
    tare_error err;
    table_options o = {.delimiter = '\t'};
    /* A tab as delimiter, so that the comma is part of the cell and the blank of the number. */
    char copy[sizeof source];
    memcpy(copy, source, sizeof source);
    char *tab = strchr(copy, '\t');
    *tab = ' ';
    assert_ok(load(&t, &m, "t", copy, sizeof source - 1, &o, &err));
    table_numbers n = table_number_column(t, 0);
    assert_int_equal(table_rows(t), sizeof want / sizeof *want);
    for (size_t i = 0; i < table_rows(t); i++) {
        if (n.status[i] != want[i].status) fail_msg("%s: status %d", cell(t, i, 0), n.status[i]);
        if (want[i].status == TABLE_OK || want[i].status == TABLE_INFINITE) {
            assert_true(n.values[i] == want[i].value);
        } else {
            assert_true(isnan(n.values[i]));
        }
    }
    assert_int_equal(n.count[TABLE_OK], 5);
    assert_int_equal(n.count[TABLE_MISSING], 6);
    assert_int_equal(n.count[TABLE_INFINITE], 3);
    assert_int_equal(n.count[TABLE_BAD], 4);
    assert_int_equal(n.first[TABLE_BAD], 11);
    assert_int_equal(n.first[TABLE_MISSING], 2);
    table_free(t);
}

static void delimiters_are_found(void **state)
{
    (void)state;
    static const struct { const char *name, *source; char want; size_t columns; } cases[] = {
        {"a.csv", "a,b\n1,2\n", ',', 2},    {"a.tsv", "a,b\tc\n1\t2\n", '\t', 2},
        {"a.tab", "a,b\n1\n", '\t', 1},     {"a.csv", "a\tb\n1\t2\n", '\t', 2},
        {"a.csv", "a;b\n1;2\n", ';', 2},    {"a.txt", "a,b\tc\n1\t2\n", '\t', 2},
        {"a.txt", "\"a\tb\",c\n1,2\n", ',', 2}, {"a.csv", "a\n1\n", ',', 1}};
    mem m = mem_system();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        table *t;
        tare_error err;
        assert_ok(load(&t, &m, cases[i].name, cases[i].source, strlen(cases[i].source), NULL,
                       &err));
        assert_int_equal(table_delimiter(t), cases[i].want);
        assert_int_equal(table_columns(t), cases[i].columns);
        table_free(t);
    }
}

static void few_rows_and_last_lines(void **state)
{
    (void)state;
    static const struct { const char *source; size_t columns, rows; } cases[] = {
        {"a,b", 2, 0}, {"a,b\n", 2, 0}, {"a,b\n\n\n", 2, 0}, {"a,b\n1,2", 2, 1},
        {"a,b\n1,2\r\n", 2, 1}, {"a,b\n,", 2, 1}, {"a\n\n\n", 1, 2}, {"a\n1\n2", 1, 2},
        {"a,\n1,\n", 2, 1}, {"\"a\nb\",c\n1,2\n", 2, 1}};
    mem m = mem_system();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        table *t;
        tare_error err;
        assert_ok(load(&t, &m, "t.csv", cases[i].source, strlen(cases[i].source), NULL, &err));
        assert_int_equal(table_columns(t), cases[i].columns);
        if (table_rows(t) != cases[i].rows) fail_msg("case %zu: %zu rows", i, table_rows(t));
        table_free(t);
    }
}

static void faults_are_placed(void **state)
{
    (void)state;
    static const struct { const char *source, *code, *where; } cases[] = {
        {"", "table.empty", "t.csv"},
        {"\xEF\xBB\xBF", "table.empty", "t.csv"},
        {"\xFF\xFE" "a", "table.utf16", "t.csv"},
        {"a,b\n1\n", "table.ragged", "t.csv:2:2"},
        {"a,b\n1,2\n1,2,3\n", "table.ragged", "t.csv:3:4"},
        {"a,b\n1,2\n3", "table.ragged", "t.csv:3:2"},
        {"a,b\n1,\xFF\n", "table.utf8", "t.csv:2:3"},
        {"a,b\n1,caf\xE9\n3\n", "table.utf8", "t.csv:2:6"},
        {"a,b\n1\n3,\xE9\n", "table.ragged", "t.csv:2:2"},
        {"a,\xE9\n1,2\n", "table.utf8", "t.csv:1:3"},
        {"a,b\n1,\"2\n3,4\n", "table.quote", "t.csv:2:3"},
        {"a,b\n1,\"2\"x\n", "table.quote", "t.csv:2:6"},
        {"a,\"b\n", "table.quote", "t.csv:1:3"},
        {"a,\"b\"c\n", "table.quote", "t.csv:1:6"},
        {"a,b\n1,\"two\nlines\"\n1,\"2\" ,\n", "table.quote", "t.csv:4:6"},
        {"a,b\n1,x\ry\n", "table.carriage_return", "t.csv:2:4"},
        {"a,b\r1,2\r", "table.carriage_return", "t.csv:1:4"},
        {"a,b\n1,2\r", "table.carriage_return", "t.csv:2:4"},
    };
    mem m = mem_system();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        table *t;
        tare_error err;
        assert_int_equal(load(&t, &m, "t.csv", cases[i].source, strlen(cases[i].source), NULL,
                              &err),
                         TARE_E_DATA);
        assert_null(t);
        if (strcmp(err.code, cases[i].code) != 0 || strcmp(err.where, cases[i].where) != 0) {
            fail_msg("case %zu: %s at %s", i, err.code, err.where);
        }
    }
    table *t;
    tare_error err;
    assert_int_equal(load(&t, &m, "t.csv", "a,b\n1,\0\n", 9, NULL, &err), TARE_E_DATA);
    assert_string_equal(err.code, "table.nul");
    assert_string_equal(err.where, "t.csv:2:3");
}

static void limits_hold(void **state)
{
    (void)state;
    static const table_options tight = {.max_bytes = 100, .max_columns = 2, .max_rows = 2,
                                        .max_field = 5};
    static const struct { const char *source, *code; } cases[] = {
        {"a,b,c\n", "table.columns"}, {"abcdef,b\n", "table.columns"},
        {"a,b\n1,123456\n", "table.field"}, {"a,b\n1,2\n1,2\n1,2\n", "table.rows"}};
    mem m = mem_system();
    table *t;
    tare_error err;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(load(&t, &m, "t.csv", cases[i].source, strlen(cases[i].source), &tight,
                              &err),
                         TARE_E_LIMIT);
        assert_string_equal(err.code, cases[i].code);
    }
    char big[101];
    memset(big, 'a', sizeof big);
    assert_int_equal(load(&t, &m, "t.csv", big, sizeof big, &tight, &err), TARE_E_LIMIT);
    assert_ok(load(&t, &m, "t.csv", "a,b\n1,12345\n1,2\n", 16, &tight, &err));
    table_free(t);
}

static void files_are_read(void **state)
{
    (void)state;
    char path[] = "/tmp/tare-table-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    mem m = mem_system();
    tare_error err;
    table *t;
    assert_ok(os_write_file(path, "x\ty\n1\ta\n2\tb\n", 12, &err));
    table_role roles[] = {{"y", "y", NULL, true, TABLE_TEXT, 0, 0}};
    assert_ok(table_open(&t, &m, NULL, path, NULL, &err));
    assert_ok(table_load_roles(t, roles, 1, &err));
    assert_string_equal(cell(t, 1, 1), "b");
    assert_null(table_text_column(t, 0).codes); /* nobody wanted it */
    assert_null(table_number_column(t, 1).values);
    assert_string_equal(table_name(t), path);
    assert_int_equal(table_load(t, NULL, &err), TARE_E_BUG);
    table_free(t);
    unlink(path);
    assert_int_equal(table_open(&t, &m, NULL, path, NULL, &err), TARE_E_IO);
    assert_string_equal(err.where, path);
    table_free(NULL);
}

static void standard_input_is_read(void **state)
{
    (void)state;
    int ends[2], kept = dup(STDIN_FILENO);
    mem m = mem_system();
    tare_error err;
    table *t;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "a,b\n1\n", 6), 6);
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    table_role roles[] = {{"a", "a", NULL, true, TABLE_TEXT, 0, 0}};
    assert_ok(table_open(&t, &m, NULL, "-", NULL, &err));
    assert_int_equal(table_load_roles(t, roles, 1, &err), TARE_E_DATA);
    table_free(t);
    assert_string_equal(err.where, "(standard input):2:2");
    if (kept >= 0) {
        dup2(kept, STDIN_FILENO);
        close(kept);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_and_quoted_fields), cmocka_unit_test(cells_of_a_number_column),
        cmocka_unit_test(delimiters_are_found),    cmocka_unit_test(few_rows_and_last_lines),
        cmocka_unit_test(faults_are_placed),       cmocka_unit_test(limits_hold),
        cmocka_unit_test(files_are_read),          cmocka_unit_test(standard_input_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
