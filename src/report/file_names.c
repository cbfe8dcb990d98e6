#include "report/file_names.h"

#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"

#define STEM_BYTES 80

static bool kept(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
}

static size_t lower_add(map *taken, const char *stem, bool *is_new)
{
    char low[STEM_BYTES + 32];
    size_t n = 0;
    for (; stem[n] && n < sizeof low - 1; n++) {
        char c = stem[n];
        low[n] = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
    }
    return map_add(taken, low, n, is_new);
}

/* A stem that no earlier file has. */
static tare_status stem_of(const char **out, arena *a, map *taken, const char *name,
                           tare_error *err)
{
    tare_status status = TARE_OK;
    char stem[STEM_BYTES + 1];
    size_t n = 0;
    bool dash = true; /* none at the start, no two in a row */
    for (; *name && n < STEM_BYTES; name++) {
        bool keep = kept(*name) && !(dash && *name == '-');
        if (!keep && dash) continue;
        stem[n++] = keep ? *name : '-';
        dash = stem[n - 1] == '-';
    }
    while (n > 0 && stem[n - 1] == '-') n--;
    stem[n] = 0;
    const char *base = n > 0 ? stem : "unnamed";
    for (size_t k = 1;; k++) {
        char *candidate;
        TRY_NEW(candidate = k == 1 ? arena_copy(a, base) : arena_printf(a, "%s-%zu", base, k));
        bool is_new = false;
        if (lower_add(taken, candidate, &is_new) == SIZE_MAX) FAIL_MEMORY(err);
        if (!is_new) continue;
        *out = candidate;
        goto done;
    }
done:
    return status;
}

static tare_status name_figure(file_names *n, arena *a, const figure *f, size_t i,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    n->picture[i] = n->count;
    n->figure[i] = "";
    if (f->kind != FIGURE_STRIP) {
        TRY_NEW(n->figure[i] = arena_printf(a, "figures/%s.vl.json", n->anchor[i]));
        n->all[n->count++] = n->figure[i];
        goto done;
    }
    for (size_t k = 0; k < f->cell_count; k++) {
        const char *path;
        TRY_NEW(path = arena_printf(a, "figures/%s-%02zu.png", n->anchor[i], k + 1));
        n->all[n->count++] = path;
    }
done:
    return status;
}

tare_status file_names_make(file_names *out, arena *a, const audit_result *r, tare_error *err)
{
    tare_status status = TARE_OK;
    map *tables = NULL, *figures = NULL;
    file_names n = {0};
    size_t files = r->table_count;
    for (size_t i = 0; i < r->figure_count; i++) {
        const figure *f = r->figures[i];
        files += f->kind == FIGURE_STRIP ? f->cell_count : 1;
    }
    TRY_NEW(tables = map_new(r->m));
    TRY_NEW(figures = map_new(r->m));
    TRY_NEW(n.table = arena_new(a, r->table_count + 1, sizeof *n.table));
    TRY_NEW(n.figure = arena_new(a, r->figure_count + 1, sizeof *n.figure));
    TRY_NEW(n.anchor = arena_new(a, r->figure_count + 1, sizeof *n.anchor));
    TRY_NEW(n.picture = arena_new(a, r->figure_count + 1, sizeof *n.picture));
    TRY_NEW(n.all = arena_new(a, files + 1, sizeof *n.all));
    for (size_t i = 0; i < r->table_count; i++) {
        const char *stem;
        TRY(stem_of(&stem, a, tables, r->tables[i]->name, err));
        TRY_NEW(n.table[i] = arena_printf(a, "tables/%s.tsv", stem));
        n.all[n.count++] = n.table[i];
    }
    for (size_t i = 0; i < r->figure_count; i++) {
        TRY(stem_of(&n.anchor[i], a, figures, r->figures[i]->id, err));
        TRY(name_figure(&n, a, r->figures[i], i, err));
    }
    *out = n;
done:
    map_free(tables);
    map_free(figures);
    return status;
}

static bool ends_with(const char *text, size_t length, const char *end)
{
    size_t n = strlen(end);
    return length > n && memcmp(text + length - n, end, n) == 0;
}

bool file_names_is_ours(const char *path)
{
    bool table = strncmp(path, "tables/", 7) == 0, picture = strncmp(path, "figures/", 8) == 0;
    if (!table && !picture) return false;
    const char *name = path + (table ? 7 : 8);
    size_t length = strlen(name);
    if (length > STEM_BYTES + 40 || !kept(name[0])) return false;
    for (const char *c = name; *c; c++) {
        if (!kept(*c) && *c != '.') return false;
    }
    if (table) return ends_with(name, length, ".tsv");
    return ends_with(name, length, ".vl.json") || ends_with(name, length, ".png");
}
