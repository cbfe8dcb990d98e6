/* Instrument noise (scorer audit 4): what the scorer adds when the same image is scored again,
 * and the step its numbers come in. */
#include <math.h>
#include <string.h>

#include "audit/scorer/study.h"
#include "base/error.h"
#include "base/text.h"
#include "stats/moments.h"
#include "stats/rank.h"

double noise_floor_of(const view *v, double variance_factor)
{
    const noise_floor *x = &v->noise;
    double floor = x->zero_share > 0.5 && x->quantum > 0 ? x->quantum / 2 : 0;
    if (x->known) {
        floor = fmax(floor, x->shift);
        if (v->f.n > 0) floor = fmax(floor, 2 * x->sd * sqrt(variance_factor / (double)v->f.n));
    }
    return floor;
}

/* sqrt of the mean over images of the variance of the scores of one image, and the largest mean
 * move of a configuration against the first run. */
static tare_status measure_noise(noise_floor *out, study *t, const cube_noise *n, tare_error *err)
{
    out->known = false;
    out->shift_in = "";
    out->sd = out->shift = NAN;
    out->images_asked = n->known ? n->images : 0;
    if (!n->known || n->configurations < 2 || n->images == 0) return TARE_OK;
    neumaier variances = {0, 0};
    size_t images = 0;
    double *row = study_array(t, n->configurations);
    if (!row) return error_memory(err);
    for (size_t i = 0; i < n->images; i++) {
        size_t k = 0;
        for (size_t q = 0; q < n->configurations; q++) {
            double x = n->value[i * n->configurations + q];
            /* Less the first: equal scores then have a variance of exactly 0. */
            if (isfinite(x)) row[k++] = x;
        }
        for (size_t q = k; q-- > 0;) row[q] -= row[0];
        if (k < 2) continue;
        neumaier_add(&variances, moments_variance(row, k, 1));
        images++;
    }
    if (images == 0) return TARE_OK;
    double shift = 0;
    for (size_t q = 1; q < n->configurations; q++) {
        neumaier move = {0, 0};
        size_t pairs = 0;
        for (size_t i = 0; i < n->images; i++) {
            double first = n->value[i * n->configurations];
            double x = n->value[i * n->configurations + q];
            if (!isfinite(first) || !isfinite(x)) continue;
            neumaier_add(&move, x - first);
            pairs++;
        }
        double mean = pairs ? fabs(neumaier_total(&move)) / (double)pairs : 0;
        if (mean > shift) {
            shift = mean;
            out->shift_in = n->configuration[q];
        }
    }
    out->known = true;
    out->images = images;
    out->sd = sqrt(neumaier_total(&variances) / (double)images);
    out->shift = shift;
    return TARE_OK;
}

/* Does the double equal its own rounding to binary16 (11 bits, exponents -14 to 15)? `bits`: how
 * many bits of mantissa it needs. */
static bool is_half(double x, int *bits)
{
    *bits = 0;
    if (x == 0) return true;
    int exponent;
    double m = frexp(fabs(x), &exponent); /* in [1/2, 1) */
    if (exponent > 16 || exponent < -13) return false;
    for (int k = 1; k <= 11; k++) {
        double scaled = ldexp(m, k);
        if (scaled == floor(scaled)) {
            *bits = k;
            return true;
        }
    }
    return false;
}

/* The least k for which the double is a multiple of 2^-k; HALF_STEP_MOST + 1 if none is that small.
 */
enum { HALF_STEP_LEAST = 6, HALF_STEP_MOST = 14, HALF_BITS_LEAST = 10 };
static int step_bits(double x)
{
    int k = 0;
    while (k <= HALF_STEP_MOST && ldexp(x, k) != floor(ldexp(x, k))) k++;
    return k;
}

static tare_status measure_quantum(noise_floor *out, study *t, const view *v, tare_error *err)
{
    out->quantum = out->zero_share = NAN;
    out->half_precision = false;
    size_t doses = v->arm->doses, n = 0, zero = 0, deltas = 0;
    double *all = study_array(t, v->f.n * doses);
    if (!all) return error_memory(err);
    bool half = true;
    int bits_most = 0, steps_most = 0;
    for (size_t i = 0; i < v->f.bases; i++) {
        if (!v->f.used[i]) continue;
        const double *s = v->scores->s + i * doses;
        for (size_t d = 0; d < doses; d++) {
            int bits;
            all[n++] = s[d];
            half = half && is_half(s[d], &bits);
            if (half && bits > bits_most) bits_most = bits;
            if (steps_most <= HALF_STEP_MOST) {
                int steps = step_bits(s[d]);
                if (steps > steps_most) steps_most = steps;
            }
            if (d == v->arm->neutral) continue;
            deltas++;
            zero += s[d] == s[v->arm->neutral];
        }
    }
    if (n == 0) return TARE_OK;
    rank_sort(all, n);
    for (size_t k = 1; k < n; k++) {
        double gap = all[k] - all[k - 1];
        if (gap > 0 && !(gap >= out->quantum)) out->quantum = gap;
    }
    if (deltas) out->zero_share = (double)zero / (double)deltas;
    /* Half-precision numbers themselves, or what a sum of them gives: multiples of 2^-k, k <= 14
     * (scorers 1.3). Whole numbers and simple fractions are both by themselves (ours). */
    out->half_precision = (half && bits_most >= HALF_BITS_LEAST) ||
                          (steps_most >= HALF_STEP_LEAST && steps_most <= HALF_STEP_MOST);
    return TARE_OK;
}

static tare_status report_noise(study *t, view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *note = v->noise.known ? "" : NOISE_UNKNOWN ": the scorer was not called again";
    /* Images of all arms, and no scores of a table: nobody was asked again. */
    base_count again = {.expected = v->noise.images_asked, .n = v->noise.images};
    again.missing[TARE_R_MISSING] = again.expected - again.n;
    reading_spec spec = {.family = "noise", .unit = "score", .extra = note, .count = &again};
    spec.name = "noise.sd";
    TRY(study_number(t, v, v->arm, &spec, v->noise.sd, err));
    spec.name = "noise.shift";
    if (v->noise.shift > 0)
        TRY_NEW(spec.extra = arena_printf(&t->out->a, "largest in: %s", v->noise.shift_in));
    TRY(study_number(t, v, v->arm, &spec, v->noise.shift, err));
    spec.count = NULL;
    spec.name = "noise.quantum";
    spec.extra = v->noise.half_precision ? "half precision output" : "";
    TRY(study_number(t, v, v->arm, &spec, v->noise.quantum, err));
    spec.name = "zero_differences";
    spec.unit = "share";
    spec.extra = "";
    TRY(study_number(t, v, v->arm, &spec, v->noise.zero_share, err));
done:
    return status;
}

tare_status noise_run(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < t->views; k++) {
        view *v = &t->view[k];
        if (t->c->noise) TRY(measure_noise(&v->noise, t, &t->c->noise[v->scorer_index], err));
        TRY(measure_quantum(&v->noise, t, v, err));
        TRY(report_noise(t, v, err));
    }
done:
    return status;
}
