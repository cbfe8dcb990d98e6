/* roster_yaml.c - YAML as the tree that JSON gives.
 *
 * libyaml splits the bytes into events; what they mean is decided here. libyaml allocates by
 * itself: that is bounded by the size of the file, and the only memory here that does not come from
 * the context's allocator. */
#include <yaml.h>

#include <string.h>

#include "judge/roster_parts.h"

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
    member *stack; /* members of the containers that are open */
    size_t count, capacity, depth;
} yaml_tree;

/* Line of a byte, for libyaml's complaints about the encoding. */
static size_t line_of(const yaml_tree *t)
{
    const yaml_parser_t *p = &t->parser;
    size_t line = 1;
    if (p->error != YAML_READER_ERROR) return p->problem_mark.line + 1;
    const unsigned char *bytes = p->input.string.start;
    size_t length = (size_t)(p->input.string.end - bytes);
    for (size_t i = 0; i < p->problem_offset && i < length; i++) line += bytes[i] == '\n';
    return line;
}

static tare_status parser_failed(const yaml_tree *t, tare_error *err)
{
    tare_status status = TARE_OK;
    const yaml_parser_t *p = &t->parser;
    if (p->error == YAML_MEMORY_ERROR) FAIL_MEMORY(err);
    ROSTER_FAIL(t->name, line_of(t), "roster.syntax", "not YAML: %s%s%s",
                p->problem ? p->problem : "it cannot be read", p->context ? " " : "",
                p->context ? p->context : "");
done:
    return status;
}

/* What would let a small file grow, or mean more than it says. */
static tare_status refuse_event(const yaml_tree *t, const yaml_event_t *e, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t line = e->start_mark.line + 1;
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
        ROSTER_FAIL(t->name, line, "roster.syntax",
                    "anchors (&) and aliases (*) are not read: write the value out; a text that "
                    "begins so needs quotes");
    if (tag && strcmp((const char *)tag, YAML_STR_TAG) != 0)
        ROSTER_FAIL(t->name, line, "roster.syntax",
                    "tags (!) are not read; a text that begins so needs quotes");
done:
    return status;
}

static tare_status next(piece *out, yaml_tree *t, tare_error *err)
{
    tare_status status = TARE_OK;
    yaml_event_t e;
    if (!yaml_parser_parse(&t->parser, &e)) return parser_failed(t, err);
    memset(out, 0, sizeof *out);
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

/* ---- Containers ------------------------------------------------------------------------------ */

static tare_status read_value(json_value *out, yaml_tree *t, const piece *p, tare_error *err);

/* Keys must differ. A short list is compared pair by pair, a long one by a map. */
static tare_status check_keys(const yaml_tree *t, const member *x, size_t n, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t repeated = SIZE_MAX;
    map *seen = NULL;
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
    if (repeated != SIZE_MAX)
        ROSTER_FAIL(t->name, x[repeated].value.line, "roster.syntax",
                    "the key \"%s\" stands twice in one mapping",
                    roster_shown(t->a, x[repeated].key));
done:
    map_free(seen);
    return status;
}

static tare_status read_key(const char **key, const yaml_tree *t, const piece *p, tare_error *err)
{
    tare_status status = TARE_OK;
    if (p->type != YAML_SCALAR_EVENT)
        ROSTER_FAIL(t->name, p->line, "roster.syntax", "a key is a list or a mapping");
    if (p->plain && !strcmp(p->text, "<<"))
        ROSTER_FAIL(t->name, p->line, "roster.syntax",
                    "merge keys (<<) are not read: write the keys out");
    if (strlen(p->text) != p->length)
        ROSTER_FAIL(t->name, p->line, "roster.syntax", "a key holds a NUL");
    *key = p->text;
done:
    return status;
}

static tare_status collect(json_value *out, yaml_tree *t, size_t first, tare_error *err)
{
    tare_status status = TARE_OK;
    const member *x = t->stack + first;
    size_t n = t->count - first;
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
    if (++t->depth > ROSTER_DEPTH_MAX) {
        char where[ROSTER_WHERE_MAX];
        roster_where(where, t->name, out->line);
        FAIL(err, TARE_E_LIMIT, "roster.depth", where, "nested more than %d deep",
             (int)ROSTER_DEPTH_MAX);
    }
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
    if (!is_null(p)) {
        out->kind = JSON_K_TEXT;
        out->text = p->text;
        out->length = p->length;
    }
    return TARE_OK;
}

/* ---- Document -------------------------------------------------------------------------------- */

static tare_status read_document(json_value *out, yaml_tree *t, tare_error *err)
{
    tare_status status = TARE_OK;
    piece p;
    TRY(next(&p, t, err)); /* the stream begins */
    TRY(next(&p, t, err));
    if (p.type == YAML_STREAM_END_EVENT)
        ROSTER_FAIL(t->name, (size_t)1, "roster.empty", "it names no model");
    TRY(next(&p, t, err));
    TRY(read_value(out, t, &p, err));
    TRY(next(&p, t, err)); /* the document ends */
    TRY(next(&p, t, err));
    if (p.type != YAML_STREAM_END_EVENT)
        ROSTER_FAIL(t->name, p.line, "roster.syntax", "a roster is one document; here begins "
                    "another");
done:
    return status;
}

tare_status roster_yaml(json_value **out, arena *a, const roster_bytes *in, tare_error *err)
{
    tare_status status = TARE_OK;
    yaml_tree t;
    bool open = false;
    memset(&t, 0, sizeof t);
    t.a = a;
    t.name = in->name;
    json_value *top;
    TRY_NEW(top = arena_new(a, 1, sizeof *top));
    if (!yaml_parser_initialize(&t.parser)) FAIL_MEMORY(err);
    open = true;
    /* With the encoding said, libyaml takes a byte order mark for text. */
    size_t mark = in->length >= 3 && !memcmp(in->bytes, "\xef\xbb\xbf", 3) ? 3 : 0;
    yaml_parser_set_encoding(&t.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&t.parser, (const unsigned char *)in->bytes + mark,
                                 in->length - mark);
    TRY(read_document(top, &t, err));
    *out = top;
done:
    if (open) yaml_parser_delete(&t.parser);
    mem_free(a->m, t.stack);
    return status;
}
