/* What is said where DuckDB is not, and where what is named is not DuckDB. */
#include <string.h>

#include "base/os.h"
#include "support/check.h"
#include "table/table.h"

static void a_library_that_is_not_there_is_explained(void **state)
{
    (void)state;
    mem m = mem_system();
    table *t = NULL;
    tare_error err;
    setenv("TARE_DUCKDB", "/nonexistent/libduckdb.so", 1);
    assert_int_equal(table_duckdb_check(&err), TARE_E_DATA);
    assert_string_equal(err.code, "duckdb.missing");
    assert_int_equal(table_open(&t, &m, NULL, "duckdb:SELECT 1", NULL, &err), TARE_E_DATA);
    assert_null(t);
    assert_string_equal(err.code, "duckdb.missing");
    assert_string_equal(err.where, "/nonexistent/libduckdb.so");
    assert_non_null(strstr(err.message, "@duckdb/node-bindings-linux-x64"));
    assert_non_null(strstr(err.message, "tools/fetch_duckdb.sh"));
    /* A missing file is a missing file, with or without DuckDB. */
    assert_int_equal(table_open(&t, &m, NULL, "/nonexistent/a.parquet", NULL, &err), TARE_E_IO);
    assert_string_equal(err.where, "/nonexistent/a.parquet");
}

static void what_is_no_library_is_refused(void **state)
{
    (void)state;
    char path[] = "/tmp/tare-no-duckdb-XXXXXX";
    tare_error err;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    assert_ok(os_write_file(path, "no library", 10, &err));
    setenv("TARE_DUCKDB", path, 1);
    assert_int_equal(table_duckdb_check(&err), TARE_E_DATA);
    assert_string_equal(err.code, "duckdb.library");
    assert_string_equal(err.where, path);
    unlink(path);
}

/* A library that is another one: that of the zlib this room is linked with. */
static void another_library_is_refused(void **state)
{
    (void)state;
    tare_error err;
    setenv("TARE_DUCKDB", "/lib/x86_64-linux-gnu/libz.so.1", 1);
    if (!os_exists(getenv("TARE_DUCKDB"))) skip();
    assert_int_equal(table_duckdb_check(&err), TARE_E_DATA);
    assert_string_equal(err.code, "duckdb.library");
    assert_non_null(strstr(err.message, "duckdb_"));
}

static void parquet_in_memory_is_refused(void **state)
{
    (void)state;
    mem m = mem_system();
    table *t = NULL;
    tare_error err;
    const table_bytes in = {"a.parquet", "PAR1....PAR1", 12};
    assert_int_equal(table_open_bytes(&t, &m, NULL, &in, NULL, &err), TARE_E_DATA);
    assert_null(t);
    assert_string_equal(err.code, "table.parquet");
}

static void other_formats_are_named(void **state)
{
    (void)state;
    static const struct { const char *start; size_t length; const char *code, *says; } cases[] = {
        {"PK\x03\x04rest", 8, "table.zip", "spreadsheet"},
        {"\x28\xB5\x2F\xFD" "0000", 8, "table.compressed", "zstd"},
        {"\xFD" "7zXZ\0\0", 7, "table.compressed", "xz"},
        {"BZh91AY&SY", 10, "table.compressed", "bzip2"},
        {"\xFE\xFF\0a", 4, "table.utf16", "UTF-8"}};
    mem m = mem_system();
    table *t = NULL;
    tare_error err;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const table_bytes in = {"a.csv", cases[i].start, cases[i].length};
        assert_int_equal(table_open_bytes(&t, &m, NULL, &in, NULL, &err), TARE_E_DATA);
        assert_string_equal(err.code, cases[i].code);
        assert_string_equal(err.where, "a.csv");
        assert_non_null(strstr(err.message, cases[i].says));
    }
    const table_bytes in = {"a.csv", "BZhang,score\na,1\n", 17};
    assert_ok(table_open_bytes(&t, &m, NULL, &in, NULL, &err));
    assert_int_equal(table_columns(t), 2);
    table_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_library_that_is_not_there_is_explained),
        cmocka_unit_test(what_is_no_library_is_refused),
        cmocka_unit_test(another_library_is_refused),
        cmocka_unit_test(parquet_in_memory_is_refused),
        cmocka_unit_test(other_formats_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
