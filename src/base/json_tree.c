/* json_tree.c - a document as a tree. Values wait on one stack until their container closes. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/json.h"

typedef struct waiting {
    const char *key; /* NULL in arrays */
    size_t key_length;
    json_value value;
} waiting;

typedef struct builder {
    json_reader reader;
    arena *a;
    const char *key;
    size_t key_length;
    waiting *stack;
    size_t count, capacity;
    size_t open[256]; /* stack height at which each open container began */
} builder;

static tare_status push(builder *b, json_event event, tare_error *err)
{
    if (!mem_reserve(b->a->m, &b->stack, &b->capacity, b->count + 1, sizeof *b->stack)) {
        return error_memory(err);
    }
    json_value v = {.kind = JSON_K_NULL};
    json_position(&b->reader, &v.line, &v.column);
    if (event == JSON_TRUE || event == JSON_FALSE) {
        v.kind = JSON_K_BOOL;
        v.boolean = event == JSON_TRUE;
    } else if (event == JSON_NUMBER) {
        v.kind = JSON_K_NUMBER;
        v.number = b->reader.number;
        v.number_is_integer = b->reader.number_is_integer;
    } else if (event == JSON_TEXT) {
        v.kind = JSON_K_TEXT;
        v.length = b->reader.string_length;
        v.text = arena_text(b->a, b->reader.string, v.length);
        if (v.text == NULL) return error_memory(err);
    } else if (event == JSON_OBJECT || event == JSON_ARRAY) {
        v.kind = event == JSON_OBJECT ? JSON_K_OBJECT : JSON_K_ARRAY;
    }
    b->stack[b->count++] = (waiting){b->key, b->key_length, v};
    b->key = NULL;
    return TARE_OK;
}

static tare_status duplicate(const builder *b, const waiting *w, tare_error *err)
{
    char where[320];
    tare_status status = TARE_OK;
    text shown;
    text_init(&shown, b->a->m);
    text_add_visible(&shown, w->key, w->key_length, 80);
    if (shown.failed) FAIL_MEMORY(err);
    snprintf(where, sizeof where, "%s:%zu:%zu", b->reader.name, w->value.line, w->value.column);
    status = error_set(err, TARE_E_DATA, "json.duplicate_key", where,
                       "the key \"%s\" appears twice in one object", shown.data);
done:
    text_free(&shown);
    return status;
}

static bool same_key(const waiting *x, const waiting *y)
{
    return x->key_length == y->key_length && memcmp(x->key, y->key, x->key_length) == 0;
}

static tare_status check_keys(const builder *b, const waiting *w, size_t n, tare_error *err)
{
    tare_status status = TARE_OK;
    map *seen = NULL;
    if (n <= 16) {
        for (size_t i = 1; i < n; i++) {
            for (size_t j = 0; j < i; j++) {
                if (same_key(&w[i], &w[j])) return duplicate(b, &w[i], err);
            }
        }
        return TARE_OK;
    }
    seen = map_new(b->a->m);
    if (seen == NULL) FAIL_MEMORY(err);
    for (size_t i = 0; i < n; i++) {
        bool fresh;
        if (map_add(seen, w[i].key, w[i].key_length, &fresh) == SIZE_MAX) FAIL_MEMORY(err);
        if (!fresh) TRY(duplicate(b, &w[i], err));
    }
done:
    map_free(seen);
    return status;
}

static tare_status close_top(builder *b, size_t depth, tare_error *err)
{
    size_t first = b->open[depth], n = b->count - first;
    json_value *v = &b->stack[first - 1].value;
    const waiting *w = b->stack + first;
    v->length = n;
    v->children = arena_new(b->a, n, sizeof *v->children);
    if (v->children == NULL) return error_memory(err);
    for (size_t i = 0; i < n; i++) v->children[i] = w[i].value;
    b->count = first;
    if (v->kind != JSON_K_OBJECT) return TARE_OK;
    v->keys = arena_new(b->a, n, sizeof *v->keys);
    if (v->keys == NULL) return error_memory(err);
    for (size_t i = 0; i < n; i++) v->keys[i] = w[i].key;
    return check_keys(b, w, n, err);
}

tare_status json_parse(json_value **out, arena *a, const char *name, const char *bytes,
                       size_t length, const json_limits *limits, tare_error *err)
{
    tare_status status = TARE_OK;
    builder b;
    memset(&b, 0, sizeof b);
    b.a = a;
    *out = NULL;
    json_open(&b.reader, a->m, name, bytes, length, limits);
    for (;;) {
        json_event event;
        TRY(json_next(&event, &b.reader, err));
        if (event == JSON_END) break;
        if (event == JSON_KEY) {
            b.key_length = b.reader.string_length;
            b.key = arena_text(a, b.reader.string, b.key_length);
            if (b.key == NULL) FAIL_MEMORY(err);
        } else if (event == JSON_OBJECT_END || event == JSON_ARRAY_END) {
            TRY(close_top(&b, b.reader.depth, err));
        } else {
            TRY(push(&b, event, err));
            if (event == JSON_OBJECT || event == JSON_ARRAY) {
                b.open[b.reader.depth - 1] = b.count;
            }
        }
    }
    json_value *root = arena_new(a, 1, sizeof *root);
    if (root == NULL) FAIL_MEMORY(err);
    *root = b.stack[0].value;
    *out = root;
done:
    mem_free(a->m, b.stack);
    json_close(&b.reader);
    return status;
}

const json_value *json_member(const json_value *object, const char *key)
{
    if (object == NULL || object->kind != JSON_K_OBJECT) return NULL;
    for (size_t i = 0; i < object->length; i++) {
        if (strcmp(object->keys[i], key) == 0) return &object->children[i];
    }
    return NULL;
}
