/* Any bytes behind a gzip header: inflating ends within its limit. The first byte chooses: the
 * bytes as they are, or compressed here (in two members), which must read like the bytes
 * themselves. */
#include <string.h>
#include <zlib.h>

#include "fuzz.h"
#include "table/table.h"

enum { LIMIT = 1 << 16, SIZE_MOST = 4096 };

static tare_status read_table(table **out, const mem *m, const char *bytes, size_t length,
                              tare_error *err)
{
    unsigned kinds[8];
    const table_bytes in = {"fuzz", bytes, length};
    table_options o = {.max_columns = 8, .max_bytes = LIMIT, .chunk_bytes = 40};
    for (size_t i = 0; i < 8; i++) kinds[i] = TABLE_TEXT;
    tare_status status = table_open_bytes(out, m, NULL, &in, &o, err);
    if (status == TARE_OK) status = table_load(*out, kinds, err);
    if (status != TARE_OK) {
        table_free(*out);
        *out = NULL;
    }
    return status;
}

static size_t compress_to(char *out, size_t room, const char *bytes, size_t length, int level)
{
    z_stream z = {0};
    REQUIRE(deflateInit2(&z, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    z.next_in = (Bytef *)(uintptr_t)bytes;
    z.avail_in = (uInt)length;
    z.next_out = (Bytef *)out;
    z.avail_out = (uInt)room;
    REQUIRE(deflate(&z, Z_FINISH) == Z_STREAM_END);
    size_t got = room - z.avail_out;
    deflateEnd(&z);
    return got;
}

static void read_compressed(const char *bytes, size_t length, int level)
{
    char packed[2 * SIZE_MOST];
    mem m = mem_system();
    table *plain, *inflated;
    tare_error a = {TARE_OK, "", "", ""}, b = a;
    size_t half = length / 2;
    size_t n = compress_to(packed, sizeof packed, bytes, half, level);
    n += compress_to(packed + n, sizeof packed - n, bytes + half, length - half, level);
    tare_status x = read_table(&plain, &m, bytes, length, &a);
    tare_status y = read_table(&inflated, &m, packed, n, &b);
    REQUIRE(x == y && strcmp(a.where, b.where) == 0 && strcmp(a.message, b.message) == 0);
    if (x == TARE_OK) {
        REQUIRE(table_rows(plain) == table_rows(inflated));
        REQUIRE(table_columns(plain) == table_columns(inflated));
    }
    table_free(plain);
    table_free(inflated);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4 || size > SIZE_MOST - 200) return 0;
    const char *bytes = (const char *)data + 1;
    bool is_gzip = memcmp(bytes, "\x1F\x8B", 2) == 0;
    if (data[0] & 1) {
        if (!is_gzip) read_compressed(bytes, size - 1, data[0] % 10);
        return 0;
    }
    mem m = mem_system();
    table *t;
    tare_error err = {TARE_OK, "", "", ""};
    tare_status status = read_table(&t, &m, bytes, size - 1, &err);
    REQUIRE(status == TARE_OK || err.message[0] != '\0');
    REQUIRE(status == TARE_OK || !is_gzip || err.status == status);
    table_free(t);
    return 0;
}
