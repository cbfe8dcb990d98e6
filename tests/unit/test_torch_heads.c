/* LAION's heads as their authors published them: names, dimensions and types as listed in scorers
 * 3.2, and the whole of V2 folded to one vector, whose first numbers and norm stand in 8.1. */
#include <string.h>

#include "scorer/checkpoint/checkpoint.h"
#include "support/check.h"

#define FOLDER TARE_SHARED_DIR "/data/scorers/laion/"
enum { WIDTH = 768, LAYERS = 5 };

static checkpoint *open_head(const char *file, tare_context *context)
{
    tare_error err = {TARE_OK, "", "", ""};
    char path[600];
    checkpoint *c;
    snprintf(path, sizeof path, FOLDER "%s", file);
    assert_ok(checkpoint_open(&c, context, path, &err));
    assert_int_equal(c->kind, CHECKPOINT_TORCH_ZIP);
    return c;
}

static double *numbers(const checkpoint *c, const char *name, int64_t rows, int64_t columns)
{
    tare_error err = {TARE_OK, "", "", ""};
    const checkpoint_tensor *t = checkpoint_find(c, name);
    assert_non_null(t);
    assert_int_equal(t->type, TENSOR_F32);
    assert_int_equal(t->rank, columns > 0 ? 2 : 1);
    assert_int_equal(t->dim[0], rows);
    if (columns > 0) assert_int_equal(t->dim[1], columns);
    assert_true(t->contiguous);
    double *out = malloc((size_t)t->elements * sizeof *out);
    assert_ok(checkpoint_doubles(out, c, t, &err));
    return out;
}

static void check_vector(const double *w, double w0, double w1, double w2, double norm)
{
    double sum = 0;
    for (int i = 0; i < WIDTH; i++) sum += w[i] * w[i];
    assert_within(w[0], w0, 0, 1e-7);
    assert_within(w[1], w1, 0, 1e-7);
    assert_within(w[2], w2, 0, 1e-7);
    assert_within(sqrt(sum), norm, 0, 1e-6);
}

static void laion_v1(void **state)
{
    checkpoint *c = open_head("sa_0_4_vit_l_14_linear.pth", *state);
    assert_int_equal(c->tensor_count, 2);
    double *w = numbers(c, "weight", 1, WIDTH), *b = numbers(c, "bias", 1, 0);
    check_vector(w, 1.87272048, -2.85126686, -.26583812, 28.444396);
    assert_within(b[0], 3.52937174, 0, 1e-7);
    free(w);
    free(b);
    checkpoint_close(c);
}

static void laion_v1_small(void **state)
{
    checkpoint *c = open_head("sa_0_4_vit_b_32_linear.pth", *state);
    assert_int_equal(c->tensor_count, 2);
    free(numbers(c, "weight", 1, 512));
    free(numbers(c, "bias", 1, 0));
    checkpoint_close(c);
}

/* vector = last weight x ... x first. */
static void laion_v2(void **state)
{
    static const int64_t width[LAYERS + 1] = {WIDTH, 1024, 128, 64, 16, 1};
    static const char *const place[LAYERS] = {"0", "2", "4", "6", "7"};
    checkpoint *c = open_head("sac+logos+ava1-l14-linearMSE.pth", *state);
    double v[1024] = {1}, next[1024], bias = 0;
    assert_int_equal(c->tensor_count, 2 * LAYERS);
    assert_int_equal(c->opaque, 0);
    for (int layer = LAYERS; layer-- > 0;) {
        char name[40];
        int64_t rows = width[layer + 1], columns = width[layer];
        snprintf(name, sizeof name, "layers.%s.weight", place[layer]);
        double *w = numbers(c, name, rows, columns);
        snprintf(name, sizeof name, "layers.%s.bias", place[layer]);
        double *b = numbers(c, name, rows, 0);
        for (int64_t i = 0; i < rows; i++) bias += v[i] * b[i];
        for (int64_t j = 0; j < columns; j++) {
            next[j] = 0;
            for (int64_t i = 0; i < rows; i++) next[j] += v[i] * w[i * columns + j];
        }
        memcpy(v, next, sizeof v);
        free(w);
        free(b);
    }
    check_vector(v, -.69159344, -.55699387, -.32116852, 17.995625);
    assert_within(bias, 5.23664584, 0, 1e-7);
    checkpoint_close(c);
}

int main(void)
{
    NEED_SHARED();
    tare_error err = {TARE_OK, "", "", ""};
    tare_context *context;
    if (tare_context_new(&context, NULL, &err) != TARE_OK) return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test_prestate(laion_v1, context),
                                       cmocka_unit_test_prestate(laion_v1_small, context),
                                       cmocka_unit_test_prestate(laion_v2, context)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    tare_context_free(context);
    return failed;
}
