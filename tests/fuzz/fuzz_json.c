/* Any bytes: json_parse ends, and what it accepts is written and read back to the same bytes. The
 * first byte chooses whether bare NaN is allowed. */
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "fuzz.h"

static void write_value(json_writer *w, const json_value *v)
{
    switch (v->kind) {
    case JSON_K_NULL: json_null(w); break;
    case JSON_K_BOOL: json_bool(w, v->boolean); break;
    case JSON_K_NUMBER: json_number(w, v->number); break;
    case JSON_K_TEXT: json_string_bytes(w, v->text, v->length); break;
    case JSON_K_ARRAY:
        json_array(w);
        for (size_t i = 0; i < v->length; i++) write_value(w, &v->children[i]);
        json_array_end(w);
        break;
    case JSON_K_OBJECT:
        json_object(w);
        for (size_t i = 0; i < v->length; i++) {
            json_key(w, v->keys[i]);
            write_value(w, &v->children[i]);
        }
        json_object_end(w);
        break;
    }
}

/* Keys with a NUL inside are cut by json_key, which may then repeat. */
static int has_nul_key(const json_value *v, const char *bytes, size_t length)
{
    (void)v;
    for (size_t i = 0; i + 6 <= length; i++) {
        if (memcmp(bytes + i, "\\u0000", 6) == 0) return 1;
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    mem m = mem_system();
    arena a;
    json_value *v, *again;
    tare_error err;
    json_limits limits = {32, 1 << 16, 1 << 16, data[0] & 1};
    const char *bytes = (const char *)data + 1;
    arena_init(&a, &m);
    tare_status status = json_parse(&v, &a, "fuzz", bytes, size - 1, &limits, &err);
    if (status == TARE_OK && !has_nul_key(v, bytes, size - 1)) {
        text first, second;
        json_writer w;
        text_init(&first, &m);
        text_init(&second, &m);
        json_begin(&w, &first, data[0] >> 1 & 3);
        write_value(&w, v);
        REQUIRE(!first.failed);
        limits.text_bytes = 1 << 20;
        REQUIRE(json_parse(&again, &a, "again", first.data, first.length, &limits, &err)
                == TARE_OK);
        json_begin(&w, &second, data[0] >> 1 & 3);
        write_value(&w, again);
        REQUIRE(first.length == second.length);
        REQUIRE(memcmp(first.data, second.data, first.length) == 0);
        text_free(&first);
        text_free(&second);
    } else if (status != TARE_OK) {
        REQUIRE(v == NULL && err.status == status && err.message[0] != '\0');
    }
    arena_free(&a);
    return 0;
}
