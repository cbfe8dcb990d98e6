/* recipe_walk.h - one way to read a checkpoint as a recipe's file: a layout, a prefix that is taken
 * off, the sizes; and what is then lacking or left over. Private to recipe_*.c. */
#ifndef SCORER_RECIPE_RECIPE_WALK_H
#define SCORER_RECIPE_RECIPE_WALK_H

#include "scorer/recipe/recipe.h"

typedef struct recipe_reading {
    graph_layout layout;
    const char *stripped;
    bool relu;
    tower_plan vision, text; /* as the file has them, as far as that could be told */
    recipe_lack *lack;
    size_t lack_count, lack_capacity;
    size_t found;            /* tensors that are there, of whatever dims           */
    const char **surplus;
    size_t surplus_count;
} recipe_reading;

/* `any`: the sizes of the file instead of the recipe's. Errors: MEMORY. */
tare_status recipe_read_as(recipe_reading *out, arena *a, const recipe *r, recipe_role role,
                           const checkpoint *c, bool any, tare_error *err);

#endif
