#include "perturb/mask.h"

#include <stdint.h>

#include "base/error.h"

typedef struct bounds { int32_t cb_least, cb_most, cr_least, cr_most; } bounds;

static const bounds sets[] = {{77, 127, 133, 173}, {82, 122, 138, 168}, {72, 132, 128, 178}};

const char *mask_set_name(mask_set set)
{
    static const char *const names[] = {"default", "tight", "loose"};
    return (size_t)set < sizeof names / sizeof *names ? names[set] : NULL;
}

void mask_of_skin(unsigned char *mask, const image *in, mask_set set)
{
    const int32_t million = 1000000;
    const bounds *s = &sets[set];
    int32_t cb_least = million * (s->cb_least - 128), cb_most = million * (s->cb_most - 128);
    int32_t cr_least = million * (s->cr_least - 128), cr_most = million * (s->cr_most - 128);
    size_t n = image_pixels(in);
    for (size_t i = 0; i < n; i++) {
        int32_t r = in->rgb[3 * i], g = in->rgb[3 * i + 1], b = in->rgb[3 * i + 2];
        int32_t cb = 500000 * b - 168736 * r - 331264 * g;
        int32_t cr = 500000 * r - 418688 * g - 81312 * b;
        mask[i] = (unsigned char)((cb >= cb_least) & (cb <= cb_most) & (cr >= cr_least) &
                                  (cr <= cr_most));
    }
}

tare_status mask_of_image(unsigned char *mask, const image *in, const image *user, tare_error *err)
{
    if (user->width != in->width || user->height != in->height)
        return error_set(err, TARE_E_DATA, "perturb.mask_size", NULL,
                         "the mask has %d x %d pixels, the image %d x %d", user->width,
                         user->height, in->width, in->height);
    size_t n = image_pixels(in);
    for (size_t i = 0; i < n; i++) {
        const unsigned char *p = user->rgb + 3 * i;
        mask[i] = p[0] + p[1] + p[2] >= 3 * 128;
    }
    return TARE_OK;
}

size_t mask_count(const unsigned char *mask, size_t pixels)
{
    size_t count = 0;
    for (size_t i = 0; i < pixels; i++) count += mask[i] != 0;
    return count;
}

double mask_sigma(const image *in, double sigma_at_224)
{
    return sigma_at_224 * (in->width < in->height ? in->width : in->height) / 224;
}
