#include "perturb/measure.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "image/colour.h"
#include "perturb/tone.h"

enum { BLOCK = 512 };

const char *ita_form_name(ita_form form)
{
    static const char *const names[] = {"mean", "median", "trimmed", "rgbmean"};
    return (size_t)form < sizeof names / sizeof *names ? names[form] : NULL;
}

const char *ita_angle_name(ita_angle angle)
{
    static const char *const names[] = {"atan2", "atan"};
    return (size_t)angle < sizeof names / sizeof *names ? names[angle] : NULL;
}

/* The next pixels of the mask, at most BLOCK: their positions, from *at on. */
static size_t gather(size_t pixel[BLOCK], size_t *at, size_t n, const unsigned char *mask)
{
    size_t count = 0, i = *at;
    for (; i < n && count < BLOCK; i++)
        if (mask == NULL || mask[i]) pixel[count++] = i;
    *at = i;
    return count;
}

static void lab_at(double lab[3][BLOCK], const unsigned char *rgb, const size_t *pixel, size_t n)
{
    unsigned char bytes[3 * BLOCK];
    for (size_t k = 0; k < n; k++) memcpy(bytes + 3 * k, rgb + 3 * pixel[k], 3);
    colour_lab_of_rgb_row((colour_planes){{lab[0], lab[1], lab[2]}}, bytes, n);
}

tare_status measure_tone_of(measure_tone *out, const mem *m, const image *in,
                            const unsigned char *mask, ita_form form, ita_angle angle,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    double lab[3][BLOCK];
    size_t pixel[BLOCK], n = image_pixels(in), count, at = 0;
    tone_sums sums = {0};
    TRY(tone_start(&sums, m, n, form, err));
    while ((count = gather(pixel, &at, n, mask)) > 0) {
        lab_at(lab, in->rgb, pixel, count);
        for (size_t k = 0; k < count; k++)
            tone_add(&sums, lab[0][k], lab[1][k], lab[2][k], in->rgb + 3 * pixel[k]);
    }
    tone_finish(out, &sums, form, angle);
done:
    tone_free(&sums, m);
    return status;
}

double measure_difference(const image *x, const image *y, const unsigned char *mask)
{
    double p[3][BLOCK], q[3][BLOCK];
    size_t pixel[BLOCK], n = image_pixels(x), count, at = 0, total = 0;
    neumaier sum = {0, 0};
    while ((count = gather(pixel, &at, n, mask)) > 0) {
        lab_at(p, x->rgb, pixel, count);
        lab_at(q, y->rgb, pixel, count);
        for (size_t k = 0; k < count; k++) {
            double dl = p[0][k] - q[0][k], da = p[1][k] - q[1][k], db = p[2][k] - q[2][k];
            neumaier_add(&sum, sqrt(dl * dl + da * da + db * db));
        }
        total += count;
    }
    return total > 0 ? neumaier_total(&sum) / (double)total : NAN;
}
