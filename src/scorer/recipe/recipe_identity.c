/* recipe_identity.c - what of a recipe can change the number, as canonical JSON. Files, hashes and
 * addresses cannot: the weights' own hashes are added by whoever opens them. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "scorer/fingerprint.h"
#include "scorer/recipe/recipe_parts.h"

static const char *texts_json(arena *a, const char *const *list, size_t n)
{
    text t;
    json_writer w;
    text_init(&t, a->m);
    json_begin(&w, &t, 0);
    json_array(&w);
    for (size_t i = 0; i < n; i++) json_string(&w, list[i]);
    json_array_end(&w);
    const char *out = t.failed ? NULL : arena_text(a, t.data, t.length);
    text_free(&t);
    return out;
}

/* Sizes are in the dims of the weights, whose hash is in the identity. */
static const char *tower_json(arena *a, const tower_plan *t)
{
    fingerprint f;
    fingerprint_begin(&f, a);
    fingerprint_text(&f, "activation", recipe_activation_words[t->activation]);
    fingerprint_number(&f, "eps", t->eps);
    fingerprint_number(&f, "heads", t->heads);
    return fingerprint_end(&f);
}

static const char *prompt_json(arena *a, const recipe *r)
{
    fingerprint f;
    fingerprint_begin(&f, a);
    fingerprint_text(&f, "tokenizer", recipe_tokenizer_words[r->tokenizer]);
    fingerprint_number(&f, "most", (double)r->prompt_most);
    fingerprint_text(&f, "words", r->prefix_words);
    return fingerprint_end(&f);
}

static const char *score_json(arena *a, const recipe *r)
{
    fingerprint f;
    const char *classes[RECIPE_LIST_MOST];
    fingerprint_begin(&f, a);
    fingerprint_text(&f, "kind", recipe_score_words[r->score]);
    if (r->score == RECIPE_COSINE) {
        if (r->scale == RECIPE_SCALE_FILE) fingerprint_text(&f, "scale", "file");
        else fingerprint_number(&f, "scale", r->scale == RECIPE_SCALE_ONE ? 1 : r->scale_fixed);
        fingerprint_number(&f, "floor", r->floor);
    }
    if (r->score == RECIPE_BERT) {
        fingerprint_number(&f, "mean", r->mean);
        fingerprint_number(&f, "sd", r->sd);
    }
    if (r->score == RECIPE_CLASSES) {
        for (size_t i = 0; i < r->class_count; i++)
            classes[i] = r->class_name[r->classes[i]];
        fingerprint_json(&f, "classes", texts_json(a, classes, r->class_count));
    }
    return fingerprint_end(&f);
}

tare_status recipe_identify(recipe *r, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    onnx_manifest m;
    fingerprint f;
    memset(&m, 0, sizeof m);
    m.input = GRAPH_IMAGE;
    m.kind = ONNX_IMAGE;
    m.image = r->input;
    fingerprint_begin(&f, a);
    fingerprint_text(&f, "recipe", r->name);
    fingerprint_number(&f, "version", r->version);
    fingerprint_json(&f, "input", manifest_input_identity(&m, a));
    if (r->mobilenet) fingerprint_text(&f, "vision", "mobilenet");
    else fingerprint_json(&f, "vision", tower_json(a, &r->vision));
    if (r->has_text) fingerprint_json(&f, "text", tower_json(a, &r->text));
    if (r->prompt) fingerprint_json(&f, "prompt", prompt_json(a, r));
    fingerprint_json(&f, "score", score_json(a, r));
    if (r->any_sizes) fingerprint_text(&f, "architecture", "any");
    TRY_NEW(r->identity = fingerprint_end(&f));
done:
    return status;
}

static void forget_sizes(tower_plan *t)
{
    t->width = t->layers = t->mlp = t->embedding = t->patch = t->side = t->tokens = 0;
    t->vocabulary = t->context = t->cross_width = 0;
}

void recipe_any_sizes(recipe *r)
{
    forget_sizes(&r->vision);
    forget_sizes(&r->text);
    for (size_t i = 0; i < r->file_count; i++) r->file[i].width_count = 0;
    r->any_sizes = true;
}

tare_status recipe_choose(recipe *r, arena *a, const char *variant, tare_error *err)
{
    tare_status status = TARE_OK;
    text known;
    text_init(&known, a->m);
    if (!variant) goto done;
    for (size_t i = 0; i < r->variant_count; i++) {
        const recipe_variant *v = &r->variant[i];
        text_add_format(&known, "%s%s", i ? ", " : "", v->name);
        if (strcmp(v->name, variant) != 0) continue;
        r->scale = v->scale;
        r->scale_fixed = v->scale_fixed;
        r->floor = v->floor;
        r->prefix_words = v->prefix_words;
        TRY(recipe_identify(r, a, err));
        goto done;
    }
    if (known.failed) FAIL_MEMORY(err);
    FAIL(err, TARE_E_USAGE, "recipe.variant", variant, "%s has no such variant; %s%s", r->name,
         r->variant_count ? "known: " : "it has none", r->variant_count ? known.data : "");
done:
    text_free(&known);
    return status;
}
