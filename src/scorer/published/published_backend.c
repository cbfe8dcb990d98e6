/* published_backend.c - one back end for each recipe: files, then the prompt, then the tower that
 * sees images (scorers 4.5). The recipe is data; nothing here knows a scorer's numbers. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "scorer/backends.h"
#include "scorer/fingerprint.h"
#include "scorer/onnx/onnx_score.h"
#include "scorer/published/published_parts.h"
#include "scorer/recipe/recipe_verified.h"
#include "scorer/shelf.h"

/* ---- Scoring --------------------------------------------------------------------------------- */

static tare_status published_score(void *state, scorer_result *results, const scorer_item *items,
                                   size_t n, tare_error *err)
{
    published *s = state;
    tare_status status = TARE_OK;
    const mem *m = &s->context->mem;
    float *vectors = NULL;
    TRY_NEW(vectors = mem_new(m, n * s->length, sizeof *vectors));
    TRY(onnx_tower_vectors(vectors, results, s->tower, items, n, err));
    for (size_t i = 0; i < n; i++) {
        if (results[i].status != TARE_R_NONE) continue;
        TRY(published_score_one(&results[i], s, vectors + i * s->length,
                                published_prompt(s, items[i].prompt), err));
    }
done:
    mem_free(m, vectors);
    return status;
}

static tare_status published_prompt_ids(scorer_prompt *out, arena *a, const void *state,
                                        const char *prompt, tare_error *err)
{
    const published *s = state;
    token_list ids;
    tare_status status = published_ids(&ids, a, s, published_prompt(s, prompt), err);
    if (status == TARE_OK)
        *out = (scorer_prompt){ids.id, ids.count, ids.whole, ids.may_differ};
    return status;
}

/* ---- Opening --------------------------------------------------------------------------------- */

static tare_status copy_or_null(const char **text, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    if (*text) TRY_NEW(*text = arena_copy(a, *text));
done:
    return status;
}

static tare_status keep_options(published *s, const scorer_options *options, tare_error *err)
{
    tare_status status = TARE_OK;
    scorer_options *o = &s->options;
    *o = *options;
    if (*s->words.weights) o->weights = s->words.weights;
    const char **texts[] = {&o->prompt, &o->ort_library, &o->embeddings, &o->weights,
                            &o->vocabulary, &o->provider, &o->dump_graph};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        TRY(copy_or_null(texts[i], &s->a, err));
    if (s->r.prompt && (!o->prompt || !*o->prompt)) o->prompt = s->r.prompt;
    s->shelf = options->shelf;
    if (!s->shelf) TRY_NEW(s->shelf = s->own_shelf = scorer_shelf_new(&s->context->mem));
done:
    return status;
}

/* What the words after the scheme change in the recipe. */
static tare_status apply_words(published *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const published_words *w = &s->words;
    recipe *r = &s->r;
    if (w->antialias >= 0) r->input.antialias = w->antialias;
    if (w->any_sizes) recipe_any_sizes(r);
    TRY(recipe_choose(r, &s->a, w->variant, err));
    TRY(recipe_identify(r, &s->a, err));
done:
    return status;
}

static tare_status read_recipe(published *s, const char *scheme, const char *rest, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *name = scheme;
    TRY(published_words_read(&s->words, &s->a, scheme, rest, err));
    if (s->words.model)
        TRY_NEW(name = arena_printf(&s->a, "%s-%s", scheme, s->words.model));
    TRY(recipe_named(&s->r, &s->a, name, err));
    TRY(apply_words(s, err));
done:
    return status;
}

/* Text first, and out of memory again before the tower for images comes in (scorers 2.3). */
static tare_status open_parts(published *s, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(published_weights_open(s, err));
    if (s->r.prompt) {
        TRY(published_tokens_open(s, err));
        TRY(published_say_prompt(s, err));
    }
    if (s->r.score == RECIPE_COSINE) TRY(published_text_open(&s->text, s, err));
    TRY(published_tower_open(s, err));
    if (s->r.score == RECIPE_BERT) TRY(published_bert_open(&s->bert, s, err));
    TRY(published_weights_settle(s->backbone, err));
done:
    return status;
}

/* A plain image through all of it. What is not finite comes of weights that are not. */
static tare_status try_out(published *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &s->context->mem;
    image trial = {0};
    scorer_result r = {NAN, TARE_R_SCORER_ERROR, ""};
    float *vector = NULL;
    TRY_NEW(vector = mem_new(m, s->length, sizeof *vector));
    TRY(onnx_trial_image(&trial, m, &s->r.input, err));
    scorer_item item = {.key = "trial", .base = "", .arm = "", .group = "", .prompt = "",
                        .pixels = &trial, .fresh = true};
    TRY(onnx_tower_vectors(vector, &r, s->tower, &item, 1, err));
    if (r.status == TARE_R_NONE)
        TRY(published_score_one(&r, s, vector, published_prompt(s, NULL), err));
    if (r.status == TARE_R_NONE) goto done;
    if (r.status == TARE_R_SCORE_NONFINITE) TRY(published_weights_finite(s, err));
    FAIL(err, TARE_E_INSTRUMENT, "published.trial", s->backbone->c->path,
         "a plain image gets no score: %s", r.note);
done:
    image_free(&trial, m);
    mem_free(m, vector);
    return status;
}

/* ---- What it is ------------------------------------------------------------------------------ */

static const char *identity_json(const published *s, arena *a)
{
    fingerprint f;
    const char *prompt = published_prompt_json(s, a);
    if (!prompt) return NULL;
    fingerprint_begin(&f, a);
    fingerprint_text(&f, "kind", "published");
    fingerprint_json(&f, "recipe", s->r.identity);
    fingerprint_json(&f, "tower", onnx_tower_identity(s->tower));
    fingerprint_json(&f, "head", s->head_json);
    fingerprint_text(&f, "head_kind", s->relu.count ? "relu between layers" : "affine");
    fingerprint_json(&f, "prompt", prompt);
    fingerprint_number(&f, "scale", s->scale);
    fingerprint_number(&f, "floor", s->r.floor);
    fingerprint_text(&f, "precision", s->words.half_output
                                          ? "head and cosine in double, result in fp16"
                                          : "head and cosine in double");
    if (s->r.has_text) {
        fingerprint_number(&f, "text_heads", s->match.text.heads);
        fingerprint_number(&f, "text_layers", s->match.text.layers);
        fingerprint_number(&f, "text_width", s->match.text.width);
    }
    return fingerprint_end(&f);
}

/* Did the published values hold with this recipe, as it is set, and these weights? */
static tare_status describe_standing(scorer_description *d, const published *s, arena *a,
                                     tare_error *err)
{
    tare_status status = TARE_OK;
    const char *weights[] = {s->backbone->json, s->head_json};
    char key[SHA256_HEX];
    TRY(recipe_verified_key(key, &s->r, &s->context->mem, weights, 2, err));
    TRY_NEW(d->standing_key = arena_copy(a, key));
    TRY(recipe_standing(&d->standing, a, &s->r, key, s->match.known && s->head_known, err));
done:
    return status;
}

/* Settings that make it another instrument stand in its name, so that two can be asked in one
 * run. */
static const char *name_of(const published *s, arena *a)
{
    const published_words *w = &s->words;
    const char *antialias = w->antialias < 0 ? "" : w->antialias ? "-antialias" : "-no-antialias";
    return arena_printf(a, "%s%s%s%s%s%s", s->r.name, w->variant ? "-" : "",
                        w->variant ? w->variant : "", s->relu.count ? "-relu" : "", antialias,
                        w->half_output ? "-fp16" : "");
}

static tare_status describe(scorer_description *d, published *s, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *identity, *engine;
    TRY_NEW(d->name = name_of(s, a));
    TRY_NEW(d->source = arena_copy(a, s->r.source));
    TRY_NEW(d->licence = arena_copy(a, s->r.licence));
    TRY(describe_standing(d, s, a, err));
    d->batch = onnx_tower_model(s->tower)->batch;
    d->sign = s->r.higher_is_better ? 1.0 : -1.0;
    d->range_lo = s->r.range_lo;
    d->range_hi = s->r.range_hi;
    d->parallel = d->needs_pixels = true;
    d->cacheable = true;
    d->takes_prompt = s->r.prompt != NULL;
    d->any_mode = s->r.input.before_rgb || s->r.input.refuse_rgba;
    d->min_side = 1;
    TRY_NEW(identity = identity_json(s, a));
    TRY_NEW(engine = onnx_model_engine(onnx_tower_model(s->tower), a));
    TRY(fingerprint_describe_engine(d, a, identity, engine, err));
done:
    return status;
}

static void published_close(void *state)
{
    published *s = state;
    const mem *m = &s->context->mem;
    published_text_close(s->text);
    published_bert_close(s->bert);
    onnx_tower_give_back(s->shelf, s->tower);
    if (s->backbone) shelf_give_back(s->shelf, s->backbone);
    tokenizer_close(s->tokens);
    scorer_shelf_free(s->own_shelf);
    arena_free(&s->a);
    mem_free(m, s);
}

static tare_status published_open(void **state, scorer_description *d, arena *a,
                                  tare_context *context, const char *rest,
                                  const scorer_options *options, tare_error *err)
{
    tare_status status = TARE_OK;
    published *s = NULL;
    TRY_NEW(s = mem_new(&context->mem, 1, sizeof *s));
    s->context = context;
    arena_init(&s->a, &context->mem);
    TRY(read_recipe(s, d->name, rest, err)); /* the registry has put the scheme there */
    TRY(keep_options(s, options, err));
    TRY(open_parts(s, err));
    TRY(try_out(s, err));
    TRY(describe(d, s, a, err));
    *state = s;
    s = NULL;
done:
    if (s) published_close(s);
    return status;
}

/* For `tare doctor`: are the files here? The first that is not says what to fetch. */
static tare_status check_files(tare_context *context, const char *name, tare_error *err)
{
    tare_status status = TARE_OK;
    arena a;
    recipe r;
    const char *path = NULL;
    arena_init(&a, &context->mem);
    TRY(recipe_named(&r, &a, name, err));
    for (size_t i = 0; i < r.file_count; i++)
        TRY(recipe_find_file(&path, &a, &r, r.file[i].role, NULL, err));
    if (r.published_count)
        error_set(err, TARE_OK, "", "", "its files are here (%s); `tare scorer verify %s` compares "
                  "with published values", path, name);
    else
        error_set(err, TARE_OK, "", "", "its files are here (%s); `tare scorer list` shows what is "
                  "in them", path);
done:
    if (status == TARE_E_IO)
        status = error_set(err, TARE_E_INSTRUMENT, "weights.missing", name, "its files are not "
                           "here: `tare scorer where %s` says what to fetch and where to put it",
                           name);
    arena_free(&a);
    return status;
}

/* ---- The back ends --------------------------------------------------------------------------- */

#define PUBLISHED(id, scheme_, recipe_, summary_, more)                                            \
    static tare_status check_##id(tare_context *context, tare_error *err)                          \
    {                                                                                              \
        return check_files(context, recipe_, err);                                                 \
    }                                                                                              \
    const scorer_backend scorer_##id = {                                                           \
        .scheme = scheme_,                                                                         \
        .summary = summary_,                                                                       \
        .usage = scheme_ ":[FILE|DIR]" more,                                                       \
        .open = published_open,                                                                    \
        .score = published_score,                                                                  \
        .close = published_close,                                                                  \
        .check = check_##id,                                                                       \
        .prompt_ids = published_prompt_ids,                                                        \
    };

PUBLISHED(laion_v1, "laion-v1", "laion-v1",
          "LAION-Aesthetics V1: a linear head on OpenAI's ViT-L/14", "[,head=FILE]")
PUBLISHED(laion_v2, "laion-v2", "laion-v2",
          "LAION-Aesthetics V2: a head of five layers on OpenAI's ViT-L/14", "[,head=FILE]")
PUBLISHED(pickscore, "pickscore", "pickscore",
          "PickScore v1: scaled cosine of image and prompt in a fine-tuned CLIP-H", "")
PUBLISHED(hpsv2_0, "hpsv2.0", "hpsv2.0",
          "HPSv2, version 2.0: cosine of image and prompt in a fine-tuned ViT-H/14",
          "[,antialias=true|false]")
PUBLISHED(hpsv2_1, "hpsv2.1", "hpsv2.1",
          "HPSv2, version 2.1: as 2.0 with other weights; not on the same scale",
          "[,antialias=true|false]")
PUBLISHED(imagereward, "imagereward", "imagereward",
          "ImageReward v1.0: BLIP, whose text looks at the image, and a reward head", "")
PUBLISHED(clip, "clip", "clip-l14",
          "CLIP score: cosine of image and prompt in OpenAI's ViT-L/14 or B/32",
          "[,model=l14|b32][,variant=cosine|x100|clipscore]")
PUBLISHED(nsfw, "nsfw", "nsfw",
          "nsfwjs 4.3.0: probability that a photograph is not safe for work; lower is better", "")
