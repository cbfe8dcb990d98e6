/* Any bytes as a document: reading ends; what it gives is a tree whose values have places, and
 * written as JSON it is read again as the same tree. */
#include <string.h>

#include "fuzz.h"
#include "table/document.h"

/* Writes the tree; the depth is what the reader promised. */
static void write_value(json_writer *w, const json_value *v, int depth)
{
    REQUIRE(depth <= DOCUMENT_DEPTH_MAX && v->line > 0 && v->column > 0);
    switch (v->kind) {
    case JSON_K_NULL: json_null(w); break;
    case JSON_K_BOOL: json_bool(w, v->boolean); break;
    case JSON_K_NUMBER: json_number(w, v->number); break;
    case JSON_K_TEXT: json_string_bytes(w, v->text, v->length); break;
    case JSON_K_ARRAY:
        json_array(w);
        for (size_t i = 0; i < v->length; i++) write_value(w, &v->children[i], depth + 1);
        json_array_end(w);
        break;
    case JSON_K_OBJECT:
        json_object(w);
        for (size_t i = 0; i < v->length; i++) {
            json_key(w, v->keys[i]);
            write_value(w, &v->children[i], depth + 1);
        }
        json_object_end(w);
        break;
    }
}

static void write_tree(text *t, const json_value *top)
{
    json_writer w;
    text_add_char(t, '['); /* so that a scalar is JSON by its first byte */
    json_begin(&w, t, 0);
    write_value(&w, top, 0);
    text_add_char(t, ']');
    REQUIRE(!t->failed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 65536) return 0;
    mem m = mem_system();
    arena a;
    json_value *top, *again;
    tare_error err = {TARE_OK, "", "", ""};
    text first, second;
    arena_init(&a, &m);
    text_init(&first, &m);
    text_init(&second, &m);
    tare_status status = document_parse(&top, &a, "f", (const char *)data, size, &err);
    if (status == TARE_OK) {
        write_tree(&first, top);
        /* one level more than before: the deepest trees are refused */
        if (document_parse(&again, &a, "g", first.data, first.length, &err) == TARE_OK) {
            write_tree(&second, &again->children[0]);
            REQUIRE(first.length == second.length);
            REQUIRE(!memcmp(first.data, second.data, first.length));
        } else {
            REQUIRE(err.status == TARE_E_LIMIT && !strcmp(err.code, "json.depth"));
        }
    } else {
        REQUIRE(err.status == status && err.message[0] && err.code[0] && err.where[0]);
        REQUIRE(status == TARE_E_DATA || status == TARE_E_LIMIT);
    }
    json_value *texts;
    status = document_yaml(&texts, &a, "f", (const char *)data, size, DOCUMENT_TEXT, &err);
    REQUIRE(status == TARE_OK || status == TARE_E_DATA || status == TARE_E_LIMIT);
    text_free(&first);
    text_free(&second);
    arena_free(&a);
    return 0;
}
