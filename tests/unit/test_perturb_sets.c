/* ITA over the masks of the tight and the loose thresholds, against measure_tone_of over those
 * masks, which is tested on numbers of its own. */
#include <string.h>

#include "perturb/perturb.h"
#include "support/check.h"

enum { W = 97, H = 61 };

static mem m;
static tare_error err;
static unsigned char rgb[3 * W * H];
static image photo = {.width = W, .height = H, .channels = 3, .rgb = rgb};

/* A warm drift of colours, so that the three masks differ and the loose one lies partly beyond the
 * reach of the feather. */
static void paint(void)
{
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            unsigned char *p = rgb + 3 * (y * W + x);
            p[0] = (unsigned char)(120 + x / 2 + (5 * x + 3 * y) % 11);
            p[1] = (unsigned char)(110 + y / 3 + (3 * x + 7 * y) % 13);
            p[2] = (unsigned char)(105 + (x + y) % 17);
        }
}

static double tone(const image *i, const image *of, mask_set set, const perturb_options *o)
{
    static unsigned char mask[W * H];
    measure_tone t;
    mask_of_skin(mask, of, set);
    assert_ok(measure_tone_of(&t, &m, i, mask, o->form, o->angle, &err));
    return t.ita;
}

static void check(const perturb_options *o)
{
    static const char *const ops[] = {"skin", "hue", "sham"};
    perturb_base base;
    assert_ok(perturb_base_make(&base, &m, &photo, NULL, "x", o, &err));
    assert_int_equal(base.reason, TARE_R_NONE);
    for (size_t k = 0; k < 3; k++) {
        const perturb_operator *op = perturb_operator_find(ops[k]);
        for (size_t d = 0; d < op->n_doses; d++) {
            perturb_variant v = {0};
            assert_ok(perturb_variant_make(&v, &base, op, op->doses[d], &err));
            const image *of = o->resegment ? &v.picture : &photo;
            const double others[3] = {v.measures.ita_default, v.measures.ita_tight,
                                      v.measures.ita_loose};
            for (int set = 0; set < 3; set++) { /* its own is not measured twice */
                if (set == (int)o->set) assert_true(isnan(others[set]));
                else assert_close(others[set], tone(&v.picture, of, (mask_set)set, o));
            }
            assert_close(v.measures.tone.ita, tone(&v.picture, of, o->set, o));
            assert_true(v.measures.ita_tight != v.measures.ita_loose);
            perturb_variant_free(&v, &m);
        }
    }
    perturb_base_free(&base);
}

static void all_masks_forms_and_ways(void **state)
{
    (void)state;
    size_t counts[3];
    unsigned char mask[W * H];
    for (int s = 0; s < 3; s++) {
        mask_of_skin(mask, &photo, (mask_set)s);
        counts[s] = mask_count(mask, sizeof mask);
    }
    assert_true(counts[1] < counts[0] && counts[0] < counts[2] && counts[1] > 300);
    for (int set = 0; set < 3; set++)
        for (int form = 0; ita_form_name((ita_form)form) != NULL; form++)
            for (int more = 0; more < 4; more++) {
                perturb_options o = PERTURB_OPTIONS_DEFAULT;
                o.set = (mask_set)set;
                o.form = (ita_form)form;
                o.whole = more & 1;
                o.resegment = more & 2;
                o.sets = true;
                check(&o);
            }
}

static void not_asked_or_not_defined(void **state)
{
    (void)state;
    static unsigned char white[3 * W * H];
    image user = {.width = W, .height = H, .channels = 3, .rgb = white};
    const perturb_guides guides = {.mask = &user};
    memset(white, 255, sizeof white);
    for (int k = 0; k < 3; k++) { /* not asked; a user mask; an operator without the attribute */
        perturb_base base;
        perturb_variant v = {0};
        perturb_options o = PERTURB_OPTIONS_DEFAULT;
        o.sets = k > 0;
        o.whole = true;
        assert_ok(perturb_base_make(&base, &m, &photo, k == 1 ? &guides : NULL, "x", &o, &err));
        const perturb_operator *op = perturb_operator_find(k == 2 ? "blur" : "skin");
        assert_ok(perturb_variant_make(&v, &base, op, 1, &err));
        assert_true(isnan(v.measures.ita_tight) && isnan(v.measures.ita_loose));
        assert_false(isnan(v.measures.tone.ita));
        perturb_variant_free(&v, &m);
        perturb_base_free(&base);
    }
}

int main(void)
{
    m = mem_system();
    paint();
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_masks_forms_and_ways),
                                       cmocka_unit_test(not_asked_or_not_defined)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
