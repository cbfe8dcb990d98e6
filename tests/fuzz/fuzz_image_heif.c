/* HEIC and AVIF; without libheif each is refused: see fuzz_image.h. */
#include "fuzz_image.h"

/* Of a damaged AVIF the decoder below libheif may lose a few bytes. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libdav1d\nleak:libaom\nleak:libde265\nleak:libheif\nleak:libstdc++\n";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_image_file(data, size, IMAGE_HEIF);
}
