/* Heads: LAION's own files, and small ones with and without ReLU. */
#include <string.h>

#include "unit/tower_fixture.h"

static const char *const FIVE[] = {"0", "2", "4", "6", "7"}, *const RELU[] = {"0", "3", "6", "9",
                                                                           "11"};
static const char *const BARE[] = {""};

/* ---- Small heads --------------------------------------------------------------------------- */

static const int WIDTHS[] = {12, 40, 32, 24, 16, 1};

static void head_file(const char *file, const int *numbers)
{
    formula_list l = {NULL, 0};
    formula_head(&l, numbers, WIDTHS, 5);
    formula_save(&l, ort_place(file), TENSOR_F32, 0);
    formula_free(&l);
}

/* sin(i), 3 cos(i) */
static void inputs(double x[12], double y[12])
{
    for (int i = 0; i < 12; i++) {
        x[i] = sin(i);
        y[i] = 3 * cos(i);
    }
}

/* NumPy, float64, layer by layer. */
static void affine_maps_are_folded(void **state)
{
    (void)state;
    tare_error err;
    tower t;
    affine_head h;
    double x[12], y[12];
    const tower_plan none = {.prefix = ""};
    inputs(x, y);
    head_file("five.safetensors", (int[]){0, 2, 4, 6, 7});
    tower_read(&t, "five.safetensors", &none, 1);
    assert_ok(affine_head_fold(&h, &t.a, t.c, "mlp.layers.", FIVE, 5, &err));
    assert_int_equal(h.length, 12);
    assert_close(affine_head_value(&h, x), -6.80370312360068e-05);
    assert_close(affine_head_value(&h, y), -0.0194395241333311);
    tower_close(&t);
}

static void relu_between_the_layers(void **state)
{
    (void)state;
    tare_error err;
    tower t;
    relu_head h;
    affine_head flat;
    double x[12], y[12], value;
    const tower_plan none = {.prefix = ""};
    inputs(x, y);
    head_file("relu.safetensors", (int[]){0, 3, 6, 9, 11});
    tower_read(&t, "relu.safetensors", &none, 1);
    assert_ok(relu_head_read(&h, &t.a, t.c, "mlp.layers.", RELU, 5, &err));
    assert_int_equal(h.count, 5);
    assert_ok(relu_head_value(&value, &h, &t.context->mem, x, &err));
    assert_close(value, 0.0500099648530603);
    assert_ok(relu_head_value(&value, &h, &t.context->mem, y, &err));
    assert_close(value, 0.0395364045001913);
    assert_ok(affine_head_fold(&flat, &t.a, t.c, "mlp.layers.", RELU, 5, &err));
    assert_close(affine_head_value(&flat, y), -0.371045503875489);
    tower_close(&t);
}

/* ---- Files that do not fit ----------------------------------------------------------------- */

static void assert_bad_head(const int *widths, const int *numbers, const char *code,
                            const char *message)
{
    tare_error err;
    tower t;
    affine_head h;
    relu_head r;
    formula_list l = {NULL, 0};
    const tower_plan none = {.prefix = ""};
    formula_head(&l, numbers, widths, 2);
    formula_save(&l, ort_place("bad.safetensors"), TENSOR_F32, 0);
    formula_free(&l);
    tower_read(&t, "bad.safetensors", &none, 1);
    assert_int_equal(affine_head_fold(&h, &t.a, t.c, "mlp.layers.", FIVE, 2, &err), TARE_E_DATA);
    assert_string_equal(err.code, code);
    if (strstr(err.message, message) == NULL) fail_msg("\"%s\": %s", message, err.message);
    assert_int_equal(relu_head_read(&r, &t.a, t.c, "mlp.layers.", FIVE, 2, &err), TARE_E_DATA);
    tower_close(&t);
}

static void faults_are_named(void **state)
{
    (void)state;
    assert_bad_head((int[]){4, 3, 1}, (int[]){0, 3}, "checkpoint.missing",
                    "mlp.layers.2.weight [1,3]");
    assert_bad_head((int[]){4, 3, 2}, (int[]){0, 2}, "checkpoint.shape",
                    "mlp.layers.2.weight is [2,3], and [1,3] is wanted: the last layer gives one");
}

static void dims_must_follow(void **state)
{
    (void)state;
    tare_error err;
    tower t;
    affine_head h;
    formula_list l = {NULL, 0};
    const tower_plan none = {.prefix = ""};
    formula_add(&l, "0.weight", 2, (int64_t[]){3, 4});
    formula_add(&l, "0.bias", 1, (int64_t[]){4});
    formula_add(&l, "2.weight", 2, (int64_t[]){1, 5});
    formula_add(&l, "2.bias", 1, (int64_t[]){1});
    formula_save(&l, ort_place("bad.safetensors"), TENSOR_F32, 0);
    formula_free(&l);
    tower_read(&t, "bad.safetensors", &none, 1);
    assert_int_equal(affine_head_fold(&h, &t.a, t.c, "", FIVE, 2, &err), TARE_E_DATA);
    assert_non_null(strstr(err.message, "0.bias is [4], and [3] is wanted"));
    ((checkpoint_tensor *)(uintptr_t)checkpoint_find(t.c, "0.bias"))->dim[0] = 3;
    ((checkpoint_tensor *)(uintptr_t)checkpoint_find(t.c, "0.bias"))->elements = 3;
    assert_int_equal(affine_head_fold(&h, &t.a, t.c, "", FIVE, 2, &err), TARE_E_DATA);
    assert_non_null(strstr(err.message, "2.weight is [1,5], and [1,3] is wanted"));
    tower_close(&t);
}

static void numbers_that_are_none(void **state)
{
    (void)state;
    tare_error err;
    tower t;
    affine_head h;
    formula_list l = {NULL, 0};
    const tower_plan none = {.prefix = ""};
    formula_add(&l, "weight", 2, (int64_t[]){1, 4})->value[2] = NAN;
    formula_add(&l, "bias", 1, (int64_t[]){1});
    formula_save(&l, ort_place("nan.safetensors"), TENSOR_F32, 0);
    formula_free(&l);
    tower_read(&t, "nan.safetensors", &none, 1);
    assert_int_equal(affine_head_fold(&h, &t.a, t.c, "", BARE, 1, &err), TARE_E_DATA);
    assert_string_equal(err.code, "checkpoint.nan");
    assert_non_null(strstr(err.message, "weight"));
    tower_close(&t);
}

/* ---- LAION's: scorers 8.1, of the published files and embeddings ---------------------------- */

#define LAION TARE_SHARED_DIR "/data/scorers/laion/"

typedef struct published_head {
    tare_context *context;
    checkpoint *c;
    arena a;
    affine_head head;
} published_head;

static void open_head(published_head *p, const char *path, const char *prefix,
                      const char *const *layers, size_t count)
{
    tare_error err;
    p->context = ort_context();
    arena_init(&p->a, &p->context->mem);
    assert_ok(checkpoint_open(&p->c, p->context, path, &err));
    assert_ok(affine_head_fold(&p->head, &p->a, p->c, prefix, layers, count, &err));
}

static void close_head(published_head *p)
{
    checkpoint_close(p->c);
    arena_free(&p->a);
    tare_context_free(p->context);
}

typedef struct head_facts {
    double bias, norm, first[3], ones, sines, e0, rated[10];
} head_facts;

static double value_of(const published_head *p, const double *x)
{
    double norm = 0, unit[768];
    for (size_t i = 0; i < 768; i++) norm += x[i] * x[i];
    for (size_t i = 0; i < 768; i++) unit[i] = x[i] / sqrt(norm);
    return affine_head_value(&p->head, unit);
}

/* An array [1,768] of float32, the last 3072 bytes of its file. */
static void rated(double out[768], int number)
{
    char path[4200];
    float value[768];
    snprintf(path, sizeof path, "%svit_l_14_embeddings/rating%d.npy", LAION, number);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fseek(f, -(long)sizeof value, SEEK_END), 0);
    assert_int_equal(fread(value, sizeof *value, 768, f), 768);
    assert_int_equal(fclose(f), 0);
    for (int i = 0; i < 768; i++) out[i] = value[i];
}

static void assert_facts(published_head *p, const head_facts *want)
{
    double norm = 0, ones[768], sines[768], e0[768] = {1};
    assert_int_equal(p->head.length, 768);
    for (size_t i = 0; i < 768; i++) {
        norm += p->head.vector[i] * p->head.vector[i];
        ones[i] = 1;
        sines[i] = sin((double)i);
    }
    assert_within(p->head.bias, want->bias, 0, 1e-7);
    assert_within(sqrt(norm), want->norm, 0, 1e-6);
    for (size_t i = 0; i < 3; i++) assert_within(p->head.vector[i], want->first[i], 0, 1e-7);
    assert_within(value_of(p, ones), want->ones, 0, 1e-6);
    assert_within(value_of(p, sines), want->sines, 0, 1e-6);
    assert_within(value_of(p, e0), want->e0, 0, 1e-6);
    for (int i = 0; i < 10; i++) {
        double v[768];
        rated(v, i);
        assert_within(affine_head_value(&p->head, v), want->rated[i], 0, 1e-6);
    }
}

static void laion_version_2(void **state)
{
    (void)state;
    static const head_facts want = {
        5.23664584, 17.995625, {-.69159344, -.55699387, -.32116852}, 4.883285, 5.867869, 4.545052,
        {1.655480, 2.359275, 3.069824, 3.672451, 4.238010, 4.701021, 5.073054, 5.365362, 5.576664,
         5.746761}};
    published_head p;
    open_head(&p, LAION "sac+logos+ava1-l14-linearMSE.pth", "layers.", FIVE, 5);
    assert_facts(&p, &want);
    close_head(&p);
}

static void laion_version_1(void **state)
{
    (void)state;
    static const head_facts want = {
        3.52937174, 28.444396, {1.87272048, -2.85126686, -.26583812}, 1.513130, 3.806780, 5.402092,
        {-2.457909, -.137857, 1.895110, 3.584934, 5.099726, 6.470104, 7.786990, 9.048002,
         10.226409, 11.304426}};
    published_head p;
    open_head(&p, LAION "sa_0_4_vit_l_14_linear.pth", "", BARE, 1);
    assert_facts(&p, &want);
    close_head(&p);
}

int main(void)
{
    const struct CMUnitTest made[] = {
        cmocka_unit_test(affine_maps_are_folded),
        cmocka_unit_test(relu_between_the_layers),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(dims_must_follow),
        cmocka_unit_test(numbers_that_are_none),
    };
    const struct CMUnitTest published[] = {
        cmocka_unit_test(laion_version_2),
        cmocka_unit_test(laion_version_1),
    };
    NEED_ORT();
    int failed = cmocka_run_group_tests(made, NULL, NULL);
    ort_fixture_end();
    if (failed != 0) return failed;
    NEED_SHARED();
    return cmocka_run_group_tests(published, NULL, NULL);
}
