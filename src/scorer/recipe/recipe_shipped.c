/* recipe_shipped.c - the recipes inside the library, by name and scheme. */
#include <string.h>

#include "base/error.h"
#include "base/spelling.h"
#include "base/text.h"
#include "scorer/recipe/recipe_assets.h"
#include "scorer/recipe/recipe_parts.h"

#define RECIPE_ROW(name, id) {name, asset_recipe_##id, &asset_recipe_##id##_length},
const recipe_asset *recipe_asset_at(size_t index)
{
    static const recipe_asset shipped[] = {
        RECIPE_ASSETS(RECIPE_ROW)
    };
    return index < sizeof shipped / sizeof *shipped ? &shipped[index] : NULL;
}

const char *recipe_name_at(size_t index)
{
    const recipe_asset *s = recipe_asset_at(index);
    return s ? s->name : NULL;
}

const char *recipe_text_of(size_t *length, const char *name)
{
    const recipe_asset *s = NULL;
    for (size_t i = 0; (s = recipe_asset_at(i)) != NULL && strcmp(s->name, name) != 0; i++) {}
    *length = s ? *s->length : 0;
    return s ? s->bytes : NULL;
}

static tare_status read_asset(recipe *out, arena *a, const recipe_asset *s, tare_error *err)
{
    char path[96];
    snprintf(path, sizeof path, "recipe %s", s->name);
    return recipe_parse(out, a, path, s->bytes, *s->length, err);
}

/* `listed`: names of one family, or all. */
static tare_status no_such_name(const char *name, const char *listed, bool family,
                                tare_error *err)
{
    const char *names[16], *near = NULL;
    size_t n = 0;
    tare_status status = TARE_OK;
    for (; n < 16 && recipe_name_at(n); n++) names[n] = recipe_name_at(n);
    near = spelling_nearest(name, names, n);
    if (family)
        FAIL(err, TARE_E_USAGE, "recipe.name", name, "%s is several scorers, whose numbers do not "
             "compare; say which: %s", name, listed);
    FAIL(err, TARE_E_USAGE, "recipe.name", name, "no published scorer of this name%s%s; known: %s",
         near ? "; the nearest is " : "", near ? near : "", listed);
done:
    return status;
}

tare_status recipe_named(recipe *out, arena *a, const char *name, tare_error *err)
{
    tare_status status = TARE_OK;
    recipe r;
    text all, family;
    text_init(&all, a->m);
    text_init(&family, a->m);
    for (size_t i = 0; recipe_asset_at(i); i++) {
        TRY(read_asset(&r, a, recipe_asset_at(i), err));
        if (!strcmp(r.name, name) || (!strcmp(r.scheme, name) && !*r.words)) {
            *out = r;
            goto done;
        }
        text_add_format(&all, "%s%s", all.length ? ", " : "", r.name);
        if (!strcmp(r.family, name))
            text_add_format(&family, "%s%s", family.length ? ", " : "", r.name);
    }
    if (all.failed || family.failed) FAIL_MEMORY(err);
    TRY(no_such_name(name, family.length ? family.data : all.data, family.length > 0, err));
done:
    text_free(&all);
    text_free(&family);
    return status;
}
