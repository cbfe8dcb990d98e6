#include "perturb/torso.h"

#include <math.h>
#include <stddef.h>

#include "stats/moments.h"

const char *warp_window_name(warp_window w)
{
    static const char *const names[] = {"hann", "tukey"};
    return (size_t)w < sizeof names / sizeof *names ? names[w] : NULL;
}

static size_t row_count(const unsigned char *silhouette, int width, int y)
{
    const unsigned char *row = silhouette + (size_t)y * (size_t)width;
    size_t count = 0;
    for (int x = 0; x < width; x++) count += row[x] != 0;
    return count;
}

void torso_rows(int *begin, int *end, const torso *t, int height)
{
    double first = ceil(t->top), last = floor(t->bottom);
    *begin = first > 0 ? (int)first : 0;
    *end = last < height - 1 ? (int)last + 1 : height;
    if (*end < *begin) *end = *begin;
}

/* Centre and reach from the foreground of the band. */
static bool measure_band(torso *t, const unsigned char *silhouette, int width, int height)
{
    int begin, end;
    size_t count = 0;
    double sum = 0, far = 0; /* of whole numbers below 2^53: exact */
    torso_rows(&begin, &end, t, height);
    for (int y = begin; y < end; y++)
        for (int x = 0; x < width; x++)
            if (silhouette[(size_t)y * (size_t)width + (size_t)x]) {
                sum += x;
                count++;
            }
    if (count == 0) return false;
    t->centre = sum / (double)count;
    for (int y = begin; y < end; y++)
        for (int x = 0; x < width; x++)
            if (silhouette[(size_t)y * (size_t)width + (size_t)x])
                far = fmax(far, fabs(x - t->centre));
    t->reach = far;
    return far > 0;
}

bool torso_find(torso *out, const unsigned char *silhouette, int width, int height,
                double band_top, double band_bottom)
{
    *out = (torso){.first = -1, .last = -1};
    for (int y = 0; y < height; y++) {
        size_t count = row_count(silhouette, width, y);
        if (count == 0 || 200 * count < (size_t)width) continue;
        if (out->first < 0) out->first = y;
        out->last = y;
    }
    if (out->first < 0) return false;
    double h = out->last - out->first + 1;
    bool given = band_top != 0 || band_bottom != 0;
    out->top = given ? band_top : out->first + 0.20 * h;
    out->bottom = given ? band_bottom : out->first + 0.55 * h;
    if (!(out->top >= 0 && out->bottom <= height)) return false;
    if (!(floor(out->top) + 1 < out->bottom)) return false;
    return measure_band(out, silhouette, width, height);
}

double torso_width_ratio(const torso *t, const unsigned char *silhouette, int width, int height)
{
    int begin, end;
    double count = 0;
    torso_rows(&begin, &end, t, height);
    if (t->first < 0 || begin == end) return NAN;
    for (int y = begin; y < end; y++) count += (double)row_count(silhouette, width, y);
    return count / (end - begin) / (t->last - t->first + 1);
}

double torso_window(const torso *t, warp_window w, double y)
{
    double u = (y - t->top) / (t->bottom - t->top), edge = u < 0.5 ? u : 1 - u;
    if (!(edge >= 0)) return 0;
    if (w == WARP_HANN) return 0.5 * (1 - cos(2 * M_PI * edge));
    return edge >= 0.25 ? 1 : 0.5 * (1 - cos(4 * M_PI * edge));
}

double torso_source(const torso *t, double x, double h, double gamma)
{
    double r = t->reach, g = 1 + (gamma - 1) * h, from = x - t->centre, a = fabs(from);
    double edge = r * g, by = 0;
    if (a <= edge) by = a * (1 - 1 / g);
    else if (a < edge + r) by = r * (g - 1) * 0.5 * (1 + cos(M_PI * (a - edge) / r));
    return from < 0 ? x + by : x - by;
}
