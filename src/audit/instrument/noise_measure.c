#include "audit/instrument/noise_measure.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "stats/moments.h"
#include "stats/rank.h"

/* ---- Asking ---------------------------------------------------------------------------------- */

typedef struct asking {
    noise_bench *b;
    const noise_way *way;
    scorer_result *results; /* [photographs] in the order of asking */
    size_t batch;
} asking;

static size_t photo_at(const asking *x, size_t place)
{
    return x->way->order ? x->way->order[place] : place;
}

/* A scorer that has no batches of its own is given one item at a time. Fresh: no cache answers. */
static tare_status ask_batch(asking *x, size_t k, scorer_item *items, tare_error *err)
{
    const noise_photos *p = x->b->photos;
    const image *pictures = x->way->picture ? x->way->picture : p->picture;
    size_t begin = k * x->batch, count = p->count - begin;
    if (count > x->batch) count = x->batch;
    for (size_t i = 0; i < count; i++) {
        size_t at = photo_at(x, begin + i);
        items[i] = (scorer_item){.key = p->key[at], .base = p->name[at], .arm = "", .group = "",
                                 .prompt = job_text(x->b->job, "prompt"), .attribute = NAN,
                                 .artifact = NAN, .pixels = &pictures[at], .fresh = true};
    }
    return scorer_score(x->b->s, x->results + begin, items, count, err);
}

static tare_status ask_range(void *arg, size_t begin, size_t end, unsigned worker, tare_error *err)
{
    tare_status status = TARE_OK;
    asking *x = arg;
    const mem *m = &x->b->job->context->mem;
    scorer_item *items = NULL;
    (void)worker;
    TRY_NEW(items = mem_new(m, x->batch, sizeof *items));
    for (size_t k = begin; k < end; k++) {
        TRY(context_check(x->b->job->context, err));
        TRY(ask_batch(x, k, items, err));
    }
done:
    mem_free(m, items);
    return status;
}

static tare_status keep(noise_trial_of *t, const asking *x, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t n = x->b->photos->count;
    TRY_NEW(t->score = arena_new(a, n, sizeof *t->score));
    for (size_t i = 0; i < n; i++) {
        const scorer_result *r = &x->results[i];
        t->score[photo_at(x, i)] = r->status == TARE_R_NONE ? r->value : NAN;
        if (r->status == TARE_R_NONE) continue;
        if (t->failed++ == 0) TRY_NEW(t->note = arena_copy(a, r->note));
    }
done:
    return status;
}

tare_status noise_ask(noise_bench *b, noise_kind kind, const char *how, const noise_way *way,
                      tare_error *err)
{
    tare_status status = TARE_OK;
    tare_context *c = b->job->context;
    const size_t n = b->photos->count, batch = scorer_describe(b->s)->batch;
    const size_t batches = (n + batch - 1) / batch;
    asking x = {b, way, NULL, batch};
    noise_trial_of *t = &b->trial[kind];
    TRY_NEW(x.results = mem_new(&c->mem, n, sizeof *x.results));
    if (way->threads) TRY(pool_for(c->pool, batches, 1, ask_range, &x, err));
    for (size_t k = 0; k < batches && !way->threads; k++) {
        TRY(ask_range(&x, k, k + 1, 0, err));
        progress_add(&b->bar, k + 1 < batches ? batch : n - k * batch);
    }
    if (way->threads) progress_add(&b->bar, n);
    t->how = how;
    t->why_not = "";
    TRY(keep(t, &x, &b->job->result.a, err));
done:
    mem_free(&c->mem, x.results);
    return status;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

noise_difference noise_compare(const noise_bench *b, noise_kind kind)
{
    noise_difference d = {.most = NAN, .sd = NAN, .mean = NAN, .most_of = ""};
    const double *first = b->trial[NOISE_FIRST].score, *again = b->trial[kind].score;
    neumaier sum = {0, 0}, squares = {0, 0};
    for (size_t i = 0; again && i < b->photos->count; i++) {
        double x = again[i] - first[i];
        if (!isfinite(x)) continue;
        d.n++;
        d.changed += x != 0;
        neumaier_add(&sum, x);
        if (fabs(x) <= d.most) continue;
        d.most = fabs(x);
        d.most_of = b->photos->name[i];
    }
    if (d.n) d.mean = neumaier_total(&sum) / (double)d.n;
    for (size_t i = 0; again && i < b->photos->count; i++) {
        double x = again[i] - first[i];
        if (isfinite(x)) neumaier_add(&squares, (x - d.mean) * (x - d.mean));
    }
    if (d.n > 1) d.sd = sqrt(neumaier_total(&squares) / (double)(d.n - 1));
    return d;
}

bool noise_is_own(noise_kind kind)
{
    return kind != NOISE_PNG && kind != NOISE_JPEG && kind != NOISE_LIBRARY;
}

/* Mean over photographs of the variance of the scores of one. */
static double sd_within(const noise_bench *b)
{
    neumaier variances = {0, 0};
    size_t photos = 0;
    for (size_t i = 0; i < b->photos->count; i++) {
        double row[NOISE_KINDS];
        size_t k = 0;
        for (int q = NOISE_FIRST; q < NOISE_KINDS; q++) {
            const double *score = b->trial[q].score;
            if (!score || !noise_is_own((noise_kind)q) || !isfinite(score[i])) continue;
            row[k] = score[i] - (k ? row[0] : 0); /* equal scores: a variance of exactly 0 */
            k++;
        }
        if (k < 2) continue;
        row[0] = 0;
        neumaier_add(&variances, moments_variance(row, k, 1));
        photos++;
    }
    return photos ? sqrt(neumaier_total(&variances) / (double)photos) : NAN;
}

static tare_status quantum_of(double *out, const noise_bench *b, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &b->job->context->mem;
    const double *first = b->trial[NOISE_FIRST].score;
    double *sorted = NULL;
    size_t n = 0;
    *out = NAN;
    TRY_NEW(sorted = mem_new(m, b->photos->count, sizeof *sorted));
    for (size_t i = 0; i < b->photos->count; i++)
        if (isfinite(first[i])) sorted[n++] = first[i];
    rank_sort(sorted, n);
    for (size_t i = 1; i < n; i++) {
        double gap = sorted[i] - sorted[i - 1];
        if (gap > 0 && !(gap >= *out)) *out = gap;
    }
done:
    mem_free(m, sorted);
    return status;
}

tare_status noise_total_of(noise_total *out, const noise_bench *b, tare_error *err)
{
    *out = (noise_total){.sd = sd_within(b), .shift = NAN};
    for (int q = NOISE_REPEAT; q < NOISE_KINDS; q++)
        if (noise_is_own((noise_kind)q))
            out->shift = fmax(out->shift, fabs(noise_compare(b, (noise_kind)q).mean));
    return quantum_of(&out->quantum, b, err);
}
