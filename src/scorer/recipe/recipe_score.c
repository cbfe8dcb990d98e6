/* recipe_score.c - `prompt`, `score` and `published` of a recipe. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "scorer/recipe/recipe_parts.h"

const char *const recipe_score_words[] = {"affine", "cosine", "bert", "classes", NULL};
const char *const recipe_tokenizer_words[] = {"clip", "bert", NULL};

static const manifest_bounds any_number = {-DBL_MAX, DBL_MAX, false, "a number"};

static tare_status read_prompt(recipe *r, const manifest_part *top, tare_error *err)
{
    static const char *const keys[] = {"tokenizer", "neutral", "most", "vocabulary",
                                       "vocabulary_hubs", NULL};
    static const manifest_bounds most = {3, MANIFEST_TOKENS_MOST, true,
                                         "a whole number from 3 to 4096"};
    tare_status status = TARE_OK;
    manifest_part p;
    int tokenizer = 0;
    double n = 0;
    if (!manifest_given(top, "prompt")) goto done;
    TRY(manifest_part_open(&p, top->r, manifest_get(top, "prompt"), "prompt", keys, err));
    TRY(manifest_need(&p, "tokenizer", "clip or bert", err));
    TRY(manifest_need(&p, "neutral", "the prompt of an audit", err));
    TRY(manifest_need(&p, "most", "ids after which a prompt is cut", err));
    TRY(manifest_word(&tokenizer, &p, "tokenizer", recipe_tokenizer_words, err));
    TRY(manifest_text(&r->prompt, &p, "neutral", MANIFEST_LINE_MOST, err));
    TRY(manifest_number(&n, &p, "most", &most, err));
    TRY(recipe_read_texts(&r->vocabulary, &r->vocabulary_count, &p, "vocabulary", err));
    TRY(recipe_read_texts(&r->vocabulary_hub, &r->vocabulary_hub_count, &p, "vocabulary_hubs",
                          err));
    r->tokenizer = (tokenizer_kind)tokenizer;
    r->prompt_most = (size_t)n;
done:
    return status;
}

/* ---- The score ------------------------------------------------------------------------------- */

/* `scale`: a number, or "file": exp of the file's logit_scale. */
static tare_status read_scale(recipe_variant *v, const manifest_part *p, tare_error *err)
{
    static const char *const words[] = {"file", NULL};
    tare_status status = TARE_OK;
    const json_value *scale = manifest_given(p, "scale");
    int word;
    v->scale = RECIPE_SCALE_ONE;
    v->scale_fixed = 1;
    v->floor = NAN;
    v->prefix_words = "";
    if (scale && scale->kind == JSON_K_TEXT) {
        TRY(manifest_word(&word, p, "scale", words, err));
        v->scale = RECIPE_SCALE_FILE;
    } else if (scale) {
        TRY(manifest_number(&v->scale_fixed, p, "scale", &any_number, err));
        if (v->scale_fixed != 1) v->scale = RECIPE_SCALE_FIXED;
    }
    if (manifest_given(p, "floor")) TRY(manifest_number(&v->floor, p, "floor", &any_number, err));
    TRY(manifest_prose(&v->prefix_words, p, "words", err));
done:
    return status;
}

static tare_status read_variants(recipe *r, const manifest_part *score, tare_error *err)
{
    static const char *const keys[] = {"name", "scale", "floor", "words", NULL};
    tare_status status = TARE_OK;
    const json_value *list;
    size_t n;
    TRY(recipe_read_list(&list, &n, score, "variants", RECIPE_LIST_MOST, err));
    TRY_NEW(r->variant = arena_new(score->r->a, n + 1, sizeof *r->variant));
    for (size_t i = 0; i < n; i++) {
        char name[48];
        manifest_part p;
        snprintf(name, sizeof name, "score.variants[%zu]", i);
        TRY(manifest_part_open(&p, score->r, &list[i], name, keys, err));
        TRY(manifest_need(&p, "name", "how the spec asks for it", err));
        TRY(manifest_text(&r->variant[i].name, &p, "name", MANIFEST_LINE_MOST, err));
        TRY(read_scale(&r->variant[i], &p, err));
    }
    r->variant_count = n;
done:
    return status;
}

static tare_status read_classes(recipe *r, const manifest_part *p, tare_error *err)
{
    static const manifest_bounds place = {0, RECIPE_LIST_MOST - 1, true,
                                          "a whole number from 0 to 63"};
    tare_status status = TARE_OK;
    double x[RECIPE_LIST_MOST];
    const json_value *list;
    TRY(recipe_read_texts(&r->class_name, &r->class_name_count, p, "class_names", err));
    TRY(recipe_read_list(&list, &r->class_count, p, "classes", RECIPE_LIST_MOST, err));
    if (r->class_count == 0) goto done;
    TRY(manifest_numbers(x, r->class_count, p, "classes", &place, err));
    TRY_NEW(r->classes = arena_new(p->r->a, r->class_count, sizeof *r->classes));
    for (size_t i = 0; i < r->class_count; i++) {
        if (x[i] >= (double)r->class_name_count)
            MANIFEST_FAIL(p->r, &list[i], "value", "score.classes[%zu] is %g; there are %zu "
                          "class_names", i, x[i], r->class_name_count);
        r->classes[i] = (int)x[i];
    }
done:
    return status;
}

/* What a kind of score needs from the rest of the recipe. */
static tare_status check_score(const recipe *r, const manifest_part *p, tare_error *err)
{
    tare_status status = TARE_OK;
    const recipe_file *backbone = recipe_file_of(r, RECIPE_BACKBONE);
    bool head = recipe_file_of(r, RECIPE_HEAD) || (backbone && backbone->layer_count);
    bool prompted = r->score == RECIPE_COSINE || r->score == RECIPE_BERT;
    if (prompted != (r->prompt != NULL) || (prompted && !r->has_text))
        MANIFEST_FAIL(p->r, p->v, "conflict", "score.kind is %s, which %s",
                      recipe_score_words[r->score],
                      prompted ? "needs prompt and text" : "takes no prompt");
    if ((r->score == RECIPE_AFFINE || r->score == RECIPE_BERT) != head)
        MANIFEST_FAIL(p->r, p->v, "conflict", "score.kind is %s, which %s",
                      recipe_score_words[r->score], head ? "takes no head: no file has layers"
                      : "needs a head: layers of a file");
    if ((r->score == RECIPE_CLASSES) != (r->class_count > 0) ||
        (r->score == RECIPE_CLASSES) != r->mobilenet)
        MANIFEST_FAIL(p->r, p->v, "conflict", "score.classes, mobilenet and score.kind classes go "
                      "together");
    if (r->sd <= 0)
        MANIFEST_FAIL(p->r, p->v, "value", "score.sd must be above 0");
done:
    return status;
}

static tare_status read_score(recipe *r, const manifest_part *top, tare_error *err)
{
    static const char *const keys[] = {"kind", "scale", "floor", "words", "variants", "mean", "sd",
                                       "classes", "class_names", "higher_is_better", "range", NULL};
    tare_status status = TARE_OK;
    manifest_part p;
    recipe_variant own;
    double range[2] = {NAN, NAN};
    int kind = 0;
    r->sd = 1;
    r->higher_is_better = true;
    TRY(manifest_part_open(&p, top->r, manifest_get(top, "score"), "score", keys, err));
    TRY(manifest_need(&p, "kind", "affine, cosine, bert or classes", err));
    TRY(manifest_word(&kind, &p, "kind", recipe_score_words, err));
    r->score = (recipe_score)kind;
    TRY(read_scale(&own, &p, err));
    r->scale = own.scale;
    r->scale_fixed = own.scale_fixed;
    r->floor = own.floor;
    r->prefix_words = own.prefix_words;
    TRY(read_variants(r, &p, err));
    TRY(manifest_number(&r->mean, &p, "mean", &any_number, err));
    TRY(manifest_number(&r->sd, &p, "sd", &any_number, err));
    TRY(read_classes(r, &p, err));
    TRY(manifest_bool(&r->higher_is_better, &p, "higher_is_better", err));
    if (manifest_given(&p, "range")) TRY(manifest_numbers(range, 2, &p, "range", &any_number, err));
    r->range_lo = range[0];
    r->range_hi = range[1];
    TRY(check_score(r, &p, err));
done:
    return status;
}

tare_status recipe_read_score(recipe *r, const manifest_part *top, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(read_prompt(r, top, err));
    TRY(read_score(r, top, err));
done:
    return status;
}

/* ---- Published values ------------------------------------------------------------------------ */

static tare_status read_value(recipe_value *out, const manifest_reader *r, const json_value *v,
                              const char *name, tare_error *err)
{
    static const char *const keys[] = {"image", "prompt", "value", "tolerance", "softmax", "wrong",
                                       "settings", "about", NULL};
    static const manifest_bounds tolerance = {0, 1e6, false, "a number from 0 to 1000000"};
    tare_status status = TARE_OK;
    manifest_part p;
    out->prompt = out->about = "";
    TRY(manifest_part_open(&p, r, v, name, keys, err));
    TRY(manifest_need(&p, "image", "the name of the published picture", err));
    TRY(manifest_need(&p, "value", "the published number", err));
    TRY(manifest_need(&p, "tolerance", "how far ours may be off", err));
    TRY(manifest_text(&out->image, &p, "image", MANIFEST_LINE_MOST, err));
    TRY(manifest_prose(&out->prompt, &p, "prompt", err));
    TRY(manifest_number(&out->value, &p, "value", &any_number, err));
    TRY(manifest_number(&out->tolerance, &p, "tolerance", &tolerance, err));
    TRY(manifest_number(&out->softmax, &p, "softmax", &any_number, err));
    TRY(manifest_bool(&out->wrong, &p, "wrong", err));
    TRY(recipe_read_texts(&out->setting, &out->setting_count, &p, "settings", err));
    TRY(manifest_prose(&out->about, &p, "about", err));
done:
    return status;
}

tare_status recipe_read_published(recipe *r, const manifest_part *top, tare_error *err)
{
    tare_status status = TARE_OK;
    const json_value *list;
    size_t n;
    TRY(recipe_read_list(&list, &n, top, "published", RECIPE_LIST_MOST, err));
    TRY_NEW(r->published = arena_new(top->r->a, n + 1, sizeof *r->published));
    for (size_t i = 0; i < n; i++) {
        char name[32];
        snprintf(name, sizeof name, "published[%zu]", i);
        TRY(read_value(&r->published[i], top->r, &list[i], name, err));
    }
    r->published_count = n;
done:
    return status;
}
