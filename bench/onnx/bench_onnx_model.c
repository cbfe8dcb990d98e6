#include "bench_onnx_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/os.h"
#include "scorer/onnx/model_write.h"
#include "scorer/onnx/ort_session.h"

enum { WIDTH = 128, LAYERS = 12, STEM = 7, STRIDE = 4 };

static const char manifest[] =
    "{\"tare_scorer\": 1, \"name\": \"conv\", \"model\": \"conv.onnx\", \"input\": {\"name\": "
    "\"image\", \"kind\": \"image\", \"size\": [224, 224], \"resize\": {\"mode\": \"short\", "
    "\"kernel\": \"bicubic\"}, \"crop\": \"center-round\", \"divide\": 255, \"mean\": [0.48145466, "
    "0.4578275, 0.40821073], \"std\": [0.26862954, 0.26130258, 0.27577711]}, \"output\": {"
    "\"name\": \"score\", \"ops\": [], \"higher_is_better\": true}}\n";

/* Weights that keep the size of what passes: uniform, variance 2 / inputs. */
static bool weights(model_writer *w, const char *name, size_t rank, const int64_t *dim)
{
    size_t n = 1, inputs = 1;
    for (size_t k = 0; k < rank; k++) n *= (size_t)dim[k];
    for (size_t k = 1; k < rank; k++) inputs *= (size_t)dim[k];
    float *v = malloc(n * sizeof *v);
    if (v == NULL) return false;
    double root = sqrt(6.0 / (double)inputs);
    uint32_t x = 2463534242u;
    for (size_t i = 0; i < n; i++) {
        x ^= x << 13, x ^= x >> 17, x ^= x << 5;
        v[i] = (float)(root * (x / 2147483648.0 - 1));
    }
    model_write_tensor(w, &(model_tensor){.name = name, .type = ORT_F32, .rank = rank, .dim = dim,
                                          .bytes = v, .length = n * sizeof *v});
    free(v);
    return true;
}

static bool layer(model_writer *w, int k, const char *from)
{
    char name[32], in[80], conv[32], out[32];
    int64_t side = k ? 3 : STEM, pad = side / 2, stride = k ? 1 : STRIDE;
    int64_t dim[4] = {WIDTH, k ? WIDTH : 3, side, side};
    snprintf(name, sizeof name, "weight%d", k);
    snprintf(in, sizeof in, "%s %s", from, name);
    snprintf(conv, sizeof conv, "conv%d", k);
    snprintf(out, sizeof out, "relu%d", k);
    if (!weights(w, name, 4, dim)) return false;
    model_write_node(w, "Conv", in, conv);
    model_write_ints(w, "pads", (int64_t[]){pad, pad, pad, pad}, 4);
    model_write_ints(w, "strides", (int64_t[]){stride, stride}, 2);
    model_write_node(w, "Relu", conv, out);
    return true;
}

bool bench_model_make(const char *folder)
{
    mem m = mem_system();
    model_writer w;
    char path[4096], from[32] = "image";
    size_t length = 0;
    bool made = true;
    model_write_begin(&w, &m);
    model_write_input(&w, "image", ORT_F32, 4, (int64_t[]){-1, 3, 224, 224});
    for (int k = 0; made && k <= LAYERS; k++) {
        made = layer(&w, k, from);
        snprintf(from, sizeof from, "relu%d", k);
    }
    model_write_node(&w, "GlobalAveragePool", from, "pool");
    model_write_node(&w, "Flatten", "pool", "flat");
    made = made && weights(&w, "head", 2, (int64_t[]){WIDTH, 1});
    model_write_node(&w, "MatMul", "flat head", "score");
    model_write_output(&w, "score", ORT_F32, 2, (int64_t[]){-1, 1});
    char *bytes = model_write_end(&w, &length);
    snprintf(path, sizeof path, "%s/conv.onnx", folder);
    made = made && bytes && os_write_file(path, bytes, length, NULL) == TARE_OK;
    snprintf(path, sizeof path, "%s/conv.json", folder);
    made = made && os_write_file(path, manifest, strlen(manifest), NULL) == TARE_OK;
    mem_free(&m, bytes);
    return made;
}
