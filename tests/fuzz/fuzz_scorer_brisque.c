/* Any bytes as BRISQUE's two files: the range, a NUL, the model. */
#include <string.h>

#include "base/mem.h"
#include "fuzz.h"
#include "scorer/brisque.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mem m = mem_system();
    tare_error err;
    const char *range = (const char *)data, *nul = size ? memchr(range, 0, size) : NULL;
    size_t range_length = nul ? (size_t)(nul - range) : size;
    const char *model = nul ? nul + 1 : range + size;
    size_t model_length = nul ? size - range_length - 1 : 0;
    brisque_model *b = mem_new(&m, 1, sizeof *b);
    if (!b) return 0;
    tare_status status = brisque_model_read(b, model, model_length, range, range_length, &err);
    REQUIRE(status == TARE_OK || (status == TARE_E_DATA && *err.message));
    mem_free(&m, b);
    return 0;
}
