#include "perturb/tone.h"

#include <math.h>

#include "base/error.h"
#include "image/colour.h"
#include "stats/rank.h"

/* L* of black is 0 but for rounding; of the darkest other colour it is 0.07. */
#define BLACK 1e-9

static double degrees(double y, double x)
{
    return atan2(y, x) * (180 / M_PI);
}

double ita_degrees(double lightness, double b, ita_angle angle)
{
    double height = lightness - 50;
    if ((height == 0 && b == 0) || isnan(height) || isnan(b)) return NAN;
    return angle == ITA_ATAN2 ? degrees(height, b) : atan(height / b) * (180 / M_PI);
}

tare_status tone_start(tone_sums *t, const mem *m, size_t most, ita_form form, tare_error *err)
{
    tare_status status = TARE_OK;
    *t = (tone_sums){0};
    if (form == ITA_MEDIAN || form == ITA_TRIMMED) {
        TRY_NEW(t->ls = mem_resize(m, NULL, most > 0 ? most : 1, sizeof *t->ls));
        TRY_NEW(t->bs = mem_resize(m, NULL, most > 0 ? most : 1, sizeof *t->bs));
    }
done:
    return status;
}

void tone_free(tone_sums *t, const mem *m)
{
    mem_free(m, t->ls);
    mem_free(m, t->bs);
    t->ls = t->bs = NULL;
}

static double median_ita(tone_sums *t, ita_angle angle)
{
    size_t n = 0;
    for (size_t i = 0; i < t->pixels; i++) {
        double ita = ita_degrees(t->ls[i], t->bs[i], angle);
        if (!isnan(ita)) t->ls[n++] = ita;
    }
    return rank_median(t->ls, n);
}

/* Mean of the values within one SD (ddof 0) of their mean, ends included. */
static double trimmed_mean(const double *x, size_t n)
{
    double mean = moments_mean(x, n), sd = moments_sd(x, n, 0);
    neumaier sum = {0, 0};
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (x[i] >= mean - sd && x[i] <= mean + sd) {
            neumaier_add(&sum, x[i]);
            kept++;
        }
    /* Nothing is kept only if rounding puts equal values outside their own mean. */
    return kept > 0 ? neumaier_total(&sum) / (double)kept : mean;
}

static double trimmed_ita(tone_sums *t, ita_angle angle)
{
    size_t n = 0;
    for (size_t i = 0; i < t->pixels; i++)
        if (t->ls[i] > BLACK) {
            t->ls[n] = t->ls[i];
            t->bs[n++] = t->bs[i];
        }
    return ita_degrees(trimmed_mean(t->ls, n), trimmed_mean(t->bs, n), angle);
}

static double mean_colour_ita(const tone_sums *t, ita_angle angle)
{
    double rgb[3], lab[3];
    for (int c = 0; c < 3; c++) rgb[c] = (double)t->rgb[c] / (255.0 * (double)t->pixels);
    colour_lab_of_encoded(lab, rgb);
    return ita_degrees(lab[0], lab[2], angle);
}

void tone_finish(measure_tone *out, tone_sums *t, ita_form form, ita_angle angle)
{
    double n = (double)t->pixels;
    *out = (measure_tone){NAN, NAN, NAN, NAN, NAN, NAN, t->pixels, t->bluish};
    if (t->pixels == 0) return;
    out->lightness = neumaier_total(&t->l) / n;
    out->a = neumaier_total(&t->a) / n;
    out->b = neumaier_total(&t->b) / n;
    out->chroma = hypot(out->a, out->b);
    out->hue = degrees(out->b, out->a);
    switch (form) {
    case ITA_MEAN: out->ita = ita_degrees(out->lightness, out->b, angle); break;
    case ITA_MEDIAN: out->ita = median_ita(t, angle); break;
    case ITA_TRIMMED: out->ita = trimmed_ita(t, angle); break;
    case ITA_RGBMEAN: out->ita = mean_colour_ita(t, angle); break;
    }
}
