/* recipe_fixture.h - a home of its own, and small checkpoints in the layouts of recipes. */
#ifndef TESTS_RECIPE_FIXTURE_H
#define TESTS_RECIPE_FIXTURE_H

#include "scorer/recipe/recipe.h"
#include "support/formula_weights.h"

/* An empty folder that is HOME; no variable that names models or caches is set. An open context. */
typedef struct recipe_fixture {
    tare_context *context;
    arena a;
    tare_error err;
    char home[64];
} recipe_fixture;
int fixture_open(void **state);  /* *state: a recipe_fixture */
int fixture_close(void **state);

const char *in_home(recipe_fixture *x, const char *name);
/* An empty file; folders on the way are made. */
const char *touch(recipe_fixture *x, const char *name);
void write_words(recipe_fixture *x, const char *name, const char *words);

/* A shipped recipe, for any sizes. */
recipe any_recipe(recipe_fixture *x, const char *name);
/* Saves `l`, opens it, matches it; the list stays. The match is in the fixture's arena. */
recipe_match match_list(recipe_fixture *x, const recipe *r, recipe_role role,
                        const formula_list *l);
/* What recipe_match_error says of it; *err in the fixture. */
tare_status match_status(recipe_fixture *x, const recipe *r, recipe_role role,
                         const formula_list *l);

/* Both towers as OpenAI names them, 64 wide, with logit_scale. */
formula_list openai_list(void);
formula_list blip_list(void); /* with "blip." before the towers, and the head */
void put_before(formula_list *l, const char *prefix);
formula_tensor *tensor_of(formula_list *l, const char *name);
void take_out(formula_list *l, const char *name);

#endif
