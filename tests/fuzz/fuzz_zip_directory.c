/* Any bytes as a zip archive: it is refused, or every entry lies in it behind a header of its
 * name. */
#include <string.h>

#include "fuzz.h"
#include "scorer/checkpoint/zip_directory.h"

static void check(const zip_directory *z, const uint8_t *data, size_t size)
{
    REQUIRE(z->count <= size / 46);
    for (size_t i = 0; i < z->count; i++) {
        const zip_entry *e = &z->entry[i];
        size_t length = strlen(e->name);
        REQUIRE(e->offset >= 30 + length && e->offset <= size && e->bytes <= size - e->offset);
        REQUIRE(i == 0 || strcmp(e[-1].name, e->name) < 0);
        REQUIRE(zip_directory_find(z, e->name) == e);
        /* the bytes before: its name, perhaps behind it an extra field */
        REQUIRE(length == 0 || memmem(data, e->offset, e->name, length) != NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mem m = mem_system();
    arena a;
    zip_directory z;
    tare_error err = {TARE_OK, "", "", ""};
    arena_init(&a, &m);
    tare_status status = zip_directory_read(&z, &a, "f", data, size, &err);
    REQUIRE(status == err.status);
    if (status == TARE_OK) {
        check(&z, data, size);
    } else {
        REQUIRE((status == TARE_E_DATA || status == TARE_E_LIMIT) && *err.message && *err.code);
        REQUIRE(z.count == 0 && zip_directory_find(&z, "") == NULL);
    }
    arena_free(&a);
    return 0;
}
