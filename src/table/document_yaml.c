/* document_yaml.c - YAML as the tree that JSON gives.
 *
 * libyaml splits the bytes into events; what they mean is decided here. libyaml allocates by
 * itself: that is bounded by the size of the file, and the only memory here that does not come from
 * the context's allocator. */
#include <yaml.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "table/document.h"

/* An event, with its text in the arena, so that libyaml's own can be given back at once. */
typedef struct piece {
    yaml_event_type_t type;
    const char *text;
    size_t length, line, column;
    bool plain;
} piece;

typedef struct member {
    const char *key; /* NULL in sequences */
    json_value value;
} member;

typedef struct yaml_tree {
    yaml_parser_t parser;
    arena *a;
    const char *name;
    document_scalars scalars;
    member *stack; /* members of the containers that are open */
    size_t count, capacity, depth;
} yaml_tree;

#define WHERE_MAX 320
#define DOCUMENT_FAIL(kind, name, line, column, code, ...)                               \
    do {                                                                                 \
        char where_[WHERE_MAX];                                                          \
        snprintf(where_, sizeof where_, "%.260s:%zu:%zu", (name), (size_t)(line),        \
                 (size_t)(column));                                                      \
        FAIL(err, (kind), (code), where_, __VA_ARGS__);                                  \
    } while (0)
#define FAIL_AT(p, code, ...) \
    DOCUMENT_FAIL(TARE_E_DATA, t->name, (p)->line, (p)->column, (code), __VA_ARGS__)

/* Line and column of libyaml's complaint; about the encoding it knows the byte only. */
static void problem_place(size_t *line, size_t *column, const yaml_parser_t *p)
{
    *line = p->problem_mark.line + 1;
    *column = p->problem_mark.column + 1;
    if (p->error != YAML_READER_ERROR) return;
    const unsigned char *bytes = p->input.string.start;
    size_t length = (size_t)(p->input.string.end - bytes);
    *line = *column = 1;
    for (size_t i = 0; i < p->problem_offset && i < length; i++) {
        *column = bytes[i] == '\n' ? 1 : *column + 1;
        *line += bytes[i] == '\n';
    }
}

static tare_status parser_failed(const yaml_tree *t, tare_error *err)
{
    tare_status status = TARE_OK;
    const yaml_parser_t *p = &t->parser;
    size_t line, column;
    if (p->error == YAML_MEMORY_ERROR) FAIL_MEMORY(err);
    problem_place(&line, &column, p);
    DOCUMENT_FAIL(TARE_E_DATA, t->name, line, column, "document.syntax", "not YAML: %s%s%s",
                  p->problem ? p->problem : "it cannot be read", p->context ? " " : "",
                  p->context ? p->context : "");
done:
    return status;
}

/* What would let a small file grow, or mean more than it says. */
static tare_status refuse_event(const yaml_tree *t, const yaml_event_t *e, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t line = e->start_mark.line + 1, column = e->start_mark.column + 1;
    const yaml_char_t *anchor = NULL, *tag = NULL;
    if (e->type == YAML_SCALAR_EVENT) {
        anchor = e->data.scalar.anchor;
        tag = e->data.scalar.tag;
    } else if (e->type == YAML_SEQUENCE_START_EVENT) {
        anchor = e->data.sequence_start.anchor;
        tag = e->data.sequence_start.tag;
    } else if (e->type == YAML_MAPPING_START_EVENT) {
        anchor = e->data.mapping_start.anchor;
        tag = e->data.mapping_start.tag;
    }
    if (anchor || e->type == YAML_ALIAS_EVENT)
        DOCUMENT_FAIL(TARE_E_DATA, t->name, line, column, "document.syntax",
                      "anchors (&) and aliases (*) are not read: write the value out; a text that "
                      "begins so needs quotes");
    if (tag && strcmp((const char *)tag, YAML_STR_TAG) != 0)
        DOCUMENT_FAIL(TARE_E_DATA, t->name, line, column, "document.syntax",
                      "tags (!) are not read; a text that begins so needs quotes");
done:
    return status;
}

static tare_status next(piece *out, yaml_tree *t, tare_error *err)
{
    tare_status status = TARE_OK;
    yaml_event_t e;
    memset(out, 0, sizeof *out);
    if (!yaml_parser_parse(&t->parser, &e)) return parser_failed(t, err);
    out->type = e.type;
    out->line = e.start_mark.line + 1;
    out->column = e.start_mark.column + 1;
    TRY(refuse_event(t, &e, err));
    if (e.type == YAML_SCALAR_EVENT) {
        out->plain = e.data.scalar.style == YAML_PLAIN_SCALAR_STYLE && !e.data.scalar.tag;
        out->length = e.data.scalar.length;
        TRY_NEW(out->text =
                    arena_text(t->a, (const char *)e.data.scalar.value, e.data.scalar.length));
    }
done:
    yaml_event_delete(&e);
    return status;
}

static bool is_null(const piece *p)
{
    static const char *const words[] = {"", "~", "null", "Null", "NULL"};
    for (size_t k = 0; p->plain && k < sizeof words / sizeof *words; k++)
        if (!strcmp(p->text, words[k]) && strlen(p->text) == p->length) return true;
    return false;
}

/* A decimal number as YAML 1.2 writes it, without needless zeros in front: 007 may be a name. */
static bool is_number(const piece *p)
{
    const char *s = p->text;
    size_t whole = 0, part = 0, power = 0;
    if (*s == '-' || *s == '+') s++;
    const char *first = s;
    for (; *s >= '0' && *s <= '9'; s++) whole++;
    if (whole > 1 && *first == '0') return false;
    if (*s == '.')
        for (s++; *s >= '0' && *s <= '9'; s++) part++;
    if (whole + part == 0) return false;
    if (*s == 'e' || *s == 'E') {
        s++;
        if (*s == '-' || *s == '+') s++;
        for (; *s >= '0' && *s <= '9'; s++) power++;
        if (power == 0) return false;
    }
    return s == p->text + p->length;
}

/* A scalar that is not nothing. */
static tare_status read_scalar(json_value *out, const yaml_tree *t, const piece *p,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    out->kind = JSON_K_TEXT;
    out->text = p->text;
    out->length = p->length;
    if (!p->plain || t->scalars == DOCUMENT_TEXT) goto done;
    bool yes = !strcmp(p->text, "true") || !strcmp(p->text, "True") || !strcmp(p->text, "TRUE");
    bool no = !strcmp(p->text, "false") || !strcmp(p->text, "False") || !strcmp(p->text, "FALSE");
    if ((yes || no) && strlen(p->text) == p->length) {
        out->kind = JSON_K_BOOL;
        out->boolean = yes;
    } else if (is_number(p)) {
        out->kind = JSON_K_NUMBER;
        if (!number_parse(p->text, p->length, &out->number) || !isfinite(out->number))
            FAIL_AT(p, "document.range", "a number beyond 1.8e308; quote it if it is text");
        out->number_is_integer =
            !strpbrk(p->text, ".eE") && fabs(out->number) <= 9007199254740992.0;
    }
done:
    return status;
}

/* ---- Containers ------------------------------------------------------------------------------ */

static tare_status read_value(json_value *out, yaml_tree *t, const piece *p, tare_error *err);

/* Keys must differ. A short list is compared pair by pair, a long one by a map. */
static tare_status check_keys(const yaml_tree *t, const member *x, size_t n, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t repeated = SIZE_MAX;
    map *seen = NULL;
    text shown;
    text_init(&shown, t->a->m);
    if (n > 16) TRY_NEW(seen = map_new(t->a->m));
    for (size_t i = 0; i < n && repeated == SIZE_MAX; i++) {
        if (seen) {
            bool fresh = true;
            if (map_add(seen, x[i].key, strlen(x[i].key), &fresh) == SIZE_MAX) FAIL_MEMORY(err);
            if (!fresh) repeated = i;
            continue;
        }
        for (size_t j = 0; j < i; j++)
            if (!strcmp(x[i].key, x[j].key)) repeated = i;
    }
    if (repeated != SIZE_MAX) {
        text_add_visible(&shown, x[repeated].key, strlen(x[repeated].key), 80);
        if (shown.failed) FAIL_MEMORY(err);
        FAIL_AT(&x[repeated].value, "document.syntax",
                "the key \"%s\" stands twice in one mapping", shown.data ? shown.data : "");
    }
done:
    text_free(&shown);
    map_free(seen);
    return status;
}

static tare_status read_key(const char **key, const yaml_tree *t, const piece *p, tare_error *err)
{
    tare_status status = TARE_OK;
    if (p->type != YAML_SCALAR_EVENT)
        FAIL_AT(p, "document.syntax", "a key is a list or a mapping");
    if (p->plain && !strcmp(p->text, "<<"))
        FAIL_AT(p, "document.syntax", "merge keys (<<) are not read: write the keys out");
    if (strlen(p->text) != p->length)
        FAIL_AT(p, "document.syntax", "a key holds a NUL");
    *key = p->text;
done:
    return status;
}

static tare_status collect(json_value *out, yaml_tree *t, size_t first, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t n = t->count - first;
    const member *x = n ? t->stack + first : NULL; /* there may be no stack yet */
    TRY_NEW(out->children = arena_new(t->a, n, sizeof *out->children));
    for (size_t i = 0; i < n; i++) out->children[i] = x[i].value;
    out->length = n;
    if (out->kind == JSON_K_OBJECT) {
        TRY(check_keys(t, x, n, err));
        TRY_NEW(out->keys = arena_new(t->a, n, sizeof *out->keys));
        for (size_t i = 0; i < n; i++) out->keys[i] = x[i].key;
    }
    t->count = first;
done:
    return status;
}

static tare_status read_container(json_value *out, yaml_tree *t, yaml_event_type_t end,
                                  tare_error *err)
{
    tare_status status = TARE_OK;
    size_t first = t->count;
    if (++t->depth > DOCUMENT_DEPTH_MAX)
        DOCUMENT_FAIL(TARE_E_LIMIT, t->name, out->line, out->column, "document.depth",
                      "nested more than %d deep", (int)DOCUMENT_DEPTH_MAX);
    for (;;) {
        piece p;
        member m = {NULL, {0}};
        TRY(next(&p, t, err));
        if (p.type == end) break;
        if (out->kind == JSON_K_OBJECT) {
            TRY(read_key(&m.key, t, &p, err));
            TRY(next(&p, t, err));
        }
        TRY(read_value(&m.value, t, &p, err));
        if (!mem_reserve(t->a->m, &t->stack, &t->capacity, t->count + 1, sizeof *t->stack))
            FAIL_MEMORY(err);
        t->stack[t->count++] = m;
    }
    t->depth--;
    TRY(collect(out, t, first, err));
done:
    return status;
}

static tare_status read_value(json_value *out, yaml_tree *t, const piece *p, tare_error *err)
{
    *out = (json_value){.kind = JSON_K_NULL, .line = p->line, .column = p->column};
    if (p->type == YAML_SEQUENCE_START_EVENT) {
        out->kind = JSON_K_ARRAY;
        return read_container(out, t, YAML_SEQUENCE_END_EVENT, err);
    }
    if (p->type == YAML_MAPPING_START_EVENT) {
        out->kind = JSON_K_OBJECT;
        return read_container(out, t, YAML_MAPPING_END_EVENT, err);
    }
    return is_null(p) ? TARE_OK : read_scalar(out, t, p, err);
}

/* ---- Document -------------------------------------------------------------------------------- */

static tare_status read_document(json_value *out, yaml_tree *t, tare_error *err)
{
    tare_status status = TARE_OK;
    piece p;
    TRY(next(&p, t, err)); /* the stream begins */
    TRY(next(&p, t, err));
    if (p.type == YAML_STREAM_END_EVENT)
        DOCUMENT_FAIL(TARE_E_DATA, t->name, 1, 1, "document.empty", "there is nothing in it");
    TRY(next(&p, t, err));
    TRY(read_value(out, t, &p, err));
    TRY(next(&p, t, err)); /* the document ends */
    TRY(next(&p, t, err));
    if (p.type != YAML_STREAM_END_EVENT)
        FAIL_AT(&p, "document.syntax", "a file is one document; here begins another");
done:
    return status;
}

tare_status document_yaml(json_value **out, arena *a, const char *name, const char *bytes,
                          size_t length, document_scalars scalars, tare_error *err)
{
    tare_status status = TARE_OK;
    yaml_tree t;
    bool open = false;
    memset(&t, 0, sizeof t);
    t.a = a;
    t.name = name;
    t.scalars = scalars;
    json_value *top;
    TRY_NEW(top = arena_new(a, 1, sizeof *top));
    if (!yaml_parser_initialize(&t.parser)) FAIL_MEMORY(err);
    open = true;
    /* With the encoding said, libyaml takes a byte order mark for text. */
    size_t mark = length >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3) ? 3 : 0;
    yaml_parser_set_encoding(&t.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&t.parser, (const unsigned char *)bytes + mark, length - mark);
    TRY(read_document(top, &t, err));
    *out = top;
done:
    if (open) yaml_parser_delete(&t.parser);
    mem_free(a->m, t.stack);
    return status;
}
