/* onnx: the back end. Any ONNX model of images, or a head on the vectors of one, by its manifest
 * (scorers 1.4; docs/onnx-scorer.md). */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "scorer/backends.h"
#include "scorer/fingerprint.h"
#include "scorer/noise_trial.h"
#include "scorer/onnx/onnx_manifest_parts.h"
#include "scorer/onnx/onnx_prompts.h"
#include "scorer/onnx/onnx_score.h"
#include "scorer/onnx/onnx_tower.h"
#include "scorer/onnx/onnx_wave.h"
#include "sound/sound.h"

typedef struct onnx_scorer {
    onnx_model model;
    onnx_prompts prompts;
    onnx_tower *tower;        /* of a head; else NULL */
    scorer_shelf *shelf, *own_shelf;
} onnx_scorer;

/* ---- Scoring --------------------------------------------------------------------------------- */

/* From the model's input, and prompts that came with the images, to a number for each image. */
static tare_status ask(double *scores, onnx_scorer *s, const void *data,
                       const onnx_prompt_rows *rows, tare_error *err)
{
    tare_status status = TARE_OK;
    const onnx_manifest *manifest = &s->model.manifest;
    const mem *m = &s->model.context->mem;
    ort_output out = {0};
    if (rows->count == 0) TRY(onnx_model_run(&out, &s->model, data, err));
    else TRY(onnx_model_run_with(&out, &s->model, data, rows->tensor, rows->count, err));
    status = onnx_ops_run(scores, m, &out, s->model.batch, manifest->ops, manifest->op_count, err);
    if (status == TARE_E_DATA) onnx_ops_whose(err, manifest->path);
done:
    mem_free(m, out.value);
    return status;
}

/* What the model takes of each item: its tensor, or the vector that the tower makes of it. */
static tare_status inputs_of(void *data, size_t *count, scorer_result *results, onnx_scorer *s,
                             const scorer_item *items, size_t n, tare_error *err)
{
    tare_status status = TARE_OK;
    if (!s->tower) return onnx_tensors(data, count, results, &s->model, items, n, err);
    *count = 0;
    TRY(onnx_tower_vectors(data, results, s->tower, items, n, err));
    for (size_t i = 0; i < n; i++) *count += results[i].status == TARE_R_NONE;
done:
    return status;
}

/* A note that stands beside the value already stays. */
static void give(scorer_result *r, double score)
{
    if (r->status != TARE_R_NONE) return;
    r->value = score;
    if (!isfinite(score))
        scorer_result_fail(r, TARE_R_SCORE_NONFINITE, "the output after its operations is %s",
                           isnan(score) ? "not a number" : score > 0 ? "infinite"
                                                                     : "minus infinity");
}

/* The mean over the segments of a recording, in their order. */
static tare_status score_wave(scorer_result *r, onnx_scorer *s, const scorer_item *item,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &s->model.context->mem;
    const onnx_wave_input *in = &s->model.manifest.wave;
    size_t batch = s->model.batch;
    onnx_wave w = {NULL, 0, 0};
    onnx_prompt_rows rows;
    float *data = NULL;
    double *scores = NULL, sum = 0;
    arena a;
    arena_init(&a, m);
    TRY_NEW(data = mem_new(m, batch * in->length, sizeof *data));
    TRY_NEW(scores = mem_new(m, batch, sizeof *scores));
    TRY(onnx_prompts_rows(&rows, &a, &s->prompts, NULL, NULL, 0, err));
    TRY(onnx_wave_make(&w, m, item->pixels, in, err));
    for (size_t k = 0; k < w.segments; k += batch) {
        onnx_wave_cut(data, &w, in, k, batch);
        TRY(ask(scores, s, data, &rows, err));
        for (size_t j = 0; j < batch && k + j < w.segments; j++) sum += scores[j];
    }
    scorer_result_value(r, 0.0);
    give(r, sum / (double)w.segments);
done:
    arena_free(&a);
    onnx_wave_free(&w, m);
    mem_free(m, data);
    mem_free(m, scores);
    return status;
}

static tare_status score_waves(onnx_scorer *s, scorer_result *results, const scorer_item *items,
                               size_t n, tare_error *err)
{
    for (size_t i = 0; i < n; i++) {
        tare_error why = {TARE_OK, "", "", ""};
        tare_status status = score_wave(&results[i], s, &items[i], &why);
        if (onnx_ends_run(status)) {
            if (err) *err = why;
            return status;
        }
        if (status != TARE_OK)
            scorer_result_fail(&results[i], onnx_reason(&why), "%s", why.message);
    }
    return TARE_OK;
}

static tare_status onnx_score(void *state, scorer_result *results, const scorer_item *items,
                              size_t n, tare_error *err)
{
    onnx_scorer *s = state;
    tare_status status = TARE_OK;
    const mem *m = &s->model.context->mem;
    tare_error why = {TARE_OK, "", "", ""};
    onnx_prompt_rows rows;
    void *data = NULL;
    double *scores = NULL;
    size_t count;
    arena a;
    if (s->model.manifest.kind == ONNX_WAVE) return score_waves(s, results, items, n, err);
    arena_init(&a, m);
    TRY_NEW(data = mem_new(m, s->model.batch, onnx_model_bytes(&s->model)));
    TRY_NEW(scores = mem_new(m, s->model.batch, sizeof *scores));
    TRY(inputs_of(data, &count, results, s, items, n, err));
    if (count == 0) goto done;
    TRY(onnx_prompts_rows(&rows, &a, &s->prompts, results, items, n, err));
    status = ask(scores, s, data, &rows, &why);
    if (onnx_ends_run(status)) {
        if (err) *err = why;
        goto done;
    }
    for (size_t i = 0; i < n; i++) {
        if (status == TARE_OK) give(&results[i], scores[i]);
        else if (results[i].status == TARE_R_NONE)
            scorer_result_fail(&results[i], onnx_reason(&why), "%s", why.message);
    }
    status = TARE_OK;
done:
    mem_free(m, data);
    mem_free(m, scores);
    arena_free(&a);
    return status;
}

static tare_status onnx_prompt_ids(scorer_prompt *out, arena *a, const void *state,
                                   const char *prompt, tare_error *err)
{
    const onnx_scorer *s = state;
    token_list ids;
    tare_status status = onnx_prompts_ids(&ids, a, &s->prompts, prompt, err);
    if (status == TARE_OK)
        *out = (scorer_prompt){ids.id, ids.count, ids.whole, ids.may_differ};
    return status;
}

/* ---- Opening --------------------------------------------------------------------------------- */

static tare_status check_kind(const onnx_manifest *m, tare_error *err)
{
    tare_status status = TARE_OK;
    char library[SOUND_LIBRARY_TEXT];
    sound_library(library);
    if (m->kind == ONNX_WAVE && !*library)
        FAIL(err, TARE_E_USAGE, "onnx.kind", m->path, "this model takes recordings, and this tare "
             "was built without sound: build it with libsndfile and libsoxr (TARE_SOUND=ON)");
    if (m->kind == ONNX_WAVE && m->prompt.mode == ONNX_PROMPT_PER_ITEM)
        FAIL(err, TARE_E_USAGE, "onnx.kind", m->path, "a prompt of its own for each recording is "
             "not to be had: prompt.mode is none or fixed with input.kind wave");
    if (m->kind == ONNX_VECTOR && !m->vector.from)
        FAIL(err, TARE_E_USAGE, "onnx.kind", m->path, "this model takes vectors of %zu numbers; to "
             "score photographs, name the manifest of the model that makes them of images as "
             "input.from", m->vector.length);
done:
    return status;
}

static tare_status open_tower(onnx_scorer *s, tare_context *context, const scorer_options *options,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    const onnx_vector_input *in = &s->model.manifest.vector;
    s->shelf = options->shelf;
    if (!s->shelf) TRY_NEW(s->shelf = s->own_shelf = scorer_shelf_new(&context->mem));
    status = onnx_tower_take(&s->tower, s->shelf, context, in->from, in->length, options, err);
    if (status != TARE_OK)
        manifest_named_at(err, "input.from", s->model.manifest.path, in->from_line);
done:
    return status;
}

/* One call before the first image: what cannot work is said at once. */
static tare_status try_out(onnx_scorer *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &s->model.context->mem;
    const onnx_manifest *manifest = &s->model.manifest;
    onnx_prompt_rows rows;
    void *data = NULL;
    double *scores = NULL;
    arena a;
    arena_init(&a, m);
    TRY_NEW(scores = mem_new(m, s->model.batch, sizeof *scores));
    if (manifest->kind == ONNX_IMAGE) TRY(onnx_trial_tensors(&data, &s->model, err));
    else {
        float *v;
        size_t each = onnx_model_bytes(&s->model) / sizeof *v, n = s->model.batch * each;
        TRY_NEW(data = v = mem_new(m, n, sizeof *v));
        for (size_t i = 0; i < n; i++) v[i] = 1.0f / sqrtf((float)each);
    }
    TRY(onnx_prompts_rows(&rows, &a, &s->prompts, NULL, NULL, 0, err));
    TRY(ask(scores, s, data, &rows, err));
    bool finite = true;
    for (size_t i = 0; i < s->model.batch; i++) finite = finite && isfinite(scores[i]);
    if (!finite) onnx_trial_warning(&s->model, "score");
done:
    mem_free(m, data);
    mem_free(m, scores);
    arena_free(&a);
    return status;
}

static tare_status describe(scorer_description *d, onnx_scorer *s, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    const onnx_manifest *m = &s->model.manifest;
    const onnx_manifest *first = s->tower ? &onnx_tower_model(s->tower)->manifest : m;
    const char *identity, *engine;
    d->name = m->name;
    d->source = m->source;
    d->licence = m->licence;
    d->batch = s->model.batch;
    d->sign = m->higher_is_better ? 1.0 : -1.0;
    d->range_lo = m->range_lo;
    d->range_hi = m->range_hi;
    d->parallel = d->cacheable = d->needs_pixels = true;
    d->any_mode = first->image.before_rgb || first->image.refuse_rgba;
    d->hears = m->kind == ONNX_WAVE;
    if (d->hears) d->batch = 1; /* the model's batch is of segments */
    d->min_side = 1;
    TRY_NEW(identity = onnx_model_identity(&s->model, a));
    if (s->prompts.tokens) {
        const char *ids;
        d->takes_prompt = true;
        d->cacheable = false; /* equal pixels may come with other prompts */
        TRY_NEW(ids = onnx_prompts_identity(&s->prompts, a));
        TRY_NEW(identity = fingerprint_with(a, identity, "prompt", ids));
    }
    if (s->tower)
        TRY_NEW(identity = fingerprint_with(a, identity, "tower", onnx_tower_identity(s->tower)));
    TRY_NEW(engine = onnx_model_engine(&s->model, a));
    if (d->hears) {
        char library[SOUND_LIBRARY_TEXT];
        sound_library(library);
        TRY_NEW(engine = fingerprint_with(a, engine, "sound", arena_printf(a, "\"%s\"", library)));
    }
    if (s->tower) {
        const onnx_model *tower = onnx_tower_model(s->tower);
        const char *below, *batch;
        TRY_NEW(below = onnx_model_engine(tower, a));
        TRY_NEW(batch = arena_printf(a, "%zu", tower->batch));
        TRY_NEW(below = fingerprint_with(a, below, "batch", batch));
        TRY_NEW(engine = fingerprint_with(a, engine, "tower", below));
    }
    TRY(fingerprint_describe_engine(d, a, identity, engine, err));
done:
    return status;
}

static void onnx_close(void *state)
{
    onnx_scorer *s = state;
    const mem *m = &s->model.context->mem;
    onnx_tower_give_back(s->shelf, s->tower);
    scorer_shelf_free(s->own_shelf);
    onnx_prompts_close(&s->prompts);
    onnx_model_close(&s->model);
    mem_free(m, s);
}

static tare_status onnx_open(void **state, scorer_description *d, arena *a, tare_context *context,
                             const char *rest, const scorer_options *options, tare_error *err)
{
    tare_status status = TARE_OK;
    onnx_scorer *s = NULL;
    const char *neutral;
    TRY(onnx_manifest_named(rest, err));
    TRY_NEW(s = mem_new(&context->mem, 1, sizeof *s));
    TRY(onnx_model_read(&s->model, context, rest, err));
    TRY(check_kind(&s->model.manifest, err));
    TRY(onnx_model_load(&s->model, options, ONNX_SCORER, err));
    TRY_NEW(neutral = arena_copy(&s->model.a, options->prompt));
    TRY(onnx_prompts_open(&s->prompts, &s->model, neutral, err));
    if (s->model.manifest.kind == ONNX_VECTOR) TRY(open_tower(s, context, options, err));
    TRY(try_out(s, err));
    TRY(describe(d, s, a, err));
    *state = s;
    s = NULL;
done:
    if (s) onnx_close(s);
    return status;
}

static tare_status onnx_check(tare_context *context, tare_error *err)
{
    tare_status status = TARE_OK;
    char version[32], path[256];
    TRY(ort_check(context, NULL, version, path, err));
    error_set(err, TARE_OK, "", "", "ONNX Runtime %s (%s); a small model gives "
              NOISE_TRIAL_AGAIN NOISE_TRIAL_BATCH, version, path);
done:
    return status;
}

const scorer_backend scorer_onnx = {
    .scheme = "onnx",
    .summary = "any ONNX model, by a manifest that says how it is fed and read",
    .usage = "onnx:MANIFEST",
    .open = onnx_open,
    .score = onnx_score,
    .close = onnx_close,
    .check = onnx_check,
    .prompt_ids = onnx_prompt_ids,
};
