/* recipe_lists.c - lists and sizes of a recipe, and patterns of tensor names. */
#include <string.h>

#include "base/error.h"
#include "scorer/recipe/recipe_parts.h"

tare_status recipe_read_list(const json_value **out, size_t *count, const manifest_part *p,
                             const char *key, size_t most, tare_error *err)
{
    tare_status status = TARE_OK;
    const json_value *v = manifest_given(p, key);
    *out = NULL;
    *count = 0;
    if (!v) goto done;
    if (v->kind != JSON_K_ARRAY)
        MANIFEST_FAIL(p->r, v, "type", "%s must be a list; here it is %s", manifest_name(p, key),
                      manifest_shown(p->r, v));
    if (v->length > most)
        MANIFEST_FAIL(p->r, v, "value", "%s has %zu entries; allowed: at most %zu",
                      manifest_name(p, key), v->length, most);
    *out = v->children;
    *count = v->length;
done:
    return status;
}

tare_status recipe_read_texts(const char ***out, size_t *count, const manifest_part *p,
                              const char *key, tare_error *err)
{
    tare_status status = TARE_OK;
    const json_value *list;
    const char **text;
    TRY(recipe_read_list(&list, count, p, key, RECIPE_LIST_MOST, err));
    TRY_NEW(text = arena_new(p->r->a, *count + 1, sizeof *text));
    for (size_t i = 0; i < *count; i++) {
        const json_value *v = &list[i];
        if (v->kind != JSON_K_TEXT || v->length > MANIFEST_LINE_MOST ||
            strlen(v->text) != v->length)
            MANIFEST_FAIL(p->r, v, "type", "%s[%zu] must be text of at most %d bytes; here it is "
                          "%s", manifest_name(p, key), i, (int)MANIFEST_LINE_MOST,
                          manifest_shown(p->r, v));
        text[i] = v->text;
    }
    *out = text;
done:
    return status;
}

tare_status recipe_read_size(int *out, const manifest_part *p, const char *key, tare_error *err)
{
    static const manifest_bounds size = {0, RECIPE_SIZE_MOST, true,
                                         "a whole number from 0 (any) to 16777216"};
    double x = *out;
    tare_status status = manifest_number(&x, p, key, &size, err);
    if (status == TARE_OK) *out = (int)x;
    return status;
}

bool recipe_pattern_fits(const char *pattern, const char *name)
{
    const char *star = strchr(pattern, '*');
    if (!star) return !strcmp(pattern, name);
    size_t before = (size_t)(star - pattern), after = strlen(star + 1), n = strlen(name);
    return n >= before + after && !memcmp(pattern, name, before) &&
           !memcmp(star + 1, name + n - after, after);
}
