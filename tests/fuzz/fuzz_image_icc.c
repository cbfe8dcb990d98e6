/* Any bytes as a profile: the pixels are converted, or left alone; alpha stays. */
#include <string.h>

#include "fuzz.h"
#include "image/icc.h"

enum { N = 32 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const size_t in[] = {[ICC_GREY] = 1, [ICC_RGB] = 3, [ICC_RGBA] = 4, [ICC_CMYK] = 4};
    static const size_t out[] = {[ICC_GREY] = 3, [ICC_RGB] = 3, [ICC_RGBA] = 4, [ICC_CMYK] = 3};
    unsigned char pixels[4 * N], got[4 * N];
    if (size > 1 << 16) return 0;
    for (size_t i = 0; i < sizeof pixels; i++) pixels[i] = (unsigned char)(i * 83);
    for (icc_samples kind = ICC_GREY; kind <= ICC_CMYK; kind++) {
        const unsigned char *from = kind == ICC_GREY ? pixels : got;
        memcpy(got, pixels, sizeof got);
        image_icc icc = icc_to_srgb(got, from, kind, N, (icc_profile){data, size});
        REQUIRE(icc != IMAGE_ICC_NONE && icc <= IMAGE_ICC_UNREADABLE);
        if (kind == ICC_RGBA)
            for (size_t i = 3; i < sizeof got; i += 4) REQUIRE(got[i] == pixels[i]);
        if (icc == IMAGE_ICC_CONVERTED) continue;
        for (size_t i = 0; i < out[kind] * N; i++)
            REQUIRE(got[i] == pixels[in[kind] == 1 ? i / 3 : i]);
    }
    return 0;
}
