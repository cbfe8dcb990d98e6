/* Any bytes as a zip archive of torch. */
#include "fuzz_checkpoint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_checkpoint(data, size, torch_zip_read);
    return 0;
}
