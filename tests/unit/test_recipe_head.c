/* Heads against recipes; the published ones where they are. */
#include <string.h>

#include "recipe_fixture.h"
#include "support/check.h"

static const int plain[] = {0, 2, 4, 6, 7}, relu[] = {0, 3, 6, 9, 11};
static const int published_widths[] = {768, 1024, 128, 64, 16, 1}, small[] = {48, 32, 16, 8, 4, 1};

/* formula_head calls them mlp.layers.N; LAION's file layers.N. */
static formula_list laion_head(const int *numbers, const int *widths)
{
    formula_list l = {NULL, 0};
    formula_head(&l, numbers, widths, 5);
    for (size_t i = 0; i < l.count; i++)
        memmove(l.item[i].name, l.item[i].name + 4, strlen(l.item[i].name) - 3);
    return l;
}

/* 3.1 notes: the numbering tells which head it is. */
static void test_numbering(void **state)
{
    recipe_fixture *x = *state;
    recipe r;
    tare_error err;
    assert_ok(recipe_named(&r, &x->a, "laion-v2", &err));
    formula_list l = laion_head(plain, published_widths);
    recipe_match m = match_list(x, &r, RECIPE_HEAD, &l);
    assert_true(m.whole && !m.relu);
    formula_free(&l);
    l = laion_head(relu, published_widths);
    m = match_list(x, &r, RECIPE_HEAD, &l);
    assert_true(m.whole && m.relu);
    put_before(&l, "model.");
    m = match_list(x, &r, RECIPE_HEAD, &l);
    assert_true(m.whole && m.relu);
    assert_string_equal(m.stripped, "model.");
    take_out(&l, "model.layers.11.bias");
    m = match_list(x, &r, RECIPE_HEAD, &l);
    assert_false(m.whole);
    assert_int_equal(m.lack_count, 1);
    assert_string_equal(m.lack->name, "model.layers.11.bias");
    formula_free(&l);
}

static void test_widths(void **state)
{
    recipe_fixture *x = *state;
    recipe r;
    tare_error err;
    formula_list l = laion_head(plain, small);
    assert_ok(recipe_named(&r, &x->a, "laion-v2", &err));
    recipe_match m = match_list(x, &r, RECIPE_HEAD, &l);
    assert_true(!m.whole && m.resized);
    assert_int_equal(match_status(x, &r, RECIPE_HEAD, &l), TARE_E_DATA);
    assert_string_equal(x->err.code, "recipe.architecture");
    recipe_any_sizes(&r);
    assert_int_equal(match_status(x, &r, RECIPE_HEAD, &l), TARE_OK);
    /* A layer that does not take what the one before it gives. */
    formula_tensor *t = tensor_of(&l, "layers.4.weight");
    t->dim[0] = 16;
    t->dim[1] = 8;
    assert_int_equal(match_status(x, &r, RECIPE_HEAD, &l), TARE_E_DATA);
    assert_string_equal(x->err.code, "checkpoint.shape");
    assert_non_null(strstr(x->err.message, "layers.4.weight"));
    formula_free(&l);
    recipe one = any_recipe(x, "laion-v1");
    formula_list bare = {NULL, 0};
    formula_add(&bare, "weight", 2, (const int64_t[]){1, 48});
    formula_add(&bare, "bias", 1, (const int64_t[]){1});
    assert_int_equal(match_status(x, &one, RECIPE_HEAD, &bare), TARE_OK);
    tensor_of(&bare, "weight")->dim[0] = 2; /* gives two numbers */
    tensor_of(&bare, "weight")->dim[1] = 24;
    assert_int_equal(match_status(x, &one, RECIPE_HEAD, &bare), TARE_E_DATA);
    formula_free(&bare);
}

/* ---- The published files --------------------------------------------------------------------- */

static recipe_match match_published(recipe_fixture *x, const char *name, const char *file,
                                    tare_status *status)
{
    recipe r;
    recipe_match m;
    tare_error err;
    checkpoint *c = NULL;
    char path[512];
    snprintf(path, sizeof path, "%s/data/scorers/laion/%s", TARE_SHARED_DIR, file);
    assert_ok(recipe_named(&r, &x->a, name, &err));
    assert_ok(checkpoint_open(&c, x->context, path, &err));
    assert_ok(recipe_match_file(&m, &x->a, &r, RECIPE_HEAD, c, &err));
    *status = recipe_match_error(&m, &r, RECIPE_HEAD, c, &x->err);
    checkpoint_close(c);
    return m;
}

static void test_published(void **state)
{
    recipe_fixture *x = *state;
    tare_status status;
    static const char two[] = "sac+logos+ava1-l14-linearMSE.pth";
    static const char one[] = "sa_0_4_vit_l_14_linear.pth";
    recipe_match m = match_published(x, "laion-v2", two, &status);
    assert_true(m.whole && m.known && !m.foreign && !m.relu && status == TARE_OK);
    m = match_published(x, "laion-v1", one, &status);
    assert_true(m.whole && m.known && status == TARE_OK);
    /* 3.3: a known hash under another recipe's name is an error. */
    m = match_published(x, "laion-v1", two, &status);
    assert_true(m.foreign && !m.known && status == TARE_E_DATA);
    assert_string_equal(x->err.code, "recipe.foreign");
    assert_non_null(strstr(x->err.message, "laion-v2"));
    m = match_published(x, "laion-v1", "sa_0_4_vit_b_32_linear.pth", &status);
    assert_true(m.resized && !m.foreign && status == TARE_E_DATA);
    assert_string_equal(x->err.code, "recipe.architecture");
}

#define WITH_HOME(test) cmocka_unit_test_setup_teardown(test, fixture_open, fixture_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_HOME(test_numbering),
        WITH_HOME(test_widths),
    };
    const struct CMUnitTest shared[] = {WITH_HOME(test_published)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (failed) return failed;
    NEED_SHARED();
    return cmocka_run_group_tests(shared, NULL, NULL);
}
