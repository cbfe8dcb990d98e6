#include "scorer/onnx/model_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Field numbers of onnx.proto. */
enum {
    MODEL_IR = 1, MODEL_GRAPH = 7, MODEL_OPSET = 8, OPSET_VERSION = 2,
    GRAPH_NODE = 1, GRAPH_NAME = 2, GRAPH_TENSOR = 5, GRAPH_INPUT = 11, GRAPH_OUTPUT = 12,
    NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_OPERATOR = 4, NODE_ATTRIBUTE = 5,
    ATTRIBUTE_NAME = 1, ATTRIBUTE_F = 2, ATTRIBUTE_I = 3, ATTRIBUTE_T = 5, ATTRIBUTE_G = 6,
    ATTRIBUTE_INTS = 8, ATTRIBUTE_TYPE = 20,
    TENSOR_DIM = 1, TENSOR_TYPE = 2, TENSOR_NAME = 8, TENSOR_RAW = 9, TENSOR_EXTERNAL = 13,
    TENSOR_LOCATION = 14, ENTRY_KEY = 1, ENTRY_VALUE = 2,
    INFO_NAME = 1, INFO_TYPE = 2, TYPE_TENSOR = 1, TENSOR_ELEMENT = 1, TENSOR_SHAPE = 2,
    SHAPE_DIM = 1, DIM_VALUE = 1, DIM_PARAM = 2
};
enum { KIND_FLOAT = 1, KIND_INT = 2, KIND_TENSOR = 4, KIND_GRAPH = 5, KIND_INTS = 7 };
enum { IR_VERSION = 8, OPSET = 17 };

/* ---- Wire ------------------------------------------------------------------ */

static void add_varint(text *t, uint64_t value)
{
    while (value >= 0x80) {
        text_add_char(t, (char)(value | 0x80));
        value >>= 7;
    }
    text_add_char(t, (char)value);
}

static void add_int(text *t, unsigned field, int64_t value)
{
    add_varint(t, field << 3);
    add_varint(t, (uint64_t)value);
}

static void add_bytes(text *t, unsigned field, const void *bytes, size_t length)
{
    add_varint(t, field << 3 | 2);
    add_varint(t, length);
    if (length > 0) text_add_bytes(t, bytes, length);
}

static void add_string(text *t, unsigned field, const char *string)
{
    add_bytes(t, field, string, strlen(string));
}

/* Four bytes, little end first. */
static void add_float(text *t, unsigned field, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    add_varint(t, field << 3 | 5);
    for (int i = 0; i < 4; i++) text_add_char(t, (char)(bits >> 8 * i & 0xff));
}

/* A message that was put together beside its place; failure travels along. */
static void add_message(text *t, unsigned field, text *message)
{
    if (message->failed) t->failed = true;
    if (!t->failed) add_bytes(t, field, message->data, message->length);
    text_free(message);
}

/* Each word of a list separated by one space. */
static void add_names(text *t, unsigned field, const char *names)
{
    while (*names != '\0') {
        size_t length = strcspn(names, " ");
        add_bytes(t, field, names, length);
        names += length + (names[length] == ' ');
    }
}

/* ---- Graph ----------------------------------------------------------------- */

void model_write_begin(model_writer *w, const mem *m)
{
    text_init(&w->graph, m);
    text_init(&w->node, m);
    w->node_open = false;
    add_string(&w->graph, GRAPH_NAME, "tare");
}

void model_write_free(model_writer *w)
{
    text_free(&w->graph);
    text_free(&w->node);
}

static void close_node(model_writer *w)
{
    const mem *m = w->node.m;
    if (!w->node_open) return;
    add_message(&w->graph, GRAPH_NODE, &w->node);
    text_init(&w->node, m);
    w->node_open = false;
}

static void add_port(model_writer *w, unsigned field, const char *name, int type, size_t rank,
                     const int64_t *dim)
{
    const mem *m = w->graph.m;
    text info, kind, tensor, shape;
    text_init(&shape, m);
    for (size_t i = 0; i < rank; i++) {
        text one;
        text_init(&one, m);
        if (dim[i] >= 0) add_int(&one, DIM_VALUE, dim[i]);
        else if (i == 0) add_string(&one, DIM_PARAM, "N");
        add_message(&shape, SHAPE_DIM, &one);
    }
    text_init(&tensor, m);
    add_int(&tensor, TENSOR_ELEMENT, type);
    add_message(&tensor, TENSOR_SHAPE, &shape);
    text_init(&kind, m);
    add_message(&kind, TYPE_TENSOR, &tensor);
    text_init(&info, m);
    add_string(&info, INFO_NAME, name);
    add_message(&info, INFO_TYPE, &kind);
    add_message(&w->graph, field, &info);
}

void model_write_input(model_writer *w, const char *name, int type, size_t rank,
                       const int64_t *dim)
{
    add_port(w, GRAPH_INPUT, name, type, rank, dim);
}

void model_write_output(model_writer *w, const char *name, int type, size_t rank,
                        const int64_t *dim)
{
    add_port(w, GRAPH_OUTPUT, name, type, rank, dim);
}

static void add_entry(text *tensor, const char *key, const char *value)
{
    text entry;
    text_init(&entry, tensor->m);
    add_string(&entry, ENTRY_KEY, key);
    add_string(&entry, ENTRY_VALUE, value);
    add_message(tensor, TENSOR_EXTERNAL, &entry);
}

static void add_number_entry(text *tensor, const char *key, uint64_t value)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, value);
    add_entry(tensor, key, digits);
}

static void add_tensor(text *parent, unsigned field, const model_tensor *t)
{
    text tensor;
    text_init(&tensor, parent->m);
    for (size_t i = 0; i < t->rank; i++) add_int(&tensor, TENSOR_DIM, t->dim[i]);
    add_int(&tensor, TENSOR_TYPE, t->type);
    if (t->name != NULL) add_string(&tensor, TENSOR_NAME, t->name);
    if (t->location == NULL) {
        add_bytes(&tensor, TENSOR_RAW, t->bytes, t->length);
    } else {
        add_entry(&tensor, "location", t->location);
        add_number_entry(&tensor, "offset", t->offset);
        if (t->length > 0) add_number_entry(&tensor, "length", t->length);
        add_int(&tensor, TENSOR_LOCATION, 1);
    }
    add_message(parent, field, &tensor);
}

void model_write_tensor(model_writer *w, const model_tensor *t)
{
    add_tensor(&w->graph, GRAPH_TENSOR, t);
}

void model_write_node(model_writer *w, const char *operator, const char *inputs,
                      const char *outputs)
{
    close_node(w);
    add_names(&w->node, NODE_INPUT, inputs);
    add_names(&w->node, NODE_OUTPUT, outputs);
    add_string(&w->node, NODE_OPERATOR, operator);
    w->node_open = true;
}

/* ---- Attributes ------------------------------------------------------------ */

static void begin_attribute(text *a, model_writer *w, const char *name, int kind)
{
    text_init(a, w->node.m);
    add_string(a, ATTRIBUTE_NAME, name);
    add_int(a, ATTRIBUTE_TYPE, kind);
}

void model_write_int(model_writer *w, const char *name, int64_t value)
{
    text a;
    begin_attribute(&a, w, name, KIND_INT);
    add_int(&a, ATTRIBUTE_I, value);
    add_message(&w->node, NODE_ATTRIBUTE, &a);
}

void model_write_float(model_writer *w, const char *name, float value)
{
    text a;
    begin_attribute(&a, w, name, KIND_FLOAT);
    add_float(&a, ATTRIBUTE_F, value);
    add_message(&w->node, NODE_ATTRIBUTE, &a);
}

void model_write_ints(model_writer *w, const char *name, const int64_t *values, size_t count)
{
    text a;
    begin_attribute(&a, w, name, KIND_INTS);
    for (size_t i = 0; i < count; i++) add_int(&a, ATTRIBUTE_INTS, values[i]);
    add_message(&w->node, NODE_ATTRIBUTE, &a);
}

void model_write_body(model_writer *w, const char *name, model_writer *body)
{
    text a;
    close_node(body);
    begin_attribute(&a, w, name, KIND_GRAPH);
    add_message(&a, ATTRIBUTE_G, &body->graph);
    add_message(&w->node, NODE_ATTRIBUTE, &a);
}

void model_write_value(model_writer *w, const char *name, const model_tensor *t)
{
    text a;
    begin_attribute(&a, w, name, KIND_TENSOR);
    add_tensor(&a, ATTRIBUTE_T, t);
    add_message(&w->node, NODE_ATTRIBUTE, &a);
}

/* ---- Model ----------------------------------------------------------------- */

char *model_write_end(model_writer *w, size_t *length)
{
    text model, opset;
    close_node(w);
    text_init(&model, w->graph.m);
    text_init(&opset, w->graph.m);
    add_int(&opset, OPSET_VERSION, OPSET);
    add_int(&model, MODEL_IR, IR_VERSION);
    add_message(&model, MODEL_GRAPH, &w->graph);
    add_message(&model, MODEL_OPSET, &opset);
    text_free(&w->node);
    *length = model.length;
    return text_take(&model);
}
