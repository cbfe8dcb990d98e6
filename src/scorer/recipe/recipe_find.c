/* recipe_find.c - the files of a recipe on this machine. Nothing is fetched. Scorers 3.3. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/os.h"
#include "base/text.h"
#include "scorer/recipe/recipe_places.h"

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_named(const recipe_file *f, const char *path)
{
    for (size_t i = 0; f && i < f->name_count; i++)
        if (!strcmp(f->name[i], base_of(path))) return true;
    return false;
}

static const recipe_file *other_file(const recipe *r, recipe_role role)
{
    return recipe_file_of(r, role == RECIPE_HEAD ? RECIPE_BACKBONE : RECIPE_HEAD);
}

/* A file that the option names is this one, and not that of the other role. */
static bool is_meant(const recipe *r, recipe_role role, const char *weights)
{
    if (os_is_folder(weights) || !os_exists(weights)) return false;
    if (is_named(recipe_file_of(r, role), weights)) return true;
    return role == RECIPE_BACKBONE && !is_named(other_file(r, role), weights);
}

tare_status recipe_of_name(const char **out, arena *a, const recipe *r, const char *path,
                           tare_error *err)
{
    tare_status status = TARE_OK;
    size_t owners = 0;
    *out = NULL;
    for (size_t k = 0; k < r->file_count; k++)
        if (is_named(&r->file[k], path)) goto done;
    for (size_t i = 0; recipe_name_at(i); i++) {
        recipe other;
        bool named = false;
        TRY(recipe_named(&other, a, recipe_name_at(i), err));
        for (size_t k = 0; k < other.file_count; k++)
            named = named || is_named(&other.file[k], path);
        if (named && ++owners == 1) *out = other.name;
    }
    if (owners != 1) *out = NULL;
done:
    return status;
}

/* ---- Places ---------------------------------------------------------------------------------- */

static tare_status add_named(place_list *l, const recipe *r, const char *hub, const char *weights,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    if (!weights) goto done;
    if (os_is_folder(weights)) TRY(place_add_models(l, r, hub, weights, "--weights", err));
    else TRY(place_add(l, place_of(l->a, weights), "--weights", err));
done:
    return status;
}

static tare_status add_models(place_list *l, const recipe *r, const char *hub, tare_error *err)
{
    const char *models = getenv("TARE_MODELS");
    if (!models || !*models) return TARE_OK;
    return place_add_models(l, r, hub, models, "TARE_MODELS", err);
}

tare_status recipe_places(recipe_place **out, size_t *count, arena *a, const recipe *r,
                          recipe_role role, const char *weights, tare_error *err)
{
    tare_status status = TARE_OK;
    const recipe_file *f = recipe_file_of(r, role);
    place_list l = {a, NULL, 0, 0};
    *out = NULL;
    *count = 0;
    if (!f) goto done;
    TRY(add_named(&l, r, f->hub, weights, err));
    TRY(add_models(&l, r, f->hub, err));
    for (size_t i = 0; i < f->cache_count; i++) TRY(place_add_home(&l, f->cache[i], err));
    if (f->hub) TRY(place_add_hub(&l, f->hub, err));
    *out = l.item;
    *count = l.count;
done:
    return status;
}

/* ---- Weights --------------------------------------------------------------------------------- */

/* *out NULL: it is in none of these places. */
static tare_status search(const char **out, arena *a, const recipe_file *f,
                          const recipe_place *place, size_t count, tare_error *err)
{
    tare_status status = TARE_OK;
    bool failed = false;
    *out = NULL;
    for (size_t i = 0; i < count && !*out; i++)
        for (size_t k = 0; k < f->name_count && !*out; k++) {
            *out = place_file(a, place[i].folder, f->name[k], &failed);
            if (failed) FAIL_MEMORY(err);
        }
done:
    return status;
}

static size_t named_places(const recipe_place *place, size_t count)
{
    size_t n = 0;
    while (n < count && !strcmp(place[n].why, "--weights")) n++;
    return n;
}

/* What is named and not there names no folder that might hold it either. */
static tare_status check_there(const recipe *r, const char *weights, tare_error *err)
{
    if (!weights || os_exists(weights)) return TARE_OK;
    return error_set(err, TARE_E_IO, "weights.missing", weights, "there is no such file or folder "
                     "(weights of %s)", r->name);
}

static tare_status missing(arena *a, const recipe *r, recipe_role role, const recipe_place *place,
                           size_t count, const char *weights, tare_error *err)
{
    tare_status status = TARE_OK;
    const recipe_file *f = recipe_file_of(r, role);
    text t;
    text_init(&t, a->m);
    text_add_format(&t, "the %s of %s is not here: ", recipe_role_name(role), r->name);
    for (size_t i = 0; i < f->name_count; i++)
        text_add_format(&t, "%s%s", i ? " or " : "", f->name[i]);
    text_add_format(&t, ". `tare scorer where %s` says what to fetch; name its folder by --weights "
                    "or TARE_MODELS. Looked in: ", r->name);
    for (size_t i = 0; i < count; i++)
        text_add_format(&t, "%s%s", i ? ", " : "", place[i].folder);
    if (count == 0) text_add(&t, "no folder at all (no --weights, TARE_MODELS or HOME)");
    else if (!weights && !getenv("HOME")) text_add(&t, "; HOME is not set");
    if (t.failed) FAIL_MEMORY(err);
    FAIL(err, TARE_E_IO, "weights.missing", weights ? weights : r->name, "%s", t.data);
done:
    text_free(&t);
    return status;
}

/* Is the recipe's other file where the option says? Then this one may be elsewhere. `place`: what
 * the option names. */
static tare_status holds_other(bool *out, arena *a, const recipe_file *other,
                               const recipe_place *place, size_t count, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *path = NULL;
    *out = false;
    if (!other) goto done;
    TRY(search(&path, a, other, place, count, err));
    *out = path != NULL;
done:
    return status;
}

tare_status recipe_find_file(const char **out, arena *a, const recipe *r, recipe_role role,
                             const char *weights, tare_error *err)
{
    tare_status status = TARE_OK;
    const recipe_file *f = recipe_file_of(r, role);
    recipe_place *place = NULL;
    size_t count = 0, looked;
    bool elsewhere = true;
    *out = NULL;
    if (!f)
        FAIL(err, TARE_E_BUG, "weights.role", r->name, "it has no file of this role");
    TRY(check_there(r, weights, err));
    if (weights && is_meant(r, role, weights)) {
        *out = weights;
        goto done;
    }
    TRY(recipe_places(&place, &count, a, r, role, weights, err));
    looked = named_places(place, count);
    if (weights) {
        TRY(search(out, a, f, place, looked, err));
        if (*out) goto done;
        TRY(holds_other(&elsewhere, a, other_file(r, role), place, looked, err));
        elsewhere = elsewhere || (other_file(r, role) && is_meant(r, other_file(r, role)->role,
                                                                  weights));
    }
    if (elsewhere) looked = count;
    TRY(search(out, a, f, place, looked, err));
    if (!*out) TRY(missing(a, r, role, place, looked, weights, err));
done:
    return status;
}

/* ---- Vocabularies ---------------------------------------------------------------------------- */

/* "a+b": both files, for which the folder is given. */
static const char *vocabulary_in(arena *a, const char *folder, const char *name, bool *failed)
{
    const char *plus = strchr(name, '+'), *first;
    if (!plus) return place_file(a, folder, name, failed);
    first = arena_text(a, name, (size_t)(plus - name));
    if (!first) *failed = true;
    if (!first || !place_file(a, folder, first, failed)) return NULL;
    return place_file(a, folder, plus + 1, failed) ? folder : NULL;
}

tare_status recipe_find_vocabulary(const char **out, arena *a, const recipe *r,
                                   const char *weights, tare_error *err)
{
    tare_status status = TARE_OK;
    const recipe_file *f = recipe_file_of(r, RECIPE_BACKBONE);
    place_list l = {a, NULL, 0, 0};
    bool failed = false;
    *out = NULL;
    if (!r->prompt) goto done;
    TRY(add_named(&l, r, f->hub, weights, err));
    TRY(add_models(&l, r, f->hub, err));
    for (size_t i = 0; i < f->cache_count; i++) TRY(place_add_home(&l, f->cache[i], err));
    if (f->hub) TRY(place_add_hub(&l, f->hub, err));
    for (size_t i = 0; i < r->vocabulary_hub_count; i++)
        TRY(place_add_hub(&l, r->vocabulary_hub[i], err));
    for (size_t i = 0; i < l.count && !*out; i++)
        for (size_t k = 0; k < r->vocabulary_count && !*out; k++) {
            *out = vocabulary_in(a, l.item[i].folder, r->vocabulary[k], &failed);
            if (failed) FAIL_MEMORY(err);
        }
done:
    return status;
}
