/* bench_onnx MODEL_FOLDER              write the model of bench_onnx_model.h and its manifest
 * bench_onnx PHOTOS MANIFEST THREADS   score photographs, and ask the bare session
 *
 * The whole way: read, decode, prepare, score by the scorer interface, on all threads of the pool.
 * The bare session: the same tensors, made beforehand, on the same threads. They take turns; of
 * each the best of ROUNDS counts. TSV: model, work, threads, images, seconds, CPU seconds, images
 * a second, and the whole way over the bare one by the clock and by CPU time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/context.h"
#include "base/os.h"
#include "bench_onnx_model.h"
#include "scorer/onnx/onnx_model.h"
#include "scorer/onnx/onnx_prepare.h"
#include "scorer/scorer.h"

enum { PHOTOS_MOST = 1000, ROUNDS = 5 };

typedef struct work {
    tare_context *context;
    const char *folder;
    os_listing list;
    scorer *s;
    onnx_model model;
    char *tensors; /* [photo] */
    double *whole, *bare; /* [photo]: scores */
} work;

static tare_status read_photo(image *photo, const work *w, size_t k, tare_error *err)
{
    const mem *m = &w->context->mem;
    char path[4096], *bytes = NULL;
    size_t length;
    snprintf(path, sizeof path, "%s/%s", w->folder, w->list.paths[k]);
    tare_status status = os_read_file(&bytes, &length, m, path, (size_t)512 << 20, err);
    if (status == TARE_OK) status = image_decode(photo, m, bytes, length, path, NULL, err);
    mem_free(m, bytes);
    return status;
}

static tare_status score_photos(void *arg, size_t begin, size_t end, unsigned worker,
                                tare_error *err)
{
    work *w = arg;
    tare_status status = TARE_OK;
    (void)worker;
    for (size_t k = begin; k < end && status == TARE_OK; k++) {
        image photo = {0};
        scorer_result r = {0};
        status = read_photo(&photo, w, k, err);
        scorer_item item = {.key = w->list.paths[k], .base = w->list.paths[k], .arm = "",
                            .group = "", .prompt = "", .pixels = &photo};
        if (status == TARE_OK) status = scorer_score(w->s, &r, &item, 1, err);
        w->whole[k] = r.value;
        image_free(&photo, &w->context->mem);
    }
    return status;
}

static tare_status ask_session(void *arg, size_t begin, size_t end, unsigned worker,
                               tare_error *err)
{
    work *w = arg;
    tare_status status = TARE_OK;
    size_t bytes = onnx_model_bytes(&w->model);
    const onnx_manifest *manifest = &w->model.manifest;
    (void)worker;
    for (size_t k = begin; k < end && status == TARE_OK; k++) {
        ort_output out = {0};
        status = onnx_model_run(&out, &w->model, w->tensors + k * bytes, err);
        if (status == TARE_OK)
            status = onnx_ops_run(&w->bare[k], &w->context->mem, &out, 1, manifest->ops,
                                  manifest->op_count, err);
        mem_free(&w->context->mem, out.value);
    }
    return status;
}

static tare_status prepare_all(void *arg, size_t begin, size_t end, unsigned worker,
                               tare_error *err)
{
    work *w = arg;
    tare_status status = TARE_OK;
    (void)worker;
    for (size_t k = begin; k < end && status == TARE_OK; k++) {
        image photo = {0};
        tare_reason reason;
        char note[160];
        status = read_photo(&photo, w, k, err);
        if (status == TARE_OK)
            status = onnx_prepare_image(w->tensors + k * onnx_model_bytes(&w->model), &reason,
                                        note, &w->context->mem, &photo, &w->model.manifest.image,
                                        err);
        image_free(&photo, &w->context->mem);
    }
    return status;
}

/* The best time of one round; both grow better only. */
static tare_status timed(double *seconds, double *cpu, work *w, pool_range_fn fn, tare_error *err)
{
    clock_t busy = clock();
    double start = os_seconds();
    tare_status status = pool_for(w->context->pool, w->list.count, 1, fn, w, err);
    double took = os_seconds() - start, used = (double)(clock() - busy) / CLOCKS_PER_SEC;
    if (took < *seconds) *seconds = took;
    if (used < *cpu) *cpu = used;
    return status;
}

static tare_status measure(work *w, unsigned threads, tare_error *err)
{
    double whole = 1e9, whole_cpu = 1e9, bare = 1e9, bare_cpu = 1e9;
    tare_status status = pool_for(w->context->pool, w->list.count, 1, prepare_all, w, err);
    for (int k = 0; k < ROUNDS && status == TARE_OK; k++) {
        status = timed(&bare, &bare_cpu, w, ask_session, err);
        if (status == TARE_OK) status = timed(&whole, &whole_cpu, w, score_photos, err);
    }
    if (status != TARE_OK) return status;
    size_t n = w->list.count;
    const char *name = w->model.manifest.name;
    for (size_t k = 0; k < n; k++)
        if (w->whole[k] != w->bare[k]) fprintf(stderr, "%s: scores differ\n", w->list.paths[k]);
    printf("%s\tbare\t%u\t%zu\t%.4f\t%.4f\t%.2f\t\t\n", name, threads, n, bare, bare_cpu,
           (double)n / bare);
    printf("%s\twhole\t%u\t%zu\t%.4f\t%.4f\t%.2f\t%.3f\t%.3f\n", name, threads, n, whole,
           whole_cpu, (double)n / whole, bare / whole, bare_cpu / whole_cpu);
    return TARE_OK;
}

static tare_status run(char **argv, tare_error *err)
{
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    scorer_options options = SCORER_OPTIONS_DEFAULT;
    work w = {.folder = argv[1]};
    char spec[4096];
    arena a;
    o.threads = (unsigned)atoi(argv[3]);
    tare_status status = tare_context_new(&w.context, &o, err);
    if (status != TARE_OK) return status;
    arena_init(&a, &w.context->mem);
    snprintf(spec, sizeof spec, "onnx:%s", argv[2]);
    status = os_list_files(&w.list, &a, w.folder, PHOTOS_MOST, err);
    if (status == TARE_OK) status = scorer_open(&w.s, w.context, spec, &options, err);
    if (status == TARE_OK) status = onnx_model_read(&w.model, w.context, argv[2], err);
    if (status == TARE_OK) status = onnx_model_load(&w.model, &options, ONNX_SCORER, err);
    if (status == TARE_OK) {
        w.tensors = mem_new(&w.context->mem, w.list.count, onnx_model_bytes(&w.model));
        w.whole = arena_new(&a, w.list.count, sizeof *w.whole);
        w.bare = arena_new(&a, w.list.count, sizeof *w.bare);
        if (w.tensors && w.whole && w.bare) status = measure(&w, o.threads, err);
    }
    mem_free(&w.context->mem, w.tensors);
    onnx_model_close(&w.model);
    scorer_close(w.s);
    arena_free(&a);
    tare_context_free(w.context);
    return status;
}

int main(int argc, char **argv)
{
    tare_error err = {TARE_OK, "", "", ""};
    if (argc == 2) return bench_model_make(argv[1]) ? 0 : 1;
    if (argc != 4) {
        fprintf(stderr, "usage: bench_onnx MODEL_FOLDER | PHOTOS MANIFEST THREADS\n");
        return 2;
    }
    tare_status status = run(argv, &err);
    if (status != TARE_OK) fprintf(stderr, "%s: %s\n", err.where, err.message);
    return status == TARE_OK ? 0 : 1;
}
