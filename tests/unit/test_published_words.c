/* What stands after the scheme of a published scorer. */
#include <string.h>

#include "scorer/published/published.h"
#include "support/check.h"

static mem memory;
static arena a;

static int setup(void **state)
{
    (void)state;
    memory = mem_system();
    arena_init(&a, &memory);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_free(&a);
    return 0;
}

static published_words words(const char *scheme, const char *rest)
{
    published_words w;
    tare_error err = {0};
    assert_ok(published_words_read(&w, &a, scheme, rest, &err));
    return w;
}

static void nothing_and_a_folder(void **state)
{
    (void)state;
    published_words w = words("laion-v2", "");
    assert_string_equal(w.weights, "");
    assert_null(w.head);
    assert_int_equal(w.antialias, -1);
    assert_false(w.any_sizes || w.half_output);
    assert_string_equal(words("laion-v2", "models").weights, "models");
    assert_string_equal(words("laion-v2", "a,b/c=d.pt").weights, "a,b/c=d.pt");
}

static void keys_in_any_order(void **state)
{
    (void)state;
    published_words w = words("laion-v1", "dir,head=h.pth,backbone=b, c.pt,arch=any");
    assert_string_equal(w.weights, "dir");
    assert_string_equal(w.head, "h.pth");
    assert_string_equal(w.backbone, "b, c.pt");
    assert_true(w.any_sizes);
    w = words("hpsv2.1", "antialias=false,precision=fp16-output");
    assert_string_equal(w.weights, "");
    assert_int_equal(w.antialias, 0);
    assert_true(w.half_output);
    w = words("clip", "model=b32,variant=clipscore");
    assert_string_equal(w.model, "b32");
    assert_string_equal(w.variant, "clipscore");
}

static void refused(const char *scheme, const char *rest, const char *code, const char *says)
{
    published_words w;
    tare_error err = {0};
    assert_int_equal(published_words_read(&w, &a, scheme, rest, &err), TARE_E_USAGE);
    assert_string_equal(err.code, code);
    if (!strstr(err.message, says)) fail_msg("\"%s\" does not say \"%s\"", err.message, says);
}

static void what_a_scheme_does_not_know(void **state)
{
    (void)state;
    refused("pickscore", "dir,head=x", "published.key", "backbone=FILE");
    refused("laion-v2", "dir,variant=x100", "published.key", "head=FILE");
    refused("hpsv2.0", "dir,antialias=perhaps", "published.value", "true|false");
    refused("clip", "model=h14", "published.value", "l14|b32");
    refused("imagereward", "dir,colour=red", "published.key", "arch=published|any");
    refused("laion-v2", "dir,head=", "published.value", "nothing after");
}

/* Behind a value of a list, too, it is the unknown word that is named. */
static void the_unknown_word_is_named(void **state)
{
    (void)state;
    published_words w;
    tare_error err = {0};
    assert_int_equal(published_words_read(&w, &a, "clip", "dir,arch=any,bogus=1", &err),
                     TARE_E_USAGE);
    assert_string_equal(err.code, "published.key");
    assert_string_equal(err.where, "bogus=1");
    refused("clip", "model=b32,x", "published.key", "does not know this");
    refused("hpsv2.0", "antialias=true, arch=any", "published.key", "does not know this");
    assert_string_equal(words("laion-v2", "head=a,bogus=1").head, "a,bogus=1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_and_a_folder),
        cmocka_unit_test(keys_in_any_order),
        cmocka_unit_test(what_a_scheme_does_not_know),
        cmocka_unit_test(the_unknown_word_is_named),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
