/* Any bytes as a recipe: it is refused with a place, or what it says is within its limits, names no
 * file outside the folders it is looked for in, and has an identity that reads back. */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "scorer/recipe/recipe_parts.h"

static void check_file(const recipe_file *f)
{
    REQUIRE(f->name_count > 0);
    for (size_t i = 0; i < f->name_count; i++)
        REQUIRE(*f->name[i] && *f->name[i] != '.' && !strchr(f->name[i], '/'));
    for (size_t i = 0; i < f->cache_count; i++)
        REQUIRE(*f->cache[i] && *f->cache[i] != '/' && !strstr(f->cache[i], ".."));
    for (size_t i = 0; i < f->sha256_count; i++) REQUIRE(strlen(f->sha256[i]) == 64);
    REQUIRE(!f->width_count || f->width_count == f->layer_count + 1);
    REQUIRE(!f->relu_layer_count || f->relu_layer_count == f->layer_count);
}

static void check_recipe(const recipe *r)
{
    for (size_t i = 0; i < r->file_count; i++) check_file(&r->file[i]);
    REQUIRE(recipe_file_of(r, RECIPE_BACKBONE));
    REQUIRE(r->mobilenet || (r->layout_count && r->vision.heads > 0 && r->vision.eps > 0));
    REQUIRE(!r->has_text || (r->text.heads > 0 && r->text.eps > 0));
    REQUIRE(r->sd > 0 && isfinite(r->mean));
    for (size_t i = 0; i < r->class_count; i++)
        REQUIRE(r->classes[i] >= 0 && (size_t)r->classes[i] < r->class_name_count);
    for (size_t i = 0; i < r->published_count; i++)
        REQUIRE(isfinite(r->published[i].value) && r->published[i].tolerance >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mem m = mem_system();
    arena a;
    recipe r;
    tare_error err = {TARE_OK, "", "", ""};
    if (size > 65536) return 0;
    arena_init(&a, &m);
    tare_status status = recipe_parse(&r, &a, "r", (const char *)data, size, &err);
    if (status == TARE_OK) {
        json_value *identity;
        check_recipe(&r);
        REQUIRE(json_parse(&identity, &a, "identity", r.identity, strlen(r.identity), NULL,
                           &err) == TARE_OK);
    } else {
        REQUIRE(err.status == status && err.message[0] && err.code[0] && err.where[0]);
        REQUIRE(status == TARE_E_DATA || status == TARE_E_LIMIT);
    }
    arena_free(&a);
    return 0;
}
