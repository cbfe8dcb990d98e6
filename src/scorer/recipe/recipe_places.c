#include "scorer/recipe/recipe_places.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/os.h"

enum { SNAPSHOTS_MOST = 256, REF_MOST = 128 };

const char *place_of(arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash) return arena_copy(a, ".");
    return arena_text(a, path, slash == path ? 1 : (size_t)(slash - path));
}

const char *place_file(arena *a, const char *folder, const char *name, bool *failed)
{
    size_t n = strlen(folder);
    const char *path = arena_printf(a, "%s%s%s", folder, n && folder[n - 1] == '/' ? "" : "/",
                                    name);
    if (!path) *failed = true;
    return path && os_exists(path) && !os_is_folder(path) ? path : NULL;
}

/* What is not set, or set to nothing, names no place. */
static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

tare_status place_add(place_list *l, const char *folder, const char *why, tare_error *err)
{
    tare_status status = TARE_OK;
    if (!folder) FAIL_MEMORY(err);
    for (size_t i = 0; i < l->count; i++)
        if (!strcmp(l->item[i].folder, folder)) goto done;
    if (l->count == l->capacity) {
        size_t more = l->capacity ? 2 * l->capacity : 16;
        recipe_place *item;
        TRY_NEW(item = arena_new(l->a, more, sizeof *item));
        if (l->count) memcpy(item, l->item, l->count * sizeof *item);
        l->item = item;
        l->capacity = more;
    }
    l->item[l->count++] = (recipe_place){folder, why, os_is_folder(folder)};
done:
    return status;
}

tare_status place_add_models(place_list *l, const recipe *r, const char *hub, const char *folder,
                             const char *why, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *below = arena_printf(l->a, "%s/%s", folder, r->name);
    const char *name = hub ? strrchr(hub, '/') : NULL;
    if (!below) FAIL_MEMORY(err);
    if (os_is_folder(below)) TRY(place_add(l, below, why, err));
    if (hub) {
        below = arena_printf(l->a, "%s/%s", folder, name ? name + 1 : hub);
        if (!below) FAIL_MEMORY(err);
        if (os_is_folder(below)) TRY(place_add(l, below, why, err));
    }
    TRY(place_add(l, folder, why, err));
done:
    return status;
}

tare_status place_add_home(place_list *l, const char *below, tare_error *err)
{
    const char *home = variable("HOME");
    return home ? place_add(l, arena_printf(l->a, "%s/%s", home, below), "cache", err) : TARE_OK;
}

/* ---- Hugging Face's cache -------------------------------------------------------------------- */

/* ROOT/models--ORG--NAME; *none: there is no root. */
static const char *hub_folder(arena *a, const char *hub, bool *none)
{
    const char *cache = variable("HF_HUB_CACHE"), *own = variable("HF_HOME");
    const char *home = variable("HOME"), *slash = strchr(hub, '/'), *root;
    *none = !cache && !own && !home;
    if (*none) return NULL;
    root = cache ? cache : own ? arena_printf(a, "%s/hub", own)
                               : arena_printf(a, "%s/.cache/huggingface/hub", home);
    if (!root) return NULL;
    if (!slash) return arena_printf(a, "%s/models--%s", root, hub);
    return arena_printf(a, "%s/models--%.*s--%s", root, (int)(slash - hub), hub, slash + 1);
}

/* The commit that refs/main names, if that is a plain name. */
static bool main_ref(char out[REF_MOST], arena *a, const char *folder)
{
    size_t n = 0;
    const char *path = arena_printf(a, "%s/refs/main", folder);
    if (!path || os_read_start(out, &n, REF_MOST - 1, path, NULL) != TARE_OK) return false;
    while (n && (out[n - 1] == '\n' || out[n - 1] == '\r' || out[n - 1] == ' ')) n--;
    out[n] = '\0';
    return n && *out != '.' && !memchr(out, '/', n) && strlen(out) == n;
}

static int by_name(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static tare_status add_snapshots(place_list *l, const char *folder, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *name[SNAPSHOTS_MOST];
    size_t n = 0;
    struct dirent *e;
    DIR *d = opendir(folder);
    while (d && n < SNAPSHOTS_MOST && (e = readdir(d)) != NULL) {
        if (*e->d_name == '.') continue;
        TRY_NEW(name[n] = arena_copy(l->a, e->d_name));
        n++;
    }
    qsort(name, n, sizeof *name, by_name);
    for (size_t i = 0; i < n; i++)
        TRY(place_add(l, arena_printf(l->a, "%s/%s", folder, name[i]), "Hugging Face", err));
done:
    if (d) closedir(d);
    return status;
}

tare_status place_add_hub(place_list *l, const char *hub, tare_error *err)
{
    tare_status status = TARE_OK;
    char ref[REF_MOST];
    const char *folder, *snapshots;
    bool none = false;
    size_t before = l->count;
    folder = hub_folder(l->a, hub, &none);
    if (none) goto done;
    if (!folder) FAIL_MEMORY(err);
    TRY_NEW(snapshots = arena_printf(l->a, "%s/snapshots", folder));
    if (main_ref(ref, l->a, folder)) {
        const char *main = arena_printf(l->a, "%s/%s", snapshots, ref);
        if (!main) FAIL_MEMORY(err);
        if (os_is_folder(main)) TRY(place_add(l, main, "Hugging Face", err));
    }
    TRY(add_snapshots(l, snapshots, err));
    if (l->count == before) TRY(place_add(l, snapshots, "Hugging Face", err));
done:
    return status;
}
