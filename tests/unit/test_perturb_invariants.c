/* Scorer audit 2.8 on a made-up portrait, for every operator there is. */
#include <string.h>

#include "base/pool.h"
#include "image/colour.h"
#include "perturb/perturb.h"
#include "support/check.h"

enum { W = 181, H = 223 };

static mem m;
static tare_error err;
static unsigned char rgb[3 * W * H];
static image photo = {.width = W, .height = H, .channels = 3, .rgb = rgb};
static unsigned char person[W * H]; /* head and shoulders, for the operators on a torso */
static const perturb_guides guides = {.silhouette = person};

static void paint(void)
{
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            double u = (x - W / 2) / 60.0, v = (y - H / 2) / 80.0, r = u * u + v * v;
            double light = 1 - 0.1 * u + 0.01 * ((x * 7 + y * 13) % 9 - 4);
            double skin[3] = {168 * light, 128 * light, 108 * light};
            double back[3] = {70 + 0.3 * x, 90 + 0.2 * y, 140};
            for (int c = 0; c < 3; c++)
                rgb[3 * (y * W + x) + c] = (unsigned char)(r < 1 ? skin[c] : back[c]);
            person[y * W + x] = r < 1 || (v > 0.5 && fabs(u) < 0.5 + 0.5 * v);
        }
}

static void make_base(perturb_base *base, const perturb_options *o)
{
    assert_ok(perturb_base_make(base, &m, &photo, &guides, "portrait", o, &err));
    assert_int_equal(base->reason, TARE_R_NONE);
    assert_true(base->skin_share > 0.3 && base->skin_share < 0.5);
}

static void neutral_dose_is_the_base(void **state)
{
    (void)state;
    for (size_t k = 0; perturb_operator_at(k) != NULL; k++) {
        const perturb_operator *op = perturb_operator_at(k);
        perturb_base base;
        perturb_variant v = {0};
        bool has_neutral = false;
        perturb_options o = PERTURB_OPTIONS_DEFAULT;
        o.whole = op->support != PERTURB_SKIN;
        make_base(&base, &o);
        assert_ok(perturb_variant_make(&v, &base, op, op->neutral, &err));
        assert_memory_equal(v.picture.rgb, rgb, sizeof rgb);
        assert_true(v.measures.edit_image == 0 && v.measures.edit_support == 0);
        double artifact = perturb_artifact_of(op, &v.measures);
        assert_true(op->artifact == PERTURB_NO_ARTIFACT ? isnan(artifact) : artifact == 0);
        assert_true(isnan(v.measures.clip_frac) == (op->artifact != PERTURB_CLIP_FRAC));
        assert_ptr_equal(perturb_operator_find(op->name), op);
        for (size_t d = 0; d < op->n_doses; d++) {
            has_neutral |= op->doses[d] == op->neutral;
            if (d > 0) assert_true(op->doses[d] > op->doses[d - 1]);
            if (op->sides == 1) assert_true(op->doses[d] >= op->neutral);
            assert_ok(perturb_dose_check(op, op->doses[d], &err));
            assert_ok(perturb_variant_make(&v, &base, op, op->doses[d], &err));
            assert_true((v.measures.edit_support > 0) == (op->doses[d] != op->neutral));
        }
        assert_true(has_neutral);
        perturb_variant_free(&v, &m);
        perturb_base_free(&base);
    }
    assert_null(perturb_operator_find("no such"));
}

/* Mean over the core of measured L* changes by the dose within 0.1 where nothing is clipped. */
static void core_moves_by_the_dose(void **state)
{
    (void)state;
    perturb_base base;
    make_base(&base, NULL);
    const perturb_operator *op = perturb_operator_find("skin");
    for (size_t d = 0; d < op->n_doses; d++) {
        perturb_variant v = {0};
        double sum = 0;
        size_t n = 0;
        assert_ok(perturb_variant_make(&v, &base, op, op->doses[d], &err));
        assert_true(v.measures.clip_frac == 0);
        for (size_t i = 0; i < W * H; i++) {
            if (!(base.weight[i] > 0.999)) continue;
            double was[3], is[3];
            colour_lab_of_rgb(was, rgb + 3 * i);
            colour_lab_of_rgb(is, v.picture.rgb + 3 * i);
            sum += is[0] - was[0];
            n++;
        }
        assert_true(n > 2000);
        assert_within(sum / (double)n, op->doses[d], 0, 0.1);
        perturb_variant_free(&v, &m);
    }
    perturb_base_free(&base);
}

/* Nothing but the pixels with w > 0 changes, and each as by the definition. */
static void pixels_by_definition(void **state)
{
    (void)state;
    perturb_base base;
    make_base(&base, NULL);
    const perturb_operator *op = perturb_operator_find("skin");
    for (size_t d = 0; d < op->n_doses; d++) {
        perturb_variant v = {0};
        assert_ok(perturb_variant_make(&v, &base, op, op->doses[d], &err));
        for (size_t i = 0; i < W * H; i++) {
            double lab[3], linear[3];
            colour_lab_of_rgb(lab, rgb + 3 * i);
            lab[0] += op->doses[d] * base.weight[i];
            colour_linear_of_lab(linear, lab);
            for (int c = 0; c < 3; c++) {
                double e = colour_encode(linear[c]);
                int want = (int)floor(255 * (e < 0 ? 0 : e > 1 ? 1 : e) + 0.5);
                assert_int_equal(v.picture.rgb[3 * i + (size_t)c], want);
            }
        }
        perturb_variant_free(&v, &m);
    }
    perturb_base_free(&base);
}

typedef struct many {
    const perturb_base *base;
    perturb_variant v[7 * 8];
} many;

enum { MANY = 7 * 8 };

static tare_status make_many(void *arg, size_t begin, size_t end, unsigned worker, tare_error *e)
{
    many *x = arg;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        const perturb_operator *op = perturb_operator_at(i % 8);
        tare_status status = perturb_variant_make(&x->v[i], x->base, op, op->doses[i / 8], e);
        if (status != TARE_OK) return status;
    }
    return TARE_OK;
}

static void threads_and_order_change_nothing(void **state)
{
    (void)state;
    perturb_base base;
    many one = {0}, three = {0};
    perturb_options o = PERTURB_OPTIONS_DEFAULT;
    o.whole = true;
    make_base(&base, &o);
    assert_null(perturb_operator_at(8)); /* all of them, with seven doses each */
    one.base = three.base = &base;
    assert_ok(make_many(&one, 0, MANY, 0, &err));
    pool *p = pool_new(&m, 3);
    assert_non_null(p);
    assert_ok(pool_for(p, MANY, 1, make_many, &three, &err));
    pool_free(p);
    for (size_t i = 0; i < MANY; i++) {
        assert_memory_equal(one.v[i].picture.rgb, three.v[i].picture.rgb, sizeof rgb);
        assert_memory_equal(&one.v[i].measures, &three.v[i].measures, sizeof one.v[i].measures);
        perturb_variant_free(&one.v[i], &m);
        perturb_variant_free(&three.v[i], &m);
    }
    perturb_base_free(&base);
}

static void little_skin_is_a_reason(void **state)
{
    (void)state;
    static unsigned char blue[300 * 3];
    image i = {.width = 20, .height = 15, .channels = 3, .rgb = blue};
    perturb_base base;
    perturb_variant v = {0};
    for (size_t k = 0; k < sizeof blue; k++) blue[k] = k % 3 == 2 ? 200 : 60;
    for (size_t k = 0; k < 14; k++) memcpy(blue + 3 * k, "\xe0\xac\x69", 3); /* 14 of 300 */
    assert_ok(perturb_base_make(&base, &m, &i, NULL, "sky", NULL, &err));
    assert_int_equal(base.reason, TARE_R_NO_SKIN);
    assert_int_equal(perturb_variant_make(&v, &base, perturb_operator_at(0), 5, &err),
                     TARE_E_USAGE);
    perturb_base_free(&base);
    memcpy(blue + 3 * 14, "\xe0\xac\x69", 3); /* 15 of 300: exactly 5 % */
    assert_ok(perturb_base_make(&base, &m, &i, NULL, "sky", NULL, &err));
    assert_int_equal(base.reason, TARE_R_NONE);
    perturb_base_free(&base);
    for (size_t k = 0; k < 300; k++) memcpy(blue + 3 * k, "\xe0\xac\x69", 3);
    assert_ok(perturb_base_make(&base, &m, &i, NULL, "close", NULL, &err));
    assert_true(base.mostly_skin);
    perturb_base_free(&base);
    perturb_base_free(NULL);
    perturb_variant_free(NULL, &m);
}

static void support_must_be_prepared(void **state)
{
    (void)state;
    perturb_base base;
    perturb_variant v = {0};
    perturb_operator op = *perturb_operator_find("skin");
    op.support = PERTURB_WHOLE;
    make_base(&base, NULL);
    assert_int_equal(perturb_variant_make(&v, &base, &op, 5, &err), TARE_E_USAGE);
    assert_string_equal(err.code, "perturb.sites");
    perturb_base_free(&base);
}

/* A buffer of the same size is used again, and leaves nothing behind. */
/* The map that pictures are drawn from marks exactly the pixels that clip_frac counts, in both ways
 * of blending. */
static void clip_map_marks_what_is_counted(void **state)
{
    (void)state;
    static unsigned char map[W * H];
    size_t seen = 0;
    for (int mode = FEATHER_LAB; mode <= FEATHER_RGB; mode++)
        for (size_t k = 0; perturb_operator_at(k) != NULL; k++) {
            const perturb_operator *op = perturb_operator_at(k);
            perturb_base base;
            perturb_options o = PERTURB_OPTIONS_DEFAULT;
            o.mode = (feather_mode)mode;
            o.whole = op->support != PERTURB_SKIN;
            make_base(&base, &o);
            for (size_t d = 0; d < op->n_doses; d++) {
                perturb_variant v = {.clip_map = map};
                double dose = op->doses[d] * (strstr(op->name, "skin") ? 4 : 1); /* up to 60 */
                memset(map, 0, sizeof map);
                assert_ok(perturb_variant_make(&v, &base, op, dose, &err));
                size_t marked = mask_count(map, sizeof map), of = base.skin_pixels;
                if (op->support == PERTURB_OFF_SKIN) of = sizeof map - of;
                seen += marked;
                if (op->artifact == PERTURB_CLIP_FRAC)
                    assert_true((double)marked / (double)of == v.measures.clip_frac);
                else assert_int_equal(marked, 0);
                perturb_variant_free(&v, &m);
            }
            perturb_base_free(&base);
        }
    assert_true(seen > 0);
}

static void buffers_are_reused(void **state)
{
    (void)state;
    perturb_base base;
    perturb_variant v = {0};
    const perturb_operator *op = perturb_operator_find("skin");
    make_base(&base, NULL);
    assert_ok(perturb_variant_make(&v, &base, op, 15, &err));
    const unsigned char *was = v.picture.rgb;
    assert_ok(perturb_variant_make(&v, &base, op, 0, &err));
    assert_ptr_equal(was, v.picture.rgb);
    assert_memory_equal(v.picture.rgb, rgb, sizeof rgb);
    perturb_variant_free(&v, &m);
    perturb_base_free(&base);
}

int main(void)
{
    m = mem_system();
    paint();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neutral_dose_is_the_base), cmocka_unit_test(core_moves_by_the_dose),
        cmocka_unit_test(pixels_by_definition), cmocka_unit_test(threads_and_order_change_nothing),
        cmocka_unit_test(little_skin_is_a_reason), cmocka_unit_test(support_must_be_prepared),
        cmocka_unit_test(clip_map_marks_what_is_counted), cmocka_unit_test(buffers_are_reused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
