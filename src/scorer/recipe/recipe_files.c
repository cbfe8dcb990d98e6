/* recipe_files.c - `files` of a recipe: what the user fetches, and what is in it. */
#include <string.h>

#include "base/error.h"
#include "scorer/recipe/recipe_parts.h"

static const char *const roles[] = {"backbone", "head", NULL};

const char *recipe_role_name(recipe_role role)
{
    return roles[role];
}

const recipe_file *recipe_file_of(const recipe *r, recipe_role role)
{
    for (size_t i = 0; i < r->file_count; i++)
        if (r->file[i].role == role) return &r->file[i];
    return NULL;
}

static tare_status check_sums(const recipe_file *f, const manifest_part *p, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t i = 0; i < f->sha256_count; i++)
        if (strlen(f->sha256[i]) != 64 || strspn(f->sha256[i], "0123456789abcdef") != 64)
            MANIFEST_FAIL(p->r, manifest_get(p, "sha256"), "value", "%s[%zu] must be 64 lower-case "
                          "hexadecimal digits", manifest_name(p, "sha256"), i);
done:
    return status;
}

/* A name of a file in a folder, a path below the home, ORG/NAME: none leads elsewhere. */
static tare_status check_places(const recipe_file *f, const manifest_part *p, tare_error *err)
{
    tare_status status = TARE_OK;
    if (f->name_count == 0)
        MANIFEST_FAIL(p->r, p->v, "missing", "%s is missing: file names, the likeliest first",
                      manifest_name(p, "names"));
    for (size_t i = 0; i < f->name_count; i++)
        if (!*f->name[i] || strchr(f->name[i], '/') || *f->name[i] == '.')
            MANIFEST_FAIL(p->r, manifest_get(p, "names"), "value", "%s[%zu] must be the name of a "
                          "file without a folder", manifest_name(p, "names"), i);
    for (size_t i = 0; i < f->cache_count; i++)
        if (!*f->cache[i] || *f->cache[i] == '/' || strstr(f->cache[i], ".."))
            MANIFEST_FAIL(p->r, manifest_get(p, "caches"), "value", "%s[%zu] must be a folder "
                          "below the home", manifest_name(p, "caches"), i);
    if (f->hub && (!strchr(f->hub, '/') || strchr(f->hub, '/') != strrchr(f->hub, '/') ||
                   strstr(f->hub, "..")))
        MANIFEST_FAIL(p->r, manifest_get(p, "hub"), "value", "%s must be ORG/NAME",
                      manifest_name(p, "hub"));
done:
    return status;
}

static tare_status read_widths(recipe_file *f, const manifest_part *p, tare_error *err)
{
    tare_status status = TARE_OK;
    static const manifest_bounds size = {0, RECIPE_SIZE_MOST, true,
                                         "a whole number from 0 (any) to 16777216"};
    double x[RECIPE_LIST_MOST];
    const json_value *list;
    size_t n;
    TRY(recipe_read_list(&list, &n, p, "widths", RECIPE_LIST_MOST, err));
    if (n == 0) goto done;
    if (n != f->layer_count + 1)
        MANIFEST_FAIL(p->r, manifest_get(p, "widths"), "value", "%s has %zu entries; %zu layers "
                      "have %zu", manifest_name(p, "widths"), n, f->layer_count,
                      f->layer_count + 1);
    TRY(manifest_numbers(x, n, p, "widths", &size, err));
    TRY_NEW(f->width = arena_new(p->r->a, n, sizeof *f->width));
    for (size_t i = 0; i < n; i++) f->width[i] = (int)x[i];
    f->width_count = n;
done:
    return status;
}

static tare_status read_layers(recipe_file *f, const manifest_part *p, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(recipe_read_texts(&f->layer, &f->layer_count, p, "layers", err));
    TRY(recipe_read_texts(&f->relu_layer, &f->relu_layer_count, p, "relu_layers", err));
    TRY(read_widths(f, p, err));
    if (f->relu_layer_count && f->relu_layer_count != f->layer_count)
        MANIFEST_FAIL(p->r, manifest_get(p, "relu_layers"), "value", "%s has %zu entries, %s has "
                      "%zu", manifest_name(p, "relu_layers"), f->relu_layer_count,
                      manifest_name(p, "layers"), f->layer_count);
    if (f->role == RECIPE_HEAD && f->layer_count == 0)
        MANIFEST_FAIL(p->r, p->v, "missing", "%s is missing: the linear layers of the head",
                      manifest_name(p, "layers"));
done:
    return status;
}

static tare_status read_file(recipe_file *f, const manifest_reader *r, const json_value *v,
                             const char *name, tare_error *err)
{
    static const char *const keys[] = {"role", "names", "caches", "hub", "sha256", "address",
                                       "licence", "size", "about", "layers", "relu_layers",
                                       "widths", "ignore", NULL};
    tare_status status = TARE_OK;
    manifest_part p;
    int role = 0;
    TRY(manifest_part_open(&p, r, v, name, keys, err));
    TRY(manifest_need(&p, "role", "backbone or head", err));
    TRY(manifest_need(&p, "address", "where the file comes from, in words", err));
    TRY(manifest_need(&p, "licence", "of the weights", err));
    TRY(manifest_word(&role, &p, "role", roles, err));
    f->role = (recipe_role)role;
    f->size = f->about = "";
    TRY(recipe_read_texts(&f->name, &f->name_count, &p, "names", err));
    TRY(recipe_read_texts(&f->cache, &f->cache_count, &p, "caches", err));
    if (manifest_given(&p, "hub")) TRY(manifest_text(&f->hub, &p, "hub", MANIFEST_LINE_MOST, err));
    TRY(recipe_read_texts(&f->sha256, &f->sha256_count, &p, "sha256", err));
    TRY(manifest_prose(&f->address, &p, "address", err));
    TRY(manifest_prose(&f->licence, &p, "licence", err));
    TRY(manifest_prose(&f->size, &p, "size", err));
    TRY(manifest_prose(&f->about, &p, "about", err));
    TRY(read_layers(f, &p, err));
    TRY(recipe_read_texts(&f->ignore, &f->ignore_count, &p, "ignore", err));
    TRY(check_sums(f, &p, err));
    TRY(check_places(f, &p, err));
done:
    return status;
}

tare_status recipe_read_files(recipe *r, const manifest_part *top, tare_error *err)
{
    tare_status status = TARE_OK;
    const json_value *list;
    size_t n, heads = 0;
    TRY(recipe_read_list(&list, &n, top, "files", RECIPE_FILES_MOST, err));
    TRY_NEW(r->file = arena_new(top->r->a, n + 1, sizeof *r->file));
    for (size_t i = 0; i < n; i++) {
        char name[32];
        snprintf(name, sizeof name, "files[%zu]", i);
        TRY(read_file(&r->file[i], top->r, &list[i], name, err));
        heads += r->file[i].role == RECIPE_HEAD;
    }
    r->file_count = n;
    if (n - heads != 1 || heads > 1)
        MANIFEST_FAIL(top->r, top->v, "value", "files: a recipe has one backbone and at most one "
                      "head; here are %zu and %zu", n - heads, heads);
done:
    return status;
}
