/* ort_check.c - does the library that is here work? A model of a few hundred weights is asked the
 * same alone, again, and in a batch. Scorers 1.3. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "scorer/onnx/model_write.h"
#include "scorer/onnx/ort_parts.h"

enum { SIDE = 12, FILTERS = 8, BATCH = 4, IMAGE = 3 * SIDE * SIDE };

/* Numbers in [-1, 1) without a pattern: multiplicative hashing. */
static void fill(float *out, size_t count, uint32_t seed)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t x = ((uint32_t)i + seed) * UINT32_C(2654435761);
        out[i] = (float)(x >> 8) / 8388608.0F - 1.0F;
    }
}

/* image [N,3,SIDE,SIDE] to score [N,1]: convolution, relu, mean over the pixels, linear. */
static char *check_model(size_t *length, const mem *m)
{
    float filters[FILTERS * 27], head[FILTERS];
    model_writer w;
    fill(filters, FILTERS * 27, 1);
    fill(head, FILTERS, 1000);
    model_write_begin(&w, m);
    model_write_input(&w, "image", ORT_F32, 4, (const int64_t[]){-1, 3, SIDE, SIDE});
    model_write_tensor(&w, &(model_tensor){.name = "filters", .type = ORT_F32, .rank = 4,
                                           .dim = (const int64_t[]){FILTERS, 3, 3, 3},
                                           .bytes = filters, .length = sizeof filters});
    model_write_tensor(&w, &(model_tensor){.name = "head", .type = ORT_F32, .rank = 2,
                                           .dim = (const int64_t[]){FILTERS, 1}, .bytes = head,
                                           .length = sizeof head});
    model_write_node(&w, "Conv", "image filters", "maps");
    model_write_node(&w, "Relu", "maps", "positive");
    model_write_node(&w, "GlobalAveragePool", "positive", "means");
    model_write_node(&w, "Flatten", "means", "vector");
    model_write_node(&w, "MatMul", "vector head", "score");
    model_write_output(&w, "score", ORT_F32, 2, (const int64_t[]){-1, 1});
    return model_write_end(&w, length);
}

/* scores[batch] of `batch` images */
static tare_status ask(double *scores, ort_session *s, const float *images, size_t batch,
                       tare_error *err)
{
    tare_status status = TARE_OK;
    ort_output out = {.value = NULL};
    const ort_tensor in = {"image", ORT_F32, 4, {(int64_t)batch, 3, SIDE, SIDE}, images};
    TRY(ort_session_run(&out, s, &in, 1, "score", err));
    if (out.count != batch) {
        FAIL(err, TARE_E_INSTRUMENT, "onnx.check", s->library.library.path,
             "%zu images gave %zu scores", batch, out.count);
    }
    memcpy(scores, out.value, batch * sizeof *scores);
done:
    mem_free(&s->context->mem, out.value);
    return status;
}

/* What the model is worth in doubles, so that a library that computes something else is seen. */
static double expected(const float *image)
{
    float filters[FILTERS * 27], head[FILTERS];
    double score = 0;
    enum { INNER = SIDE - 2 };
    fill(filters, FILTERS * 27, 1);
    fill(head, FILTERS, 1000);
    for (int f = 0; f < FILTERS; f++) {
        double total = 0;
        for (int at = 0; at < INNER * INNER; at++) {
            double sum = 0;
            for (int k = 0; k < 27; k++) {
                int y = at / INNER + k % 9 / 3, x = at % INNER + k % 3;
                sum += (double)filters[f * 27 + k] * image[(k / 9 * SIDE + y) * SIDE + x];
            }
            if (sum > 0) total += sum;
        }
        score += head[f] * total / (INNER * INNER);
    }
    return score;
}

static tare_status compare(ort_session *s, const float *images, tare_error *err)
{
    tare_status status = TARE_OK;
    double alone[BATCH], again[BATCH], together[BATCH];
    for (size_t i = 0; i < BATCH; i++) TRY(ask(&alone[i], s, images + i * IMAGE, 1, err));
    for (size_t i = 0; i < BATCH; i++) TRY(ask(&again[i], s, images + i * IMAGE, 1, err));
    TRY(ask(together, s, images, BATCH, err));
    for (size_t i = 0; i < BATCH; i++) {
        double off = alone[i] - expected(images + i * IMAGE);
        if (!(off > -1e-4 && off < 1e-4)) {
            FAIL(err, TARE_E_INSTRUMENT, "onnx.check", s->library.library.path,
                 "a small model gives %.9g where %.9g is right: this ONNX Runtime %s computes "
                 "wrongly on this machine", alone[i], alone[i] - off, s->library.version);
        }
        if (alone[i] != again[i] || alone[i] != together[i]) {
            FAIL(err, TARE_E_INSTRUMENT, "onnx.check", s->library.library.path,
                 "a small model gives %.9g alone, %.9g again and %.9g in a batch: scores of this "
                 "ONNX Runtime %s have noise of their own", alone[i], again[i], together[i],
                 s->library.version);
        }
    }
done:
    return status;
}

tare_status ort_check(tare_context *context, const char *library, char version[32], char path[256],
                      tare_error *err)
{
    tare_status status = TARE_OK;
    ort_session *s = NULL;
    char *model = NULL;
    size_t length = 0;
    float *images = NULL;
    TRY_NEW(images = mem_new(&context->mem, (size_t)BATCH * IMAGE, sizeof *images));
    fill(images, (size_t)BATCH * IMAGE, 77);
    TRY_NEW(model = check_model(&length, &context->mem));
    TRY(ort_session_begin(&s, context, "(a model that tare carries along)", err));
    TRY(ort_session_load(s, library, model, length, err));
    if (version != NULL) snprintf(version, 32, "%s", s->library.version);
    if (path != NULL) snprintf(path, 256, "%.255s", s->library.library.path);
    TRY(compare(s, images, err));
done:
    ort_session_close(s);
    mem_free(&context->mem, model);
    mem_free(&context->mem, images);
    return status;
}
