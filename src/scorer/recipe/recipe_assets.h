/* recipe_assets.h - the texts of recipe/data, made into arrays by cmake/TareRecipes.cmake. */
#ifndef SCORER_RECIPE_RECIPE_ASSETS_H
#define SCORER_RECIPE_RECIPE_ASSETS_H

#include <stddef.h>

/* R(name, the same as an identifier), in order of name */
#define RECIPE_ASSETS(R) \
    R("clip-b32", clip_b32) \
    R("clip-l14", clip_l14) \
    R("hpsv2.0", hpsv2_0) \
    R("hpsv2.1", hpsv2_1) \
    R("imagereward", imagereward) \
    R("laion-v1", laion_v1) \
    R("laion-v2", laion_v2) \
    R("nsfw", nsfw) \
    R("pickscore", pickscore)

#define RECIPE_DECLARE(name, id)                                                                   \
    extern const char asset_recipe_##id[];                                                         \
    extern const size_t asset_recipe_##id##_length;
RECIPE_ASSETS(RECIPE_DECLARE)
#undef RECIPE_DECLARE

#endif
