#include "perturb/shift.h"

#include <math.h>
#include <string.h>

#include "image/colour.h"

/* The planes hold Lab, then linear RGB. */
typedef struct block {
    double p[3][SHIFT_BLOCK], w[SHIFT_BLOCK];
} block;

static double excess(double encoded)
{
    return encoded < 0 ? -encoded : encoded > 1 ? encoded - 1 : 0;
}

/* excess(enc(u)); a power is needed above the range only. */
static double excess_of_linear(double u)
{
    return u >= 0 && u <= 1 ? 0 : excess(colour_encode(u));
}

static void count_clipping(perturb_edit *edit, size_t pixel, double r, double g, double b)
{
    if (!(colour_clipped(r) | colour_clipped(g) | colour_clipped(b))) return;
    edit->clipped++;
    if (edit->clip_map != NULL) edit->clip_map[pixel] = 1;
    neumaier_add(&edit->clip_sum, excess_of_linear(r) + excess_of_linear(g) + excess_of_linear(b));
}

static void to_bytes(perturb_edit *edit, const perturb_sites *s, const block *k, size_t first,
                     size_t count, bool off_skin)
{
    for (size_t i = 0; i < count; i++) {
        double r = k->p[0][i], g = k->p[1][i], b = k->p[2][i];
        double most = r > g ? r : g, least = r < g ? r : g;
        unsigned char *p = edit->rgb + 3 * (size_t)s->pixel[first + i];
        most = most > b ? most : b;
        least = least < b ? least : b;
        if (least >= 0 && most < 1) {
            p[0] = colour_byte_inside(r);
            p[1] = colour_byte_inside(g);
            p[2] = colour_byte_inside(b);
        } else {
            p[0] = colour_byte(r);
            p[1] = colour_byte(g);
            p[2] = colour_byte(b);
            if (s->inside[first + i] != off_skin)
                count_clipping(edit, s->pixel[first + i], r, g, b);
        }
    }
}

/* The whole change, mixed with the original by w on encoded values. */
static void to_blended_bytes(perturb_edit *edit, const perturb_sites *s, const block *k,
                             size_t first, size_t count, bool off_skin)
{
    for (size_t i = 0; i < count; i++) {
        unsigned char *p = edit->rgb + 3 * (size_t)s->pixel[first + i];
        double w = k->w[i], sum = 0;
        int clipped = 0;
        for (int c = 0; c < 3; c++) {
            double e = (1 - w) * (p[c] / 255.0) + w * colour_encode(k->p[c][i]);
            clipped |= e < -1e-6 || e > 1 + 1e-6;
            sum += excess(e);
            p[c] = (unsigned char)floor(255 * (e < 0 ? 0 : e > 1 ? 1 : e) + 0.5);
        }
        if (clipped && s->inside[first + i] != off_skin) {
            edit->clipped++;
            if (edit->clip_map != NULL) edit->clip_map[s->pixel[first + i]] = 1;
            neumaier_add(&edit->clip_sum, sum);
        }
    }
}

/* A length that is known makes the copies of full blocks quick. */
static void load(block *k, const perturb_sites *s, size_t first, size_t count)
{
    const double *from[3] = {s->l + first, s->a + first, s->b + first};
    for (size_t c = 0; c < 3; c++) {
        if (count == SHIFT_BLOCK) memcpy(k->p[c], from[c], sizeof k->p[c]);
        else memcpy(k->p[c], from[c], count * sizeof *from[c]);
    }
}

void perturb_shift(perturb_edit *edit, const perturb_base *base, shift_fn change, double dose,
                   bool off_skin)
{
    const perturb_sites *s = &base->sites;
    bool blend = base->options.mode == FEATHER_RGB;
    double ones[SHIFT_BLOCK];
    block k;
    for (size_t i = 0; i < SHIFT_BLOCK; i++) ones[i] = 1;
    size_t sites = off_skin ? s->count : s->soft;
    for (size_t first = 0; first < sites; first += SHIFT_BLOCK) {
        size_t n = sites - first < SHIFT_BLOCK ? sites - first : SHIFT_BLOCK;
        load(&k, s, first, n);
        for (size_t i = 0; i < n; i++) k.w[i] = off_skin ? 1 - s->w[first + i] : s->w[first + i];
        change(k.p[0], k.p[1], k.p[2], blend ? ones : k.w, n, dose);
        colour_linear_of_lab_row((colour_planes){{k.p[0], k.p[1], k.p[2]}}, n);
        if (blend) to_blended_bytes(edit, s, &k, first, n, off_skin);
        else to_bytes(edit, s, &k, first, n, off_skin);
    }
}

void shift_lightness(double *l, double *a, double *b, const double *w, size_t count, double dose)
{
    (void)a;
    (void)b;
    for (size_t i = 0; i < count; i++) l[i] += dose * w[i];
}
