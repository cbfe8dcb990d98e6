/* roster_make.c - a roster that grows model by model, whatever the format. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "judge/roster_parts.h"

void roster_where(char out[ROSTER_WHERE_MAX], const char *name, size_t line)
{
    snprintf(out, ROSTER_WHERE_MAX, "%.290s:%zu", name, line);
}

const char *roster_shown(arena *a, const char *string)
{
    const char *copy = NULL;
    text t;
    text_init(&t, a->m);
    text_add_visible(&t, string, strlen(string), 80);
    if (!t.failed) copy = arena_copy(a, t.data ? t.data : "");
    text_free(&t);
    return copy ? copy : "?";
}

bool roster_key_is_secret(const char *key)
{
    static const char *const names[] = {"apikey",   "key",    "token",         "secret",
                                        "password", "bearer", "authorization", "cookie"};
    char plain[16];
    size_t n = 0;
    for (; *key; key++) {
        char c = *key >= 'A' && *key <= 'Z' ? (char)(*key - 'A' + 'a') : *key;
        if (c == '_' || c == '-' || c == ' ') continue;
        if (n + 1 == sizeof plain) return false;
        plain[n++] = c;
    }
    plain[n] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(plain, names[i])) return true;
    return false;
}

/* ---- Growing --------------------------------------------------------------------------------- */

tare_status roster_maker_begin(roster_maker *k, roster *out, arena *a, const char *name,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    memset(k, 0, sizeof *k);
    k->out = out;
    k->a = a;
    TRY_NEW(k->name = arena_copy(a, name));
    TRY_NEW(k->names = map_new(a->m));
    TRY_NEW(k->groupings = map_new(a->m));
    if (map_add(k->groupings, "family", 6, NULL) == SIZE_MAX) FAIL_MEMORY(err);
done:
    return status;
}

void roster_maker_end(roster_maker *k)
{
    map_free(k->names);
    map_free(k->groupings);
    mem_free(k->a->m, k->models);
    mem_free(k->a->m, k->owner);
    mem_free(k->a->m, k->pending);
}

/* A name belongs to one model; that it stands twice in the same entry does no harm. */
static tare_status claim(roster_maker *k, const char *name, const char *what, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t model = k->count - 1;
    bool fresh = false;
    size_t at = map_add(k->names, name, strlen(name), &fresh);
    if (at == SIZE_MAX ||
        !mem_reserve(k->a->m, &k->owner, &k->owner_capacity, at + 1, sizeof *k->owner))
        FAIL_MEMORY(err);
    if (fresh) k->owner[at] = model;
    const roster_model *other = &k->models[k->owner[at]];
    if (k->owner[at] != model)
        ROSTER_FAIL(k->name, k->models[model].line, "roster.duplicate",
                    "the %s \"%s\" already names the model of line %zu; ids and aliases name one "
                    "model each", what, roster_shown(k->a, name), other->line);
done:
    return status;
}

tare_status roster_add_model(roster_maker *k, const char *id, size_t line, const json_value *source,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    char where[ROSTER_WHERE_MAX];
    if (!*id) ROSTER_FAIL(k->name, line, "roster.no_id", "the id is empty");
    if (k->count == ROSTER_MODELS_MAX) {
        roster_where(where, k->name, line);
        FAIL(err, TARE_E_LIMIT, "roster.models", where, "a roster has at most %d models",
             (int)ROSTER_MODELS_MAX);
    }
    if (!mem_reserve(k->a->m, &k->models, &k->capacity, k->count + 1, sizeof *k->models))
        FAIL_MEMORY(err);
    k->models[k->count++] = (roster_model){.id = id, .source = source, .line = line};
    TRY(claim(k, id, "id", err));
done:
    return status;
}

tare_status roster_add_aliases(roster_maker *k, const char **alias, size_t count, tare_error *err)
{
    tare_status status = TARE_OK;
    roster_model *m = &k->models[k->count - 1];
    m->alias = alias;
    m->alias_count = count;
    for (size_t i = 0; i < count; i++) {
        if (!*alias[i]) ROSTER_FAIL(k->name, m->line, "roster.type", "an alias is empty");
        TRY(claim(k, alias[i], "alias", err));
    }
done:
    return status;
}

tare_status roster_add_values(roster_maker *k, const char *grouping, const roster_values *values,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    size_t line = k->models[k->count - 1].line;
    if (!*grouping) ROSTER_FAIL(k->name, line, "roster.type", "a grouping has no name");
    for (size_t i = 0; i < values->count; i++)
        if (!*values->value[i])
            ROSTER_FAIL(k->name, line, "roster.type", "a value of %s is empty",
                        roster_shown(k->a, grouping));
    size_t at = map_add(k->groupings, grouping, strlen(grouping), NULL);
    if (at == SIZE_MAX) FAIL_MEMORY(err);
    if (at >= ROSTER_GROUPINGS_MAX) {
        char where[ROSTER_WHERE_MAX];
        roster_where(where, k->name, line);
        FAIL(err, TARE_E_LIMIT, "roster.groupings", where, "a roster has at most %d groupings",
             (int)ROSTER_GROUPINGS_MAX);
    }
    if (!mem_reserve(k->a->m, &k->pending, &k->pending_capacity, k->pending_count + 1,
                     sizeof *k->pending))
        FAIL_MEMORY(err);
    k->pending[k->pending_count++] = (roster_pending){k->count - 1, at, *values};
done:
    return status;
}

/* ---- The end --------------------------------------------------------------------------------- */

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* "family", then the others by bytes; place[index in the map]. */
static tare_status order_groupings(size_t *place, roster_maker *k, tare_error *err)
{
    tare_status status = TARE_OK;
    roster *r = k->out;
    r->grouping_count = map_count(k->groupings);
    TRY_NEW(r->grouping = arena_new(k->a, r->grouping_count, sizeof *r->grouping));
    for (size_t g = 0; g < r->grouping_count; g++)
        TRY_NEW(r->grouping[g] = arena_copy(k->a, map_key(k->groupings, g, NULL)));
    qsort(r->grouping + 1, r->grouping_count - 1, sizeof *r->grouping, by_bytes);
    for (size_t g = 0; g < r->grouping_count; g++)
        place[map_find(k->groupings, r->grouping[g], strlen(r->grouping[g]))] = g;
done:
    return status;
}

tare_status roster_make(roster_maker *k, tare_error *err)
{
    tare_status status = TARE_OK;
    roster *r = k->out;
    size_t place[ROSTER_GROUPINGS_MAX] = {0};
    if (k->count == 0) ROSTER_FAIL(k->name, (size_t)1, "roster.empty", "it names no model");
    TRY(order_groupings(place, k, err));
    TRY_NEW(r->models = arena_new(k->a, k->count, sizeof *r->models));
    memcpy(r->models, k->models, k->count * sizeof *r->models);
    for (size_t i = 0; i < k->count; i++)
        TRY_NEW(r->models[i].group =
                    arena_new(k->a, r->grouping_count, sizeof *r->models[i].group));
    for (size_t i = 0; i < k->pending_count; i++) {
        const roster_pending *p = &k->pending[i];
        r->models[p->model].group[place[p->grouping]] = p->values;
    }
    r->name = k->name;
    r->count = k->count;
done:
    return status;
}
