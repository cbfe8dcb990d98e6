/* model_used.c - a second walk over a model that was read without complaint: its depth is known to
 * be small. */
#include "scorer/onnx/model_used.h"

#include "base/error.h"
#include "base/hash.h"
#include "scorer/onnx/model_proto.h"

/* Field numbers of onnx.proto. */
enum {
    MODEL_GRAPH = 7, GRAPH_NODE = 1, GRAPH_OUTPUT = 12, INFO_NAME = 1, NODE_INPUT = 1,
    NODE_ATTRIBUTE = 5, ATTRIBUTE_GRAPH = 6, ATTRIBUTE_GRAPHS = 11
};

typedef struct usage {
    map *names;
    bool *used; /* by place in `names` */
} usage;

static bool next(proto_field *f, proto *p)
{
    while (proto_next(f, p) == PROTO_FIELD)
        if (f->wire == PROTO_BYTES) return true;
    return false;
}

static void mark(usage *u, const proto *name)
{
    size_t at = map_find(u->names, (const char *)name->at, proto_left(name));
    if (at != SIZE_MAX) u->used[at] = true;
}

static void walk_graph(usage *u, proto graph);

static void walk_node(usage *u, proto node)
{
    proto_field f, in;
    while (next(&f, &node)) {
        if (f.number == NODE_INPUT) mark(u, &f.bytes);
        while (f.number == NODE_ATTRIBUTE && next(&in, &f.bytes))
            if (in.number == ATTRIBUTE_GRAPH || in.number == ATTRIBUTE_GRAPHS)
                walk_graph(u, in.bytes);
    }
}

static void walk_graph(usage *u, proto graph)
{
    proto_field f, in;
    while (next(&f, &graph)) {
        if (f.number == GRAPH_NODE) walk_node(u, f.bytes);
        while (f.number == GRAPH_OUTPUT && next(&in, &f.bytes))
            if (in.number == INFO_NAME) mark(u, &in.bytes);
    }
}

tare_status model_used_only(model_externals *x, const mem *m, const void *bytes, size_t length,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    usage u = {map_new(m), NULL};
    proto model = {bytes, (const unsigned char *)bytes + length};
    proto_field f;
    size_t kept = 0;
    if (!u.names) FAIL_MEMORY(err);
    for (size_t i = 0; i < x->count; i++)
        if (map_add(u.names, x->item[i].name, strlen(x->item[i].name), NULL) == SIZE_MAX)
            FAIL_MEMORY(err);
    TRY_NEW(u.used = mem_new(m, map_count(u.names) + 1, sizeof *u.used));
    while (next(&f, &model))
        if (f.number == MODEL_GRAPH) walk_graph(&u, f.bytes);
    for (size_t i = 0; i < x->count; i++)
        if (u.used[map_find(u.names, x->item[i].name, strlen(x->item[i].name))])
            x->item[kept++] = x->item[i];
    x->count = kept;
done:
    mem_free(m, u.used);
    map_free(u.names);
    return status;
}
