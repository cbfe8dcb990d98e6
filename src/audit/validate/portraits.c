#include "audit/validate/portraits.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/os.h"
#include "base/rng.h"
#include "image/encode.h"

/* Encoded R, G, B from light to dark: the six tones of scorer audit 15.3. */
static const double tones[][3] = {{255, 219, 172}, {241, 194, 125}, {224, 172, 105},
                                  {198, 134, 66},  {141, 85, 36},   {60, 32, 20}};
enum { TONES = sizeof tones / sizeof *tones };

typedef struct sitter {
    double skin[3], wall[3];
    double x, y, rx, ry;  /* the ellipse, in pixels                            */
    double light, grain;  /* shading from side to side; SD of the texture      */
} sitter;

static double between(rng_stream *s, double lo, double hi)
{
    return lo + (hi - lo) * rng_uniform(s);
}

/* Tones are mixed between neighbours; walls are blue, green or grey, which no mask takes for
 * skin. */
static sitter draw_sitter(rng_stream *s, int side)
{
    sitter out;
    double tone = between(s, 0, TONES - 1), part = tone - floor(tone);
    size_t k = (size_t)tone;
    for (int c = 0; c < 3; c++)
        out.skin[c] = (1 - part) * tones[k][c] + part * tones[k + 1 < TONES ? k + 1 : k][c];
    double grey = between(s, 60, 190), blue = between(s, 0, 60);
    out.wall[0] = grey - blue / 2;
    out.wall[1] = grey + between(s, 0, 20);
    out.wall[2] = grey + blue;
    out.x = side * between(s, .42, .58);
    out.y = side * between(s, .45, .55);
    out.rx = side * between(s, .24, .34);
    out.ry = side * between(s, .32, .42);
    out.light = between(s, -.18, .18);
    out.grain = between(s, 2, 5);
    return out;
}

static unsigned char to_byte(double v)
{
    return (unsigned char)(v < 0 ? 0 : v > 255 ? 255 : floor(v + 0.5));
}

tare_status portrait_draw(image *out, const mem *m, int side, uint64_t seed, uint32_t index,
                          tare_error *err)
{
    tare_status status = image_new(out, m, side, side, err);
    if (status) return status;
    rng_stream s;
    rng_start(&s, rng_key_of(seed, "portrait"), index, 0);
    const sitter p = draw_sitter(&s, side);
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            double dx = (x - p.x) / p.rx, dy = (y - p.y) / p.ry;
            bool skin = dx * dx + dy * dy <= 1;
            double shade = skin ? 1 + p.light * dx - .06 * dy * dy : 1;
            double grain = p.grain * (rng_uniform(&s) + rng_uniform(&s) - 1) * 2;
            unsigned char *to = out->rgb + 3 * ((size_t)y * (size_t)side + (size_t)x);
            for (int c = 0; c < 3; c++)
                to[c] = to_byte((skin ? p.skin[c] : p.wall[c]) * shade + grain);
        }
    return TARE_OK;
}

tare_status portraits_write(const mem *m, const char *folder, size_t count, int side,
                            uint64_t seed, tare_error *err)
{
    tare_status status = TARE_OK;
    unsigned char *png = NULL;
    image picture = {0};
    TRY(os_make_folders(folder, err));
    for (size_t i = 0; i < count; i++) {
        char path[PATH_MAX];
        size_t length;
        int n = snprintf(path, sizeof path, "%s/p%05zu.png", folder, i);
        if (n < 0 || (size_t)n >= sizeof path)
            FAIL(err, TARE_E_USAGE, "validate.path", folder, "the path is too long");
        if (os_exists(path)) continue;
        TRY(portrait_draw(&picture, m, side, seed, (uint32_t)i, err));
        TRY(image_png_encode(&png, &length, m, &picture, PNG_FAST, err));
        TRY(os_write_file(path, png, length, err));
        mem_free(m, png);
        png = NULL;
        image_free(&picture, m);
    }
done:
    mem_free(m, png);
    image_free(&picture, m);
    return status;
}
