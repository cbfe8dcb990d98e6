#include "support/graph_fixture.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

enum { LEAD = 7, OUT = GRAPH_VECTOR_LENGTH, WEIGHTS = OUT * ORT_IMAGE }; /* LEAD: floats before */

static float scales[OUT];

void graph_fixture_make(graph_fixture *g, const char *path, const char *location, size_t batch)
{
    static float all[LEAD + WEIGHTS + OUT];
    for (size_t i = 0; i < WEIGHTS; i++) all[LEAD + i] = tiny_weight("weight", i) / 4;
    for (size_t i = 0; i < OUT; i++) all[LEAD + WEIGHTS + i] = tiny_weight("bias", i) / 8;
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(all, 1, sizeof all, f), sizeof all);
    assert_int_equal(fclose(f), 0);
    graph_fixture_map(g, path, location, batch);
}

static void add(graph_fixture *g, model_writer *w, size_t k, const model_external *e,
                const void *bytes)
{
    g->item[k] = *e;
    g->data[k] = bytes;
    const model_tensor t = {.name = e->name, .type = ORT_F32, .rank = e->rank, .dim = e->dim,
                            .location = e->location, .offset = e->offset, .length = e->bytes};
    model_write_tensor(w, &t);
}

void graph_fixture_map(graph_fixture *g, const char *path, const char *location, size_t batch)
{
    model_writer w;
    const uint64_t at = LEAD * sizeof(float), next = at + WEIGHTS * sizeof(float);
    *g = (graph_fixture){.file_length = (LEAD + WEIGHTS + OUT) * sizeof(float)};
    int fd = open(path, O_RDONLY);
    assert_true(fd >= 0);
    g->file = mmap(NULL, g->file_length, PROT_READ, MAP_PRIVATE, fd, 0);
    assert_true(g->file != MAP_FAILED);
    close(fd);
    for (size_t i = 0; i < OUT; i++) scales[i] = 1 + tiny_weight("scale", i) / 8;
    tiny_begin(&w);
    model_write_input(&w, GRAPH_IMAGE, ORT_F32, 4, TINY_DIMS((int64_t)batch, 3, 8, 8));
    add(g, &w, 0, &(model_external){"weight", location, ORT_F32, 2, {OUT, ORT_IMAGE}, at,
                                    WEIGHTS * sizeof(float)}, g->file + LEAD);
    add(g, &w, 1, &(model_external){"bias", location, ORT_F32, 1, {OUT}, next,
                                    OUT * sizeof(float)}, g->file + LEAD + WEIGHTS);
    add(g, &w, 2, &(model_external){"scale", "nowhere", ORT_F32, 1, {OUT}, 0,
                                    OUT * sizeof(float)}, scales);
    g->converted[2] = true;
    model_write_node(&w, "Flatten", GRAPH_IMAGE, "flat");
    model_write_node(&w, "Gemm", "flat weight bias", "linear");
    model_write_int(&w, "transB", 1);
    model_write_node(&w, "Mul", "linear scale", GRAPH_VECTOR);
    model_write_output(&w, GRAPH_VECTOR, ORT_F32, 2, TINY_DIMS((int64_t)batch, OUT));
    g->bytes = model_write_end(&w, &g->graph.length);
    assert_non_null(g->bytes);
    g->graph.bytes = g->bytes;
    g->graph.externals = (model_externals){g->item, 3};
    g->graph.data = g->data;
    g->graph.converted = g->converted;
}

void graph_fixture_free(graph_fixture *g)
{
    mem m = mem_system();
    munmap(g->file, g->file_length);
    mem_free(&m, g->bytes);
}

double graph_fixture_value(size_t image, size_t e)
{
    float x[4 * ORT_IMAGE];
    double sum = tiny_weight("bias", e) / 8;
    ort_pixels(x, 4 * ORT_IMAGE);
    for (size_t i = 0; i < ORT_IMAGE; i++)
        sum += (double)tiny_weight("weight", e * ORT_IMAGE + i) / 4 * x[image * ORT_IMAGE + i];
    return sum * (1 + tiny_weight("scale", e) / 8);
}
