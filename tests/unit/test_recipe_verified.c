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

static const char *standing_of(recipe_fixture *x, const recipe *r, const char *key, bool known)
{
    tare_error err;
    const char *out = NULL;
    assert_ok(recipe_standing(&out, &x->a, r, key, known, &err));
    return out;
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
    assert_string_equal(standing_of(x, &r, key, true), STANDING_NOT);
    assert_true(recipe_keep_verified(key, "laion-v1"));
    assert_true(recipe_verified(key));
    assert_string_equal(standing_of(x, &r, key, true), STANDING_HELD);
    recipe_any_sizes(&r);
    assert_string_equal(standing_of(x, &r, key, true), STANDING_OTHER STANDING_HELD);
    assert_string_equal(standing_of(x, &r, other, true), STANDING_OTHER STANDING_NOT);
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

/* Without a published value: what is known of the files, and no command that compares nothing. */
static void test_nothing_published(void **state)
{
    recipe_fixture *x = *state;
    tare_error err;
    recipe laion, pick;
    char key[SHA256_HEX];
    assert_ok(recipe_named(&laion, &x->a, "laion-v2", &err));
    assert_ok(recipe_named(&pick, &x->a, "pickscore", &err));
    key_of(key, x, &laion, "w", "h");
    const char *release = standing_of(x, &laion, key, true);
    const char *other = standing_of(x, &laion, key, false);
    const char *unrecorded = standing_of(x, &pick, key, false);
    assert_string_equal(release, STANDING_NONE STANDING_RELEASE);
    assert_string_equal(other, STANDING_NONE STANDING_NO_RELEASE);
    assert_string_equal(unrecorded, STANDING_NONE STANDING_NO_RECORD);
    recipe_any_sizes(&laion);
    assert_string_equal(standing_of(x, &laion, key, true),
                        STANDING_OTHER STANDING_NONE STANDING_NO_RELEASE);
    assert_null(strstr(recipe_standing_advice(release), "`tare"));
    assert_non_null(strstr(recipe_standing_advice(other), "tare scorer list FILE` shows"));
    assert_non_null(strstr(recipe_standing_advice(unrecorded), "authors' page"));
    assert_null(recipe_standing_advice(STANDING_NOT));
    assert_null(recipe_standing_advice(STANDING_OTHER STANDING_NOT));
}

/* nsfwjs's own file is what our tests score: as it is shipped, and no other. */
static void test_tested(void **state)
{
    recipe_fixture *x = *state;
    tare_error err;
    recipe r;
    char key[SHA256_HEX];
    assert_ok(recipe_named(&r, &x->a, "nsfw", &err));
    key_of(key, x, &r, "w", "");
    assert_string_equal(standing_of(x, &r, key, true),
                        "compared with nsfwjs 4.3.0 in tare's tests");
    assert_string_equal(standing_of(x, &r, key, false), STANDING_NOT);
    r.input.divide = 256;
    assert_ok(recipe_identify(&r, &x->a, &err));
    assert_string_equal(standing_of(x, &r, key, true), STANDING_NOT);
}

#define WITH_HOME(test) cmocka_unit_test_setup_teardown(test, fixture_open, fixture_close)

int main(void)
{
    const struct CMUnitTest tests[] = {WITH_HOME(test_key), WITH_HOME(test_kept),
                                       WITH_HOME(test_nothing_published), WITH_HOME(test_tested)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
