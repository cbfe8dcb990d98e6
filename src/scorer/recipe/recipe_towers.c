/* recipe_towers.c - `layouts`, `vision` and `text` of a recipe. */
#include <string.h>

#include "base/error.h"
#include "scorer/recipe/recipe_parts.h"

const char *const recipe_layout_words[] = {"openai", "hf", "blip", NULL};
const char *const recipe_activation_words[] = {"quick-gelu", "gelu", NULL};

static tare_status read_layouts(recipe *r, const manifest_part *top, tare_error *err)
{
    tare_status status = TARE_OK;
    const char **word;
    size_t n;
    TRY(recipe_read_texts(&word, &n, top, "layouts", err));
    TRY_NEW(r->layout = arena_new(top->r->a, n + 1, sizeof *r->layout));
    for (size_t i = 0; i < n; i++) {
        int k = 0;
        while (recipe_layout_words[k] && strcmp(recipe_layout_words[k], word[i]) != 0) k++;
        if (!recipe_layout_words[k])
            MANIFEST_FAIL(top->r, manifest_get(top, "layouts"), "value", "layouts[%zu] is \"%s\"; "
                          "allowed: openai, hf, blip", i, word[i]);
        r->layout[i] = (graph_layout)k;
    }
    r->layout_count = n;
    if (n == 0 && !r->mobilenet)
        MANIFEST_FAIL(top->r, top->v, "missing", "layouts is missing: openai, hf or blip");
done:
    return status;
}

/* What is never read from a file must be said: activation, epsilon, heads. */
static tare_status read_tower(tower_plan *t, const manifest_part *top, const char *key,
                              tare_error *err)
{
    static const char *const keys[] = {"activation", "eps", "heads", "width", "layers", "mlp",
                                       "embedding", "patch", "side", "tokens", "vocabulary",
                                       "context", "cross_width", NULL};
    static const manifest_bounds eps = {1e-15, 1e-2, false, "a number from 1e-15 to 0.01"};
    static const manifest_bounds heads = {1, 1024, true, "a whole number from 1 to 1024"};
    tare_status status = TARE_OK;
    manifest_part p;
    int activation = 0;
    double n = 0;
    TRY(manifest_part_open(&p, top->r, manifest_get(top, key), key, keys, err));
    TRY(manifest_need(&p, "activation", "quick-gelu or gelu: no file tells which", err));
    TRY(manifest_need(&p, "eps", "of the norms", err));
    TRY(manifest_need(&p, "heads", "of the attention: no file tells how many", err));
    TRY(manifest_word(&activation, &p, "activation", recipe_activation_words, err));
    TRY(manifest_number(&t->eps, &p, "eps", &eps, err));
    TRY(manifest_number(&n, &p, "heads", &heads, err));
    t->activation = (graph_activation)activation;
    t->heads = (int)n;
    t->prefix = "";
    TRY(recipe_read_size(&t->width, &p, "width", err));
    TRY(recipe_read_size(&t->layers, &p, "layers", err));
    TRY(recipe_read_size(&t->mlp, &p, "mlp", err));
    TRY(recipe_read_size(&t->embedding, &p, "embedding", err));
    TRY(recipe_read_size(&t->patch, &p, "patch", err));
    TRY(recipe_read_size(&t->side, &p, "side", err));
    TRY(recipe_read_size(&t->tokens, &p, "tokens", err));
    TRY(recipe_read_size(&t->vocabulary, &p, "vocabulary", err));
    TRY(recipe_read_size(&t->context, &p, "context", err));
    TRY(recipe_read_size(&t->cross_width, &p, "cross_width", err));
done:
    return status;
}

tare_status recipe_read_towers(recipe *r, const manifest_part *top, tare_error *err)
{
    static const char *const idle[] = {"layouts", "vision", "text", "prefix", NULL};
    tare_status status = TARE_OK;
    r->prefix = "";
    TRY(manifest_bool(&r->mobilenet, top, "mobilenet", err));
    if (r->mobilenet) {
        TRY(manifest_idle(top, idle, "a TF.js model says itself how it is built", err));
        goto done;
    }
    TRY(read_layouts(r, top, err));
    TRY(manifest_need(top, "vision", "the tower that sees the image", err));
    TRY(manifest_text(&r->prefix, top, "prefix", MANIFEST_LINE_MOST, err));
    TRY(read_tower(&r->vision, top, "vision", err));
    r->has_text = manifest_given(top, "text") != NULL;
    if (r->has_text) TRY(read_tower(&r->text, top, "text", err));
done:
    return status;
}
