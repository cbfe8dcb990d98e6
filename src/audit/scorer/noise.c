/* Instrument noise (scorer audit 4): what the scorer adds when the same image is scored again,
 * and the step its numbers come in. */
#include <math.h>
#include <string.h>

#include "audit/scorer/study.h"
#include "base/error.h"
#include "base/text.h"
#include "stats/moments.h"
#include "stats/rank.h"

/* Half a step, where more than half of the differences are lost in one; 0: none matters. */
static double step_floor(const noise_floor *x)
{
    return x->zero_share > 0.5 && x->quantum > 0 ? x->quantum / 2 : 0;
}

static double floor_of(const noise_floor *x, double step, double variance_factor, size_t n)
{
    if (!x->known) return step > 0 ? step : NAN;
    double floor = fmax(step, x->shift);
    return n ? fmax(floor, 2 * x->sd * sqrt(variance_factor / (double)n)) : floor;
}

double noise_floor_of(const view *v, double variance_factor)
{
    return floor_of(&v->noise, step_floor(&v->noise), variance_factor, v->f.n);
}

double noise_floor_of_contrast(const view *x, const view *y, double variance_factor, size_t n)
{
    double step = fmax(step_floor(&x->noise), step_floor(&y->noise));
    return floor_of(&x->noise, step, variance_factor, n);
}

/* Why an image was not scored again: its first failure. */
static tare_reason image_lost(const cube_noise *n, size_t image)
{
    for (size_t q = 0; n->status && q < n->configurations; q++) {
        uint8_t status = n->status[image * n->configurations + q];
        if (status != TARE_R_NONE) return (tare_reason)status;
    }
    return TARE_R_MISSING;
}

/* Mean over images of the variance of the scores of one image. Counts the images that have one. */
static tare_status measure_variance(noise_floor *out, study *t, const cube_noise *n,
                                    tare_error *err)
{
    neumaier variances = {0, 0};
    double *row = study_array(t, n->configurations);
    if (!row) return error_memory(err);
    for (size_t i = 0; i < n->images; i++) {
        size_t k = 0;
        for (size_t q = 0; q < n->configurations; q++) {
            double x = n->value[i * n->configurations + q];
            if (isfinite(x)) row[k++] = x;
        }
        if (k < 2) {
            out->lost[image_lost(n, i)]++;
            continue;
        }
        /* Less the first: equal scores then have a variance of exactly 0. */
        for (size_t q = k; q-- > 0;) row[q] -= row[0];
        neumaier_add(&variances, moments_variance(row, k, 1));
        out->images++;
    }
    if (out->images) out->sd = sqrt(neumaier_total(&variances) / (double)out->images);
    return TARE_OK;
}

/* The largest mean move of a configuration against the first run. One without a pair is not
 * measured: it did not stand still. */
static void measure_shift(noise_floor *out, const cube_noise *n)
{
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
        if (!pairs) continue;
        out->configurations++;
        double mean = fabs(neumaier_total(&move)) / (double)pairs;
        if (mean > 0 && !(mean <= out->shift)) out->shift_in = n->configuration[q];
        out->shift = fmax(out->shift, mean); /* a NaN gives way */
    }
}

static tare_status measure_noise(noise_floor *out, study *t, const cube_noise *n, tare_error *err)
{
    tare_status status = TARE_OK;
    *out = (noise_floor){.shift_in = "", .sd = NAN, .shift = NAN};
    if (!n->known || n->configurations < 2 || n->images == 0) goto done;
    out->images_asked = n->images;
    out->configurations_asked = n->configurations - 1;
    TRY(measure_variance(out, t, n, err));
    measure_shift(out, n);
    out->known = out->configurations > 0;
    if (!out->known) out->sd = NAN;
done:
    return status;
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
    double *all = brief_array(t, v->f.n * doses);
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
    const char *note = v->noise.known          ? ""
                       : v->noise.images_asked ? NOISE_UNKNOWN ": no score when it was asked again"
                                               : NOISE_UNKNOWN ": the scorer was not called again";
    /* Images of all arms, and no scores of a table: nobody was asked again. */
    base_count again = {.expected = v->noise.images_asked, .n = v->noise.images};
    memcpy(again.missing, v->noise.lost, sizeof again.missing);
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
        size_t at = v->arm->run * t->c->scorers + v->scorer_index;
        if (t->c->noise) TRY(measure_noise(&v->noise, t, &t->c->noise[at], err));
        TRY(measure_quantum(&v->noise, t, v, err));
        arena_free(&t->brief);
        TRY(report_noise(t, v, err));
    }
done:
    return status;
}
