/* How weights get into a graph: as they lie, from odd addresses, with other strides, quantised, in
 * other types; as values and from the folder. The same numbers always give the same bits. */
#include <stdlib.h>
#include <string.h>

#include "unit/tower_fixture.h"

enum { PIXELS = 3 * 32 * 32 };

static ort_output see(tower *t)
{
    float pixels[PIXELS];
    formula_pixels(pixels, PIXELS);
    return tower_see(t, pixels);
}

/* How many of the graph's weights are copies. */
static size_t copies(const tower *t)
{
    size_t n = 0;
    for (size_t i = 0; i < t->graph.externals.count; i++) n += t->graph.converted[i];
    return n;
}

static ort_output plain(void)
{
    const tower_plan p = plan_clip(GRAPH_OPENAI, GRAPH_QUICK_GELU);
    return vector_of("clip.safetensors", TOWER_VISION, &p);
}

static void assert_plain(tower *t)
{
    ort_output want = plain(), got = see(t);
    assert_int_equal(got.count, want.count);
    assert_memory_equal(got.value, want.value, want.count * sizeof *want.value);
    tower_release(&want);
    tower_release(&got);
}

/* Nothing is copied; names, places and lengths are those of the file. */
static void weights_stay_in_the_file(void **state)
{
    (void)state;
    const tower_plan p = plan_clip(GRAPH_OPENAI, GRAPH_QUICK_GELU);
    tower t;
    tower_open(&t, "clip.safetensors", TOWER_VISION, &p, 1);
    assert_int_equal(copies(&t), 0);
    /* 7 outside of layers and proj; in a layer 2 + 6 + 2 + 2 + 4 */
    assert_int_equal(t.graph.externals.count, 8 + 2 * 16);
    assert_true(t.graph.length < 50000);
    for (size_t i = 0; i < t.graph.externals.count; i++) {
        const model_external *x = &t.graph.externals.item[i];
        assert_string_equal(x->location, "clip.safetensors");
        assert_ptr_equal(t.graph.data[i], t.c->file[0].bytes + x->offset);
    }
    assert_plain(&t);
    tower_close(&t);
}

static void slices_begin_inside_a_tensor(void **state)
{
    (void)state;
    const tower_plan p = plan_clip(GRAPH_OPENAI, GRAPH_QUICK_GELU);
    size_t seen = 0;
    tower t;
    tower_open(&t, "clip.safetensors", TOWER_VISION, &p, 1);
    const checkpoint_tensor *whole
        = checkpoint_find(t.c, "visual.transformer.resblocks.1.attn.in_proj_weight");
    for (size_t i = 0; i < t.graph.externals.count; i++) {
        const model_external *x = &t.graph.externals.item[i];
        const char *end = strstr(x->name, "resblocks.1.attn.in_proj_weight.");
        if (end == NULL) continue;
        const size_t part = (size_t)(strchr("qkv", end[strlen(end) - 1]) - "qkv");
        assert_int_equal(x->offset, whole->offset + part * 64 * 64 * 4);
        assert_int_equal(x->bytes, 64 * 64 * 4);
        seen++;
    }
    assert_int_equal(seen, 3);
    tower_close(&t);
}

static void odd_addresses_are_copied(void **state)
{
    (void)state;
    const tower_plan p = plan_clip(GRAPH_OPENAI, GRAPH_QUICK_GELU);
    tower t;
    weights_clip("odd.safetensors", TENSOR_F32, 1);
    tower_open(&t, "odd.safetensors", TOWER_VISION, &p, 1);
    assert_int_equal(copies(&t), t.graph.externals.count);
    for (size_t i = 0; i < t.graph.externals.count; i++) {
        assert_int_equal((uintptr_t)t.graph.data[i] % 4, 0);
        assert_int_equal(t.graph.externals.item[i].offset % 64, 0);
    }
    assert_plain(&t);
    tower_close(&t);
}

/* ---- Other strides ------------------------------------------------------------------------- */

static checkpoint_tensor *tensor(tower *t, const char *name)
{
    checkpoint_tensor *found = (checkpoint_tensor *)(uintptr_t)checkpoint_find(t->c, name);
    assert_non_null(found);
    return found;
}

/* A matrix stored by columns, `gap` elements between them: torch's view of a transposed one. */
static void by_columns(tower *t, const char *name, int64_t gap)
{
    checkpoint_tensor *m = tensor(t, name);
    const int64_t rows = m->dim[0], columns = m->dim[1];
    const float *old = (const float *)(const void *)m->data;
    float *turned = arena_new(&t->a, (size_t)((rows + gap) * columns), sizeof *turned);
    assert_non_null(turned);
    for (int64_t r = 0; r < rows; r++) {
        for (int64_t c = 0; c < columns; c++) turned[c * (rows + gap) + r] = old[r * columns + c];
    }
    m->stride[0] = 1;
    m->stride[1] = rows + gap;
    m->contiguous = false;
    m->file = SIZE_MAX;
    m->data = (const unsigned char *)turned;
}

/* Turned matrices are used as they lie by the other kind of product; gaps and slices are copied. */
static void turned_matrices(void **state)
{
    (void)state;
    const tower_plan p = plan_clip(GRAPH_OPENAI, GRAPH_QUICK_GELU);
    ort_output want = plain();
    tower t;
    tower_read(&t, "clip.safetensors", &p, 1);
    by_columns(&t, "visual.proj", 0);
    by_columns(&t, "visual.transformer.resblocks.0.mlp.c_fc.weight", 0);
    by_columns(&t, "visual.transformer.resblocks.0.mlp.c_proj.weight", 3);
    by_columns(&t, "visual.transformer.resblocks.1.attn.in_proj_weight", 0);
    const void *as_it_lies = tensor(&t, "visual.proj")->data;
    tower_load(&t, TOWER_VISION);
    assert_int_equal(copies(&t), 6);
    bool used = false;
    for (size_t i = 0; i < t.graph.externals.count; i++) {
        used = used || t.graph.data[i] == as_it_lies;
    }
    assert_true(used);
    ort_output got = see(&t);
    assert_true(largest_gap(&got, want.value) < 2e-6);
    tower_release(&want);
    tower_release(&got);
    tower_close(&t);
}

/* The position embedding, which is no operand of a product, with a gap behind each row. */
static void rows_with_gaps(void **state)
{
    (void)state;
    const tower_plan p = plan_clip(GRAPH_OPENAI, GRAPH_QUICK_GELU);
    tower t;
    tower_read(&t, "clip.safetensors", &p, 1);
    checkpoint_tensor *m = tensor(&t, "visual.positional_embedding");
    float *wide = arena_new(&t.a, 17 * 70, sizeof *wide);
    assert_non_null(wide);
    for (size_t r = 0; r < 17; r++) memcpy(wide + r * 70, m->data + r * 256, 256);
    m->stride[0] = 70;
    m->contiguous = false;
    m->file = SIZE_MAX;
    m->data = (const unsigned char *)wide;
    tower_load(&t, TOWER_VISION);
    assert_int_equal(copies(&t), 1);
    assert_plain(&t);
    tower_close(&t);
}

/* ---- Other types --------------------------------------------------------------------------- */

static void doubles_are_narrowed(void **state)
{
    (void)state;
    const tower_plan p = plan_clip(GRAPH_OPENAI, GRAPH_QUICK_GELU);
    tower t;
    tower_read(&t, "clip.safetensors", &p, 1);
    checkpoint_tensor *m = tensor(&t, "visual.conv1.weight");
    double *wide = arena_new(&t.a, m->elements, sizeof *wide);
    assert_non_null(wide);
    for (size_t i = 0; i < m->elements; i++) wide[i] = ((const float *)(const void *)m->data)[i];
    m->type = TENSOR_F64;
    m->file = SIZE_MAX;
    m->data = (const unsigned char *)wide;
    tower_load(&t, TOWER_VISION);
    assert_plain(&t);
    tower_close(&t);
}

/* Bytes times scale plus minimum, against the same numbers as floats. */
static void quantised_weights(void **state)
{
    (void)state;
    const tower_plan p = plan_clip(GRAPH_OPENAI, GRAPH_QUICK_GELU);
    const char *name = "visual.transformer.resblocks.0.mlp.c_fc.weight";
    ort_output out[2];
    for (int floats = 0; floats < 2; floats++) {
        tower t;
        tower_read(&t, "clip.safetensors", &p, 1);
        checkpoint_tensor *m = tensor(&t, name);
        unsigned char *byte = arena_new(&t.a, m->elements, 1);
        float *value = arena_new(&t.a, m->elements, sizeof *value);
        assert_true(byte != NULL && value != NULL);
        for (size_t i = 0; i < m->elements; i++) {
            byte[i] = (unsigned char)(i * 37 % 256);
            value[i] = (float)(byte[i] * 0.001953125 - 0.25);
        }
        m->type = floats != 0 ? TENSOR_F32 : TENSOR_U8;
        m->data = floats != 0 ? (const unsigned char *)value : byte;
        m->file = SIZE_MAX;
        m->quantised = floats == 0;
        m->scale = 0.001953125;
        m->minimum = -0.25;
        tower_load(&t, TOWER_VISION);
        assert_int_equal(copies(&t), 1);
        out[floats] = see(&t);
        tower_close(&t);
    }
    assert_memory_equal(out[0].value, out[1].value, out[0].count * sizeof *out[0].value);
    tower_release(&out[0]);
    tower_release(&out[1]);
}

static void whole_numbers_are_refused(void **state)
{
    (void)state;
    tare_error err;
    const tower_plan p = plan_clip(GRAPH_OPENAI, GRAPH_QUICK_GELU);
    tower t;
    tower_read(&t, "clip.safetensors", &p, 1);
    tensor(&t, "visual.ln_post.bias")->type = TENSOR_I32;
    assert_ok(graph_plan_vision(&t.plan, t.c, &err));
    assert_int_equal(graph_vision(&t.graph, &t.a, t.c, &t.plan, 1, &err), TARE_E_DATA);
    assert_string_equal(err.code, "checkpoint.type");
    assert_non_null(strstr(err.message, "visual.ln_post.bias"));
    assert_null(t.graph.bytes);
    tower_close(&t);
}

/* ---- The other feed ------------------------------------------------------------------------ */

static bool oldest(void)
{
    return strstr(getenv("TARE_ORT_LIB"), "1.17") != NULL;
}

static void assert_folder(const char *file, int type)
{
    tare_error err;
    const tower_plan p = plan_clip(GRAPH_OPENAI, GRAPH_QUICK_GELU);
    char folder[4200];
    tower t;
    weights_clip(file, type, 0);
    tower_open(&t, file, TOWER_VISION, &p, 1);
    ort_output values = see(&t);
    snprintf(folder, sizeof folder, "%s", t.c->path);
    *strrchr(folder, '/') = '\0';
    const ort_graph how = {.name = t.c->path, .weights = "[]", .folder = folder,
                           .provider = "cpu"};
    ort_session_close(t.session);
    t.session = NULL;
    assert_ok(ort_session_open_graph(&t.session, t.context, &t.graph, &how, &err));
    ort_output from_folder = see(&t);
    assert_memory_equal(from_folder.value, values.value, values.count * sizeof *values.value);
    tower_release(&values);
    tower_release(&from_folder);
    tower_close(&t);
}

static void folder_and_values_give_equal_bits(void **state)
{
    (void)state;
    if (oldest()) return; /* it does not know folders; test_graph_session has what it says */
    assert_folder("one.safetensors", TENSOR_F32);
    assert_folder("two.safetensors", TENSOR_F16);
    assert_folder("three.safetensors", TENSOR_BF16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_stay_in_the_file),
        cmocka_unit_test(slices_begin_inside_a_tensor),
        cmocka_unit_test(odd_addresses_are_copied),
        cmocka_unit_test(turned_matrices),
        cmocka_unit_test(rows_with_gaps),
        cmocka_unit_test(doubles_are_narrowed),
        cmocka_unit_test(quantised_weights),
        cmocka_unit_test(whole_numbers_are_refused),
        cmocka_unit_test(folder_and_values_give_equal_bits),
    };
    NEED_ORT();
    weights_clip("clip.safetensors", TENSOR_F32, 0);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ort_fixture_end();
    return failed;
}
