/* TIFF: see fuzz_image.h. */
#include "fuzz_image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_image_file(data, size, IMAGE_TIFF);
}
