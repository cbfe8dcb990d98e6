/* recipe_config.h - config.json beside a file in Hugging Face's layout. Private to recipe_*.c. */
#ifndef SCORER_RECIPE_RECIPE_CONFIG_H
#define SCORER_RECIPE_RECIPE_CONFIG_H

#include "scorer/recipe/recipe.h"

/* What it says of activation, heads and epsilon must be what the recipe says; what it does not say
 * is no contradiction, nor is its absence. Errors: DATA ("recipe.config"), IO, LIMIT, MEMORY. */
tare_status recipe_config_check(arena *a, const recipe *r, const checkpoint *c, tare_error *err);

#endif
