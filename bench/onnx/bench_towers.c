/* bench_towers FILE NAME FEED PHOTOS ROUNDS VECTORS THREADS
 *
 * The image tower of write_vit.py's file as tare opens published scorers: mapped, a graph in
 * memory, its weights given as values or read from the folder by the library (FEED: values,
 * folder). The whole way (read, decode, prepare, run), THREADS photographs at once, takes turns
 * with the bare session on tensors made beforehand; of each the best of ROUNDS counts. VECTORS:
 * a file for the float32 vectors, to be compared. One line: program, model, feed, seconds and
 * CPU seconds of loading, MiB of anonymous and mapped memory at its peak and after it (less
 * those before), images, seconds and CPU seconds of the whole way, and of the bare session. */
#include <libgen.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "base/error.h"
#include "base/os.h"
#include "scorer/graph/graph_model.h"
#include "scorer/onnx/onnx_prepare.h"
#include "scorer/onnx/onnx_tower.h"

enum { PHOTOS_MOST = 1000, SIDE = 224 };

/* ---- Memory ---------------------------------------------------------------------------------- */

typedef struct memory {
    double anonymous, mapped; /* MiB */
} memory;

static memory memory_now(void)
{
    memory now = {0, 0};
    char line[256];
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f)) {
        if (!strncmp(line, "RssAnon:", 8)) now.anonymous = strtod(line + 8, NULL) / 1024;
        if (!strncmp(line, "RssFile:", 8)) now.mapped = strtod(line + 8, NULL) / 1024;
    }
    if (f) fclose(f);
    return now;
}

typedef struct watch {
    atomic_bool stop;
    memory peak;
} watch;

static void *watch_memory(void *arg)
{
    watch *w = arg;
    while (!atomic_load(&w->stop)) {
        memory now = memory_now();
        if (now.anonymous > w->peak.anonymous) w->peak.anonymous = now.anonymous;
        if (now.mapped > w->peak.mapped) w->peak.mapped = now.mapped;
        nanosleep(&(struct timespec){0, 2000000}, NULL);
    }
    return NULL;
}

/* ---- The tower ------------------------------------------------------------------------------- */

typedef struct bench {
    tare_context *context;
    const char *path, *name, *photos;
    char folder[PATH_MAX];
    bool low_memory;
    checkpoint *c;
    graph_model graph;
    arena a;
    tower_plan plan;
    os_listing list;
    onnx_tower *tower;
    char *tensors;
    float *vectors;
} bench;

static void fill_manifest(onnx_manifest *m, const bench *b)
{
    const double mean[3] = {.48145466, .4578275, .40821073};
    const double sd[3] = {.26862954, .26130258, .27577711};
    m->name = b->name;
    m->identity = "{}";
    m->input = GRAPH_IMAGE;
    m->output = GRAPH_VECTOR;
    m->kind = ONNX_IMAGE;
    m->image = (onnx_image_input){.type = ORT_F32, .height = SIDE, .width = SIDE,
                                  .fit = ONNX_FIT_SHORT, .crop = ONNX_CROP_CENTER_FLOOR,
                                  .how = {RESIZE_BICUBIC, RESIZE_ACROSS_FIRST}, .divide = 255,
                                  .std = {1, 1, 1}};
    memcpy(m->image.mean, mean, sizeof mean);
    memcpy(m->image.std, sd, sizeof sd);
}

static tare_status make(onnx_model *x, void **made, void *arg, tare_context *context,
                        const scorer_options *options, tare_error *err)
{
    tare_status status = TARE_OK;
    bench *b = arg;
    ort_session *session = NULL;
    const ort_graph how = {.name = b->path, .weights = "[]",
                           .folder = b->low_memory ? b->folder : NULL};
    (void)made;
    onnx_model_begin(x, context);
    fill_manifest(&x->manifest, b);
    TRY(ort_session_open_graph(&session, context, &b->graph, &how, err));
    TRY(onnx_model_adopt(x, options, session, 1, err));
    session = NULL;
    TRY(checkpoint_settle(b->c, err));
done:
    ort_session_close(session);
    return status;
}

static tare_status load(bench *b, const scorer_options *options, tare_error *err)
{
    tare_status status = TARE_OK;
    bool large = strcmp(b->name, "vit-h-14") != 0;
    b->plan = (tower_plan){.layout = GRAPH_HF, .prefix = "", .eps = 1e-5,
                           .activation = large ? GRAPH_QUICK_GELU : GRAPH_GELU,
                           .heads = strcmp(b->name, "vit-tiny") ? 16 : 4};
    TRY(graph_plan_vision(&b->plan, b->c, err));
    TRY(graph_vision(&b->graph, &b->a, b->c, &b->plan, 1, err));
    const onnx_tower_maker maker = {make, NULL, b, "bench", (size_t)b->plan.embedding};
    TRY(onnx_tower_take_made(&b->tower, options->shelf, b->context, &maker, options, err));
done:
    return status;
}

/* ---- Images ---------------------------------------------------------------------------------- */

static tare_status read_photo(image *photo, const bench *b, size_t k, tare_error *err)
{
    const mem *m = &b->context->mem;
    char path[PATH_MAX], *bytes = NULL;
    size_t length;
    snprintf(path, sizeof path, "%s/%s", b->photos, b->list.paths[k]);
    tare_status status = os_read_file(&bytes, &length, m, path, (size_t)512 << 20, err);
    if (status == TARE_OK) status = image_decode(photo, m, bytes, length, path, NULL, err);
    mem_free(m, bytes);
    return status;
}

static tare_status whole(void *arg, size_t begin, size_t end, unsigned worker, tare_error *err)
{
    bench *b = arg;
    tare_status status = TARE_OK;
    (void)worker;
    for (size_t k = begin; k < end && status == TARE_OK; k++) {
        image photo = {0};
        scorer_result r = {0};
        status = read_photo(&photo, b, k, err);
        const scorer_item item = {.key = b->list.paths[k], .pixels = &photo, .fresh = true};
        if (status == TARE_OK)
            status = onnx_tower_vectors(b->vectors + k * (size_t)b->plan.embedding, &r, b->tower,
                                        &item, 1, err);
        if (r.status != TARE_R_NONE) fprintf(stderr, "%s: %s\n", b->list.paths[k], r.note);
        image_free(&photo, &b->context->mem);
    }
    return status;
}

static tare_status bare(void *arg, size_t begin, size_t end, unsigned worker, tare_error *err)
{
    bench *b = arg;
    tare_status status = TARE_OK;
    const onnx_model *x = onnx_tower_model(b->tower);
    (void)worker;
    for (size_t k = begin; k < end && status == TARE_OK; k++) {
        ort_output out = {0};
        const ort_tensor in = {GRAPH_IMAGE, ORT_F32, 4, {1, 3, SIDE, SIDE},
                               b->tensors + k * onnx_model_bytes(x)};
        status = ort_session_run(&out, x->session, &in, 1, GRAPH_VECTOR, err);
        mem_free(&b->context->mem, out.value);
    }
    return status;
}

static tare_status prepare(bench *b, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &b->context->mem;
    const onnx_model *x = onnx_tower_model(b->tower);
    TRY_NEW(b->tensors = mem_new(m, b->list.count, onnx_model_bytes(x)));
    TRY_NEW(b->vectors = mem_new(m, b->list.count, (size_t)b->plan.embedding * sizeof(float)));
    for (size_t k = 0; k < b->list.count; k++) {
        image photo = {0};
        tare_reason reason;
        char note[160];
        TRY(read_photo(&photo, b, k, err));
        status = onnx_prepare_image(b->tensors + k * onnx_model_bytes(x), &reason, note, m, &photo,
                                    &x->manifest.image, err);
        image_free(&photo, m);
        if (status != TARE_OK) goto done;
    }
done:
    return status;
}

/* Seconds and CPU seconds, if they are the least. */
static tare_status timed(double best[2], bench *b, pool_range_fn work, tare_error *err)
{
    clock_t busy = clock();
    double start = os_seconds();
    tare_status status = pool_for(b->context->pool, b->list.count, 1, work, b, err);
    double took = os_seconds() - start, used = (double)(clock() - busy) / CLOCKS_PER_SEC;
    if (took < best[0]) best[0] = took;
    if (used < best[1]) best[1] = used;
    return status;
}

/* ---- All ------------------------------------------------------------------------------------- */

static tare_status measure(bench *b, const scorer_options *options, int rounds, tare_error *err)
{
    tare_status status = TARE_OK;
    double of_whole[2] = {1e9, 1e9}, of_bare[2] = {1e9, 1e9};
    watch w = {.peak = {0, 0}};
    pthread_t thread;
    TRY(checkpoint_open(&b->c, b->context, b->path, err));
    /* The pages that were hashed are no part of loading. */
    for (size_t i = 0; i < b->c->file_count; i++)
        madvise((void *)(uintptr_t)b->c->file[i].bytes, b->c->file[i].length, MADV_DONTNEED);
    memory before = memory_now();
    pthread_create(&thread, NULL, watch_memory, &w);
    clock_t busy = clock();
    double start = os_seconds();
    status = load(b, options, err);
    double took = os_seconds() - start, used = (double)(clock() - busy) / CLOCKS_PER_SEC;
    atomic_store(&w.stop, true);
    pthread_join(thread, NULL);
    memory after = memory_now();
    if (status != TARE_OK) goto done;
    TRY(prepare(b, err));
    for (int k = 0; k < rounds; k++) {
        TRY(timed(of_bare, b, bare, err));
        TRY(timed(of_whole, b, whole, err));
    }
    printf("tare\t%s\t%s\t%.2f\t%.2f\t%.0f\t%.0f\t%.0f\t%.0f\t%zu\t%.3f\t%.3f\t%.3f\t%.3f\n",
           b->name, b->low_memory ? "folder" : "values", took, used,
           w.peak.anonymous - before.anonymous, w.peak.mapped - before.mapped,
           after.anonymous - before.anonymous, after.mapped - before.mapped, b->list.count,
           of_whole[0], of_whole[1], of_bare[0], of_bare[1]);
done:
    return status;
}

static tare_status run(char **argv, tare_error *err)
{
    tare_status status = TARE_OK;
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    scorer_options options = SCORER_OPTIONS_DEFAULT;
    bench b = {.path = argv[1], .name = argv[2], .photos = argv[4],
               .low_memory = !strcmp(argv[3], "folder")};
    o.threads = (unsigned)atoi(argv[7]);
    status = tare_context_new(&b.context, &o, err);
    if (status != TARE_OK) return status;
    const mem *m = &b.context->mem;
    arena_init(&b.a, m);
    if (!realpath(b.path, b.folder)) FAIL(err, TARE_E_IO, "bench", b.path, "no such file");
    dirname(b.folder);
    options.timeout_seconds = 3600;
    TRY_NEW(options.shelf = scorer_shelf_new(m));
    TRY(os_list_files(&b.list, &b.a, b.photos, PHOTOS_MOST, err));
    TRY(measure(&b, &options, atoi(argv[5]), err));
    TRY(os_write_file(argv[6], b.vectors,
                      b.list.count * (size_t)b.plan.embedding * sizeof(float), err));
done:
    onnx_tower_give_back(options.shelf, b.tower);
    scorer_shelf_free(options.shelf);
    checkpoint_close(b.c);
    mem_free(m, b.tensors);
    mem_free(m, b.vectors);
    arena_free(&b.a);
    tare_context_free(b.context);
    return status;
}

int main(int argc, char **argv)
{
    tare_error err = {TARE_OK, "", "", ""};
    if (argc != 8) {
        fprintf(stderr, "usage: bench_towers FILE NAME values|folder PHOTOS ROUNDS VECTORS "
                "THREADS\n");
        return 2;
    }
    tare_status status = run(argv, &err);
    if (status != TARE_OK) fprintf(stderr, "%s: %s\n", err.where, err.message);
    return status == TARE_OK ? 0 : 1;
}
