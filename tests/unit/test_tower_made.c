/* Towers that a caller makes of a graph in memory: made once under one key, closed once, with the
 * vectors and the fingerprints of their weights. */
#include <string.h>

#include "base/error.h"
#include "scorer/onnx/onnx_tower.h"
#include "scorer/shelf.h"
#include "support/graph_fixture.h"

static tare_error err;
static tare_context *context;
enum { LENGTH = GRAPH_VECTOR_LENGTH, SIDE = 8, BATCH = 2 };
#define WEIGHTS "[{\"bytes\":4660,\"sha256\":\"ab\"}]"

/* What a back end would make a tower of. */
typedef struct workshop {
    graph_fixture graph;
    const char *input;      /* that the manifest names        */
    const char *identity;
    bool break_early;       /* before there is a session      */
    int made, closed;
} workshop;

static void fill(onnx_model *x, const workshop *w)
{
    onnx_manifest *m = &x->manifest;
    m->name = "made";
    m->input = w->input;
    m->output = GRAPH_VECTOR;
    m->kind = ONNX_IMAGE;
    m->image = (onnx_image_input){.type = ORT_F32, .height = SIDE, .width = SIDE,
                                  .fit = ONNX_FIT_NONE, .divide = 1, .std = {1, 1, 1}};
    m->identity = w->identity;
}

static tare_status make(onnx_model *x, void **made, void *arg, tare_context *c,
                        const scorer_options *options, tare_error *e)
{
    tare_status status = TARE_OK;
    workshop *w = arg;
    ort_session *session = NULL;
    const ort_graph how = {.name = "weights.bin", .weights = WEIGHTS};
    *made = w;
    w->made++;
    if (w->break_early) return error_set(e, TARE_E_DATA, "test.early", "", "broken");
    onnx_model_begin(x, c);
    fill(x, w);
    status = ort_session_open_graph(&session, c, &w->graph.graph, &how, e);
    if (status != TARE_OK) return status;
    status = onnx_model_adopt(x, options, session, BATCH, e);
    if (status != TARE_OK) ort_session_close(session);
    return status;
}

static void close_made(void *made)
{
    ((workshop *)made)->closed++;
}

static void workshop_begin(workshop *w)
{
    *w = (workshop){.input = GRAPH_IMAGE, .identity = "{\"recipe\":\"test\"}"};
    graph_fixture_make(&w->graph, ort_place("weights.bin"), "weights.bin", BATCH);
}

static tare_status take(onnx_tower **t, scorer_shelf *shelf, workshop *w, const char *key,
                        size_t length)
{
    const onnx_tower_maker maker = {make, close_made, w, key, length};
    const scorer_options options = SCORER_OPTIONS_DEFAULT;
    return onnx_tower_take_made(t, shelf, context, &maker, &options, &err);
}

static void made_once_and_closed_once(void **state)
{
    (void)state;
    workshop w;
    onnx_tower *a, *b, *c;
    scorer_shelf *shelf = scorer_shelf_new(&context->mem);
    workshop_begin(&w);
    assert_ok(take(&a, shelf, &w, "published:x", LENGTH));
    assert_ok(take(&b, shelf, &w, "published:x", LENGTH));
    assert_ptr_equal(a, b);
    assert_int_equal(w.made, 1);
    assert_ok(take(&c, shelf, &w, "published:y", LENGTH));
    assert_ptr_not_equal(a, c);
    assert_int_equal(w.made, 2);
    onnx_tower_give_back(shelf, a);
    assert_int_equal(w.closed, 0);
    onnx_tower_give_back(shelf, c);
    assert_int_equal(w.closed, 1);
    onnx_tower_give_back(shelf, b);
    assert_int_equal(w.closed, 2);
    scorer_shelf_free(shelf);
    graph_fixture_free(&w.graph);
}

/* An image of bytes, whose values are what the tensor holds: vectors as of the sums in double. */
static void vectors_of_items(void **state)
{
    (void)state;
    workshop w;
    onnx_tower *t;
    image p[3];
    scorer_item items[3] = {{.key = "a"}, {.key = "b"}, {.key = "c"}};
    scorer_result results[3];
    float vectors[3 * LENGTH];
    scorer_shelf *shelf = scorer_shelf_new(&context->mem);
    workshop_begin(&w);
    assert_ok(take(&t, shelf, &w, "k", LENGTH));
    for (size_t k = 0; k < 3; k++) {
        assert_ok(image_new(&p[k], &context->mem, SIDE, SIDE, &err));
        for (size_t i = 0; i < ORT_IMAGE; i++)
            p[k].rgb[i] = (unsigned char)((i * 37 + k * 101) % 256);
        items[k].pixels = &p[k];
    }
    assert_ok(onnx_tower_vectors(vectors, results, t, items, 3, &err));
    for (size_t k = 0; k < 3; k++)
        for (size_t e = 0; e < LENGTH; e++) {
            double sum = tiny_weight("bias", e) / 8;
            for (size_t i = 0; i < ORT_IMAGE; i++)
                sum += (double)tiny_weight("weight", e * ORT_IMAGE + i) / 4
                       * p[k].rgb[i % (SIDE * SIDE) * 3 + i / (SIDE * SIDE)];
            assert_int_equal(results[k].status, TARE_R_NONE);
            assert_within(vectors[k * LENGTH + e], sum * (1 + tiny_weight("scale", e) / 8), 1e-5,
                          1e-2);
        }
    for (size_t k = 0; k < 3; k++) image_free(&p[k], &context->mem);
    onnx_tower_give_back(shelf, t);
    scorer_shelf_free(shelf);
    graph_fixture_free(&w.graph);
}

static void assert_has(const char *json, const char *part)
{
    if (strstr(json, part) == NULL) fail_msg("no %s in %s", part, json);
}

static void what_it_says_of_itself(void **state)
{
    (void)state;
    workshop w;
    onnx_tower *t;
    arena a;
    scorer_shelf *shelf = scorer_shelf_new(&context->mem);
    workshop_begin(&w);
    arena_init(&a, &context->mem);
    assert_ok(take(&t, shelf, &w, "k", LENGTH));
    const char *identity = onnx_tower_identity(t);
    const char *engine = onnx_model_engine(onnx_tower_model(t), &a);
    assert_has(identity, "{\"recipe\":\"test\"}");
    assert_has(identity, WEIGHTS);
    assert_has(identity, "\"checkpoint\"");
    assert_null(strstr(identity, "weights.bin"));
    assert_has(engine, "\"feed\":\"values\"");
    assert_has(engine, "\"provider\":\"cpu\"");
    assert_has(engine, "\"graph\":\"");
    arena_free(&a);
    onnx_tower_give_back(shelf, t);
    scorer_shelf_free(shelf);
    graph_fixture_free(&w.graph);
}

static void what_cannot_be_made_leaves_nothing(void **state)
{
    (void)state;
    workshop w;
    onnx_tower *t = (onnx_tower *)&err;
    scorer_shelf *shelf = scorer_shelf_new(&context->mem);
    workshop_begin(&w);
    w.break_early = true;
    assert_int_equal(take(&t, shelf, &w, "k", LENGTH), TARE_E_DATA);
    assert_string_equal(err.code, "test.early");
    assert_null(t);
    w.break_early = false;
    w.input = "pictures";
    assert_int_equal(take(&t, shelf, &w, "k", LENGTH), TARE_E_DATA);
    assert_string_equal(err.code, "manifest.input");
    w.input = GRAPH_IMAGE;
    assert_int_equal(take(&t, shelf, &w, "k", LENGTH + 1), TARE_E_DATA);
    assert_string_equal(err.code, "onnx.vector");
    assert_int_equal(w.made, 3);
    assert_int_equal(w.closed, 3);
    assert_ok(take(&t, shelf, &w, "k", LENGTH));
    onnx_tower_give_back(shelf, t);
    scorer_shelf_free(shelf);
    graph_fixture_free(&w.graph);
}

int main(void)
{
    NEED_ORT();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(made_once_and_closed_once),
        cmocka_unit_test(vectors_of_items),
        cmocka_unit_test(what_it_says_of_itself),
        cmocka_unit_test(what_cannot_be_made_leaves_nothing),
    };
    context = ort_context();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    tare_context_free(context);
    ort_fixture_end();
    return failed;
}
