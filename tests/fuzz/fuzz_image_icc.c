/* Any bytes as a profile: the pixels are converted, or left alone. */
#include <string.h>

#include "fuzz.h"
#include "image/icc.h"

enum { N = 32 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char pixels[3 * N], rgb[3 * N];
    if (size > 1 << 16) return 0;
    for (size_t i = 0; i < sizeof pixels; i++) pixels[i] = (unsigned char)(i * 83);
    for (int channels = 1; channels <= 3; channels += 2) {
        memset(rgb, 0, sizeof rgb);
        image_icc kind = icc_to_srgb(rgb, pixels, channels, N, (icc_profile){data, size});
        REQUIRE(kind != IMAGE_ICC_NONE);
        if (kind == IMAGE_ICC_CONVERTED) continue;
        for (size_t i = 0; i < sizeof rgb; i++)
            REQUIRE(rgb[i] == pixels[channels == 3 ? i : i / 3]);
    }
    return 0;
}
