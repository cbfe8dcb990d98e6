/* recipe_parts.h - what the readers of a recipe share. Private to recipe_*.c. */
#ifndef SCORER_RECIPE_RECIPE_PARTS_H
#define SCORER_RECIPE_RECIPE_PARTS_H

#include "scorer/onnx/onnx_manifest_parts.h"
#include "scorer/recipe/recipe.h"

enum {
    RECIPE_LIST_MOST = 64,  /* names, folders, hashes, settings of one list */
    RECIPE_FILES_MOST = 4,
    RECIPE_SIZE_MOST = 1 << 24
};

/* A list of texts of one line; absent: empty. */
tare_status recipe_read_texts(const char ***out, size_t *count, const manifest_part *p,
                              const char *key, tare_error *err);
/* A list of mappings; absent: NULL and 0. */
tare_status recipe_read_list(const json_value **out, size_t *count, const manifest_part *p,
                             const char *key, size_t most, tare_error *err);
tare_status recipe_read_size(int *out, const manifest_part *p, const char *key, tare_error *err);

tare_status recipe_read_files(recipe *r, const manifest_part *top, tare_error *err);
tare_status recipe_read_towers(recipe *r, const manifest_part *top, tare_error *err);
/* Prompt, score, variants. */
tare_status recipe_read_score(recipe *r, const manifest_part *top, tare_error *err);
tare_status recipe_read_published(recipe *r, const manifest_part *top, tare_error *err);

extern const char *const recipe_layout_words[],
    *const recipe_score_words[], *const recipe_tokenizer_words[];

/* A shipped one: its text, made from recipe/data by cmake/TareRecipes.cmake. */
typedef struct recipe_asset {
    const char *name, *bytes;
    const size_t *length;
} recipe_asset;
/* In order of name; NULL past the end. */
const recipe_asset *recipe_asset_at(size_t index);

/* "x.*", "*.x" or a whole name. */
bool recipe_pattern_fits(const char *pattern, const char *name);

#endif
