/* Queries and Parquet files, answered by the real library; skipped where there is none. */
#include <string.h>

#include "base/os.h"
#include "base/text.h"
#include "support/check.h"
#include "support/failing_mem.h"
#include "table/table.h"

static tare_status load(table **out, const char *path, const table_options *options,
                        tare_error *err)
{
    static mem m; /* outlives the table */
    unsigned kinds[64];
    m = mem_system();
    for (size_t i = 0; i < 64; i++) kinds[i] = TABLE_TEXT | TABLE_NUMBER;
    tare_status status = table_open(out, &m, NULL, path, options, err);
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

static void types_become_texts_and_numbers(void **state)
{
    (void)state;
    static const char query[] =
        "duckdb:SELECT * FROM (VALUES "
        "('short', 'a text of more than twelve bytes', 1, 0.1::DOUBLE, 2.50::DECIMAL(9,2), true,"
        " 7::UBIGINT, 0.5::FLOAT, 170141183460469231731687303715884105727::HUGEINT),"
        "('caf\xC3\xA9', NULL, NULL, 'nan', -0.07, false, NULL, 'inf', NULL),"
        "('', '8.5', -3, 1e308, NULL, NULL, 9, NULL, -1)) AS v(name, \"long text\", i, d, dec, b,"
        " u, f, h) ;\n ";
    table *t;
    tare_error err;
    char where[TABLE_WHERE_MAX];
    assert_ok(load(&t, query, NULL, &err));
    assert_int_equal(table_rows(t), 3);
    assert_int_equal(table_columns(t), 9);
    assert_string_equal(table_column_name(t, 1), "long text");
    assert_int_equal(table_delimiter(t), '\0');
    assert_string_equal(cell(t, 0, 0), "short");
    assert_string_equal(cell(t, 1, 0), "caf\xC3\xA9");
    assert_string_equal(cell(t, 2, 0), "");
    assert_string_equal(cell(t, 0, 1), "a text of more than twelve bytes");
    assert_string_equal(cell(t, 1, 1), "");
    assert_int_equal(table_number_column(t, 1).status[0], TABLE_BAD);
    assert_int_equal(table_number_column(t, 1).status[1], TABLE_MISSING);
    assert_true(table_number_column(t, 1).values[2] == 8.5);
    assert_string_equal(cell(t, 0, 2), "1");
    assert_true(table_number_column(t, 2).values[2] == -3);
    assert_int_equal(table_number_column(t, 2).status[1], TABLE_MISSING);
    assert_int_equal(table_number_column(t, 2).first[TABLE_MISSING], 1);
    assert_true(table_number_column(t, 3).values[0] == 0.1);
    assert_int_equal(table_number_column(t, 3).status[1], TABLE_MISSING); /* NaN */
    assert_true(table_number_column(t, 3).values[2] == 1e308);
    assert_string_equal(cell(t, 0, 4), "2.50");
    assert_true(table_number_column(t, 4).values[1] == -0.07);
    assert_string_equal(cell(t, 1, 5), "false");
    assert_true(table_number_column(t, 5).values[0] == 1);
    assert_true(table_number_column(t, 5).values[1] == 0);
    assert_true(table_number_column(t, 6).values[2] == 9);
    assert_int_equal(table_number_column(t, 7).status[1], TABLE_INFINITE);
    assert_true(table_number_column(t, 8).values[0] == 0x1p127);
    assert_int_equal(table_line(t, 2), 3);
    table_where(where, t, 2, 4);
    assert_non_null(strstr(where, ": query result row 3, column dec"));
    table_where(where, t, 0, TABLE_NONE);
    assert_non_null(strstr(where, ": query result row 1"));
    table_free(t);
}

/* More rows than one piece of an answer, in the order of the query; only what is wanted. */
static void many_rows_in_order(void **state)
{
    (void)state;
    table *t;
    tare_error err;
    mem m = mem_system();
    table_role roles[] = {{"id", "id", NULL, true, TABLE_TEXT, 0, 0},
                          {"x", "x", NULL, true, TABLE_NUMBER, 0, 0}};
    assert_ok(table_open(&t, &m, NULL, "duckdb:SELECT i AS unused, 'item-' || (i % 1000) AS id, "
                         "i / 4 AS x FROM range(50000) r(i) ORDER BY i -- in order", NULL, &err));
    assert_ok(table_load_roles(t, roles, 2, &err));
    assert_int_equal(table_rows(t), 50000);
    assert_null(table_text_column(t, 0).codes);
    assert_int_equal(table_text_column(t, 1).levels, 1000);
    for (size_t i = 0; i < 50000; i++) {
        assert_int_equal(table_text_column(t, 1).codes[i], i % 1000);
        assert_true(table_number_column(t, 2).values[i] == (double)i / 4);
    }
    table_free(t);
    assert_ok(table_open(&t, &m, NULL, "duckdb:SELECT 1 AS a FROM range(3000)", NULL, &err));
    assert_ok(table_load(t, &(unsigned){TABLE_SKIP}, &err));
    assert_int_equal(table_rows(t), 3000);
    table_free(t);
    assert_ok(load(&t, "duckdb:SELECT 1 AS a WHERE false", NULL, &err));
    assert_int_equal(table_rows(t), 0);
    table_free(t);
    /* A long query is shown in one line, cut between characters. */
    char query[600], where[TABLE_WHERE_MAX], want[TABLE_WHERE_MAX];
    int n = snprintf(query, sizeof query, "duckdb:SELECT 1 AS a,\n'");
    for (int i = 0; i < 200; i++) n += sprintf(query + n, "\xC3\xA9");
    strcpy(query + n, "' AS b");
    assert_ok(load(&t, query, NULL, &err));
    table_where(where, t, 0, 1);
    snprintf(want, sizeof want, "%.179s...: query result row 1, column b", query);
    *strchr(want, '\n') = ' ';
    assert_string_equal(where, want);
    table_free(t);
}

static void parquet_files_are_read(void **state)
{
    (void)state;
    char folder[] = "/tmp/tare-duckdb-XXXXXX", path[64], source[64], query[256];
    table *t;
    tare_error err;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/it's.parquet", folder);
    assert_int_equal(load(&t, path, NULL, &err), TARE_E_IO);
    assert_string_equal(err.where, path);
    assert_ok(os_write_file(path, "no parquet", 10, &err));
    assert_int_equal(load(&t, path, NULL, &err), TARE_E_DATA);
    assert_string_equal(err.code, "duckdb.query");
    assert_string_equal(err.where, path);
    /* tests/data/scores.parquet: written by DuckDB itself, see tests/data/README.md */
    assert_ok(load(&t, TARE_SOURCE_DIR "/tests/data/judge_scores.parquet", NULL, &err));
    assert_int_equal(table_rows(t), 6);
    assert_string_equal(table_column_name(t, 2), "score");
    assert_string_equal(cell(t, 5, 0), "item-3");
    assert_string_equal(cell(t, 5, 1), "judge b");
    assert_true(table_number_column(t, 2).values[4] == 2.25);
    assert_int_equal(table_number_column(t, 2).status[5], TABLE_MISSING);
    table_free(t);
    /* A query reads the files it names. */
    snprintf(source, sizeof source, "%s/s.csv", folder);
    assert_ok(os_write_file(source, "a,b\n1,x\n2,y\n", 12, &err));
    snprintf(query, sizeof query, "duckdb:SELECT b FROM read_csv('%s') WHERE a > 1", source);
    assert_ok(load(&t, query, NULL, &err));
    assert_string_equal(cell(t, 0, 0), "y");
    table_free(t);
    unlink(source);
    unlink(path);
    rmdir(folder);
}

static void what_is_no_question_is_refused(void **state)
{
    (void)state;
    static const struct { const char *query, *says; } cases[] = {
        {"duckdb:SELEC 1", "syntax error"},
        {"duckdb:SELECT nothing", "nothing"},
        {"duckdb:SELECT * FROM '/nonexistent/a.csv'", "/nonexistent/a.csv"},
        {"duckdb:", "syntax error"},
        {"duckdb:COPY (SELECT 1) TO '/tmp/tare-duckdb-out.csv'", "syntax error"},
        {"duckdb:SELECT 1); COPY (SELECT 1) TO '/tmp/tare-duckdb-out.csv'; SELECT * FROM (SELECT 1",
         "multiple"},
        {"duckdb:INSTALL httpfs", "syntax error"},
        {"duckdb:SELECT 'x'::INTEGER AS a", "Conversion"},
        {"duckdb:SELECT error('said by the query') AS a", "said by the query"},
        {"duckdb:SELECT * FROM read_csv('https://example.invalid/a.csv')", ""},
        {"duckdb:SELECT chr(0) AS a", "NUL"},
        {"duckdb:SELECT ? AS a", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        table *t = NULL;
        tare_error err;
        assert_int_equal(load(&t, cases[i].query, NULL, &err), TARE_E_DATA);
        assert_null(t);
        if (strstr(err.message, cases[i].says) == NULL || strchr(err.message, '\n') != NULL) {
            fail_msg("case %zu: %s", i, err.message);
        }
        assert_int_equal(strncmp(err.where, "duckdb:", 7), 0);
    }
    assert_false(os_exists("/tmp/tare-duckdb-out.csv"));
}

static void limits_hold(void **state)
{
    (void)state;
    static const table_options tight = {.max_columns = 2, .max_rows = 3, .max_field = 4};
    table *t;
    tare_error err;
    assert_int_equal(load(&t, "duckdb:SELECT 1, 2, 3", &tight, &err), TARE_E_LIMIT);
    assert_string_equal(err.code, "table.columns");
    assert_int_equal(load(&t, "duckdb:SELECT 1 FROM range(4)", &tight, &err), TARE_E_LIMIT);
    assert_string_equal(err.code, "table.rows");
    assert_int_equal(load(&t, "duckdb:SELECT 'abcde'", &tight, &err), TARE_E_LIMIT);
    assert_string_equal(err.code, "table.field");
}

static void allocations_fail_in_turn(void **state)
{
    (void)state;
    for (long k = 1;; k++) {
        failing_mem f;
        mem m = failing_mem_start(&f, k);
        tare_error err;
        table *t = NULL;
        unsigned kinds[] = {TABLE_TEXT | TABLE_NUMBER, TABLE_TEXT};
        tare_status status = table_open(&t, &m, NULL, "duckdb:SELECT i AS a, 'x' || i AS b FROM "
                                        "range(3000) r(i)", NULL, &err);
        if (status == TARE_OK) status = table_load(t, kinds, &err);
        table_free(t);
        if (failing_mem_live(&f) != 0) fail_msg("k = %ld leaks", k);
        if (!failing_mem_failed(&f)) {
            assert_int_equal(status, TARE_OK);
            assert_true(k > 10);
            return;
        }
        if (status != TARE_E_MEMORY) fail_msg("k = %ld: status %d", k, (int)status);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_become_texts_and_numbers),
        cmocka_unit_test(many_rows_in_order),
        cmocka_unit_test(parquet_files_are_read),
        cmocka_unit_test(what_is_no_question_is_refused),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(allocations_fail_in_turn),
    };
    tare_error err;
#if defined(__SANITIZE_THREAD__)
    puts("skipped: the library was not built for the thread sanitizer");
    return 77;
#endif
    if (getenv("TARE_DUCKDB") == NULL && os_exists(TARE_SOURCE_DIR "/build/deps/libduckdb.so")) {
        setenv("TARE_DUCKDB", TARE_SOURCE_DIR "/build/deps/libduckdb.so", 1);
    }
    if (table_duckdb_check(&err) != TARE_OK) {
        printf("skipped: %s: %s\n", err.where, err.message);
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
