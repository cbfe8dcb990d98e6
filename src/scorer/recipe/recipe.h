/* recipe.h - what a published scorer is made of, as data: one JSON each in recipe/data, shipped
 * inside the library. Scorers 3.
 *
 * A recipe says which files, which layouts they may have, what is never detected (activation,
 * heads, epsilon), how images are prepared, the prompt, the head and its constants, the
 * published values. Unknown keys are refused. */
#ifndef SCORER_RECIPE_RECIPE_H
#define SCORER_RECIPE_RECIPE_H

#include "base/json.h"
#include "scorer/graph/graph_model.h"
#include "scorer/onnx/onnx_manifest.h"
#include "scorer/token/tokens.h"

typedef enum recipe_role { RECIPE_BACKBONE, RECIPE_HEAD } recipe_role; /* of a file */

/* A file that the user fetches. The first that is found counts. */
typedef struct recipe_file {
    recipe_role role;
    const char **name; size_t name_count;   /* "ViT-L-14.pt", "model.safetensors"       */
    const char **cache; size_t cache_count; /* folders below the home: ".cache/clip"    */
    const char *hub;                        /* "ORG/NAME" in the Hugging Face cache; NULL */
    const char **sha256; size_t sha256_count; /* of known releases                      */
    const char *address, *licence, *size, *about; /* for `tare scorer where`: words     */
    /* Linear layers in order, of a head or, where the head lies in it, of the backbone (then there
     * is no file of role head); "": bare weight and bias. */
    const char **layer; size_t layer_count;
    const char **relu_layer; size_t relu_layer_count; /* the numbering that means ReLU between */
    int *width; size_t width_count; /* of the layers: layer_count + 1, 0: any; none: any   */
    const char **ignore; size_t ignore_count; /* tensors that may be there: "x.*", "*.x"   */
} recipe_file;

/* How the vector becomes the score. */
typedef enum recipe_score {
    RECIPE_AFFINE,  /* LAION: head on the normalised vector                              */
    RECIPE_COSINE,  /* scale x cosine with the prompt's vector                           */
    RECIPE_BERT,    /* ImageReward: text sees the image, head, (x - mean) / sd           */
    RECIPE_CLASSES  /* the sum of some classes' probabilities                            */
} recipe_score;
typedef enum recipe_scale { RECIPE_SCALE_ONE, RECIPE_SCALE_FILE, RECIPE_SCALE_FIXED } recipe_scale;

typedef struct recipe_value { /* published, end to end */
    const char *image, *prompt, *about; /* prompt: "" if none */
    double value, tolerance;
    double softmax;       /* not 0: over all prompts of the image, of this times the score */
    bool wrong;           /* a published mistake: must not be reproduced                   */
    const char **setting; size_t setting_count; /* each is tried: "antialias=0"            */
} recipe_value;

/* Another way to print the same cosine. */
typedef struct recipe_variant {
    const char *name;             /* "clipscore"                                          */
    recipe_scale scale; double scale_fixed, floor;
    const char *prefix_words;
} recipe_variant;

typedef struct recipe {
    const char *name;             /* "clip-b32"                                          */
    const char *scheme, *words;   /* "clip", "model=b32": how a spec names it; words: ""  */
    int version;
    const char *title, *meaning, *source, *licence; /* meaning: what the number says      */
    const char *family;           /* "pickscore"; what `hpsv2:` lists for `hpsv2.0`       */
    recipe_file *file; size_t file_count;
    graph_layout *layout; size_t layout_count; /* that the backbone may have              */
    bool mobilenet;               /* the backbone is a TF.js layers model                 */
    const char *prefix;           /* before every name: "blip."; ""                       */
    tower_plan vision, text;      /* activation, eps, heads; sizes that must hold, 0: any */
    bool has_text;                /* a text tower or BERT                                 */
    onnx_image_input input;       /* the keys of a manifest's `input`                     */
    tokenizer_kind tokenizer;
    const char *prompt;           /* neutral; NULL: takes none                            */
    size_t prompt_most;           /* ids                                                  */
    const char **vocabulary; size_t vocabulary_count; /* files of its tokeniser, "a+b": both */
    const char **vocabulary_hub; size_t vocabulary_hub_count; /* where else they are      */
    recipe_score score;
    recipe_scale scale; double scale_fixed, floor; /* floor: NaN, or 0 for max(cos, 0)    */
    const char *prefix_words;     /* put before the prompt ("A photo depicts "); ""       */
    recipe_variant *variant; size_t variant_count; /* the first is what is above          */
    double mean, sd;              /* BERT                                                 */
    int *classes; size_t class_count; const char **class_name; size_t class_name_count;
    bool higher_is_better;
    double range_lo, range_hi;
    recipe_value *published; size_t published_count;
    const char *tested;           /* what tare's own tests compare the known release with, in
                                     words; ""                                            */
    bool any_sizes;               /* recipe_any_sizes was asked for                       */
    const char *identity;         /* canonical JSON of all that can change the number     */
    const char *as_read;          /* that of the recipe before anything was set           */
} recipe;

/* By graph_activation: "quick-gelu", "gelu"; then NULL. */
extern const char *const recipe_activation_words[];

/* The shipped ones in order of name; NULL past the end. */
const char *recipe_name_at(size_t index);
/* Text of a shipped file, for `recipe_parse`; NULL: none of this name. */
const char *recipe_text_of(size_t *length, const char *name);
/* By name ("clip-b32") or scheme ("clip": the one without words). Errors: USAGE ("recipe.name": the
 * known ones; `hpsv2` names both versions), MEMORY. */
tare_status recipe_named(recipe *out, arena *a, const char *name, tare_error *err);
/* A recipe of the user's own, or a shipped one's text. Errors: DATA ("recipe.*", "json.*"). */
tare_status recipe_parse(recipe *out, arena *a, const char *path, const char *bytes, size_t length,
                         tare_error *err);

/* The sizes of the towers and heads may be any: not the published architecture, as the identity
 * says after recipe_identify. Heads, activation and epsilon stay. The side of the image is then the
 * caller's business: it is in the plan of the match. */
void recipe_any_sizes(recipe *r);
/* NULL: the first. Errors: USAGE ("recipe.variant": those that there are), MEMORY. */
tare_status recipe_choose(recipe *r, arena *a, const char *variant, tare_error *err);
/* After a field was changed: `identity` anew. Errors: MEMORY. */
tare_status recipe_identify(recipe *r, arena *a, tare_error *err);
/* NULL: it has no such file. */
const recipe_file *recipe_file_of(const recipe *r, recipe_role role);
const char *recipe_role_name(recipe_role role); /* "backbone", "head" */

/* ---- matching a checkpoint --------------------------------------------------------------- */

/* found NULL: absent */
typedef struct recipe_lack { const char *name, *found, *wanted; } recipe_lack;
typedef struct recipe_match {
    bool whole;                   /* nothing is missing, surplus or misshaped             */
    bool known, foreign;          /* hashes of all its files are in this recipe's table; of one
                                     in another's                                         */
    const char *foreign_recipe;
    graph_layout layout;
    const char *stripped;         /* prefix that was taken off: "state_dict.", ""         */
    const char *prefix;           /* before the names of the layers: stripped + the recipe's */
    bool relu;                    /* of a head: ReLU between its layers                    */
    bool resized;                 /* not whole, but it would be with recipe_any_sizes      */
    tower_plan vision, text;      /* with sizes, if `whole`                               */
    recipe_lack *lack; size_t lack_count;       /* missing and misshaped                  */
    const char **surplus; size_t surplus_count;
} recipe_match;
/* Is `c` the file `role` of the recipe? Never an error of the file: that is in `out`. A config.json
 * beside an HF file must agree. Errors: MEMORY, IO, DATA ("recipe.config"). */
tare_status recipe_match_file(recipe_match *out, arena *a, const recipe *r, recipe_role role,
                              const checkpoint *c, tare_error *err);
/* The match as an error: hash of another recipe, first missing, misshaped or surplus tensor, how
 * many more. TARE_OK if whole and not foreign. */
tare_status recipe_match_error(const recipe_match *m, const recipe *r, recipe_role role,
                               const checkpoint *c, tare_error *err);

/* ---- finding files ----------------------------------------------------------------------- */

/* A folder that is looked at, in this order: what the option `weights` names (folder or file), the
 * folder TARE_MODELS, folders of the published code below HOME, Hugging Face's cache (HF_HUB_CACHE,
 * HF_HOME/hub or ~/.cache/huggingface/hub). In the first two, folders called like the recipe and
 * like the hub's NAME come before the folder itself. */
typedef struct recipe_place {
    const char *folder, *why;     /* why: "--weights", "TARE_MODELS", "cache", "Hugging Face"  */
    bool there;
} recipe_place;
/* Errors: MEMORY. */
tare_status recipe_places(recipe_place **out, size_t *count, arena *a, const recipe *r,
                          recipe_role role, const char *weights, tare_error *err);
/* `weights`: folder or file that the option names, NULL: the places after it. What is named holds
 * one of the recipe's files at least; the other may be anywhere. Errors: IO ("weights.missing":
 * every place that was looked at, what to fetch, `tare scorer where NAME`), MEMORY. */
tare_status recipe_find_file(const char **out, arena *a, const recipe *r, recipe_role role,
                             const char *weights, tare_error *err);
/* The one recipe that calls a file of its own by the name of this one, where `r` does not; *out
 * NULL: none, or several (model.safetensors says nothing). Errors: MEMORY. */
tare_status recipe_of_name(const char **out, arena *a, const recipe *r, const char *path,
                           tare_error *err);
/* A vocabulary for its tokeniser, file or folder, near the weights or in the caches; *out NULL:
 * none. Errors: MEMORY. */
tare_status recipe_find_vocabulary(const char **out, arena *a, const recipe *r,
                                   const char *weights, tare_error *err);

#endif
