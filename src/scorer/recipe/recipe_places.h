/* recipe_places.h - folders that may hold a file of a recipe. Private to recipe_*.c. */
#ifndef SCORER_RECIPE_RECIPE_PLACES_H
#define SCORER_RECIPE_RECIPE_PLACES_H

#include "scorer/recipe/recipe.h"

typedef struct place_list {
    arena *a;
    recipe_place *item;
    size_t count, capacity;
} place_list;

tare_status place_add(place_list *l, const char *folder, const char *why, tare_error *err);
/* The folders called like the recipe and its hub, then `folder` itself. */
tare_status place_add_models(place_list *l, const recipe *r, const char *hub, const char *folder,
                             const char *why, tare_error *err);
/* A folder below HOME; nothing without one. */
tare_status place_add_home(place_list *l, const char *below, tare_error *err);
/* The snapshots of "ORG/NAME", that of refs/main first; the folder that would hold them if there
 * are none. */
tare_status place_add_hub(place_list *l, const char *hub, tare_error *err);
/* The folder of a file. NULL: no memory. */
const char *place_of(arena *a, const char *path);
/* FOLDER/NAME if it is a file; NULL: it is none, or no memory (*failed). */
const char *place_file(arena *a, const char *folder, const char *name, bool *failed);

#endif
