#include "scorer/onnx/onnx_tower.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "scorer/fingerprint.h"
#include "scorer/onnx/embedding_cache.h"
#include "scorer/onnx/onnx_prepare.h"
#include "scorer/onnx/onnx_score.h"
#include "scorer/shelf.h"

#define MEMORY_OF_VECTORS ((size_t)64 << 20)

struct onnx_tower {
    const mem *m;
    onnx_model model;
    size_t length;
    bool after_ops;        /* the vector is what the operations leave, else the output itself */
    const char *identity;
    embedding_cache *cache;
    void *made;            /* of a maker: outlives the session; NULL */
    void (*close_made)(void *made);
};

/* ---- What one call gives --------------------------------------------------------------------- */

/* Numbers that the output has for each image; 0: its first dimension is not the batch. */
static size_t length_of(const ort_output *x, size_t batch)
{
    if (x->rank == 0 || (uint64_t)x->dim[0] != batch) return 0;
    return x->count / batch;
}

/* One call of the model on tensors that are ready. An operation that cannot run is an error as it
 * is of a scorer. */
static tare_status call(ort_output *out, onnx_tower *t, const void *data, tare_error *err)
{
    tare_status status = TARE_OK;
    const onnx_manifest *manifest = &t->model.manifest;
    TRY(onnx_model_run(out, &t->model, data, err));
    if (!t->after_ops) goto done;
    status = onnx_ops_apply(out, &t->model.context->mem, t->model.batch, manifest->ops,
                            manifest->op_count, err);
    if (status == TARE_E_DATA) onnx_ops_whose(err, manifest->path);
done:
    return status;
}

static tare_status run(float *vectors, onnx_tower *t, const void *data, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &t->model.context->mem;
    ort_output out = {0};
    TRY(call(&out, t, data, err));
    if (length_of(&out, t->model.batch) != t->length) {
        char shape[ONNX_SHAPE_TEXT];
        onnx_shape_text(shape, out.rank, out.dim);
        FAIL(err, TARE_E_DATA, "onnx.vector", t->model.manifest.path, "the output%s has the shape "
             "%s, which is not a vector of %zu numbers for each of %zu images",
             t->after_ops ? " after its operations" : "", shape, t->length, t->model.batch);
    }
    for (size_t i = 0; i < out.count; i++) vectors[i] = (float)out.value[i];
done:
    mem_free(m, out.value);
    return status;
}

/* ---- Opening --------------------------------------------------------------------------------- */

/* A manifest whose operations make a score of the vector is a tower too: then the vector is what
 * they are given. */
static tare_status settle_ops(onnx_tower *t, const void *data, tare_error *err)
{
    tare_status status = TARE_OK;
    ort_output out = {0};
    t->after_ops = t->model.manifest.op_count > 0;
    if (!t->after_ops) goto done;
    TRY(call(&out, t, data, err));
    t->after_ops = t->length == 1 || length_of(&out, t->model.batch) != 1;
done:
    mem_free(&t->model.context->mem, out.value);
    return status;
}

/* A call on a trial image: is the vector there? */
static tare_status try_out(onnx_tower *t, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &t->model.context->mem;
    void *data = NULL;
    float *vectors = NULL;
    TRY_NEW(vectors = mem_new(m, t->model.batch * t->length, sizeof *vectors));
    TRY(onnx_trial_tensors(&data, &t->model, err));
    TRY(settle_ops(t, data, err));
    TRY(run(vectors, t, data, err));
    for (size_t i = 0; i < t->model.batch * t->length; i++)
        if (!isfinite(vectors[i])) {
            onnx_trial_warning(&t->model, "vector");
            break;
        }
done:
    mem_free(m, data);
    mem_free(m, vectors);
    return status;
}

static const char *tower_identity(onnx_tower *t)
{
    const char *model = onnx_model_identity(&t->model, &t->model.a);
    fingerprint f;
    fingerprint_begin(&f, &t->model.a);
    fingerprint_number(&f, "length", (double)t->length);
    fingerprint_json(&f, "model", model);
    fingerprint_text(&f, "numbers", "float32");
    fingerprint_text(&f, "vector", t->after_ops ? "after the operations" : "the output");
    return fingerprint_end(&f);
}

static tare_status open_cache(onnx_tower *t, const char *folder, tare_error *err)
{
    tare_status status = TARE_OK;
    scorer_description d = {.batch = t->model.batch}; /* for its hashes */
    const char *engine;
    TRY_NEW(t->identity = tower_identity(t));
    TRY_NEW(engine = onnx_model_engine(&t->model, &t->model.a));
    TRY(fingerprint_describe_engine(&d, &t->model.a, t->identity, engine, err));
    embedding_cache_options o = {folder, d.identity_hash, d.runtime_hash, t->length,
                                 MEMORY_OF_VECTORS};
    TRY(embedding_cache_open(&t->cache, &t->model.context->mem, &o, err));
done:
    return status;
}

static void tower_close(void *object)
{
    onnx_tower *t = object;
    const mem *m = t->m;
    embedding_cache_close(t->cache);
    onnx_model_close(&t->model);
    if (t->made) t->close_made(t->made);
    mem_free(m, t);
}

/* The maker of a tower that a manifest names. */
static tare_status make_by_manifest(onnx_model *x, void **made, void *arg, tare_context *context,
                                    const scorer_options *options, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *path = arg;
    *made = NULL;
    TRY(onnx_model_read(x, context, path, err));
    if (x->manifest.kind != ONNX_IMAGE)
        FAIL(err, TARE_E_USAGE, "onnx.from", path, "a head takes its vectors from a model of "
             "images, and this one's input is none (input.kind)");
    TRY(onnx_model_load(x, options, ONNX_TOWER, err));
done:
    return status;
}

static tare_status tower_open(onnx_tower **out, tare_context *context,
                              const onnx_tower_maker *maker, const scorer_options *options,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    onnx_tower *t = NULL;
    TRY_NEW(t = mem_new(&context->mem, 1, sizeof *t));
    t->m = &context->mem;
    t->length = maker->length;
    t->close_made = maker->close;
    TRY(maker->make(&t->model, &t->made, maker->arg, context, options, err));
    TRY(try_out(t, err));
    TRY(open_cache(t, options->embeddings, err));
    *out = t;
    t = NULL;
done:
    if (t) tower_close(t);
    return status;
}

tare_status onnx_tower_take_made(onnx_tower **out, scorer_shelf *shelf, tare_context *context,
                                 const onnx_tower_maker *maker, const scorer_options *options,
                                 tare_error *err)
{
    tare_status status = TARE_OK;
    onnx_tower *opened = NULL;
    text full;
    *out = NULL;
    text_init(&full, &context->mem);
    text_add_format(&full, "tower:%zu:%s", maker->length, maker->key);
    if (full.failed) FAIL_MEMORY(err);
    *out = shelf_take(shelf, full.data);
    if (*out) goto done;
    TRY(tower_open(&opened, context, maker, options, err));
    TRY(shelf_put(shelf, full.data, opened, tower_close, err));
    *out = opened;
    opened = NULL;
done:
    if (opened) tower_close(opened);
    text_free(&full);
    return status;
}

tare_status onnx_tower_take(onnx_tower **out, scorer_shelf *shelf, tare_context *context,
                            const char *path, size_t length, const scorer_options *options,
                            tare_error *err)
{
    char real[PATH_MAX];
    const onnx_tower_maker maker = {make_by_manifest, NULL, (void *)(uintptr_t)path,
                                    realpath(path, real) ? real : path, length};
    return onnx_tower_take_made(out, shelf, context, &maker, options, err);
}

void onnx_tower_give_back(scorer_shelf *shelf, onnx_tower *t)
{
    if (t) shelf_give_back(shelf, t);
}

const char *onnx_tower_identity(const onnx_tower *t)
{
    return t->identity;
}

const onnx_model *onnx_tower_model(const onnx_tower *t)
{
    return &t->model;
}

/* ---- Vectors of items ------------------------------------------------------------------------ */

/* Pixels, mode and size: what the tower sees. */
static void key_of(unsigned char key[EMBEDDING_KEY_BYTES], const image *p)
{
    char head[64];
    sha256 h;
    snprintf(head, sizeof head, "%s %d %d\n", image_mode_name(p->mode), p->width, p->height);
    sha256_init(&h);
    sha256_add(&h, head, strlen(head));
    if (p->palette) sha256_add(&h, p->palette, 256 * sizeof *p->palette);
    sha256_add(&h, p->rgb, image_pixels(p) * (size_t)p->channels);
    sha256_done(&h, key);
}

/* Vectors that are asked for in one call of the tower. */
typedef struct tower_lot {
    size_t *item; /* [batch]: whose they are */
    size_t count;
    char *data;   /* [batch] tensors         */
    float *made;  /* [batch] vectors         */
} tower_lot;

/* The whole item list on its way. */
typedef struct tower_job {
    onnx_tower *t;
    const scorer_item *items;
    scorer_result *results;
    float *vectors;
    unsigned char (*key)[EMBEDDING_KEY_BYTES];
    tower_lot lot;
} tower_job;

/* A vector that came out: to its item, and to the cache if it may. */
static tare_status settle(tower_job *j, size_t k, tare_error *err)
{
    size_t i = j->lot.item[k], n = j->t->length;
    const float *v = j->lot.made + k * n;
    tare_error why = {TARE_OK, "", "", ""};
    for (size_t e = 0; e < n; e++)
        if (!isfinite(v[e])) {
            scorer_result_fail(&j->results[i], TARE_R_SCORE_NONFINITE,
                               "number %zu of the vector is not finite", e);
            return TARE_OK;
        }
    memcpy(j->vectors + i * n, v, n * sizeof *v);
    if (j->items[i].fresh) return TARE_OK;
    tare_status status = embedding_cache_put(j->t->cache, j->key[i], v, &why);
    if (status == TARE_E_MEMORY) return error_memory(err);
    if (status != TARE_OK)
        scorer_result_note(&j->results[i], "vectors are not kept: %s: %s", why.where, why.message);
    return TARE_OK;
}

/* The lot is full, or the last one: padded by its last tensor. */
static tare_status flush(tower_job *j, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t bytes = onnx_model_bytes(&j->t->model), batch = j->t->model.batch;
    tower_lot *lot = &j->lot;
    tare_error why = {TARE_OK, "", "", ""};
    if (lot->count == 0) goto done;
    for (size_t k = lot->count; k < batch; k++)
        memcpy(lot->data + k * bytes, lot->data + (lot->count - 1) * bytes, bytes);
    status = run(lot->made, j->t, lot->data, &why);
    if (onnx_ends_run(status)) {
        if (err) *err = why;
        goto done;
    }
    bool failed = status != TARE_OK;
    status = TARE_OK;
    for (size_t k = 0; k < lot->count; k++) {
        if (failed)
            scorer_result_fail(&j->results[lot->item[k]], onnx_reason(&why), "tower: %s",
                               why.message);
        else TRY(settle(j, k, err));
    }
    lot->count = 0;
done:
    return status;
}

static tare_status one_item(tower_job *j, size_t i, tare_error *err)
{
    tare_status status = TARE_OK;
    onnx_tower *t = j->t;
    const mem *m = &t->model.context->mem;
    scorer_result *r = &j->results[i];
    tare_reason reason;
    char note[sizeof r->note];
    bool found = false;
    scorer_result_value(r, 0.0);
    key_of(j->key[i], j->items[i].pixels);
    if (!j->items[i].fresh) /* a file that cannot be read is as good as none */
        status = embedding_cache_get(j->vectors + i * t->length, &found, t->cache, j->key[i], err);
    if (status == TARE_E_MEMORY) goto done;
    status = TARE_OK;
    if (found) goto done;
    void *tensor = j->lot.data + j->lot.count * onnx_model_bytes(&t->model);
    TRY(onnx_prepare_image(tensor, &reason, note, m, j->items[i].pixels, &t->model.manifest.image,
                           err));
    if (reason != TARE_R_NONE) {
        scorer_result_fail(r, reason, "%s", note);
        goto done;
    }
    j->lot.item[j->lot.count++] = i;
    if (j->lot.count == t->model.batch) TRY(flush(j, err));
done:
    return status;
}

tare_status onnx_tower_vectors(float *vectors, scorer_result *results, onnx_tower *t,
                               const scorer_item *items, size_t n, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &t->model.context->mem;
    size_t batch = t->model.batch;
    tower_job j = {.t = t, .items = items, .results = results, .vectors = vectors};
    TRY_NEW(j.key = mem_new(m, n, sizeof *j.key));
    TRY_NEW(j.lot.item = mem_new(m, batch, sizeof *j.lot.item));
    TRY_NEW(j.lot.data = mem_resize(m, NULL, batch, onnx_model_bytes(&t->model)));
    TRY_NEW(j.lot.made = mem_new(m, batch * t->length, sizeof *j.lot.made));
    for (size_t i = 0; i < n; i++) {
        bool again = i > 0 && items[i].pixels == items[i - 1].pixels; /* padding of the batch */
        if (!again) TRY(one_item(&j, i, err));
    }
    TRY(flush(&j, err));
    for (size_t i = 1; i < n; i++)
        if (items[i].pixels == items[i - 1].pixels) {
            results[i] = results[i - 1];
            memcpy(vectors + i * t->length, vectors + (i - 1) * t->length,
                   t->length * sizeof *vectors);
        }
done:
    mem_free(m, j.key);
    mem_free(m, j.lot.item);
    mem_free(m, j.lot.data);
    mem_free(m, j.lot.made);
    return status;
}
