#include "perturb/shift.h"

#include <math.h>
#include <string.h>

#include "image/colour.h"

typedef struct block {
    double l[SHIFT_BLOCK], a[SHIFT_BLOCK], b[SHIFT_BLOCK], w[SHIFT_BLOCK];
    double linear[3][SHIFT_BLOCK];
} block;

static double excess(double encoded)
{
    return encoded < 0 ? -encoded : encoded > 1 ? encoded - 1 : 0;
}

static void to_bytes(perturb_edit *edit, const perturb_sites *s, const block *k, size_t first,
                     size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double r = k->linear[0][i], g = k->linear[1][i], b = k->linear[2][i];
        unsigned char *p = edit->rgb + 3 * (size_t)s->pixel[first + i];
        p[0] = colour_byte(r);
        p[1] = colour_byte(g);
        p[2] = colour_byte(b);
        if ((colour_clipped(r) | colour_clipped(g) | colour_clipped(b)) & s->inside[first + i]) {
            edit->clipped++;
            if (edit->clip_map != NULL) edit->clip_map[s->pixel[first + i]] = 1;
            neumaier_add(&edit->clip_sum, excess(colour_encode(r)) + excess(colour_encode(g)) +
                                              excess(colour_encode(b)));
        }
    }
}

/* The whole change, mixed with the original by w on encoded values. */
static void to_blended_bytes(perturb_edit *edit, const perturb_sites *s, const block *k,
                             size_t first, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        unsigned char *p = edit->rgb + 3 * (size_t)s->pixel[first + i];
        double w = k->w[i], sum = 0;
        int clipped = 0;
        for (int c = 0; c < 3; c++) {
            double e = (1 - w) * (p[c] / 255.0) + w * colour_encode(k->linear[c][i]);
            clipped |= e < -1e-6 || e > 1 + 1e-6;
            sum += excess(e);
            p[c] = (unsigned char)floor(255 * (e < 0 ? 0 : e > 1 ? 1 : e) + 0.5);
        }
        if (clipped && s->inside[first + i]) {
            edit->clipped++;
            if (edit->clip_map != NULL) edit->clip_map[s->pixel[first + i]] = 1;
            neumaier_add(&edit->clip_sum, sum);
        }
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
    for (size_t first = 0; first < s->count; first += SHIFT_BLOCK) {
        size_t n = s->count - first < SHIFT_BLOCK ? s->count - first : SHIFT_BLOCK;
        memcpy(k.l, s->l + first, n * sizeof *k.l);
        memcpy(k.a, s->a + first, n * sizeof *k.a);
        memcpy(k.b, s->b + first, n * sizeof *k.b);
        for (size_t i = 0; i < n; i++) k.w[i] = off_skin ? 1 - s->w[first + i] : s->w[first + i];
        change(k.l, k.a, k.b, blend ? ones : k.w, n, dose);
        colour_linear_of_lab_row((colour_planes){{k.linear[0], k.linear[1], k.linear[2]}}, k.l,
                                 k.a, k.b, n);
        if (blend) to_blended_bytes(edit, s, &k, first, n);
        else to_bytes(edit, s, &k, first, n);
    }
}
