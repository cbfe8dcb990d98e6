/* Silhouettes of photographs: which files are taken, what is said of others, what a segmenter that
 * fails does, and how wide a torso is. */
#include "audit/photos/photo_silhouette.h"

#include <math.h>
#include <string.h>

#include "base/os.h"
#include "onnx_fixture.h"
#include "photo_fixture.h"
#include "support/check.h"
#include "support/tiny_onnx.h"

static tare_context *context;
static tare_error err;
static arena a;
static photo_plan plan;
static photo_run run;
static photo_silhouette person;

static int begin(void **state)
{
    (void)state;
    memset(&err, 0, sizeof err);
    scratch_make();
    if (tare_context_new(&context, NULL, &err)) return -1;
    arena_init(&a, &context->mem);
    photo_plan_init(&plan, &a);
    plan.root = arena_copy(&a, in_scratch("photos"));
    plan.decoding = IMAGE_DECODING_DEFAULT;
    run = (photo_run){.context = context, .plan = &plan, .a = &a};
    return 0;
}

static int end(void **state)
{
    (void)state;
    segmenter_close(run.silhouettes);
    arena_free(&a);
    tare_context_free(context);
    scratch_remove();
    return 0;
}

/* ---- files ------------------------------------------------------------------------------ */

enum { WIDTH = 24, HEIGHT = 28 };

static void load(const char *name, double band_top, double band_bottom)
{
    char path[320];
    image photo;
    snprintf(path, sizeof path, "%s", in_scratch("photos/sil/s.png"));
    plan_base base = {.id = "p", .silhouette = name ? path : NULL, .band_top = band_top,
                      .band_bottom = band_bottom};
    if (name) snprintf(path, sizeof path, "%s/%s", in_scratch("photos/sil"), name);
    draw_photo(&photo, 1, WIDTH, HEIGHT);
    memset(&err, 0, sizeof err);
    assert_ok(photo_silhouette_load(&person, &run, &base, &photo, &err));
    image_free(&photo, &context->mem);
}

static void assert_refused(tare_reason reason, const char *words)
{
    assert_null(person.mask);
    if (person.reason != reason || !strstr(person.why, words))
        fail_msg("%s: %s", tare_reason_name(person.reason), person.why);
}

static void a_file_is_the_person(void **state)
{
    (void)state;
    write_half_mask("photos/sil/half.png", WIDTH, HEIGHT);
    load("half.png", 0, 0);
    assert_int_equal(person.reason, TARE_R_NONE);
    for (int k = 0; k < WIDTH * HEIGHT; k++)
        assert_int_equal(person.mask[k], k % WIDTH < WIDTH / 2);
    photo_silhouette_free(&person, &context->mem);
    /* The mean of the three is 128 and 127. */
    write_plain("photos/sil/just.png", WIDTH, HEIGHT, 255, 128, 1);
    load("just.png", 0, 0);
    assert_int_equal(person.reason, TARE_R_NONE);
    photo_silhouette_free(&person, &context->mem);
    write_plain("photos/sil/not.png", WIDTH, HEIGHT, 255, 126, 0);
    load("not.png", 0, 0);
    assert_refused(TARE_R_NO_SILHOUETTE, "the silhouette sil/not.png is empty: the person is where "
                                         "its mean is 128 or more");
}

/* By Pillow 9.4: white, of alpha 200 on the right half; and opaque. */
static const unsigned char clear[] = {
    137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 24, 0, 0, 0, 28, 8, 6,
    0, 0, 0, 123, 230, 127, 238, 0, 0, 0, 47, 73, 68, 65, 84, 120, 218, 99, 252, 255, 255, 255,
    127, 6, 210, 192, 73, 82, 20, 51, 49, 208, 24, 140, 90, 48, 106, 193, 168, 5, 163, 22, 140,
    90, 48, 106, 193, 168, 5, 163, 22, 140, 90, 48, 92, 44, 0, 0, 157, 235, 4, 253, 65, 131, 103,
    77, 0, 0, 0, 0, 73, 69, 78, 68, 174, 66, 96, 130};
static const unsigned char opaque[] = {
    137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 24, 0, 0, 0, 28, 8, 6,
    0, 0, 0, 123, 230, 127, 238, 0, 0, 0, 40, 73, 68, 65, 84, 120, 218, 237, 205, 49, 17, 0, 0, 8,
    4, 32, 181, 127, 231, 55, 133, 139, 7, 5, 232, 36, 169, 67, 83, 199, 4, 2, 129, 64, 32, 16, 8,
    4, 95, 130, 5, 113, 203, 4, 52, 150, 118, 116, 85, 0, 0, 0, 0, 73, 69, 78, 68, 174, 66, 96,
    130};

static void write_file(const char *name, const void *bytes, size_t length)
{
    assert_ok(os_make_folders(in_scratch("photos/sil"), &err));
    assert_ok(os_write_file(in_scratch(name), bytes, length, &err));
}

static void what_is_no_silhouette(void **state)
{
    (void)state;
    write_half_mask("photos/sil/turned.png", HEIGHT, WIDTH);
    load("turned.png", 0, 0);
    assert_refused(TARE_R_UNSUPPORTED_PIXELS, "the silhouette sil/turned.png: it has 28 x 24 "
                                              "pixels, the photograph 24 x 28");
    write_text("photos/sil/text.png", "no image");
    load("text.png", 0, 0);
    assert_refused(TARE_R_DECODE, "the silhouette sil/text.png: not an image");
    write_text("photos/sil/cut.png", "\x89PNG\r\n\x1a\n");
    load("cut.png", 0, 0);
    assert_refused(TARE_R_DECODE, "the silhouette sil/cut.png: ");
    load("absent.png", 0, 0);
    assert_refused(TARE_R_UNREADABLE, "the silhouette sil/absent.png: cannot open");
    write_file("photos/sil/clear.png", clear, sizeof clear);
    load("clear.png", 0, 0);
    assert_refused(TARE_R_UNSUPPORTED_PIXELS, "transparent somewhere: save it without alpha");
    write_file("photos/sil/opaque.png", opaque, sizeof opaque);
    load("opaque.png", 0, 0);
    assert_int_equal(person.reason, TARE_R_NONE);
    photo_silhouette_free(&person, &context->mem);
    plan.decoding.limits.pixels = 1000;
    write_half_mask("photos/sil/huge.png", 200, 200);
    load("huge.png", 0, 0);
    assert_refused(TARE_R_DECODE, "the silhouette sil/huge.png: ");
    assert_non_null(strstr(person.why, "200 x 200"));
    load(NULL, 0, 0);
    assert_refused(TARE_R_NO_SILHOUETTE, "name a mask of the person in the manifest's column "
                                         "silhouette, or a model that finds it by --segmenter");
}

static void a_torso_must_be_there(void **state)
{
    (void)state;
    image drawn;
    write_plain("photos/sil/black.png", WIDTH, HEIGHT, 0, 0, 0);
    load("black.png", 0, 0);
    assert_refused(TARE_R_NO_SILHOUETTE, "is empty");
    write_half_mask("photos/sil/half.png", WIDTH, HEIGHT);
    load("half.png", 5, 40);
    assert_refused(TARE_R_NO_SILHOUETTE, "the band of rows 5 to 40 that the manifest gives reaches "
                                         "out of the photograph, which has 28");
    assert_int_equal(image_new(&drawn, &context->mem, WIDTH, HEIGHT, NULL), TARE_OK);
    memset(drawn.rgb, 0, image_pixels(&drawn) * 3);
    memset(drawn.rgb, 255, WIDTH * 3); /* the first row only */
    write_image("photos/sil/line.png", &drawn);
    load("line.png", 0, 0);
    assert_refused(TARE_R_NO_SILHOUETTE, "shows nobody, or a single column, where the torso should "
                                         "be");
    load("line.png", 10, 20);
    assert_refused(TARE_R_NO_SILHOUETTE, "shows nobody, or a single column, in the rows 10 to 20");
    image_free(&drawn, &context->mem);
}

static void it_is_resized_like_its_photograph(void **state)
{
    (void)state;
    image photo;
    plan_base base = {.id = "p"};
    char path[320];
    plan.prepare_size = 16;
    write_half_mask("photos/sil/large.png", 32, 64);
    snprintf(path, sizeof path, "%s", in_scratch("photos/sil/large.png"));
    base.silhouette = path;
    draw_photo(&photo, 1, 16, 16); /* what a photograph of 32 x 64 becomes */
    assert_ok(photo_silhouette_load(&person, &run, &base, &photo, &err));
    assert_int_equal(person.reason, TARE_R_NONE);
    for (int k = 0; k < 16 * 16; k++) assert_int_equal(person.mask[k], k % 16 < 8);
    photo_silhouette_free(&person, &context->mem);
    image_free(&photo, &context->mem);
}

/* ---- a segmenter ------------------------------------------------------------------------ */

/* The person is where red is above a half; a picture with a black red has none. */
static bool open_segmenter(void)
{
    model_writer w;
    char path[320];
    scorer_options o = SCORER_OPTIONS_DEFAULT;
    if (!fixture_library()) return false;
    o.ort_library = fixture_library();
    tiny_begin(&w);
    model_write_input(&w, "image", ORT_F32, 4, TINY_DIMS(-1, 3, HEIGHT, WIDTH));
    model_write_node(&w, "Log", "image", "map");
    model_write_output(&w, "map", ORT_F32, 4, TINY_DIMS(-1, 3, HEIGHT, WIDTH));
    assert_true(tiny_save(&w, in_scratch("red.onnx")));
    write_text("red.yaml",
               "tare_scorer: 1\nname: red\nmodel: red.onnx\ninput: {name: image, kind: image, "
               "size: [28, 24], resize: {mode: none}, divide: 255}\noutput: {name: map, map: "
               "{layout: nchw, channel: 0, activation: none, threshold: -0.6931}}\n");
    snprintf(path, sizeof path, "onnx:%s", in_scratch("red.yaml"));
    assert_ok(segmenter_open(&run.silhouettes, context, path, &o, &err));
    run.segmented = true;
    return true;
}

static void paint(image *out, unsigned char grey, unsigned char red)
{
    assert_int_equal(image_new(out, &context->mem, WIDTH, HEIGHT, NULL), TARE_OK);
    memset(out->rgb, grey, image_pixels(out) * 3);
    for (int y = 4; y < 24; y++)
        for (int x = 6; x < 16; x++) out->rgb[3 * (y * WIDTH + x)] = red;
}

static void a_segmenter_finds_the_person(void **state)
{
    (void)state;
    plan_base base = {.id = "p"};
    image photo;
    if (!open_segmenter()) skip();
    for (int turn = 0; turn < 2; turn++) { /* one that fails is no reason to stop the others */
        paint(&photo, 0, 200);
        assert_ok(photo_silhouette_load(&person, &run, &base, &photo, &err));
        assert_refused(TARE_R_SCORER_ERROR, "the segmenter red: the map has values that are not "
                                            "finite numbers");
        image_free(&photo, &context->mem);
        paint(&photo, 30, 200);
        assert_ok(photo_silhouette_load(&person, &run, &base, &photo, &err));
        assert_int_equal(person.reason, TARE_R_NONE);
        assert_int_equal(mask_count(person.mask, image_pixels(&photo)), 200);
        photo_silhouette_free(&person, &context->mem);
        image_free(&photo, &context->mem);
    }
    paint(&photo, 30, 30);
    assert_ok(photo_silhouette_load(&person, &run, &base, &photo, &err));
    assert_refused(TARE_R_NO_SILHOUETTE, "the segmenter's silhouette is empty");
    /* A file comes before the segmenter. */
    write_half_mask("photos/sil/half.png", WIDTH, HEIGHT);
    load("half.png", 0, 0);
    assert_int_equal(mask_count(person.mask, WIDTH * HEIGHT), WIDTH / 2 * HEIGHT);
    photo_silhouette_free(&person, &context->mem);
    tare_context_stop(context);
    assert_int_equal(photo_silhouette_load(&person, &run, &base, &photo, &err), TARE_E_STOPPED);
    assert_null(person.mask);
    image_free(&photo, &context->mem);
}

/* ---- width ------------------------------------------------------------------------------ */

typedef struct made {
    image photo;
    perturb_base base;
    plan_slot slots[4]; /* neutral, warp, sham, skin */
} made;

static const perturb_operator *op_called(const char *name)
{
    const perturb_operator *op = perturb_operator_find(name);
    assert_non_null(op);
    return op;
}

static void make(made *x, int width, int height, const unsigned char *mask)
{
    const perturb_guides guides = {.silhouette = mask};
    draw_photo(&x->photo, 1, width, height);
    assert_ok(perturb_base_make(&x->base, &context->mem, &x->photo, &guides, "p", NULL, &err));
    assert_int_equal(x->base.torso_reason, TARE_R_NONE);
    x->slots[0] = (plan_slot){.op = op_called("skin")};
    x->slots[1] = (plan_slot){.op = op_called("warp")};
    x->slots[2] = (plan_slot){.op = op_called("warpsham")};
    x->slots[3] = (plan_slot){.op = op_called("skin")};
    plan.slots = x->slots;
    plan.slot_count = 4;
    plan.neutral_slot = 0;
}

static double width_of(made *x, size_t slot, double dose, const image *picture)
{
    perturb_measures measures = {.width_ratio = -1};
    x->slots[slot].dose = dose;
    assert_ok(photo_silhouette_measure(&measures, &run, &x->base, &x->slots[slot], picture, &err));
    return measures.width_ratio;
}

/* By NumPy 1.24 from the formulas of the scorer audit, section 2.6: the silhouette's pixels taken
 * from where the warp takes them. */
static void a_file_is_warped_along(void **state)
{
    (void)state;
    static unsigned char mask[40 * 60];
    static const double at[][2] = {{0.80, 0.3088888888888889}, {0.93, 0.33111111111111113},
                                   {1, 0.3422222222222222},    {1.07, 0.35333333333333333},
                                   {1.20, 0.3755555555555556}};
    made x;
    memset(mask, 0, sizeof mask);
    for (int row = 5; row < 55; row++) memset(mask + row * 40 + 12, 1, 16);
    for (int row = 20; row < 30; row++) memset(mask + row * 40 + 26, 1, 4);
    make(&x, 40, 60, mask);
    for (size_t k = 0; k < sizeof at / sizeof *at; k++)
        assert_close(width_of(&x, 1, at[k][0], &x.photo), at[k][1]);
    assert_close(width_of(&x, 0, 0, &x.photo), 0.3422222222222222);
    assert_close(width_of(&x, 2, 0.75, &x.photo), 0.3422222222222222);
    assert_true(width_of(&x, 3, 5, &x.photo) == -1); /* left alone */
    run.segmented = true; /* whose segmenter is not here: nothing stands in for it */
    assert_true(isnan(width_of(&x, 1, 0.8, &x.photo)));
    perturb_base_free(&x.base);
    image_free(&x.photo, &context->mem);
}

/* What is seen on the variant counts, not the dose: 10 columns of 24, then 4, of a torso of 20
 * rows. */
static void a_segmenter_measures_the_variant(void **state)
{
    (void)state;
    static unsigned char mask[WIDTH * HEIGHT];
    made x;
    image wide, narrow, broken;
    if (!open_segmenter()) skip();
    memset(mask, 0, sizeof mask);
    for (int row = 4; row < 24; row++) memset(mask + row * WIDTH + 6, 1, 10);
    make(&x, WIDTH, HEIGHT, mask);
    paint(&wide, 30, 200);
    assert_close(width_of(&x, 1, 0.8, &wide), 10.0 / 20);
    paint(&narrow, 30, 30);
    for (int row = 0; row < HEIGHT; row++)
        for (int column = 8; column < 12; column++)
            narrow.rgb[3 * (row * WIDTH + column)] = 255;
    assert_close(width_of(&x, 1, 0.8, &narrow), 4.0 / 20);
    assert_close(width_of(&x, 0, 0, &narrow), 4.0 / 20);
    paint(&broken, 0, 200);
    assert_true(isnan(width_of(&x, 1, 0.8, &broken)));
    perturb_base_free(&x.base);
    image_free(&x.photo, &context->mem);
    image_free(&wide, &context->mem);
    image_free(&narrow, &context->mem);
    image_free(&broken, &context->mem);
}

#define FRESH(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FRESH(a_file_is_the_person),
        FRESH(what_is_no_silhouette),
        FRESH(a_torso_must_be_there),
        FRESH(it_is_resized_like_its_photograph),
        FRESH(a_segmenter_finds_the_person),
        FRESH(a_file_is_warped_along),
        FRESH(a_segmenter_measures_the_variant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
