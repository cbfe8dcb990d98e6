/* Tables of JSON objects: lines or one array; kinds of values, faults and their places. */
#include <string.h>

#include "support/check.h"
#include "table/table.h"

static tare_status load(table **out, const mem *m, const table_bytes *in,
                        const table_options *options, tare_error *err)
{
    unsigned kinds[64];
    for (size_t i = 0; i < 64; i++) kinds[i] = TABLE_TEXT | TABLE_NUMBER;
    tare_status status = table_open_bytes(out, m, NULL, in, options, err);
    if (status != TARE_OK) return status;
    status = table_load(*out, kinds, err);
    if (status != TARE_OK) {
        table_free(*out);
        *out = NULL;
    }
    return status;
}

static tare_status load_text(table **out, const mem *m, const char *name, const char *source,
                             size_t chunk_bytes, tare_error *err)
{
    const table_options o = {.chunk_bytes = chunk_bytes};
    return load(out, m, &(table_bytes){name, source, strlen(source)}, &o, err);
}

static const char *cell(const table *t, size_t row, size_t column)
{
    return table_level(t, column, table_text_column(t, column).codes[row], NULL);
}

static void assert_place(const table *t, size_t row, size_t column, const char *want)
{
    char where[TABLE_WHERE_MAX];
    table_where(where, t, row, column);
    assert_string_equal(where, want);
}

/* ---- Good tables ----------------------------------------------------------- */

static void columns_are_the_union_of_the_keys(void **state)
{
    (void)state;
    static const char source[] = "\xEF\xBB\xBF{\"item\":\"q1\",\"score\":1.50}\n"
                                 "\n"
                                 " { \"score\" : null , \"judge\":\"caf\\u00e9\" }\r\n"
                                 "   \t\n"
                                 "{\"judge\":\"\",\"item\":7,\"extra\":true}";
    mem m = mem_system();
    for (size_t chunk = 1; chunk < 150; chunk++) {
        table *t;
        tare_error err;
        assert_ok(load_text(&t, &m, "t.jsonl", source, chunk, &err));
        assert_int_equal(table_rows(t), 3);
        assert_int_equal(table_columns(t), 4);
        assert_string_equal(table_column_name(t, 0), "item");
        assert_string_equal(table_column_name(t, 1), "score");
        assert_string_equal(table_column_name(t, 2), "judge");
        assert_string_equal(table_column_name(t, 3), "extra");
        assert_int_equal(table_delimiter(t), '\0');
        assert_string_equal(cell(t, 0, 0), "q1");
        assert_string_equal(cell(t, 1, 0), "");
        assert_string_equal(cell(t, 2, 0), "7");
        assert_string_equal(cell(t, 0, 1), "1.50"); /* as written */
        assert_string_equal(cell(t, 1, 1), "");
        assert_string_equal(cell(t, 1, 2), "caf\xC3\xA9");
        assert_string_equal(cell(t, 2, 3), "true");
        table_texts item = table_text_column(t, 0);
        assert_true(item.codes[0] == 0 && item.codes[1] == 1 && item.codes[2] == 2);
        table_numbers score = table_number_column(t, 1), extra = table_number_column(t, 3);
        assert_true(score.values[0] == 1.5 && isnan(score.values[1]) && isnan(score.values[2]));
        assert_int_equal(score.count[TABLE_OK], 1);
        assert_int_equal(score.count[TABLE_MISSING], 2);
        assert_int_equal(score.first[TABLE_MISSING], 1);
        assert_int_equal(extra.count[TABLE_BAD], 1);
        assert_int_equal(extra.first[TABLE_BAD], 2);
        assert_int_equal(table_line(t, 0), 1);
        assert_int_equal(table_line(t, 1), 3);
        assert_int_equal(table_line(t, 2), 5);
        assert_place(t, 1, 2, "t.jsonl:3:29");
        assert_place(t, 1, 1, "t.jsonl:3:2"); /* null is no value: the object */
        assert_place(t, 2, 1, "t.jsonl:5:1");
        assert_place(t, 2, 3, "t.jsonl:5:30");
        assert_place(t, 2, TABLE_NONE, "t.jsonl:5");
        table_free(t);
    }
}

static void nested_objects_and_arrays(void **state)
{
    (void)state;
    static const char source[] =
        "{\"a\":{\"b\":1,\"c\":{\"d\":\"x\"}},\"l\":[ 1 , \"t w\\\" o\",[ ] ]}\n"
        "{\"l\":[],\"a\":{\"c\":{\"d\":\"y\",\"e\":2}},\"\":\"empty\"}\n"
        "{\"a\":5,\"a.b\":6,\"l\":[{\"k\": [1, {}]}, null],\"n\":{}}\n";
    mem m = mem_system();
    for (size_t chunk = 1; chunk < 200; chunk += 7) {
        table *t;
        tare_error err;
        assert_ok(load_text(&t, &m, "t.ndjson", source, chunk, &err));
        static const char *const names[] = {"a", "a.b", "a.c.d", "l", "a.c.e", ""};
        assert_int_equal(table_columns(t), 6); /* n holds no value in any row */
        for (size_t i = 0; i < 6; i++) assert_string_equal(table_column_name(t, i), names[i]);
        assert_string_equal(cell(t, 0, 0), "");
        assert_string_equal(cell(t, 0, 1), "1");
        assert_string_equal(cell(t, 0, 2), "x");
        assert_string_equal(cell(t, 0, 3), "[1,\"t w\\\" o\",[]]");
        assert_string_equal(cell(t, 1, 3), "[]");
        assert_string_equal(cell(t, 1, 4), "2");
        assert_string_equal(cell(t, 1, 5), "empty");
        assert_string_equal(cell(t, 2, 0), "5");
        assert_string_equal(cell(t, 2, 1), "6");
        assert_string_equal(cell(t, 2, 3), "[{\"k\":[1,{}]},null]");
        assert_int_equal(table_number_column(t, 3).count[TABLE_BAD], 3);
        assert_place(t, 1, 4, "t.ndjson:2:31");
        table_free(t);
    }
}

static void one_array_of_objects(void **state)
{
    (void)state;
    static const char source[] = "\n[ {\"a\": 1,\n   \"b\": \"x\"}\n,\n\n {\"b\": \"y\"},"
                                 "{\n\"a\":3}]\n";
    static const char *const names[] = {"t.json", "t.jsonl", "t", "t.txt", "t.json.gz"};
    mem m = mem_system();
    for (size_t chunk = 1; chunk < 80; chunk += 3) {
        table *t;
        tare_error err;
        assert_ok(load_text(&t, &m, names[chunk % 5], source, chunk, &err));
        assert_int_equal(table_rows(t), 3);
        assert_int_equal(table_columns(t), 2);
        assert_true(table_number_column(t, 0).values[2] == 3);
        assert_int_equal(table_number_column(t, 0).status[1], TABLE_MISSING);
        assert_string_equal(cell(t, 0, 1), "x");
        assert_int_equal(table_line(t, 0), 2);
        assert_int_equal(table_line(t, 1), 6);
        assert_int_equal(table_line(t, 2), 6);
        if (chunk % 5 == 0) {
            assert_place(t, 2, 0, "t.json:7:5");
            assert_place(t, 2, 1, "t.json:6:13");
        }
        table_free(t);
    }
}

static void values_as_numbers(void **state)
{
    (void)state;
    static const struct { const char *value; int status; double number; const char *text; } v[] = {
        {"-0.5e1", TABLE_OK, -5, "-0.5e1"},      {"\"7.5\"", TABLE_OK, 7.5, "7.5"},
        {"\" 8 \"", TABLE_OK, 8, " 8 "},         {"\"seven\"", TABLE_BAD, 0, "seven"},
        {"null", TABLE_MISSING, 0, ""},          {"\"\"", TABLE_MISSING, 0, ""},
        {"\"N/A\"", TABLE_MISSING, 0, "N/A"},    {"NaN", TABLE_MISSING, 0, "NaN"},
        {"-Infinity", TABLE_INFINITE, -(double)INFINITY, "-Infinity"},
        {"1e999", TABLE_INFINITE, (double)INFINITY, "1e999"},
        {"1e308", TABLE_OK, 1e308, "1e308"},     {"true", TABLE_BAD, 0, "true"},
        {"false", TABLE_BAD, 0, "false"},        {"[1]", TABLE_BAD, 0, "[1]"},
        {"\"\\u0034\\n\"", TABLE_BAD, 0, "4\n"}, {"\"\\u0034\"", TABLE_OK, 4, "4"}};
    enum { N = sizeof v / sizeof *v };
    char source[1000] = "";
    mem m = mem_system();
    table *t;
    tare_error err;
    for (size_t i = 0; i < N; i++) {
        snprintf(source + strlen(source), 100, "{\"v\":%s}\n", v[i].value);
    }
    assert_ok(load_text(&t, &m, "-", source, 0, &err));
    table_numbers n = table_number_column(t, 0);
    for (size_t i = 0; i < N; i++) {
        if (n.status[i] != v[i].status) fail_msg("%s: status %d", v[i].value, n.status[i]);
        assert_string_equal(cell(t, i, 0), v[i].text);
        if (v[i].status == TABLE_OK || v[i].status == TABLE_INFINITE) {
            assert_true(n.values[i] == v[i].number);
        } else {
            assert_true(isnan(n.values[i]));
        }
    }
    table_free(t);
}

static void the_name_or_the_first_byte_decides(void **state)
{
    (void)state;
    static const struct { const char *name, *source; bool json; } cases[] = {
        {"a.jsonl", "{\"a\":1}", true},   {"a.ndjson", "{\"a\":1}", true},
        {"a.json", "{\"a\":1}", true},    {"a", "{\"a\":1}", true},
        {"-", " \n{\"a\":1}", true},      {"a.txt", "{\"a\":1}", true},
        {"a.csv", "{\"a\":1}", false},    {"a.tsv", "{\"a\":1}", false},
        {"a.csv.gz", "{\"a\":1}", false}, {"a.jsonl.gz", "{\"a\":1}", true},
        {"a", "a\n{\"a\":1}", false},     {"a", "[a],b\n1,2", false},
        {"a", "[{\"a\":1}]", true},       {"a.jsonl.csv", "{\"a\":1}", false}};
    mem m = mem_system();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        table *t;
        tare_error err;
        assert_ok(load_text(&t, &m, cases[i].name, cases[i].source, 0, &err));
        bool json = strcmp(table_column_name(t, 0), "a") == 0 && table_rows(t) == 1
                    && table_delimiter(t) == '\0';
        if (json != cases[i].json) fail_msg("case %zu", i);
        table_free(t);
    }
    /* A delimiter that was asked for is one. */
    table *t;
    tare_error err;
    table_options o = {.delimiter = ';'};
    assert_ok(load(&t, &m, &(table_bytes){"-", "{a};b\n1;2\n", 10}, &o, &err));
    assert_int_equal(table_columns(t), 2);
    table_free(t);
}

/* ---- Faults ---------------------------------------------------------------- */

static const struct { const char *name, *source, *code, *where; } FAULTS[] = {
    {"t.jsonl", "", "table.empty", "t.jsonl"},
    {"t.jsonl", " \n\n", "table.empty", "t.jsonl"},
    {"t.jsonl", "{}\n{}\n", "table.empty", "t.jsonl"},
    {"t.json", "[]", "table.empty", "t.json"},
    {"t.jsonl", "{\"a\":1}\n{\"a\":2,}\n", "json.syntax", "t.jsonl:2:8"},
    {"t.jsonl", "{\"a\":1}\n{\"a\":2\n", "json.truncated", "t.jsonl:2:7"},
    {"t.jsonl", "{\n\"a\":2\n}\n", "json.truncated", "t.jsonl:1:2"},
    {"t.jsonl", "{\"a\":1}\n\n{\"a\":\"x", "json.truncated", "t.jsonl:3:8"},
    {"t.jsonl", "{\"a\":1} {\"a\":2}\n", "json.syntax", "t.jsonl:1:9"},
    {"t.jsonl", "{\"a\":1}\n[1]\n", "table.object", "t.jsonl:2:1"},
    {"t.jsonl", "{\"a\":1}\n  7\n", "table.object", "t.jsonl:2:3"},
    {"t.jsonl", "{\"a\":1}\n{\"b\":01}\n", "json.syntax", "t.jsonl:2:6"},
    {"t.jsonl", "{\"a\":1,\"b\":2,\"a\":3}\n", "json.duplicate_key", "t.jsonl:1:14"},
    {"t.jsonl", "{\"a\":1}\n{\"b\":2,\"b\":2}\n", "json.duplicate_key", "t.jsonl:2:8"},
    {"t.jsonl", "{\"a\":{\"b\":1},\"a\":{\"c\":1}}\n", "json.duplicate_key", "t.jsonl:1:14"},
    {"t.jsonl", "{\"a\":{\"b\":1},\"a.b\":1}\n", "json.duplicate_key", "t.jsonl:1:14"},
    {"t.jsonl", "{\"x\":0,\"a\":[{\"b\":1,\"b\":2}]}\n", "json.duplicate_key", "t.jsonl:1:12"},
    {"t.jsonl", "{\"a\":1}\n{\"a\":\"\xFF\"}\n", "json.utf8", "t.jsonl:2:7"},
    {"t.jsonl", "{\"a\":\"x\\u0000\"}\n", "table.nul", "t.jsonl:1:6"},
    {"t.jsonl", "{\"a\\u0000\":1}\n", "table.nul", "t.jsonl:1:2"},
    {"t.jsonl", "{\"a\":1}\n{\"a\":\"\\ud800\"}\n", "table.utf8", "t.jsonl:2:6"},
    {"t.jsonl", "{\"a\":1}\n{\"b\":\"x\ty\"}\n", "json.syntax", "t.jsonl:2:8"},
    {"t.json", "[{\"a\":1},\n 5]", "table.object", "t.json:2:2"},
    {"t.json", "[{\"a\":1},\n {\"a\":2}", "json.truncated", "t.json:2:9"},
    {"t.json", "[{\"a\":1},\n {\"a\":2}]]", "json.syntax", "t.json:2:10"},
    {"t.json", "[{\"a\":1},\n {\"a\":2,\"a\":2}]", "json.duplicate_key", "t.json:2:9"},
};

static void faults_are_placed(void **state)
{
    (void)state;
    mem m = mem_system();
    for (size_t i = 0; i < sizeof FAULTS / sizeof *FAULTS; i++) {
        for (size_t chunk = 1; chunk < 50; chunk += 1 + chunk / 3) {
            table *t;
            tare_error err;
            tare_status status =
                load_text(&t, &m, FAULTS[i].name, FAULTS[i].source, chunk, &err);
            assert_null(t);
            if (status != TARE_E_DATA || strcmp(err.code, FAULTS[i].code) != 0
                || strcmp(err.where, FAULTS[i].where) != 0 || err.message[0] == '\0') {
                fail_msg("case %zu, chunks of %zu: %s at %s", i, chunk, err.code, err.where);
            }
        }
    }
    /* Only the text of wanted columns must hold characters. */
    table *t;
    tare_error err;
    const table_bytes in = {"t.jsonl", "{\"a\":\"\\ud800\",\"b\":1}", 20};
    table_role b = {"b", "b", NULL, true, TABLE_NUMBER, 0, 0};
    assert_ok(table_open_bytes(&t, &m, NULL, &in, NULL, &err));
    assert_ok(table_load_roles(t, &b, 1, &err));
    assert_true(table_number_column(t, 1).values[0] == 1);
    table_free(t);
    /* A role that is not there names the file: there is no header line. */
    table_role c = {"c", "c", NULL, true, TABLE_NUMBER, 0, 0};
    assert_ok(table_open_bytes(&t, &m, NULL, &in, NULL, &err));
    assert_int_equal(table_load_roles(t, &c, 1, &err), TARE_E_DATA);
    assert_string_equal(err.where, "t.jsonl");
    table_free(t);
}

static void limits_hold(void **state)
{
    (void)state;
    static const table_options tight = {.max_columns = 3, .max_rows = 2, .max_field = 5,
                                        .chunk_bytes = 20};
    static const struct { const char *source, *code, *where; } cases[] = {
        {"{\"a\":1,\"b\":2,\"c\":3,\"d\":4}", "table.columns", "t.jsonl:1:20"},
        {"{\"a\":1,\"b\":2}\n{\"c\":3,\"d\":4}", "table.columns", "t.jsonl:2:8"},
        {"{\"a\":1,\"b\":2}\n{\"c\":3,\"d\":4} x", "table.columns", "t.jsonl:2:8"},
        {"{\"a\":1}\n{\"b\":2}\n{\"c\":3}\n{\"d\":4}\n{\"a\":x}", "table.columns", "t.jsonl:4:2"},
        {"{\"abcdef\":1}", "json.text", "t.jsonl:1:2"},
        {"{\"abc\":{\"de\":1}}", "table.columns", "t.jsonl:1:9"},
        {"{\"a\":\"123456\"}", "json.text", "t.jsonl:1:6"},
        {"{\"a\":123456}", "table.field", "t.jsonl:1:6"},
        {"{\"a\":[1, 2]}", "table.field", "t.jsonl:1:6"},
        {"{\"a\":1}\n{\"a\":1}\n{\"a\":1}", "table.rows", "t.jsonl"}};
    mem m = mem_system();
    table *t;
    tare_error err;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const table_bytes in = {"t.jsonl", cases[i].source, strlen(cases[i].source)};
        assert_int_equal(load(&t, &m, &in, &tight, &err), TARE_E_LIMIT);
        if (strcmp(err.code, cases[i].code) != 0 || strcmp(err.where, cases[i].where) != 0) {
            fail_msg("case %zu: %s at %s", i, err.code, err.where);
        }
    }
    /* An error before the key that is too many comes first. */
    const char *early = "{\"a\":1,\"b\":2}\n{\"c\":x,\"d\":4}";
    assert_int_equal(load(&t, &m, &(table_bytes){"t.jsonl", early, strlen(early)}, &tight, &err),
                     TARE_E_DATA);
    assert_string_equal(err.where, "t.jsonl:2:6");
    char deep[200];
    memset(deep, 0, sizeof deep);
    for (size_t i = 0; i < 30; i++) memcpy(deep + 5 * i, "{\"a\":", 5);
    assert_int_equal(load(&t, &m, &(table_bytes){"t.jsonl", deep, 150}, NULL, &err), TARE_E_DATA);
    assert_string_equal(err.code, "json.truncated");
    char brackets[100];
    memset(brackets, '[', sizeof brackets);
    memcpy(brackets, "{\"a\":", 5);
    assert_int_equal(load(&t, &m, &(table_bytes){"t.jsonl", brackets, 100}, NULL, &err),
                     TARE_E_LIMIT);
    assert_string_equal(err.code, "json.depth");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_the_union_of_the_keys),
        cmocka_unit_test(nested_objects_and_arrays),
        cmocka_unit_test(one_array_of_objects),
        cmocka_unit_test(values_as_numbers),
        cmocka_unit_test(the_name_or_the_first_byte_decides),
        cmocka_unit_test(faults_are_placed),
        cmocka_unit_test(limits_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
