/* Any bytes: an orientation from 0 to 8, without and with the EXIF heading. */
#include <string.h>

#include "fuzz.h"
#include "image/exif.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const unsigned char heading[6] = "Exif\0";
    int plain = exif_orientation(data, size);
    REQUIRE(plain >= 0 && plain <= 8);
    if (size >= 5 && memcmp(data, heading, 5) == 0) return 0;
    unsigned char *longer = malloc(size + sizeof heading);
    REQUIRE(longer != NULL);
    memcpy(longer, heading, sizeof heading);
    memcpy(longer + sizeof heading, data, size);
    REQUIRE(exif_orientation(longer, size + sizeof heading) == plain);
    free(longer);
    return 0;
}
