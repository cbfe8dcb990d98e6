/* What single operators do: colours of scorer audit 15.3, weights that add up, doses that are
 * refused, bases without skin or torso, images of a few pixels. */
#include <string.h>

#include "image/colour.h"
#include "perturb/perturb.h"
#include "support/check.h"

enum { W = 64, H = 96, OPERATORS = 8 };

static mem m;
static tare_error err;
static unsigned char rgb[3 * W * H], person[W * H];
static image photo = {.width = W, .height = H, .channels = 3, .rgb = rgb};

/* Skin in an ellipse before a cool background that is nowhere near the ends of the gamut. */
static void paint(void)
{
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            double u = (x - 31) / 18.0, v = (y - 47) / 30.0;
            unsigned char *p = rgb + 3 * (y * W + x);
            bool skin = u * u + v * v < 1;
            p[0] = (unsigned char)(skin ? 160 + (3 * x + y) % 9 : 80 + x / 2);
            p[1] = (unsigned char)(skin ? 120 + (x + 2 * y) % 7 : 100 + y / 4);
            p[2] = (unsigned char)(skin ? 95 + (x + y) % 5 : 130);
            person[y * W + x] = skin;
        }
}

/* One pixel, all skin, without feather. */
static void one_colour(perturb_variant *v, const unsigned char colour[3], const char *op,
                       double dose)
{
    unsigned char pixel[3], white[3] = {255, 255, 255};
    image one = {.width = 1, .height = 1, .channels = 3, .rgb = pixel};
    image mask = {.width = 1, .height = 1, .channels = 3, .rgb = white};
    const perturb_guides guides = {.mask = &mask};
    perturb_base base;
    memcpy(pixel, colour, 3);
    assert_ok(perturb_base_make(&base, &m, &one, &guides, "one", NULL, &err));
    assert_ok(perturb_variant_make(v, &base, perturb_operator_find(op), dose, &err));
    perturb_base_free(&base);
}

/* clip_mag holds what was cut off: (255 x unclipped - 255)/3. */
static void published_shifts(void **state)
{
    (void)state;
    static const unsigned char light[3] = {224, 172, 105}, dark[3] = {141, 85, 36};
    perturb_variant v = {0};
    one_colour(&v, light, "skin", 5);
    assert_memory_equal(v.picture.rgb, ((unsigned char[]){239, 186, 118}), 3);
    assert_true(v.measures.clip_frac == 0 && v.measures.clip_mag == 0);
    one_colour(&v, light, "skin", 15);
    assert_memory_equal(v.picture.rgb, ((unsigned char[]){255, 213, 144}), 3);
    assert_true(v.measures.clip_frac == 1);
    assert_within(v.measures.clip_mag, (268.9399 - 255) / 3, 0, 2e-5);
    one_colour(&v, dark, "skin", -15);
    assert_memory_equal(v.picture.rgb, ((unsigned char[]){99, 50, 0}), 3);
    assert_within(v.measures.clip_mag, 0.5324 / 3, 0, 2e-5);
    perturb_variant_free(&v, &m);
}

static void published_hue(void **state)
{
    (void)state;
    static const unsigned char light[3] = {224, 172, 105};
    static const double turned[2][3] = {{73.788508, 30.532775, 30.330895},
                                        {73.788508, -11.000938, 41.607606}};
    perturb_variant v = {0};
    for (int k = 0; k < 2; k++) {
        unsigned char want[3];
        colour_rgb_of_lab(want, turned[k]);
        one_colour(&v, light, "hue", k == 0 ? -30 : 30);
        assert_memory_equal(v.picture.rgb, want, 3);
        assert_true(v.measures.clip_frac == 0);
        /* half a step of a byte is at most about 0.6 here */
        assert_within(v.measures.edit_support, 22.277772, 0, 0.6);
        assert_within(v.measures.tone.lightness, 73.788508, 0, 0.3);
    }
    one_colour(&v, (unsigned char[]){128, 128, 128}, "hue", 180); /* grey has no hue to turn */
    assert_memory_equal(v.picture.rgb, ((unsigned char[]){128, 128, 128}), 3);
    perturb_variant_free(&v, &m);
}

static double lightness(const image *i, size_t pixel)
{
    double lab[3];
    colour_lab_of_rgb(lab, i->rgb + 3 * pixel);
    return lab[0];
}

/* Two roundings of bytes stand between the sum and the global shift. */
static void skin_and_nonskin_are_a_global_shift(void **state)
{
    (void)state;
    perturb_base base;
    perturb_options o = PERTURB_OPTIONS_DEFAULT;
    o.whole = true;
    assert_ok(perturb_base_make(&base, &m, &photo, NULL, "x", &o, &err));
    static const double doses[] = {-15, -5, 5, 15};
    for (size_t d = 0; d < 4; d++) {
        perturb_variant on = {0}, off = {0};
        double sum = 0;
        assert_ok(perturb_variant_make(&on, &base, perturb_operator_find("skin"), doses[d], &err));
        assert_ok(perturb_variant_make(&off, &base, perturb_operator_find("nonskin"), doses[d],
                                       &err));
        assert_true(on.measures.clip_frac == 0 && off.measures.clip_frac == 0);
        for (size_t i = 0; i < W * H; i++) {
            double was = lightness(&photo, i);
            double moved = lightness(&on.picture, i) + lightness(&off.picture, i) - 2 * was;
            assert_within(moved, doses[d], 0, 0.6);
            sum += moved;
        }
        assert_within(sum / (W * H), doses[d], 0, 0.02);
        perturb_variant_free(&on, &m);
        perturb_variant_free(&off, &m);
    }
    perturb_base_free(&base);
}

/* Clipping off the skin: of the pixels that are not in the mask. */
static void nonskin_counts_off_the_mask(void **state)
{
    (void)state;
    perturb_base base;
    perturb_variant v = {0};
    perturb_options o = PERTURB_OPTIONS_DEFAULT;
    o.whole = true;
    assert_ok(perturb_base_make(&base, &m, &photo, NULL, "x", &o, &err));
    const perturb_operator *op = perturb_operator_find("nonskin");
    double rest = (double)(W * H - base.skin_pixels);
    bool partly = false;
    for (double dose = 30; dose <= 70; dose += 2) {
        double out = 0;
        assert_ok(perturb_variant_make(&v, &base, op, dose, &err));
        for (size_t i = 0; i < W * H; i++) {
            double lab[3], linear[3];
            colour_lab_of_rgb(lab, rgb + 3 * i);
            lab[0] += dose * (1 - base.weight[i]);
            colour_linear_of_lab(linear, lab);
            out += !base.mask[i] && (colour_clipped(linear[0]) || colour_clipped(linear[1]) ||
                                     colour_clipped(linear[2]));
        }
        partly |= out > 0.05 * rest && out < 0.95 * rest;
        assert_close(v.measures.clip_frac, out / rest);
    }
    assert_true(partly);
    perturb_variant_free(&v, &m);
    perturb_base_free(&base);
}

/* What is made of skin is bit for bit the same, whether the other pixels are prepared or not. */
static void whole_changes_nothing_on_skin(void **state)
{
    (void)state;
    static const char *const ops[] = {"skin", "hue", "sham"};
    perturb_base small, all;
    perturb_options o = PERTURB_OPTIONS_DEFAULT;
    assert_ok(perturb_base_make(&small, &m, &photo, NULL, "x", &o, &err));
    o.whole = true;
    assert_ok(perturb_base_make(&all, &m, &photo, NULL, "x", &o, &err));
    assert_int_equal(all.sites.count, W * H);
    assert_int_equal(all.sites.soft, small.sites.count);
    assert_true(small.sites.count < W * H);
    for (size_t k = 0; k < 3; k++) {
        const perturb_operator *op = perturb_operator_find(ops[k]);
        for (size_t d = 0; d < op->n_doses; d++) {
            perturb_variant p = {0}, q = {0};
            assert_ok(perturb_variant_make(&p, &small, op, op->doses[d], &err));
            assert_ok(perturb_variant_make(&q, &all, op, op->doses[d], &err));
            assert_memory_equal(p.picture.rgb, q.picture.rgb, sizeof rgb);
            assert_memory_equal(&p.measures, &q.measures, sizeof p.measures);
            perturb_variant_free(&p, &m);
            perturb_variant_free(&q, &m);
        }
    }
    perturb_base_free(&small);
    perturb_base_free(&all);
}

static void refuses(const char *name, double dose, const char *words)
{
    const perturb_operator *op = perturb_operator_find(name);
    err = (tare_error){0};
    assert_int_equal(perturb_dose_check(op, dose, &err), TARE_E_USAGE);
    assert_string_equal(err.code, "perturb.dose");
    assert_non_null(strstr(err.message, name));
    if (!strstr(err.message, words)) fail_msg("%s", err.message);
}

static void doses_beyond_are_refused(void **state)
{
    (void)state;
    static const double never[] = {NAN, INFINITY, -INFINITY, 1e300};
    for (size_t k = 0; perturb_operator_at(k) != NULL; k++)
        for (size_t i = 0; i < 4; i++) refuses(perturb_operator_at(k)->name, never[i], "within");
    refuses("warp", 0, "folds");
    refuses("warp", -1, "folds");
    refuses("warp", 0.36, "folds");
    refuses("warp", 1.64, "folds");
    refuses("blur", -0.5, "one side");
    refuses("codec", -2, "within 0..99");
    refuses("codec", 100, "within 0..99");
    refuses("codec", 2.5, "whole number");
    refuses("sham", 0.5, "whole number");
    refuses("nonskin", 101, "L*");
    refuses("hue", -181, "circle");
    refuses("warpsham", 8.5, "small step");
    assert_ok(perturb_dose_check(perturb_operator_find("warp"), 1 / 1.2, &err));
    assert_ok(perturb_dose_check(perturb_operator_find("codec"), 1, &err));
    assert_ok(perturb_dose_check(perturb_operator_find("hue"), 12.5, &err));
}

/* No skin: only what needs none; a silhouette: the warps as well; neither has a tone. */
static void bases_without_skin(void **state)
{
    (void)state;
    static unsigned char sky[3 * W * H];
    image blue = {.width = W, .height = H, .channels = 3, .rgb = sky};
    const perturb_guides guides = {.silhouette = person};
    perturb_options o = PERTURB_OPTIONS_DEFAULT;
    o.whole = o.sets = true;
    for (size_t i = 0; i < sizeof sky; i++) sky[i] = (unsigned char)(60 + (i % 3) * 60 + i % 40);
    for (int torso = 0; torso < 2; torso++) {
        perturb_base base;
        assert_ok(perturb_base_make(&base, &m, &blue, torso ? &guides : NULL, "sky", &o, &err));
        assert_int_equal(base.reason, TARE_R_NO_SKIN);
        assert_int_equal(base.torso_reason, torso ? TARE_R_NONE : TARE_R_NO_SILHOUETTE);
        for (size_t k = 0; perturb_operator_at(k) != NULL; k++) {
            const perturb_operator *op = perturb_operator_at(k);
            bool can = op->needs == PERTURB_NEEDS_NOTHING ||
                       (op->needs == PERTURB_NEEDS_TORSO && torso);
            perturb_variant v = {0};
            tare_status got = perturb_variant_make(&v, &base, op, op->doses[op->n_doses - 1], &err);
            if (!can) {
                assert_int_equal(got, TARE_E_USAGE);
                assert_string_equal(err.code, "perturb.excluded");
                continue;
            }
            assert_int_equal(got, TARE_OK);
            assert_true(v.measures.edit_support > 0);
            assert_close(v.measures.edit_image, measure_difference(&v.picture, &blue, NULL));
            assert_true(isnan(v.measures.tone.ita) && isnan(v.measures.tone.lightness));
            assert_true(isnan(v.measures.ita_tight) && v.measures.tone.pixels == 0);
            perturb_variant_free(&v, &m);
        }
        perturb_base_free(&base);
    }
}

/* Only rows of the band move, and their mean difference is the edit energy. */
static void warps_stay_in_their_band(void **state)
{
    (void)state;
    static unsigned char rows[W * H];
    perturb_base base;
    const perturb_guides guides = {.silhouette = person};
    perturb_options o = PERTURB_OPTIONS_DEFAULT;
    o.whole = true;
    assert_ok(perturb_base_make(&base, &m, &photo, &guides, "x", &o, &err));
    int begin, end;
    torso_rows(&begin, &end, &base.torso, H);
    assert_true(begin > 0 && end < H && end - begin > 10);
    for (int i = 0; i < W * H; i++) rows[i] = i / W >= begin && i / W < end;
    static const char *const ops[] = {"warp", "warpsham"};
    for (int k = 0; k < 2; k++) {
        const perturb_operator *op = perturb_operator_find(ops[k]);
        perturb_variant v = {0};
        assert_ok(perturb_variant_make(&v, &base, op, op->doses[6], &err));
        for (size_t i = 0; i < sizeof rgb; i++)
            if (!rows[i / 3]) assert_int_equal(v.picture.rgb[i], rgb[i]);
        assert_close(v.measures.edit_support, measure_difference(&v.picture, &photo, rows));
        double h = 0, reach = base.torso.reach;
        for (int y = begin; y < end; y++) h = fmax(h, torso_window(&base.torso, WARP_HANN, y));
        double most = k == 0 ? reach * 0.2 * h : 0.75 * h; /* at |x - xc| = R g, or nearby */
        assert_within(v.measures.warp_artifact, most / W, k == 0 ? 0.05 : 1e-12, 0);
        assert_close(perturb_artifact_of(op, &v.measures), v.measures.warp_artifact);
        assert_true(isnan(perturb_attribute_of(op, &v.measures))); /* nobody measured it yet */
        perturb_variant_free(&v, &m);
    }
    perturb_base_free(&base);
}

/* Every operator on images of one pixel, one row and one column, all skin or none, with a person
 * everywhere. */
static void smallest_images(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1}, {7, 1}, {1, 7}, {2, 2}, {3, 9}};
    static const unsigned char colours[2][3] = {{224, 172, 105}, {60, 90, 200}};
    unsigned char pixels[3 * 27], all[27];
    memset(all, 1, sizeof all);
    const perturb_guides guides = {.silhouette = all};
    perturb_options o = PERTURB_OPTIONS_DEFAULT;
    o.whole = o.sets = true;
    for (size_t s = 0; s < 10; s++) {
        image i = {.width = sizes[s / 2][0], .height = sizes[s / 2][1], .channels = 3,
                   .rgb = pixels};
        size_t n = image_pixels(&i);
        for (size_t k = 0; k < n; k++) memcpy(pixels + 3 * k, colours[s % 2], 3);
        perturb_base base;
        assert_ok(perturb_base_make(&base, &m, &i, &guides, "small", &o, &err));
        for (size_t k = 0; perturb_operator_at(k) != NULL; k++) {
            const perturb_operator *op = perturb_operator_at(k);
            bool can = (op->needs != PERTURB_NEEDS_SKIN || base.reason == TARE_R_NONE) &&
                       (op->needs != PERTURB_NEEDS_TORSO || base.torso_reason == TARE_R_NONE);
            for (size_t d = 0; d < op->n_doses; d++) {
                perturb_variant v = {0};
                tare_status got = perturb_variant_make(&v, &base, op, op->doses[d], &err);
                assert_int_equal(got, can ? TARE_OK : TARE_E_USAGE);
                if (can && op->doses[d] == op->neutral)
                    assert_memory_equal(v.picture.rgb, pixels, 3 * n);
                perturb_variant_free(&v, &m);
            }
        }
        perturb_base_free(&base);
    }
}

static void descriptions(void **state)
{
    (void)state;
    size_t n = 0;
    for (; perturb_operator_at(n) != NULL; n++) {
        const perturb_operator *op = perturb_operator_at(n);
        assert_true(op->least <= op->doses[0] && op->most >= op->doses[op->n_doses - 1]);
        assert_true(op->claim[0] && op->summary[0] && op->limit[0] && op->plus[0]);
        assert_true((op->sides == 2) == (op->minus[0] != '\0'));
        if (op->sham == NULL) continue;
        const perturb_operator *sham = perturb_operator_find(op->sham);
        assert_true(sham != NULL && sham->sham_only && sham->support == op->support);
        assert_true(sham->artifact == op->artifact && sham->needs == op->needs);
    }
    assert_int_equal(n, OPERATORS);
    assert_string_equal(perturb_attribute_name(PERTURB_ITA), "ITA");
    assert_string_equal(perturb_attribute_unit(PERTURB_ITA), "degrees");
    assert_string_equal(perturb_attribute_name(PERTURB_WIDTH_RATIO), "width_ratio");
    assert_string_equal(perturb_attribute_unit(PERTURB_WIDTH_RATIO), "ratio");
    assert_string_equal(perturb_attribute_name(PERTURB_NO_ATTRIBUTE), "");
    assert_string_equal(perturb_attribute_unit(PERTURB_NO_ATTRIBUTE), "");
    assert_string_equal(perturb_artifact_name(PERTURB_CLIP_FRAC), "clip_frac");
    assert_string_equal(perturb_artifact_name(PERTURB_WARP_ARTIFACT), "warp_artifact");
    assert_string_equal(perturb_artifact_name(PERTURB_NO_ARTIFACT), "");
}

int main(void)
{
    m = mem_system();
    paint();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_shifts), cmocka_unit_test(published_hue),
        cmocka_unit_test(skin_and_nonskin_are_a_global_shift),
        cmocka_unit_test(nonskin_counts_off_the_mask),
        cmocka_unit_test(whole_changes_nothing_on_skin),
        cmocka_unit_test(doses_beyond_are_refused), cmocka_unit_test(bases_without_skin),
        cmocka_unit_test(warps_stay_in_their_band), cmocka_unit_test(smallest_images),
        cmocka_unit_test(descriptions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
