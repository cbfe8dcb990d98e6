#include "support/tiny_onnx.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/os.h"

static const mem *memory(void)
{
    static mem m;
    m = mem_system();
    return &m;
}

void tiny_begin(model_writer *w)
{
    model_write_begin(w, memory());
}

static size_t elements(size_t rank, const int64_t *dim)
{
    size_t n = 1;
    for (size_t i = 0; i < rank; i++) n *= (size_t)dim[i];
    return n;
}

void tiny_floats(model_writer *w, const char *name, size_t rank, const int64_t *dim,
                 const float *values)
{
    model_write_tensor(w, &(model_tensor){.name = name, .type = ORT_F32, .rank = rank, .dim = dim,
                                          .bytes = values,
                                          .length = elements(rank, dim) * sizeof *values});
}

void tiny_integers(model_writer *w, const char *name, size_t count, const int64_t *values)
{
    model_write_tensor(w, &(model_tensor){.name = name, .type = ORT_I64, .rank = 1,
                                          .dim = TINY_DIMS((int64_t)count), .bytes = values,
                                          .length = count * sizeof *values});
}

void tiny_external(model_writer *w, const char *name, size_t rank, const int64_t *dim,
                   const char *location, uint64_t offset)
{
    model_write_tensor(w, &(model_tensor){.name = name, .type = ORT_F32, .rank = rank, .dim = dim,
                                          .length = elements(rank, dim) * sizeof(float),
                                          .location = location, .offset = offset});
}

bool tiny_save(model_writer *w, const char *path)
{
    size_t length;
    char *bytes = model_write_end(w, &length);
    bool saved = bytes != NULL && os_write_file(path, bytes, length, NULL) == TARE_OK;
    mem_free(memory(), bytes);
    return saved;
}

float tiny_weight(const char *name, uint64_t i)
{
    uint64_t seed = UINT64_C(14695981039346656037);
    for (; *name != '\0'; name++) seed = (seed ^ (unsigned char)*name) * UINT64_C(1099511628211);
    uint64_t z = seed + (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    z ^= z >> 31;
    return (float)((double)(z >> 40) / 8388608.0 - 1.0);
}

/* ---- The named models -------------------------------------------------------- */

enum { FILTERS = 8, FILTER_ELEMENTS = FILTERS * 3 * 3 * 3, SLOW_SIDE = 64, SLOW_TIMES = 400000 };

static const int64_t PIXELS[] = {1, 2, 3};

static void image_input(model_writer *w)
{
    model_write_input(w, "image", ORT_F32, 4, TINY_DIMS(-1, 3, -1, -1));
}

/* mean of an image [N,3,H,W] to `to` [N,1] */
static void mean_node(model_writer *w, const char *from, const char *to)
{
    model_write_node(w, "ReduceMean", from, "mean3");
    model_write_ints(w, "axes", PIXELS, 3);
    model_write_int(w, "keepdims", 0);
    tiny_integers(w, "one_column", 2, TINY_DIMS(-1, 1));
    model_write_node(w, "Reshape", "mean3 one_column", to);
}

static void score_output(model_writer *w)
{
    model_write_output(w, "score", ORT_F32, 2, TINY_DIMS(-1, 1));
}

static void mean_model(model_writer *w)
{
    image_input(w);
    mean_node(w, "image", "score");
    score_output(w);
}

static void classes_model(model_writer *w)
{
    image_input(w);
    model_write_node(w, "ReduceMean", "image", "channels");
    model_write_ints(w, "axes", TINY_DIMS(2, 3), 2);
    model_write_int(w, "keepdims", 0);
    tiny_floats(w, "gain", 0, NULL, (float[]){4});
    model_write_node(w, "Mul", "channels gain", "logits");
    model_write_node(w, "Softmax", "logits", "score");
    model_write_int(w, "axis", 1);
    model_write_output(w, "score", ORT_F32, 2, TINY_DIMS(-1, 3));
}

static void four_model(model_writer *w)
{
    model_write_input(w, "image", ORT_F32, 4, TINY_DIMS(4, 3, 8, 8));
    mean_node(w, "image", "score");
    model_write_output(w, "score", ORT_F32, 2, TINY_DIMS(4, 1));
}

static void formula(float *values, const char *name, size_t count)
{
    for (size_t i = 0; i < count; i++) values[i] = tiny_weight(name, i) / 4;
}

static void tower_nodes(model_writer *w)
{
    image_input(w);
    model_write_node(w, "Conv", "image filters bias", "conv");
    model_write_ints(w, "pads", TINY_DIMS(1, 1, 1, 1), 4);
    model_write_node(w, "Relu", "conv", "relu");
    model_write_node(w, "GlobalAveragePool", "relu", "pool");
    model_write_node(w, "Flatten", "pool", "embedding");
    model_write_output(w, "embedding", ORT_F32, 2, TINY_DIMS(-1, FILTERS));
}

static void tower_model(model_writer *w)
{
    float filters[FILTER_ELEMENTS], bias[FILTERS];
    formula(filters, "filters", FILTER_ELEMENTS);
    formula(bias, "bias", FILTERS);
    tiny_floats(w, "filters", 4, TINY_DIMS(FILTERS, 3, 3, 3), filters);
    tiny_floats(w, "bias", 1, TINY_DIMS(FILTERS), bias);
    tower_nodes(w);
}

static void beside_model(model_writer *w)
{
    tiny_external(w, "filters", 4, TINY_DIMS(FILTERS, 3, 3, 3), "beside.bin", 0);
    tiny_external(w, "bias", 1, TINY_DIMS(FILTERS), "beside.bin", FILTER_ELEMENTS * sizeof(float));
    tower_nodes(w);
}

static void head_model(model_writer *w)
{
    float weight[FILTERS], bias[1];
    formula(weight, "weight", FILTERS);
    formula(bias, "head.bias", 1);
    model_write_input(w, "embedding", ORT_F32, 2, TINY_DIMS(-1, FILTERS));
    tiny_floats(w, "weight", 2, TINY_DIMS(FILTERS, 1), weight);
    tiny_floats(w, "bias", 1, TINY_DIMS(1), bias);
    model_write_node(w, "Gemm", "embedding weight bias", "score");
    score_output(w);
}

static void mates_model(model_writer *w)
{
    image_input(w);
    mean_node(w, "image", "own");
    model_write_node(w, "ReduceMean", "own", "all");
    model_write_ints(w, "axes", TINY_DIMS(0), 1);
    model_write_node(w, "Sub", "own all", "score");
    score_output(w);
}

/* A loop of matrix products whose result, a matrix of zeros, is added in the end. */
static void slow_model(model_writer *w)
{
    float matrix[SLOW_SIDE * SLOW_SIDE];
    model_writer body;
    for (size_t i = 0; i < SLOW_SIDE * SLOW_SIDE; i++) matrix[i] = 1.0F / SLOW_SIDE;
    tiny_begin(&body);
    model_write_input(&body, "turn", ORT_I64, 0, NULL);
    model_write_input(&body, "go_in", ORT_BOOL, 0, NULL);
    model_write_input(&body, "state_in", ORT_F32, 2, TINY_DIMS(SLOW_SIDE, SLOW_SIDE));
    model_write_node(&body, "Identity", "go_in", "go_out");
    model_write_node(&body, "MatMul", "state_in matrix", "state_out");
    model_write_output(&body, "go_out", ORT_BOOL, 0, NULL);
    model_write_output(&body, "state_out", ORT_F32, 2, TINY_DIMS(SLOW_SIDE, SLOW_SIDE));

    image_input(w);
    mean_node(w, "image", "mean");
    tiny_floats(w, "matrix", 2, TINY_DIMS(SLOW_SIDE, SLOW_SIDE), matrix);
    model_write_tensor(w, &(model_tensor){.name = "times", .type = ORT_I64,
                                          .bytes = TINY_DIMS(SLOW_TIMES), .length = 8});
    model_write_tensor(w, &(model_tensor){.name = "go", .type = ORT_BOOL, .bytes = "\1",
                                          .length = 1});
    model_write_node(w, "ReduceMean", "mean", "first");
    tiny_floats(w, "zero", 0, NULL, (float[]){0});
    model_write_node(w, "Mul", "first zero", "nothing");
    model_write_node(w, "Add", "matrix nothing", "start");
    model_write_node(w, "Loop", "times go start", "state");
    model_write_body(w, "body", &body);
    model_write_node(w, "ReduceMean", "state", "level");
    model_write_int(w, "keepdims", 0);
    model_write_node(w, "Mul", "level zero", "silence");
    model_write_node(w, "Add", "mean silence", "score");
    score_output(w);
}

/* NaN where the mean is above a half. */
static void nan_model(model_writer *w)
{
    image_input(w);
    mean_node(w, "image", "mean");
    tiny_floats(w, "half", 0, NULL, (float[]){0.5F});
    tiny_floats(w, "missing", 0, NULL, (float[]){NAN});
    model_write_node(w, "Greater", "mean half", "above");
    model_write_node(w, "Where", "above missing mean", "score");
    score_output(w);
}

static void bytes_model(model_writer *w)
{
    model_write_input(w, "image", ORT_U8, 4, TINY_DIMS(-1, -1, -1, 3));
    model_write_node(w, "Cast", "image", "floats");
    model_write_int(w, "to", ORT_F32);
    mean_node(w, "floats", "score");
    score_output(w);
}

static void prompted(model_writer *w, int64_t batch)
{
    image_input(w);
    model_write_input(w, "ids", ORT_I64, 2, TINY_DIMS(batch, -1));
    model_write_input(w, "mask", ORT_I64, 2, TINY_DIMS(batch, -1));
    mean_node(w, "image", "mean");
    model_write_node(w, "Mul", "ids mask", "kept");
    model_write_node(w, "Cast", "kept", "numbers");
    model_write_int(w, "to", ORT_F32);
    tiny_integers(w, "second", 1, TINY_DIMS(1));
    model_write_node(w, "ReduceSum", "numbers second", "total");
    tiny_floats(w, "hundredth", 0, NULL, (float[]){0.01F});
    model_write_node(w, "Mul", "total hundredth", "part");
    model_write_node(w, "Add", "mean part", "score");
    score_output(w);
}

static void prompt_model(model_writer *w)
{
    prompted(w, 1);
}

static void prompts_model(model_writer *w)
{
    prompted(w, -1);
}

static bool make_beside(const char *folder)
{
    char path[4096];
    float weights[FILTER_ELEMENTS + FILTERS];
    formula(weights, "filters", FILTER_ELEMENTS);
    formula(weights + FILTER_ELEMENTS, "bias", FILTERS);
    snprintf(path, sizeof path, "%s/beside.bin", folder);
    return os_write_file(path, weights, sizeof weights, NULL) == TARE_OK;
}

static void loud_model(model_writer *w)
{
    model_write_input(w, "wave", ORT_F32, 2, TINY_DIMS(-1, 400));
    model_write_node(w, "Abs", "wave", "size");
    model_write_node(w, "ReduceMean", "size", "score");
    model_write_ints(w, "axes", TINY_DIMS(1), 1);
    model_write_output(w, "score", ORT_F32, 2, TINY_DIMS(-1, 1));
}

bool tiny_models_make(const char *folder)
{
    static const struct {
        const char *name;
        void (*write)(model_writer *w);
    } MODELS[] = {
        {"mean", mean_model}, {"classes", classes_model}, {"four", four_model},
        {"tower", tower_model}, {"head", head_model}, {"mates", mates_model},
        {"slow", slow_model}, {"nan", nan_model}, {"beside", beside_model},
        {"bytes", bytes_model}, {"prompt", prompt_model},
        {"prompts", prompts_model}, {"loud", loud_model},
    };
    bool made = make_beside(folder);
    for (size_t i = 0; made && i < sizeof MODELS / sizeof *MODELS; i++) {
        char path[4096];
        model_writer w;
        tiny_begin(&w);
        MODELS[i].write(&w);
        snprintf(path, sizeof path, "%s/%s.onnx", folder, MODELS[i].name);
        made = tiny_save(&w, path);
    }
    return made;
}
