/* The mistakes that 8.4 lists are seen by its numbers: each moves the vector by about what the
 * specification says, far more than the tolerance of 5e-6. */
#include <string.h>

#include "unit/tower_fixture.h"
#include "unit/tower_peer.h"

/* The largest difference between right and wrong, to the one digit that 8.4 gives. */
static void assert_moves(const ort_output *wrong, const ort_output *right, double want)
{
    const double gap = largest_gap(wrong, right->value);
    const double digit = pow(10, floor(log10(want)));
    if (fabs(gap - want) > .6 * digit) fail_msg("moved by %g, and %g is expected", gap, want);
}

static void assert_mutant(const tower_plan *mutant, double want)
{
    const tower_plan p = plan_clip(GRAPH_OPENAI, GRAPH_QUICK_GELU);
    ort_output right = vector_of("clip.safetensors", TOWER_VISION, &p);
    ort_output wrong = vector_of("clip.safetensors", TOWER_VISION, mutant);
    assert_moves(&wrong, &right, want);
    tower_release(&right);
    tower_release(&wrong);
}

static void the_other_gelu(void **state)
{
    (void)state;
    const tower_plan p = plan_clip(GRAPH_OPENAI, GRAPH_GELU);
    assert_mutant(&p, 3e-2);
}

static void other_numbers_of_heads(void **state)
{
    (void)state;
    tower_plan p = plan_clip(GRAPH_OPENAI, GRAPH_QUICK_GELU);
    p.heads = 2;
    assert_mutant(&p, .6);
    p.heads = 8;
    assert_mutant(&p, 1.6);
}

static void another_epsilon(void **state)
{
    (void)state;
    tower_plan p = plan_clip(GRAPH_OPENAI, GRAPH_QUICK_GELU);
    p.eps = 1e-6;
    assert_mutant(&p, 3e-5);
}

/* The bytes of [width,embedding] taken for [embedding,width]. 8.4 says 4.8 and not how it was read;
 * float64 NumPy gives 3.8428693685560242 for this reading, with numbers of its own. */
static void the_projection_the_other_way(void **state)
{
    (void)state;
    const tower_plan p = plan_clip(GRAPH_OPENAI, GRAPH_QUICK_GELU);
    const tower_plan q = plan_clip(GRAPH_HF, GRAPH_QUICK_GELU);
    formula_list l = list_clip(), hf = formula_as_hf(&l);
    const formula_tensor *proj = formula_find(&l, "visual.proj");
    memcpy(formula_find(&hf, "visual_projection.weight")->value, proj->value,
           proj->count * sizeof *proj->value);
    formula_save(&hf, ort_place("turned.safetensors"), TENSOR_F32, 0);
    ort_output right = vector_of("clip.safetensors", TOWER_VISION, &p);
    ort_output wrong = vector_of("turned.safetensors", TOWER_VISION, &q);
    assert_within(largest_gap(&wrong, right.value), 3.8428693685560242, 0, 1e-5);
    tower_release(&right);
    tower_release(&wrong);
    formula_free(&l);
    formula_free(&hf);
}

/* No graph can be made to do this: the plain C pass does. */
static void variance_with_one_fewer(void **state)
{
    (void)state;
    double value[48];
    float pixels[3 * 32 * 32];
    const tower_plan p = plan_clip(GRAPH_OPENAI, GRAPH_QUICK_GELU);
    formula_list l = list_clip();
    tower_peer peer = {&l, SIZES_CLIP, 4, true, 1e-5, true};
    ort_output right = vector_of("clip.safetensors", TOWER_VISION, &p);
    formula_pixels(pixels, 3 * 32 * 32);
    peer_clip_image(value, &peer, pixels);
    const ort_output wrong = {.rank = 1, .count = 48, .dim = {48}, .value = value};
    assert_moves(&wrong, &right, 3e-2);
    peer.one_fewer = false;
    peer_clip_image(value, &peer, pixels);
    assert_true(largest_gap(&right, value) < 5e-6);
    tower_release(&right);
    formula_free(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_other_gelu),
        cmocka_unit_test(other_numbers_of_heads),
        cmocka_unit_test(another_epsilon),
        cmocka_unit_test(the_projection_the_other_way),
        cmocka_unit_test(variance_with_one_fewer),
    };
    NEED_ORT();
    weights_clip("clip.safetensors", TENSOR_F32, 0);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ort_fixture_end();
    return failed;
}
