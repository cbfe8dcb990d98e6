/* What is kept of a verification: by recipe as it is set, and weights. */
#include <string.h>

#include "base/os.h"
#include "recipe_fixture.h"
#include "scorer/recipe/recipe_verified.h"
#include "support/check.h"

#define NO_KEY "0000000000000000000000000000000000000000000000000000000000000000"

static void key_of(char out[SHA256_HEX], recipe_fixture *x, const recipe *r, const char *one,
                   const char *two)
{
    tare_error err;
    const char *weights[] = {one, two};
    assert_ok(recipe_verified_key(out, r, &x->context->mem, weights, 2, &err));
}

static void test_key(void **state)
{
    recipe_fixture *x = *state;
    tare_error err;
    recipe r, other;
    char key[SHA256_HEX], again[SHA256_HEX];
    assert_ok(recipe_named(&r, &x->a, "hpsv2.0", &err));
    assert_ok(recipe_named(&other, &x->a, "hpsv2.1", &err));
    key_of(key, x, &r, "ab", "c");
    key_of(again, x, &r, "ab", "c");
    assert_string_equal(key, again);
    key_of(again, x, &r, "a", "bc");
    assert_string_not_equal(key, again);
    key_of(again, x, &other, "ab", "c");
    assert_string_not_equal(key, again);
    r.input.antialias = false; /* a setting, though nobody asked for its identity anew */
    key_of(again, x, &r, "ab", "c");
    assert_string_not_equal(key, again);
}

static void test_kept(void **state)
{
    recipe_fixture *x = *state;
    tare_error err;
    recipe r;
    char key[SHA256_HEX], other[SHA256_HEX];
    assert_ok(recipe_named(&r, &x->a, "laion-v1", &err));
    key_of(key, x, &r, "w", "h");
    key_of(other, x, &r, "w", "i");
    assert_string_equal(recipe_standing(&r, key), STANDING_NOT);
    assert_true(recipe_keep_verified(key, "laion-v1"));
    assert_true(recipe_verified(key));
    assert_string_equal(recipe_standing(&r, key), STANDING_HELD);
    recipe_any_sizes(&r);
    assert_string_equal(recipe_standing(&r, key), STANDING_OTHER STANDING_HELD);
    assert_string_equal(recipe_standing(&r, other), STANDING_OTHER STANDING_NOT);
    assert_false(recipe_verified(other));
    /* A cache folder of its own knows nothing of it. */
    setenv("XDG_CACHE_HOME", in_home(x, "cache"), 1);
    assert_false(recipe_verified(key));
    assert_true(recipe_keep_verified(other, "x"));
    assert_true(recipe_verified(other));
    unsetenv("XDG_CACHE_HOME");
    assert_false(recipe_verified(other));
    /* Another file of that name is no record; a name that is no key is none. */
    write_words(x, ".cache/tare/verified/" NO_KEY,
                "something");
    assert_false(recipe_verified(NO_KEY));
    assert_false(recipe_verified("../verified"));
    assert_false(recipe_keep_verified("", "x"));
    unsetenv("HOME");
    assert_false(recipe_keep_verified(key, "x"));
    assert_false(recipe_verified(key));
    setenv("HOME", x->home, 1);
}

#define WITH_HOME(test) cmocka_unit_test_setup_teardown(test, fixture_open, fixture_close)

int main(void)
{
    const struct CMUnitTest tests[] = {WITH_HOME(test_key), WITH_HOME(test_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
