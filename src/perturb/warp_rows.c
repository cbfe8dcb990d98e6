#include "perturb/warp_rows.h"

#include <math.h>

void warp_taps(double taps[4], double fraction)
{
    double f = fraction, f2 = f * f, f3 = f2 * f;
    taps[0] = 0.5 * (-f3 + 2 * f2 - f);
    taps[1] = 0.5 * (3 * f3 - 5 * f2 + 2);
    taps[2] = 0.5 * (-3 * f3 + 4 * f2 + f);
    taps[3] = 0.5 * (f3 - f2);
}

static size_t column(double at, int width)
{
    return at < 0 ? 0 : at > width - 1 ? (size_t)(width - 1) : (size_t)at;
}

static void sample(unsigned char out[3], const unsigned char *row, int width, double x)
{
    double whole = floor(x), taps[4];
    warp_taps(taps, x - whole);
    for (size_t c = 0; c < 3; c++) {
        double v = 0;
        for (int k = 0; k < 4; k++) v += taps[k] * row[3 * column(whole - 1 + k, width) + c];
        out[c] = (unsigned char)floor((v < 0 ? 0 : v > 255 ? 255 : v) + 0.5);
    }
}

void warp_rows(perturb_edit *edit, const perturb_base *base, warp_source source, double dose)
{
    const torso *t = &base->torso;
    const image *photo = base->photo;
    int begin, end;
    torso_rows(&begin, &end, t, photo->height);
    for (int y = begin; y < end; y++) {
        size_t at = (size_t)y * (size_t)photo->width * 3;
        double h = torso_window(t, base->options.window, y);
        for (int x = 0; x < photo->width; x++) {
            double from = source(t, x, h, dose);
            edit->farthest = fmax(edit->farthest, fabs(from - x));
            sample(edit->rgb + at + 3 * (size_t)x, photo->rgb + at, photo->width, from);
        }
    }
}
