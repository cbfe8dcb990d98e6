#include "scorer/onnx/onnx_segment_map.h"

#include <math.h>

#include "base/error.h"

/* One side of the photograph and of what became of it. */
typedef struct side {
    int photo, resized, from, seen, before, tensor, map;
} side;

/* Two neighbours in the map, and the weight of the second. at < 0: the model did not see it. */
typedef struct tap {
    int at, next;
    double weight;
} tap;

static tap tap_of(int pixel, const side *s)
{
    double scale = (double)s->map / s->tensor, centre = (pixel + 0.5) * s->resized / s->photo;
    if (centre < s->from || centre >= s->from + s->seen) return (tap){-1, -1, 0};
    double at = (centre - s->from + s->before) * scale - 0.5;
    double first = s->before * scale, last = (s->before + s->seen) * scale - 1;
    if (first > last) at = (first + last) / 2; /* less than one value of the map */
    else at = fmin(fmax(at, first), last);
    at = fmin(fmax(at, 0), s->map - 1);
    int whole = (int)at;
    return (tap){whole, whole + 1 < s->map ? whole + 1 : whole, at - whole};
}

static double between(double a, double b, double weight)
{
    return a + (b - a) * weight;
}

tare_status segment_map_mask(unsigned char *mask, const mem *m, int height, int width,
                             const segment_map *map, tare_error *err)
{
    tare_status status = TARE_OK;
    const onnx_placing *p = &map->placing;
    const side across = {width, p->width, p->x, p->columns, p->left, map->in->width, map->width};
    const side down = {height, p->height, p->y, p->rows, p->top, map->in->height, map->height};
    tap *column;
    TRY_NEW(column = mem_new(m, (size_t)width, sizeof *column));
    for (int x = 0; x < width; x++) column[x] = tap_of(x, &across);
    for (int y = 0; y < height; y++, mask += width) {
        tap row = tap_of(y, &down);
        const double *upper = map->value + (size_t)(row.at < 0 ? 0 : row.at) * (size_t)map->width;
        const double *lower = map->value + (size_t)(row.at < 0 ? 0 : row.next) * (size_t)map->width;
        for (int x = 0; x < width; x++) {
            const tap *c = &column[x];
            mask[x] = 0;
            if (row.at < 0 || c->at < 0) continue;
            double v = between(between(upper[c->at], upper[c->next], c->weight),
                               between(lower[c->at], lower[c->next], c->weight), row.weight);
            mask[x] = map->greater ? v > map->threshold : v < map->threshold;
        }
    }
done:
    mem_free(m, column);
    return status;
}
