/* Towers of formula weights through ONNX Runtime.
 *
 * Numbers: scorers 8.4, float64 NumPy checked against torch's own encoder layer. */
#include <string.h>

#include "unit/tower_fixture.h"

#define TOLERANCE 5e-6

typedef struct golden {
    double first[4], sum, norm;
} golden;

static const golden QUICK = {{.26288261, .09090522, -1.04448837, -.21419687}, -8.39969769,
                             7.74776322};
static const golden EXACT = {{.27351345, .09049748, -1.03982021, -.23052334}, -8.42857599,
                             7.76707653};
static const golden HALF = {{.26151334, .09169540, -1.04437068, -.21477610}, -8.40744169,
                            7.74787624};
static const golden BRAIN = {{.26031293, .08578472, -1.05354430, -.21730902}, -8.40964443,
                             7.74220637};
static const golden TEXT_QUICK = {{.63576073, -1.78146044, -2.34409199, -.06228378}, 2.93820429,
                                  7.61101884};
static const golden TEXT_EXACT = {{.64808922, -1.78509949, -2.35439226, -.06821896}, 2.89838433,
                                  7.62208844};
static const golden TOKEN_0 = {{.56038545, -.55340383, .68309768, -.49108423}, .71272705,
                               8.06459592};
static const golden TOKEN_16 = {{.21400975, -.80078978, 1.64486706, .40510137}, .89791557,
                                8.09999723};
static const golden BERT_0 = {{-.16524354, -.15988295, .01483272, -.64916135}, .66780912,
                              6.99834763};

static void assert_golden(const double *x, size_t n, const golden *want)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i];
        squares += x[i] * x[i];
    }
    for (size_t i = 0; i < 4; i++) assert_within(x[i], want->first[i], 0, TOLERANCE);
    assert_within(sum, want->sum, 0, 4 * TOLERANCE); /* of 48 or 64 rounded numbers */
    assert_within(sqrt(squares), want->norm, 0, TOLERANCE);
}

static void check_tower(const char *file, tower_kind kind, const tower_plan *plan,
                        const golden *want)
{
    ort_output out = vector_of(file, kind, plan);
    assert_int_equal(out.rank, 2);
    assert_int_equal(out.count, 48);
    assert_golden(out.value, out.count, want);
    tower_release(&out);
}

static void weights_are_those_of_the_formula(void **state)
{
    (void)state;
    formula_list l = list_clip();
    const float *v = formula_find(&l, "visual.proj")->value;
    assert_true(v[0] == .0020690858364105225F && v[1] == -.01182699203491211F
                && v[2] == -.20254868268966675F);
    formula_free(&l);
}

static void images_in_openai_layout(void **state)
{
    (void)state;
    tower_plan p = plan_clip(GRAPH_OPENAI, GRAPH_QUICK_GELU);
    weights_clip("clip.safetensors", TENSOR_F32, 0);
    check_tower("clip.safetensors", TOWER_VISION, &p, &QUICK);
    p.activation = GRAPH_GELU;
    check_tower("clip.safetensors", TOWER_VISION, &p, &EXACT);
}

static void images_in_half_precision(void **state)
{
    (void)state;
    const tower_plan p = plan_clip(GRAPH_OPENAI, GRAPH_QUICK_GELU);
    weights_clip("half.safetensors", TENSOR_F16, 0);
    weights_clip("brain.safetensors", TENSOR_BF16, 0);
    check_tower("half.safetensors", TOWER_VISION, &p, &HALF);
    check_tower("brain.safetensors", TOWER_VISION, &p, &BRAIN);
}

static void texts_in_openai_layout(void **state)
{
    (void)state;
    tower_plan p = plan_clip(GRAPH_OPENAI, GRAPH_QUICK_GELU);
    check_tower("clip.safetensors", TOWER_TEXT, &p, &TEXT_QUICK);
    p.activation = GRAPH_GELU;
    check_tower("clip.safetensors", TOWER_TEXT, &p, &TEXT_EXACT);
}

static double cosine(const ort_output *a, const ort_output *b)
{
    double ab = 0, aa = 0, bb = 0;
    for (size_t i = 0; i < a->count; i++) {
        ab += a->value[i] * b->value[i];
        aa += a->value[i] * a->value[i];
        bb += b->value[i] * b->value[i];
    }
    return ab / sqrt(aa * bb);
}

static void assert_cosine(graph_activation activation, double want)
{
    const tower_plan p = plan_clip(GRAPH_OPENAI, activation);
    ort_output image = vector_of("clip.safetensors", TOWER_VISION, &p);
    ort_output words = vector_of("clip.safetensors", TOWER_TEXT, &p);
    assert_within(cosine(&image, &words), want, 0, 1e-6);
    tower_release(&image);
    tower_release(&words);
}

static void cosines_of_image_and_text(void **state)
{
    (void)state;
    assert_cosine(GRAPH_QUICK_GELU, .06325412);
    assert_cosine(GRAPH_GELU, .06614863);
}

static void hugging_face_gives_the_same(void **state)
{
    (void)state;
    const tower_plan p = plan_clip(GRAPH_HF, GRAPH_QUICK_GELU);
    const tower_plan q = plan_clip(GRAPH_OPENAI, GRAPH_QUICK_GELU);
    weights_clip_hf("hf.safetensors", TENSOR_F32);
    check_tower("hf.safetensors", TOWER_VISION, &p, &QUICK);
    check_tower("hf.safetensors", TOWER_TEXT, &p, &TEXT_QUICK);
    ort_output a = vector_of("hf.safetensors", TOWER_VISION, &p);
    ort_output b = vector_of("clip.safetensors", TOWER_VISION, &q);
    assert_true(largest_gap(&a, b.value) < 1e-6);
    tower_release(&a);
    tower_release(&b);
}

/* The head on row 0 of the text that sees the image, and ImageReward's constants. */
static void assert_reward(tower *t, const double *row)
{
    static const char *const layers[] = {"0", "2", "4", "6", "7"};
    tare_error err;
    affine_head head;
    assert_ok(affine_head_fold(&head, &t->a, t->c, "mlp.layers.", layers, 5, &err));
    assert_int_equal(head.length, 48);
    const double value = affine_head_value(&head, row);
    assert_within(value, -.07815679, 0, TOLERANCE);
    assert_within((value - 0.16717362830052426) / 1.0333394966054072, -.23741512, 0, TOLERANCE);
}

static void blip_and_its_reward(void **state)
{
    (void)state;
    float pixels[3 * 32 * 32];
    tower image, words;
    const tower_plan p = plan_blip(), q = plan_bert();
    weights_blip("blip.safetensors");
    formula_pixels(pixels, 3 * 32 * 32);
    tower_open(&image, "blip.safetensors", TOWER_VISION, &p, 1);
    ort_output tokens = tower_see(&image, pixels);
    assert_int_equal(tokens.rank, 3);
    assert_int_equal(tokens.dim[1], 17);
    assert_golden(tokens.value, 64, &TOKEN_0);
    assert_golden(tokens.value + 16 * 64, 64, &TOKEN_16);
    tower_open(&words, "blip.safetensors", TOWER_BERT, &q, 1);
    assert_int_equal(words.plan.cross_width, 64);
    ort_output row = tower_say_of(&words, WORDS, 4, &tokens);
    assert_int_equal(row.count, 48);
    assert_golden(row.value, 48, &BERT_0);
    assert_reward(&words, row.value);
    tower_release(&row);
    tower_release(&tokens);
    tower_close(&words);
    tower_close(&image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_those_of_the_formula),
        cmocka_unit_test(images_in_openai_layout),
        cmocka_unit_test(images_in_half_precision),
        cmocka_unit_test(texts_in_openai_layout),
        cmocka_unit_test(cosines_of_image_and_text),
        cmocka_unit_test(hugging_face_gives_the_same),
        cmocka_unit_test(blip_and_its_reward),
    };
    NEED_ORT();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ort_fixture_end();
    return failed;
}
