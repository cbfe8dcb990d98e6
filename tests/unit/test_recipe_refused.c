/* Recipes that say too little, too much or what contradicts itself are refused at the place. */
#include <string.h>

#include "scorer/recipe/recipe_parts.h"
#include "support/check.h"

static mem m;
static tare_error err;

/* A whole recipe in which one thing is replaced by another. */
static tare_status parse_with(const char *name, const char *from, const char *to)
{
    arena a;
    recipe r;
    size_t length;
    arena_init(&a, &m);
    const char *text_ = recipe_text_of(&length, name), *at = strstr(text_, from);
    if (!at) fail_msg("%s has no %s", name, from);
    char *changed = arena_printf(&a, "%.*s%s%s", (int)(at - text_), text_, to, at + strlen(from));
    memset(&err, 0, sizeof err);
    tare_status status = recipe_parse(&r, &a, "r.json", changed, strlen(changed), &err);
    arena_free(&a);
    return status;
}

static void refused(const char *name, const char *from, const char *to, const char *code,
                    const char *word)
{
    if (parse_with(name, from, to) != TARE_E_DATA) fail_msg("%s for %s was taken", to, from);
    if (strcmp(err.code, code) != 0) fail_msg("%s for %s: %s, %s", to, from, err.code, err.message);
    assert_non_null(strstr(err.message, word));
    assert_ptr_equal(strstr(err.where, "r.json:"), err.where);
}

static void test_refused(void **state)
{
    (void)state;
    m = mem_system();
    refused("laion-v2", "\"tare_recipe\": 1", "\"tare_recipe\": 2", "recipe.version", "1");
    refused("laion-v2", "\"title\"", "\"tittle\"", "recipe.unknown_key", "title");
    refused("laion-v2", "\"version\": 1, ", "", "recipe.missing", "version");
    refused("laion-v2", "\"heads\": 16, ", "", "recipe.missing", "heads");
    refused("laion-v2", "\"activation\": \"quick-gelu\", ", "", "recipe.missing", "activation");
    refused("laion-v2", "\"quick-gelu\"", "\"quickgelu\"", "recipe.value", "quick-gelu");
    refused("laion-v2", "\"eps\": 1e-5", "\"eps\": 0", "recipe.value", "vision.eps");
    refused("laion-v2", "\"heads\": 16", "\"heads\": 16.5", "recipe.value", "heads");
    refused("laion-v2", "[\"openai\", \"hf\"]", "[\"openai\", \"timm\"]", "recipe.value", "timm");
    refused("laion-v2", "\"ViT-L-14.pt\"", "\"../ViT-L-14.pt\"", "recipe.value", "names");
    refused("laion-v2", "[\".cache/clip\"]", "[\"/etc\"]", "recipe.value", "caches");
    refused("laion-v2", "[\".cache/clip\"]", "[\"../x\"]", "recipe.value", "caches");
    refused("laion-v2", "\"openai/clip-vit-large-patch14\",\n", "\"clip\",\n", "recipe.value",
            "ORG/NAME");
    refused("laion-v2", "b8cca3fd", "B8CCA3FD", "recipe.value", "sha256");
    refused("laion-v2", "[768, 1024, 128, 64, 16, 1]", "[768, 1024]", "recipe.value", "widths");
    refused("laion-v2", ", \"layers.11\"]", "]", "recipe.value", "relu_layers");
    refused("laion-v2", "\"role\": \"head\"", "\"role\": \"backbone\"", "recipe.value", "files");
    refused("laion-v2", "\"kind\": \"affine\"", "\"kind\": \"cosine\"", "recipe.conflict",
            "needs prompt");
    refused("pickscore", "\"kind\": \"cosine\"", "\"kind\": \"affine\"", "recipe.conflict",
            "takes no prompt");
    refused("pickscore", "\"scale\": \"file\"", "\"scale\": \"exp\"", "recipe.value", "file");
    refused("pickscore", "\"most\": 77", "\"most\": 2", "recipe.value", "most");
    refused("imagereward", "\"sd\": 1.0333394966054072", "\"sd\": 0", "recipe.value", "sd");
    refused("nsfw", "\"classes\": [1, 3, 4]", "\"classes\": [1, 3, 5]", "recipe.value", "classes");
    refused("nsfw", "\"sha256\":", "\"caches\":", "recipe.conflict", "files[0] has no sha256");
    refused("nsfw", "\"mobilenet\": true", "\"mobilenet\": true, \"layouts\": [\"hf\"]",
            "recipe.conflict", "layouts");
    refused("hpsv2.0", "\"skip-pad\"", "\"pad\"", "recipe.value", "when_equal");
    refused("clip-l14", "\"name\": \"x100\", ", "", "recipe.missing", "name");
    refused("clip-b32", "\"tolerance\": 1e-3, ", "", "recipe.missing", "tolerance");
    refused("clip-b32", "\"mean\": [0.48145466, ", "\"mean\": [", "recipe.type", "mean");
}

static void test_no_json(void **state)
{
    (void)state;
    arena a;
    recipe r;
    m = mem_system();
    arena_init(&a, &m);
    assert_int_equal(recipe_parse(&r, &a, "r", "{", 1, &err), TARE_E_DATA);
    assert_string_equal(err.code, "json.truncated");
    assert_int_equal(recipe_parse(&r, &a, "r", "[]", 2, &err), TARE_E_DATA);
    assert_string_equal(err.code, "recipe.type");
    char *much = malloc(MANIFEST_BYTES_MOST + 1);
    assert_non_null(much);
    memset(much, ' ', MANIFEST_BYTES_MOST + 1);
    assert_int_equal(recipe_parse(&r, &a, "r", much, MANIFEST_BYTES_MOST + 1, &err),
                     TARE_E_LIMIT);
    free(much);
    arena_free(&a);
}

static void test_patterns(void **state)
{
    (void)state;
    assert_true(recipe_pattern_fits("logit_scale", "logit_scale"));
    assert_false(recipe_pattern_fits("logit_scale", "logit_scales"));
    assert_true(recipe_pattern_fits("transformer.*", "transformer.x.y"));
    assert_false(recipe_pattern_fits("transformer.*", "visual.transformer.x"));
    assert_true(recipe_pattern_fits("*.position_ids", "a.b.position_ids"));
    assert_false(recipe_pattern_fits("*.position_ids", "position_ids"));
    assert_false(recipe_pattern_fits("ab*ba", "aba")); /* the ends may not overlap */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_no_json),
        cmocka_unit_test(test_patterns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
