/* Compressed tables: members, damage anywhere, bombs. */
#include <string.h>
#include <zlib.h>

#include "base/os.h"
#include "support/check.h"
#include "support/failing_mem.h"
#include "table/table.h"

/* One gzip member of these bytes at `out`; its length. */
static size_t compress_to(char *out, size_t room, const char *bytes, size_t length)
{
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (Bytef *)(uintptr_t)bytes;
    z.avail_in = (uInt)length;
    z.next_out = (Bytef *)out;
    z.avail_out = (uInt)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    size_t got = room - z.avail_out;
    deflateEnd(&z);
    return got;
}

static tare_status load(table **out, const mem *m, const table_bytes *in,
                        const table_options *options, tare_error *err)
{
    static const unsigned kinds[2] = {TABLE_TEXT, TABLE_NUMBER};
    tare_status status = table_open_bytes(out, m, NULL, in, options, err);
    if (status == TARE_OK) {
        assert_true(table_columns(*out) <= 2);
        status = table_load(*out, kinds, err);
        if (status != TARE_OK) {
            table_free(*out);
            *out = NULL;
        }
    }
    return status;
}

static void the_inner_name_counts(void **state)
{
    (void)state;
    static const struct { const char *name, *source; } cases[] = {
        {"s.csv.gz", "id,x\na,1\n\"b\nc\",2\n"}, {"s.tsv.gz", "id\tx\na\t1\n\"b\nc\"\t2\n"},
        {"s.gz", "id\tx\na\t1\n\"b\nc\"\t2\n"},  {"no ending", "id,x\na,1\n\"b\nc\",2\n"},
        {"s.csv", "id,x\na,1\n\"b\nc\",2\n"},
        {"s.jsonl.gz", "{\"id\":\"a\",\"x\":1}\n{\"id\":\"b\\nc\",\"x\":2}"}};
    mem m = mem_system();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char bytes[200], where[TABLE_WHERE_MAX], want[64];
        table *t;
        tare_error err;
        size_t n = compress_to(bytes, sizeof bytes, cases[i].source, strlen(cases[i].source));
        assert_ok(load(&t, &m, &(table_bytes){cases[i].name, bytes, n}, NULL, &err));
        assert_int_equal(table_rows(t), 2);
        assert_string_equal(table_level(t, 0, 1, NULL), "b\nc");
        assert_true(table_number_column(t, 1).values[1] == 2);
        table_where(where, t, 1, 0);
        bool json = strstr(cases[i].name, "json") != NULL;
        snprintf(want, sizeof want, "%s:%s", cases[i].name, json ? "2:7" : "3:1");
        assert_string_equal(where, want); /* of the inflated text */
        table_free(t);
    }
}

static void members_follow_one_another(void **state)
{
    (void)state;
    char bytes[400] = "";
    mem m = mem_system();
    table *t;
    tare_error err;
    size_t n = compress_to(bytes, 100, "id,x\n", 5);
    n += compress_to(bytes + n, 100, "", 0);
    n += compress_to(bytes + n, 100, "a,1\nb,", 6);
    n += compress_to(bytes + n, 100, "2\n", 2);
    assert_ok(load(&t, &m, &(table_bytes){"s.csv.gz", bytes, n}, NULL, &err));
    assert_int_equal(table_rows(t), 2);
    table_free(t);
    /* Zeros after it are padding. */
    assert_ok(load(&t, &m, &(table_bytes){"s.csv.gz", bytes, n + 20}, NULL, &err));
    table_free(t);
    bytes[n + 3] = 'x';
    assert_int_equal(load(&t, &m, &(table_bytes){"s.csv.gz", bytes, n + 20}, NULL, &err),
                     TARE_E_DATA);
    assert_string_equal(err.code, "table.gzip");
    assert_string_equal(err.where, "s.csv.gz");
    char want[40];
    snprintf(want, sizeof want, "at byte %zu", n + 3);
    assert_non_null(strstr(err.message, want));
    n = compress_to(bytes, 100, "", 0);
    assert_int_equal(load(&t, &m, &(table_bytes){"s.csv.gz", bytes, n}, NULL, &err), TARE_E_DATA);
    assert_string_equal(err.code, "table.empty");
}

/* Every truncation and every changed bit is refused, or changes nothing that is read: some bits of
 * the header (time, system) and of the padding before the checksum have no meaning. */
static void damage_is_found(void **state)
{
    (void)state;
    static const char source[] = "id,x\nalpha,1\nbeta,2\ngamma,3\nalpha,4\n";
    char bytes[300];
    mem m = mem_system();
    table *t;
    tare_error err;
    size_t n = compress_to(bytes, sizeof bytes, source, sizeof source - 1), refused = 0;
    for (size_t k = 2; k < n; k++) {
        assert_int_equal(load(&t, &m, &(table_bytes){"s.csv", bytes, k}, NULL, &err), TARE_E_DATA);
        assert_string_equal(err.code, "table.gzip");
        assert_non_null(strstr(err.message, "too early"));
    }
    for (size_t k = 2; k < n; k++) {
        for (int bit = 0; bit < 8; bit++) {
            bytes[k] = (char)(bytes[k] ^ 1 << bit);
            tare_status status = load(&t, &m, &(table_bytes){"s.csv", bytes, n}, NULL, &err);
            if (status == TARE_OK) {
                assert_int_equal(table_rows(t), 4);
                assert_int_equal(table_text_column(t, 0).levels, 3);
                for (size_t r = 0; r < 4; r++) {
                    assert_true(table_number_column(t, 1).values[r] == (double)r + 1);
                }
                table_free(t);
            } else {
                assert_int_equal(status, TARE_E_DATA);
                assert_string_equal(err.code, "table.gzip");
                assert_non_null(strstr(err.message, "byte "));
                refused++;
            }
            bytes[k] = (char)(bytes[k] ^ 1 << bit);
        }
    }
    assert_true(refused >= 8 * (n - 10) - 7);
}

static void bombs_are_refused(void **state)
{
    (void)state;
    enum { SIZE = 8 << 20 };
    mem m = mem_system();
    table *t;
    tare_error err;
    char *plain = malloc(SIZE), *bytes = malloc(SIZE);
    assert_true(plain != NULL && bytes != NULL);
    memset(plain, 'a', SIZE);
    memcpy(plain, "id,x\n", 5);
    size_t n = compress_to(bytes, SIZE, plain, SIZE);
    assert_true(n < 10000);
    table_options o = {.max_inflated = SIZE - 1};
    assert_int_equal(load(&t, &m, &(table_bytes){"b.csv.gz", bytes, n}, &o, &err), TARE_E_LIMIT);
    assert_string_equal(err.code, "table.inflated");
    assert_string_equal(err.where, "b.csv.gz");
    o = (table_options){.max_bytes = 1 << 20};
    assert_int_equal(load(&t, &m, &(table_bytes){"b.csv.gz", bytes, n}, &o, &err), TARE_E_LIMIT);
    assert_string_equal(err.code, "table.inflated");
    o = (table_options){.max_inflated = SIZE, .max_field = SIZE};
    assert_int_equal(load(&t, &m, &(table_bytes){"b.csv.gz", bytes, n}, &o, &err), TARE_E_DATA);
    assert_string_equal(err.code, "table.ragged"); /* all of it was inflated */
    /* 200 small members of 8 MiB each: more than 1 GiB without an option. */
    char *many = malloc(200 * n);
    assert_non_null(many);
    for (size_t i = 0; i < 200; i++) memcpy(many + i * n, bytes, n);
    assert_int_equal(load(&t, &m, &(table_bytes){"b.csv.gz", many, 200 * n}, NULL, &err),
                     TARE_E_LIMIT);
    assert_string_equal(err.code, "table.inflated");
    free(many);
    free(plain);
    free(bytes);
}

static void standard_input_may_be_compressed(void **state)
{
    (void)state;
    char bytes[100];
    int ends[2], kept = dup(STDIN_FILENO);
    mem m = mem_system();
    table *t;
    tare_error err;
    size_t n = compress_to(bytes, sizeof bytes, "{\"a\":1}\n{\"b\":2}\n", 16);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], bytes, n), n);
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    assert_ok(table_open(&t, &m, NULL, "-", NULL, &err));
    assert_ok(table_load(t, (const unsigned[]){TABLE_NUMBER, TABLE_NUMBER}, &err));
    assert_int_equal(table_rows(t), 2);
    assert_true(table_number_column(t, 1).values[1] == 2);
    table_free(t);
    if (kept >= 0) {
        dup2(kept, STDIN_FILENO);
        close(kept);
    }
}

static void allocations_fail_in_turn(void **state)
{
    (void)state;
    char bytes[200];
    size_t n = compress_to(bytes, sizeof bytes, "id,x\na,1\nb,2\n", 13);
    for (long k = 1;; k++) {
        failing_mem f;
        mem m = failing_mem_start(&f, k);
        table *t = NULL;
        tare_error err;
        tare_status status = load(&t, &m, &(table_bytes){"s.csv.gz", bytes, n}, NULL, &err);
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
        cmocka_unit_test(the_inner_name_counts),
        cmocka_unit_test(members_follow_one_another),
        cmocka_unit_test(damage_is_found),
        cmocka_unit_test(bombs_are_refused),
        cmocka_unit_test(standard_input_may_be_compressed),
        cmocka_unit_test(allocations_fail_in_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
