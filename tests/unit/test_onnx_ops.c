/* From outputs to scores. The numbers of `chains` come from NumPy 1.24 (float64) on
 * x[i] = (7919 i^2 mod 1009)/500 - 1, shape [2, 3, 4]; tests/ref/onnx_ops_numpy.py compares random
 * shapes and chains. */
#include <string.h>

#include "scorer/onnx/onnx_manifest_parts.h"
#include "support/check.h"
#include "support/failing_mem.h"

#define FOLDER TARE_SOURCE_DIR "/tests/data/onnx_manifests"

typedef struct desk {
    mem m;
    arena a;
    onnx_op *ops;
    size_t count;
} desk;

static tare_error err;

/* The operations as a manifest writes them. */
static void begin(desk *d, const char *json)
{
    json_value *v;
    manifest_reader r = {&d->a, "m.json", FOLDER};
    memset(d, 0, sizeof *d);
    d->m = mem_system();
    arena_init(&d->a, &d->m);
    assert_ok(json_parse(&v, &d->a, "m.json", json, strlen(json), NULL, &err));
    assert_ok(manifest_read_ops(&d->ops, &d->count, &r, v, &err));
}

static void fill(ort_output *x, double *values, size_t rank, const int64_t *dim)
{
    *x = (ort_output){.rank = rank, .count = 1, .value = values};
    for (size_t k = 0; k < rank; k++) {
        x->dim[k] = dim[k];
        x->count *= (size_t)dim[k];
    }
    for (size_t i = 0; i < x->count; i++) values[i] = (double)(i * i * 7919 % 1009) / 500 - 1;
}

static tare_status run(double *scores, desk *d, ort_output *x, size_t batch)
{
    return onnx_ops_run(scores, &d->m, x, batch, d->ops, d->count, &err);
}

static void chains(void **state)
{
    (void)state;
    static const struct { const char *ops; double want[2]; } list[] = {
        {"[[\"select\", -1, 2], [\"mean\", 1]]", {0.19133333333333336, 0.18266666666666664}},
        {"[[\"select\", 1, -1], [\"max\"]]", {0.68799999999999994, 0.58400000000000007}},
        {"[[\"mean\"]]", {0.054833333333333317, -0.14966666666666664}},
        {"[\"mean\"]", {0.054833333333333317, -0.14966666666666664}},
        {"[[\"sum\", 1], [\"min\", [-1]]]", {-1.246, -1.6280000000000001}},
        {"[[\"min\", 2], [\"max\"]]", {-0.40400000000000003, -0.64200000000000002}},
        {"[[\"mean\", -1], [\"sum\", -1]]", {0.16449999999999998, -0.44900000000000001}},
        {"[[\"sum\", [2, 1]]]", {0.65799999999999981, -1.7959999999999998}},
        {"[[\"softmax\", -1], [\"select\", -1, 1], [\"mean\"]]",
         {0.2895811891179097, 0.14657072198832929}},
        {"[[\"softmax\", 1], [\"select\", 1, 0], [\"max\"]]",
         {0.48941773084475504, 0.47465279336422267}},
        {"[[\"mean\", 1], [\"softmax\", -1], [\"expect\", [1, 2, 3, 4]]]",
         {2.7135770064977209, 2.8899619374025516}},
        {"[[\"sigmoid\"], [\"logit\"], [\"affine\", 2, -3], [\"sum\"]]",
         {-34.684000000000005, -39.591999999999992}},
        {"[[\"l2norm\", -1], [\"select\", 1, 1], [\"dot\", \"weights4.npy\"]]",
         {1.6080622453587285, 1.526300351609861}},
        {"[[\"l2norm\", 1], [\"sum\"]]", {1.8846815241863952, -1.8402985038367714}},
        {"[[\"exp\"], [\"clip\", 0.5, 1.5], [\"mean\"], [\"log\"]]",
         {0.092979489834386558, -0.12267016847104928}},
    };
    static const int64_t dim[] = {2, 3, 4};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        desk d;
        ort_output x;
        double values[24], scores[2];
        begin(&d, list[k].ops);
        fill(&x, values, 3, dim);
        assert_ok(run(scores, &d, &x, 2));
        for (size_t i = 0; i < 2; i++)
            if (!(fabs(scores[i] - list[k].want[i]) <= 1e-12))
                fail_msg("%s: %.17g", list[k].ops, scores[i]);
        arena_free(&d.a);
    }
}

static void shapes_of_one_image(void **state)
{
    (void)state;
    static const struct { size_t rank; int64_t dim[4]; } list[] = {
        {0, {0}}, {1, {1}}, {2, {1, 1}}, {4, {1, 1, 1, 1}}};
    for (size_t k = 0; k < 4; k++) {
        desk d;
        ort_output x;
        double value[1], score = 0;
        begin(&d, "[[\"affine\", 3, 0.5]]");
        fill(&x, value, list[k].rank, list[k].dim);
        value[0] = 2;
        assert_ok(run(&score, &d, &x, 1));
        assert_true(score == 6.5);
        arena_free(&d.a);
    }
}

static void no_operation_leaves_what_there_is(void **state)
{
    (void)state;
    static const int64_t dim[] = {3, 1};
    desk d;
    ort_output x;
    double values[3], scores[3];
    begin(&d, "[]");
    fill(&x, values, 2, dim);
    assert_ok(run(scores, &d, &x, 3));
    for (size_t i = 0; i < 3; i++) assert_true(scores[i] == values[i]);
    arena_free(&d.a);
}

static void stable_where_numbers_are_large(void **state)
{
    (void)state;
    static const int64_t dim[] = {1, 3};
    static const struct { const char *ops; double x[3], want; } list[] = {
        /* softmax: exp(1000) would overflow; 1/(1 + 1/e + 1/e^2) */
        {"[[\"softmax\", 1], [\"select\", 1, 0]]", {1000, 999, 998}, 0.66524095577482178},
        {"[[\"softmax\", 1], [\"select\", 1, 2]]", {-1000, -1001, -1002}, 0.090030573170380462},
        {"[[\"sigmoid\"], [\"select\", 1, 0]]", {-745, 0, 0}, 4.9406564584124654e-324},
        {"[[\"sigmoid\"], [\"select\", 1, 1]]", {0, 800, 0}, 1},
        {"[[\"logit\"], [\"select\", 1, 0]]", {1e-300, .5, .5}, -690.77552789821368},
        {"[[\"l2norm\", 1], [\"select\", 1, 0]]", {3e200, 4e200, 0}, .6},
        {"[[\"l2norm\", 1], [\"select\", 1, 1]]", {3e-200, 4e-200, 0}, .8},
        {"[[\"sum\"]]", {1e16, 1, -1e16}, 1}, /* compensated */
        {"[[\"expect\", [1, 1, 1]]]", {1e16, 1, -1e16}, 1},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        desk d;
        ort_output x;
        double values[3], score;
        begin(&d, list[k].ops);
        fill(&x, values, 2, dim);
        memcpy(values, list[k].x, sizeof values);
        assert_ok(run(&score, &d, &x, 1));
        if (!(fabs(score - list[k].want) <= 1e-14 * fabs(list[k].want)))
            fail_msg("%s: %.17g", list[k].ops, score);
        arena_free(&d.a);
    }
}

/* What has no finite value is not made into one: it becomes a status later. */
static void not_finite_stays_so(void **state)
{
    (void)state;
    static const int64_t dim[] = {1, 3};
    static const struct { const char *ops; double x[3]; } list[] = {
        {"[[\"logit\"], [\"select\", 1, 0]]", {0, .5, .5}},
        {"[[\"logit\"], [\"select\", 1, 0]]", {1, .5, .5}},
        {"[[\"logit\"], [\"select\", 1, 0]]", {1.5, .5, .5}},
        {"[[\"log\"], [\"select\", 1, 0]]", {0, 1, 1}},
        {"[[\"log\"], [\"select\", 1, 0]]", {-1, 1, 1}},
        {"[[\"l2norm\", 1], [\"sum\"]]", {0, 0, 0}},
        {"[[\"max\"]]", {1, NAN, 2}}, {"[[\"min\"]]", {NAN, 1, 2}}, {"[[\"sum\"]]", {1, 2, NAN}},
        {"[[\"mean\"]]", {1, INFINITY, 2}}, {"[[\"clip\", 0, 1], [\"mean\"]]", {1, NAN, 2}},
        {"[[\"softmax\", 1], [\"max\"]]", {1, NAN, 2}},
        {"[[\"softmax\", 1], [\"max\"]]", {INFINITY, 1, 2}},
        {"[[\"expect\", [1, 2, 3]]]", {NAN, 1, 1}},
        {"[[\"exp\"], [\"max\"]]", {1000, 1, 1}},
        {"[[\"affine\", 1e308, 0], [\"max\"]]", {1000, 1, 1}},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        desk d;
        ort_output x;
        double values[3], score = 0;
        begin(&d, list[k].ops);
        fill(&x, values, 2, dim);
        memcpy(values, list[k].x, sizeof values);
        assert_ok(run(&score, &d, &x, 1));
        if (isfinite(score)) fail_msg("%zu: %s: %.17g", k, list[k].ops, score);
        arena_free(&d.a);
    }
}

static void shapes_that_do_not_go(void **state)
{
    (void)state;
    static const struct { const char *ops; size_t batch, rank; int64_t dim[4];
                          const char *where, *words; } list[] = {
        {"[]", 2, 3, {2, 3, 4}, "output.ops", "[2, 3, 4], which is not one number"},
        {"[[\"select\", 1, 0]]", 2, 3, {2, 3, 4}, "output.ops", "[2, 4], which is not"},
        {"[]", 2, 2, {3, 1}, "output", "[3, 1]; its first dimension must be the batch, which is 2"},
        {"[]", 1, 2, {4, 2}, "output", "the batch, which is 1"},
        {"[]", 2, 0, {0}, "output", "the shape []"},
        {"[]", 1, 2, {1, 0}, "output.ops", "[1, 0], which is not"},
        {"[\"sigmoid\", [\"select\", 3, 0]]", 2, 3, {2, 3, 4}, "output.ops[1]",
         "select met the shape [2, 3, 4]: there is no axis 3"},
        {"[[\"softmax\", -3]]", 2, 3, {2, 3, 4}, "output.ops[0]", "axis -3 is the batch"},
        {"[[\"mean\", [1, -3]]]", 2, 3, {2, 3, 4}, "output.ops[0]", "axis -3 is the batch"},
        {"[[\"mean\", [1, -2]]]", 2, 3, {2, 3, 4}, "output.ops[0]", "two of its axes are the same"},
        {"[[\"max\", 1]]", 2, 2, {2, 0}, "output.ops[0]", "nothing to reduce"},
        {"[[\"select\", 1, 3]]", 2, 3, {2, 3, 4}, "output.ops[0]", "axis 1 has no element 3"},
        {"[[\"select\", 1, -4]]", 2, 3, {2, 3, 4}, "output.ops[0]", "axis 1 has no element -4"},
        {"[[\"expect\", [1, 2]]]", 2, 2, {2, 3}, "output.ops[0]",
         "the last axis has 3 elements, and there are 2 values"},
        {"[[\"dot\", \"weights4.npy\"]]", 2, 2, {2, 3}, "output.ops[0]", "there are 4 values"},
        {"[[\"expect\", [1, 2]]]", 2, 1, {2}, "output.ops[0]", "an axis besides the batch"},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        desk d;
        ort_output x;
        double values[24], scores[4];
        begin(&d, list[k].ops);
        fill(&x, values, list[k].rank, list[k].dim);
        tare_status status = run(scores, &d, &x, list[k].batch);
        if (status != TARE_E_DATA || strcmp(err.code, "manifest.ops") ||
            strcmp(err.where, list[k].where) || !strstr(err.message, list[k].words))
            fail_msg("%zu: status %d [%s] %s: %s", k, (int)status, err.code, err.where,
                     err.message);
        arena_free(&d.a);
    }
}

static void unknown_dimensions_pass(void **state)
{
    (void)state;
    desk d;
    onnx_shape s = {3, {-1, -1, 4}};
    begin(&d, "[[\"select\", 1, 700], [\"expect\", [1, 2, 3, 4]]]");
    assert_ok(onnx_ops_begin(&s, 8, &err));
    for (size_t k = 0; k < d.count; k++) assert_ok(onnx_ops_shape(&s, &d.ops[k], k, &err));
    assert_ok(onnx_ops_end(&s, &err));
    assert_int_equal(s.rank, 1);
    arena_free(&d.a);
}

static void out_of_memory(void **state)
{
    (void)state;
    static const int64_t dim[] = {2, 3, 4};
    desk d;
    failing_mem f;
    ort_output x;
    double values[24], scores[2];
    begin(&d, "[\"mean\"]");
    fill(&x, values, 3, dim);
    mem m = failing_mem_start(&f, 1);
    assert_int_equal(onnx_ops_run(scores, &m, &x, 2, d.ops, d.count, &err), TARE_E_MEMORY);
    m = failing_mem_start(&f, 2);
    assert_ok(onnx_ops_run(scores, &m, &x, 2, d.ops, d.count, &err));
    assert_int_equal(failing_mem_live(&f), 0);
    arena_free(&d.a);
}

static void operations_have_names(void **state)
{
    (void)state;
    assert_string_equal(onnx_op_name(ONNX_SELECT), "select");
    assert_string_equal(onnx_op_name(ONNX_CLIP), "clip");
    assert_null(onnx_op_name((onnx_op_kind)(ONNX_CLIP + 1)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains),
        cmocka_unit_test(shapes_of_one_image),
        cmocka_unit_test(no_operation_leaves_what_there_is),
        cmocka_unit_test(stable_where_numbers_are_large),
        cmocka_unit_test(not_finite_stays_so),
        cmocka_unit_test(shapes_that_do_not_go),
        cmocka_unit_test(unknown_dimensions_pass),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(operations_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
