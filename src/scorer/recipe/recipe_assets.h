/* recipe_assets.h - the texts of recipe/data, made into arrays by cmake/TareRecipes.cmake. */
#ifndef SCORER_RECIPE_RECIPE_ASSETS_H
#define SCORER_RECIPE_RECIPE_ASSETS_H

#include <stddef.h>

extern const char asset_recipe_clip_b32[], asset_recipe_clip_l14[], asset_recipe_hpsv2_0[],
    asset_recipe_hpsv2_1[], asset_recipe_imagereward[], asset_recipe_laion_v1[],
    asset_recipe_laion_v2[], asset_recipe_nsfw[], asset_recipe_pickscore[];
extern const size_t asset_recipe_clip_b32_length, asset_recipe_clip_l14_length,
    asset_recipe_hpsv2_0_length, asset_recipe_hpsv2_1_length, asset_recipe_imagereward_length,
    asset_recipe_laion_v1_length, asset_recipe_laion_v2_length, asset_recipe_nsfw_length,
    asset_recipe_pickscore_length;

#endif
