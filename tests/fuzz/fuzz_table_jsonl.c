/* Any bytes as JSON lines or one array: reading ends, and the size of the chunks changes neither
 * columns, rows, places nor error. The first byte is the size of the small chunks. */
#include <string.h>

#include "fuzz.h"
#include "table/table.h"

enum { COLUMNS_MAX = 8 };

static tare_status read_table(table **out, const mem *m, const char *bytes, size_t length,
                              size_t chunk_bytes, tare_error *err)
{
    unsigned kinds[COLUMNS_MAX];
    const table_bytes in = {"fuzz.jsonl", bytes, length};
    table_options o = {.max_columns = COLUMNS_MAX, .max_field = 64, .chunk_bytes = chunk_bytes};
    for (size_t i = 0; i < COLUMNS_MAX; i++) kinds[i] = TABLE_TEXT | TABLE_NUMBER;
    tare_status status = table_open_bytes(out, m, NULL, &in, &o, err);
    if (status == TARE_OK) status = table_load(*out, kinds, err);
    if (status != TARE_OK) {
        table_free(*out);
        *out = NULL;
    }
    return status;
}

static void require_equal_columns(const table *x, const table *y, size_t c)
{
    table_texts a = table_text_column(x, c), b = table_text_column(y, c);
    table_numbers n = table_number_column(x, c), o = table_number_column(y, c);
    REQUIRE(strcmp(table_column_name(x, c), table_column_name(y, c)) == 0);
    REQUIRE(a.levels == b.levels);
    REQUIRE(memcmp(n.count, o.count, sizeof n.count) == 0);
    REQUIRE(memcmp(n.first, o.first, sizeof n.first) == 0);
    REQUIRE(memcmp(a.codes, b.codes, table_rows(x) * sizeof *a.codes) == 0);
    REQUIRE(memcmp(n.status, o.status, table_rows(x)) == 0);
    REQUIRE(memcmp(n.values, o.values, table_rows(x) * sizeof *n.values) == 0);
    for (size_t k = 0; k < a.levels; k++) {
        size_t length, other;
        const char *key = table_level(x, c, (uint32_t)k, &length);
        const char *same = table_level(y, c, (uint32_t)k, &other);
        REQUIRE(length == other && memcmp(key, same, length + 1) == 0);
        REQUIRE(strlen(key) == length);
    }
    for (size_t r = 0; r < table_rows(x); r++) {
        char here[TABLE_WHERE_MAX], there[TABLE_WHERE_MAX];
        table_where(here, x, r, c);
        table_where(there, y, r, c);
        REQUIRE(strcmp(here, there) == 0 && table_line(x, r) == table_line(y, r));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || size > 4096) return 0;
    mem m = mem_system();
    table *whole, *cut;
    tare_error a = {TARE_OK, "", "", ""}, b = a;
    const char *bytes = (const char *)data + 1;
    tare_status x = read_table(&whole, &m, bytes, size - 1, 1 << 20, &a);
    tare_status y = read_table(&cut, &m, bytes, size - 1, (size_t)data[0] % 32 + 1, &b);
    REQUIRE(x == y);
    if (x == TARE_OK) {
        REQUIRE(table_rows(whole) == table_rows(cut) && table_rows(whole) > 0);
        REQUIRE(table_columns(whole) == table_columns(cut));
        for (size_t c = 0; c < table_columns(whole); c++) require_equal_columns(whole, cut, c);
    } else {
        REQUIRE(strcmp(a.where, b.where) == 0 && strcmp(a.code, b.code) == 0);
        REQUIRE(strcmp(a.message, b.message) == 0);
    }
    table_free(whole);
    table_free(cut);
    return 0;
}
