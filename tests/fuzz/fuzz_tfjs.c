/* Any bytes as the description of a TF.js model, JSON or module, over the weights of
 * tests/data/tfjs_tiny: it is refused, or every tensor lies in its file, has numbers or is refused,
 * and its topology is refused or becomes a graph. The same bytes as a module of base64. */
#include <string.h>

#include "base/base64.h"
#include "fuzz.h"
#include "scorer/checkpoint/tfjs_module.h"
#include "scorer/graph/mobilenet.h"

#define FOLDER TARE_SOURCE_DIR "/tests/data/tfjs_tiny/"

static tare_context *context;

static void require_error(tare_status status, const tare_error *err)
{
    REQUIRE(err->status == status && err->message[0] && err->code[0]);
    REQUIRE(status == TARE_E_DATA || status == TARE_E_LIMIT || status == TARE_E_IO);
}

static void try_tensors(checkpoint *c)
{
    for (size_t k = 0; k < c->tensor_count; k++) {
        const checkpoint_tensor *t = &c->tensor[k];
        tare_error err = {TARE_OK, "", "", ""};
        if (t->file != SIZE_MAX) {
            REQUIRE(t->file > 0 && t->file < c->file_count);
            REQUIRE(t->data == c->file[t->file].bytes + t->offset);
            REQUIRE(t->elements * tensor_type_size(t->type) <=
                    c->file[t->file].length - t->offset);
        }
        float *v = malloc((t->elements + 1) * sizeof *v);
        REQUIRE(v != NULL);
        tare_status status = checkpoint_floats(v, c, t, &err);
        if (status != TARE_OK) require_error(status, &err);
        free(v);
    }
}

static void try_model(const uint8_t *data, size_t size, bool json)
{
    checkpoint c = {.context = context, .path = json ? FOLDER "model.json" : FOLDER "model.min.js"};
    model_file first = {.path = c.path, .descriptor = -1, .bytes = data, .length = size};
    graph_model graph;
    arena a;
    int side = 0, classes = 0;
    tare_error err = {TARE_OK, "", "", ""};
    arena_init(&c.a, &context->mem);
    arena_init(&a, &context->mem);
    c.file = &first;
    c.file_count = 1;
    tare_status status = tfjs_read(&c, &err);
    if (status == TARE_OK) status = checkpoint_finish(&c, &err);
    if (status == TARE_OK) {
        try_tensors(&c);
        status = graph_mobilenet(&graph, &side, &classes, &a, &c, 1, &err);
        REQUIRE(status != TARE_OK || (side > 0 && classes > 0 && graph.length > 0));
    }
    if (status != TARE_OK) require_error(status, &err);
    for (size_t k = 1; k < c.file_count; k++) model_file_close(&c.file[k]);
    arena_free(&a);
    arena_free(&c.a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char *bytes = NULL;
    size_t count = 0;
    arena a;
    tare_error err = {TARE_OK, "", "", ""};
    if (context == NULL) REQUIRE(tare_context_new(&context, NULL, &err) == TARE_OK);
    if (size == 0) return 0; /* model_file_open refuses those */
    try_model(data, size, data[0] == '{');
    arena_init(&a, &context->mem);
    tare_status status = tfjs_module_bytes(&bytes, &count, &a, "f", data, size, &err);
    if (status == TARE_OK) REQUIRE(count <= base64_room(size));
    else require_error(status, &err);
    arena_free(&a);
    return 0;
}
