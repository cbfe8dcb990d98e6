/* Any bytes as an ONNX model, for the reader of weights that stand outside. */
#include <string.h>

#include "fuzz.h"
#include "scorer/onnx/model_externals.h"

static void check(const model_external *x)
{
    size_t length = strlen(x->location);
    REQUIRE(length > 0 && x->location[0] != '/');
    REQUIRE(strcmp(x->location, "..") != 0 && strncmp(x->location, "../", 3) != 0);
    REQUIRE(strstr(x->location, "/../") == NULL);
    REQUIRE(length < 3 || strcmp(x->location + length - 3, "/..") != 0);
    REQUIRE(x->rank <= MODEL_RANK_MOST && x->bytes <= INT64_MAX);
    for (size_t i = 0; i < x->rank; i++) REQUIRE(x->dim[i] >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mem m = mem_system();
    arena a;
    model_externals x;
    tare_error err;
    arena_init(&a, &m);
    tare_status status = model_externals_read(&x, &a, "model.onnx", data, size, &err);
    REQUIRE(status == TARE_OK
            || ((status == TARE_E_DATA || status == TARE_E_LIMIT) && *err.message));
    for (size_t i = 0; status == TARE_OK && i < x.count; i++) check(&x.item[i]);
    arena_free(&a);
    return 0;
}
