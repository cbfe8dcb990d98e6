/* Towers of other sizes against the plain C forward pass, batches against single images, copies of
 * weights against views of them. */
#include <string.h>

#include "unit/tower_fixture.h"
#include "unit/tower_peer.h"

#define TOLERANCE 5e-6

/* A small generator for sizes; the numbers are SplitMix64's, as everywhere in the tests. */
static int drawn(unsigned *at, int from, int to)
{
    const double u = ((double)tiny_weight("sizes", (*at)++) + 1) / 2;
    return from + (int)(u * (to - from + 1));
}

static float *pixels_of(int side, size_t batch)
{
    const size_t count = (size_t)(3 * side * side) * batch;
    float *out = malloc(count * sizeof *out);
    assert_non_null(out);
    formula_pixels(out, count);
    return out;
}

/* Float32 against double: an error relative to the size of what is added up. */
static void assert_near(const ort_output *got, const double *want)
{
    double most = 1;
    for (size_t i = 0; i < got->count; i++) most = fmax(most, fabs(want[i]));
    assert_true(largest_gap(got, want) < TOLERANCE * most);
}

static void check_image(const char *file, const tower_plan *plan, const tower_peer *peer)
{
    double want[64 * 64];
    float *pixels = pixels_of(peer->sizes.side, 1);
    tower t;
    tower_open(&t, file, TOWER_VISION, plan, 1);
    assert_int_equal(t.plan.width, peer->sizes.width);
    assert_int_equal(t.plan.layers, peer->sizes.layers);
    assert_int_equal(t.plan.side, peer->sizes.side);
    assert_int_equal(t.plan.mlp, peer->sizes.mlp);
    ort_output out = tower_see(&t, pixels);
    assert_true(out.count <= sizeof want / sizeof *want);
    if (plan->layout == GRAPH_BLIP) peer_blip_image(want, peer, pixels);
    else peer_clip_image(want, peer, pixels);
    assert_near(&out, want);
    tower_release(&out);
    tower_close(&t);
    free(pixels);
}

static void check_words(const char *file, const tower_plan *plan, const tower_peer *peer)
{
    double want[64];
    int64_t ids[16];
    tower t;
    tower_open(&t, file, TOWER_TEXT, plan, 1);
    assert_int_equal(t.plan.vocabulary, peer->sizes.vocabulary);
    assert_int_equal(t.plan.context, peer->sizes.context);
    assert_int_equal(t.plan.embedding, peer->sizes.embedding);
    for (int n = 1; n <= peer->sizes.context; n += 3) {
        for (int i = 0; i < n; i++) ids[i] = (7 * i + n) % peer->sizes.vocabulary;
        ort_output out = tower_say(&t, ids, (size_t)n);
        peer_clip_text(want, peer, ids, n);
        assert_near(&out, want);
        tower_release(&out);
    }
    tower_close(&t);
}

/* Both layouts of a CLIP of these sizes. */
static void check_clip(const formula_sizes *s, int heads, bool quick, double eps, int type)
{
    formula_list l = {NULL, 0};
    formula_openai_vision(&l, s);
    formula_openai_text(&l, s);
    if (type != TENSOR_F32) formula_round(&l, type);
    formula_list hf = formula_as_hf(&l);
    formula_save(&l, ort_place("a.safetensors"), type, 0);
    formula_save(&hf, ort_place("b.safetensors"), type, 0);
    const tower_peer peer = {&l, *s, heads, quick, eps, false};
    tower_plan p = {.layout = GRAPH_OPENAI, .prefix = "", .eps = eps, .heads = heads,
                    .activation = quick ? GRAPH_QUICK_GELU : GRAPH_GELU};
    check_image("a.safetensors", &p, &peer);
    check_words("a.safetensors", &p, &peer);
    p.layout = GRAPH_HF;
    check_image("b.safetensors", &p, &peer);
    check_words("b.safetensors", &p, &peer);
    formula_free(&l);
    formula_free(&hf);
}

static void heads_of_twenty(void **state)
{
    (void)state;
    const formula_sizes s = {.width = 60, .layers = 3, .mlp = 240, .embedding = 20, .patch = 8,
                             .side = 24, .vocabulary = 50, .context = 9};
    check_clip(&s, 3, false, 1e-5, TENSOR_F32);
}

static void drawn_sizes(void **state)
{
    (void)state;
    static const int types[] = {TENSOR_F32, TENSOR_F16, TENSOR_BF16};
    unsigned at = 0;
    for (int round = 0; round < 6; round++) {
        const int heads = drawn(&at, 1, 5), patch = drawn(&at, 3, 9);
        const formula_sizes s = {
            .width = heads * drawn(&at, 2, 12), .layers = drawn(&at, 1, 3),
            .mlp = drawn(&at, 5, 90), .embedding = drawn(&at, 2, 40), .patch = patch,
            .side = patch * drawn(&at, 1, 5), .vocabulary = drawn(&at, 20, 60),
            .context = drawn(&at, 2, 14)};
        check_clip(&s, heads, round % 2 == 0, round % 2 == 0 ? 1e-5 : 1e-3, types[round % 3]);
    }
}

static void drawn_blip(void **state)
{
    (void)state;
    unsigned at = 100;
    for (int round = 0; round < 5; round++) {
        const int heads = drawn(&at, 1, 4), patch = drawn(&at, 3, 7), each = drawn(&at, 2, 12);
        const formula_sizes v = {.width = heads * each, .layers = drawn(&at, 1, 3),
                                 .mlp = drawn(&at, 5, 90), .patch = patch,
                                 .side = patch * drawn(&at, 1, 5)};
        const formula_sizes s = {.width = heads * drawn(&at, 2, 12), .layers = drawn(&at, 1, 3),
                                 .mlp = drawn(&at, 5, 90), .vocabulary = 40, .context = 12,
                                 .cross = v.width};
        formula_list l = {NULL, 0};
        double tokens[64 * 64], want[64];
        tower image, words;
        formula_blip_vision(&l, &v);
        formula_blip_text(&l, &s);
        formula_save(&l, ort_place("a.safetensors"), TENSOR_F32, 0);
        const tower_peer eye = {&l, v, heads, false, 1e-6, false};
        const tower_peer tongue = {&l, s, heads, false, 1e-12, false};
        tower_plan p = plan_blip(), q = plan_bert();
        p.heads = q.heads = heads;
        check_image("a.safetensors", &p, &eye);
        float *pixels = pixels_of(v.side, 1);
        tower_open(&image, "a.safetensors", TOWER_VISION, &p, 1);
        ort_output seen = tower_see(&image, pixels);
        peer_blip_image(tokens, &eye, pixels);
        tower_open(&words, "a.safetensors", TOWER_BERT, &q, 1);
        const int64_t ids[] = {9, 0, 31, 7, 7};
        ort_output out = tower_say_of(&words, ids, 5, &seen);
        peer_blip_text(want, &tongue, ids, 5, tokens, (int)seen.dim[1]);
        assert_near(&out, want);
        tower_release(&out);
        tower_release(&seen);
        tower_close(&words);
        tower_close(&image);
        free(pixels);
        formula_free(&l);
    }
}

/* ---- Batches ------------------------------------------------------------------------------- */

enum { PIXELS = 3 * 32 * 32, IMAGES = 8 };

static void assert_batch(tower_kind kind, const char *file, const tower_plan *plan, size_t batch,
                         const double *alone, size_t each)
{
    float *pixels = pixels_of(32, IMAGES);
    tower t;
    tower_open(&t, file, kind, plan, batch);
    for (size_t i = 0; i + batch <= IMAGES; i += batch) {
        ort_output out = tower_see(&t, pixels + i * PIXELS);
        assert_int_equal(out.count, batch * each);
        assert_memory_equal(out.value, alone + i * each, out.count * sizeof *alone);
        tower_release(&out);
    }
    tower_close(&t);
    free(pixels);
}

static void check_batches(const char *file, const tower_plan *plan, size_t each)
{
    static const size_t sizes[] = {1, 2, 3, 8};
    float *pixels = pixels_of(32, IMAGES);
    double *alone = malloc(IMAGES * each * sizeof *alone);
    tower t;
    assert_non_null(alone);
    tower_open(&t, file, TOWER_VISION, plan, 1);
    for (size_t i = 0; i < IMAGES; i++) {
        ort_output out = tower_see(&t, pixels + i * PIXELS);
        memcpy(alone + i * each, out.value, each * sizeof *alone);
        tower_release(&out);
    }
    tower_close(&t);
    assert_true(memcmp(alone, alone + each, each * sizeof *alone) != 0);
    for (size_t i = 0; i < 4; i++) {
        assert_batch(TOWER_VISION, file, plan, sizes[i], alone, each);
    }
    free(alone);
    free(pixels);
}

static void batches_give_equal_bits(void **state)
{
    (void)state;
    const tower_plan p = plan_clip(GRAPH_OPENAI, GRAPH_QUICK_GELU);
    const tower_plan q = plan_clip(GRAPH_HF, GRAPH_GELU), r = plan_blip();
    weights_clip("clip.safetensors", TENSOR_F32, 0);
    weights_clip("half.safetensors", TENSOR_F16, 0);
    weights_clip_hf("hf.safetensors", TENSOR_F32);
    weights_blip("blip.safetensors");
    check_batches("clip.safetensors", &p, 48);
    check_batches("half.safetensors", &p, 48);
    check_batches("hf.safetensors", &q, 48);
    check_batches("blip.safetensors", &r, 17 * 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads_of_twenty),
        cmocka_unit_test(drawn_sizes),
        cmocka_unit_test(drawn_blip),
        cmocka_unit_test(batches_give_equal_bits),
    };
    NEED_ORT();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ort_fixture_end();
    return failed;
}
