/* planted: the back end. A score is a pure function of the item (and, if asked, of its position in
 * the batch), so that what an audit must find is known in advance. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/rng.h"
#include "scorer/backends.h"
#include "scorer/fingerprint.h"
#include "scorer/noise_trial.h"
#include "scorer/planted.h"
#include "stats/special.h"

enum { POSITION_BATCH = 8, NAME_MAX_BYTES = 72 };

typedef struct planted_state {
    const mem *m;
    planted p;
} planted_state;

static unsigned grey(const unsigned char *rgb)
{
    return (9798u * rgb[0] + 19235u * rgb[1] + 3735u * rgb[2] + 16384u) >> 15;
}

double planted_luminance(const image *p)
{
    uint64_t sum = 0;
    size_t n = image_pixels(p);
    for (size_t i = 0; i < n; i++) sum += grey(p->rgb + 3 * i);
    return (double)sum / (255.0 * (double)n);
}

double planted_highfreq(const image *p)
{
    size_t w = (size_t)p->width, h = (size_t)p->height;
    uint64_t sum = 0; /* of integers: exact below 2^64 */
    if (w < 3 || h < 3) return 0.0;
    for (size_t y = 1; y + 1 < h; y++) {
        const unsigned char *row = p->rgb + 3 * y * w;
        for (size_t x = 1; x + 1 < w; x++) {
            const unsigned char *c = row + 3 * x;
            int64_t d = 4 * (int64_t)grey(c) - grey(c - 3) - grey(c + 3) - grey(c - 3 * w) -
                        grey(c + 3 * w);
            sum += (uint64_t)(d * d);
        }
    }
    return (double)sum / (255.0 * 255.0 * (double)((w - 2) * (h - 2)));
}

double planted_half(double x)
{
    if (x == 0.0 || !isfinite(x)) return x;
    int e = ilogb(x);
    if (e < -14) e = -14; /* subnormal numbers share the step 2^-24 */
    double y = ldexp(rint(ldexp(x, 10 - e)), e - 10);
    return fabs(y) > 65504.0 ? copysign(INFINITY, x) : y;
}

/* A uniform draw in (0, 1) that depends on the seed, the use and the text alone. */
static double draw(const planted *p, const char *use, const char *text)
{
    rng_stream s;
    rng_start(&s, rng_key_of((uint64_t)p->seed, use), 0, rng_h64(text, strlen(text)));
    return rng_uniform_open(&s);
}

static bool labelled(const char *name, const char *label)
{
    size_t length = strlen(label);
    for (const char *part = name; part; part = strchr(part, '/')) {
        if (part != name) part++;
        size_t n = strcspn(part, "/");
        if (n == length && !memcmp(part, label, n)) return true;
    }
    return strcmp(name, label) == 0;
}

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

/* What one term adds. NaN: the item does not carry what the term reads. */
static double term_value(const planted *p, const planted_term *t, const scorer_item *item,
                         size_t position)
{
    double neutral = p->neutral != 0 ? p->neutral : item->neutral;
    double shift = item->placebo ? 0 : item->dose - neutral;
    switch (t->kind) {
    case PLANTED_OFFSET:
    case PLANTED_CONSTANT: return t->k;
    case PLANTED_DOSE: return t->k * shift;
    case PLANTED_ABSDOSE:
    case PLANTED_FIDELITY: return -t->k * fabs(shift);
    case PLANTED_ATTRIBUTE: return t->k * item->attribute;
    case PLANTED_CLIP: return -t->k * item->artifact;
    case PLANTED_LUMINANCE: return t->k * planted_luminance(item->pixels);
    case PLANTED_HIGHFREQ: return t->k * planted_highfreq(item->pixels);
    case PLANTED_BASE:
        return t->k * norm_quantile(draw(p, "planted.base", or_empty(item->base)));
    case PLANTED_NOISE:
        return t->k * norm_quantile(draw(p, "planted.noise", or_empty(item->key)));
    case PLANTED_POSITION: return t->k * (double)position;
    case PLANTED_GROUP:
        return strcmp(or_empty(item->group), t->label) == 0 ? t->k * shift : 0.0;
    case PLANTED_ARM: return labelled(or_empty(item->arm), t->label) ? t->k * shift : 0.0;
    default: return 0.0;
    }
}

/* In a tied base only what is equal for all its variants counts. */
static bool survives_tie(planted_kind kind)
{
    return kind == PLANTED_OFFSET || kind == PLANTED_CONSTANT || kind == PLANTED_BASE;
}

static void score_one(const planted *p, scorer_result *r, const scorer_item *item, size_t position)
{
    double score = 0.0, quantum = 0.0;
    bool half = false, tied = false;
    for (size_t i = 0; i < p->count; i++) {
        const planted_term *t = &p->terms[i];
        if (t->kind == PLANTED_FAIL && draw(p, "planted.fail", or_empty(item->key)) < t->k) {
            scorer_result_fail(r, TARE_R_SCORER_ERROR, "planted failure");
            return;
        }
        if (t->kind == PLANTED_NAN && draw(p, "planted.nan", or_empty(item->key)) < t->k) {
            scorer_result_fail(r, TARE_R_SCORE_NONFINITE, "planted NaN");
            return;
        }
        if (t->kind == PLANTED_QUANTUM) quantum = t->k;
        half = half || t->kind == PLANTED_FP16;
        tied = tied || (t->kind == PLANTED_TIES &&
                        draw(p, "planted.ties", or_empty(item->base)) < t->k);
    }
    for (size_t i = 0; i < p->count; i++) {
        const planted_term *t = &p->terms[i];
        if (tied && !survives_tie(t->kind)) continue;
        double add = term_value(p, t, item, position);
        if (isnan(add)) {
            scorer_result_fail(r, TARE_R_MISSING, "%s: not known for this image",
                               planted_term_info_at((size_t)t->kind)->name);
            return;
        }
        score += add;
    }
    if (quantum > 0.0) score = rint(score / quantum) * quantum;
    scorer_result_value(r, half ? planted_half(score) : score);
}

static tare_status planted_score(void *state, scorer_result *results, const scorer_item *items,
                                 size_t n, tare_error *err)
{
    const planted_state *s = state;
    (void)err;
    for (size_t i = 0; i < n; i++) score_one(&s->p, &results[i], &items[i], i);
    return TARE_OK;
}

static void planted_close(void *state)
{
    planted_state *s = state;
    mem_free(s->m, s);
}

static tare_status planted_open(void **state, scorer_description *d, arena *a,
                                tare_context *context, const char *rest,
                                const scorer_options *options, tare_error *err)
{
    tare_status status = TARE_OK;
    planted_state *s = NULL;
    fingerprint f;
    TRY_NEW(s = mem_new(&context->mem, 1, sizeof *s));
    s->m = &context->mem;
    TRY(planted_parse(&s->p, a, rest, err));
    if (!options->batch && s->p.position) d->batch = POSITION_BATCH;
    d->parallel = true;
    d->cacheable = s->p.only_pixels && s->p.pixels;
    d->needs_pixels = s->p.pixels;
    d->min_side = 1;
    d->source = "a pure function of known bias";
    fingerprint_begin(&f, a);
    fingerprint_text(&f, "kind", "planted");
    fingerprint_number(&f, "version", 1);
    fingerprint_text(&f, "terms", s->p.canonical);
    TRY(fingerprint_describe(d, a, fingerprint_end(&f), err));
    bool brief = strlen(s->p.canonical) <= NAME_MAX_BYTES;
    TRY_NEW(d->name = brief ? arena_printf(a, "planted:%s", s->p.canonical)
                            : arena_printf(a, "planted-%.12s", d->identity_hash));
    *state = s;
    s = NULL;
done:
    if (s) planted_close(s);
    return status;
}

static tare_status planted_check(tare_context *context, tare_error *err)
{
    return noise_trial(context, "planted:luminance=1,highfreq=1", err);
}

const scorer_backend scorer_planted = {
    .scheme = "planted",
    .summary = "scorers of known bias, for validating a design: a sum of terms",
    .usage = "planted:TERM[,TERM...]",
    .open = planted_open,
    .score = planted_score,
    .close = planted_close,
    .check = planted_check,
};
