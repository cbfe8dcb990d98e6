/* Any bytes as a .npy file: it is refused, or a vector of finite numbers that fills the file. */
#include <math.h>

#include "fuzz.h"
#include "scorer/onnx/npy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mem m = mem_system();
    arena a;
    npy_vector v;
    tare_error err = {TARE_OK, "", "", ""};
    arena_init(&a, &m);
    tare_status status = npy_parse(&v, &a, "f", (const char *)data, size, 4096, &err);
    if (status == TARE_OK) {
        REQUIRE(v.count > 0 && v.count <= 4096 && v.bytes == size && v.count * 4 < size);
        for (size_t i = 0; i < v.count; i++) REQUIRE(isfinite(v.values[i]));
    } else {
        REQUIRE(err.status == status && err.message[0] && err.code[0]);
        REQUIRE(status == TARE_E_DATA || status == TARE_E_LIMIT);
    }
    arena_free(&a);
    return 0;
}
