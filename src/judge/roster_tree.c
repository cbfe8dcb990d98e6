/* roster_tree.c - entries of a roster from a tree, be it of YAML or of JSON. */
#include <string.h>

#include "base/spelling.h"
#include "base/text.h"
#include "judge/roster_parts.h"

/* What an entry may hold: first who the model is, then how it is asked (judge client 1). */
static const char *const entry_keys[] = {
    "id", "alias", "family", "groups", "endpoint",
    "provider", "model", "base_url", "api_key_env", "ca_file", "headers", "params", "param_names",
    "route", "extract", "price", "limits", "images"};
enum { ENTRY_KEYS = sizeof entry_keys / sizeof *entry_keys, IDENTITY_KEYS = 5 };

static const char *kind_words(const json_value *v)
{
    static const char *const words[] = {"nothing", "true or false", "a number", "text", "a list",
                                        "a mapping"};
    return words[v->kind];
}

static tare_status wrong_kind(const roster_maker *k, const json_value *v, const char *what,
                              const char *wanted, tare_error *err)
{
    tare_status status = TARE_OK;
    ROSTER_FAIL(k->name, v->line, "roster.type", "%s must be %s; here it is %s",
                roster_shown(k->a, what), wanted, kind_words(v));
done:
    return status;
}

/* ---- Values ---------------------------------------------------------------------------------- */

/* Text that a C string can hold. Numbers of JSON count as the text of their shortest decimal. */
static tare_status read_text(const char **out, const roster_maker *k, const json_value *v,
                             const char *what, bool numbers, tare_error *err)
{
    tare_status status = TARE_OK;
    char buffer[NUMBER_TEXT_MAX];
    if (v->kind == JSON_K_NUMBER && numbers) {
        number_format(v->number, buffer);
        TRY_NEW(*out = arena_copy(k->a, buffer));
        goto done;
    }
    if (v->kind != JSON_K_TEXT) TRY(wrong_kind(k, v, what, "text", err));
    if (strlen(v->text) != v->length)
        ROSTER_FAIL(k->name, v->line, "roster.type", "%s holds a NUL", roster_shown(k->a, what));
    *out = v->text;
done:
    return status;
}

/* One text or a list of them; nothing at all is an empty list. */
static tare_status read_texts(roster_values *out, const roster_maker *k, const json_value *v,
                              const char *what, bool numbers, tare_error *err)
{
    tare_status status = TARE_OK;
    const json_value *items = v->kind == JSON_K_ARRAY ? v->children : v;
    *out = (roster_values){NULL, 0};
    size_t count = v->kind == JSON_K_ARRAY ? v->length : v->kind != JSON_K_NULL;
    if (v->kind == JSON_K_OBJECT) TRY(wrong_kind(k, v, what, "text or a list of texts", err));
    TRY_NEW(out->value = arena_new(k->a, count, sizeof *out->value));
    for (size_t i = 0; i < count; i++)
        TRY(read_text(&out->value[i], k, &items[i], what, numbers, err));
    out->count = count;
done:
    return status;
}

/* ---- Secrets --------------------------------------------------------------------------------- */

static tare_status refuse_secret(const roster_maker *k, size_t line, const char *key,
                                 tare_error *err)
{
    tare_status status = TARE_OK;
    ROSTER_FAIL(k->name, line, "roster.secret",
                "%s: a roster holds no keys, for it is stored with the results; name the variable "
                "that holds it with api_key_env", roster_shown(k->a, key));
done:
    return status;
}

static bool is_variable_name(const json_value *v)
{
    for (size_t i = 0; i < v->length; i++) {
        char c = v->text[i];
        bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
        if (!letter && (i == 0 || c < '0' || c > '9')) return false;
    }
    return v->length > 0;
}

/* "Authorization", "X-Api-Key", "x-goog-api-key": the end of the name, from any of its words on. */
static bool header_is_secret(const char *name)
{
    for (const char *at = name; at; at = strchr(at, '-')) {
        at += *at == '-';
        if (roster_key_is_secret(at)) return true;
    }
    return false;
}

/* A header that says who asks must take its value from a variable, as in "Bearer ${KEY}". */
static tare_status check_headers(const roster_maker *k, const json_value *headers, tare_error *err)
{
    tare_status status = TARE_OK;
    if (headers->kind != JSON_K_OBJECT) goto done;
    for (size_t i = 0; i < headers->length; i++) {
        const json_value *v = &headers->children[i];
        bool variable = v->kind == JSON_K_TEXT && strstr(v->text, "${") != NULL;
        if (header_is_secret(headers->keys[i]) && !variable)
            ROSTER_FAIL(k->name, v->line, "roster.secret",
                        "header %s: a roster holds no keys; use api_key_env, or ${VARIABLE} in the "
                        "value", roster_shown(k->a, headers->keys[i]));
    }
done:
    return status;
}

/* ---- Keys ------------------------------------------------------------------------------------ */

static tare_status unknown_key(const roster_maker *k, const json_value *v, const char *key,
                               const char *const *valid, size_t count, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *near = spelling_nearest(key, valid, count);
    text list;
    text_init(&list, k->a->m);
    for (size_t i = 0; i < count; i++) text_add_format(&list, "%s%s", i ? ", " : "", valid[i]);
    if (list.failed) FAIL_MEMORY(err);
    ROSTER_FAIL(k->name, v->line, "roster.unknown_key", "no such key: \"%s\"%s%s%s; keys: %s",
                roster_shown(k->a, key), near ? ", did you mean " : "", near ? near : "",
                near ? "?" : "", list.data);
done:
    text_free(&list);
    return status;
}

/* Keys of a mapping against those that may be there, and no secret in it. */
static tare_status check_keys(const roster_maker *k, const json_value *v, const char *const *valid,
                              size_t count, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t i = 0; i < v->length; i++) {
        const json_value *x = &v->children[i];
        size_t at = 0;
        while (at < count && strcmp(valid[at], v->keys[i]) != 0) at++;
        if (at == count && roster_key_is_secret(v->keys[i]))
            TRY(refuse_secret(k, x->line, v->keys[i], err));
        if (at == count) TRY(unknown_key(k, x, v->keys[i], valid, count, err));
        if (!strcmp(v->keys[i], "headers")) TRY(check_headers(k, x, err));
        if (strcmp(v->keys[i], "api_key_env") != 0) continue;
        if (x->kind != JSON_K_TEXT) TRY(wrong_kind(k, x, "api_key_env", "text", err));
        if (!is_variable_name(x))
            ROSTER_FAIL(k->name, x->line, "roster.secret",
                        "api_key_env is the name of an environment variable, such as MY_KEY, not "
                        "a key");
    }
done:
    return status;
}

/* ---- Entries --------------------------------------------------------------------------------- */

static tare_status read_endpoint(const roster_maker *k, const json_value *entry, tare_error *err)
{
    tare_status status = TARE_OK;
    const json_value *endpoint = json_member(entry, "endpoint");
    const char *const *endpoint_keys = entry_keys + IDENTITY_KEYS;
    size_t count = ENTRY_KEYS - IDENTITY_KEYS;
    if (!endpoint || endpoint->kind == JSON_K_NULL) goto done;
    if (endpoint->kind != JSON_K_OBJECT)
        TRY(wrong_kind(k, endpoint, "endpoint", "a mapping", err));
    TRY(check_keys(k, endpoint, endpoint_keys, count, err));
    for (size_t i = 0; i < count; i++)
        if (json_member(entry, endpoint_keys[i]))
            ROSTER_FAIL(k->name, json_member(entry, endpoint_keys[i])->line, "roster.type",
                        "%s stands beside endpoint: put it into endpoint, or all keys beside id",
                        endpoint_keys[i]);
done:
    return status;
}

static tare_status read_groups(roster_maker *k, const json_value *entry, tare_error *err)
{
    tare_status status = TARE_OK;
    const json_value *family = json_member(entry, "family"), *groups = json_member(entry, "groups");
    roster_values values;
    if (family) {
        TRY(read_texts(&values, k, family, "family", true, err));
        TRY(roster_add_values(k, "family", &values, err));
    }
    if (!groups || groups->kind == JSON_K_NULL) goto done;
    if (groups->kind != JSON_K_OBJECT)
        TRY(wrong_kind(k, groups, "groups", "a mapping of groupings to values", err));
    for (size_t i = 0; i < groups->length; i++) {
        const json_value *v = &groups->children[i];
        if (!strcmp(groups->keys[i], "family"))
            ROSTER_FAIL(k->name, v->line, "roster.type", "family stands beside id, not in groups");
        TRY(read_texts(&values, k, v, groups->keys[i], true, err));
        TRY(roster_add_values(k, groups->keys[i], &values, err));
    }
done:
    return status;
}

static tare_status read_entry(roster_maker *k, const json_value *entry, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *id = "";
    if (entry->kind != JSON_K_OBJECT)
        TRY(wrong_kind(k, entry, "an entry", "a mapping with an id", err));
    TRY(check_keys(k, entry, entry_keys, ENTRY_KEYS, err));
    const json_value *v = json_member(entry, "id"), *alias = json_member(entry, "alias");
    if (!v || v->kind == JSON_K_NULL)
        ROSTER_FAIL(k->name, entry->line, "roster.no_id", "this entry has no id");
    TRY(read_text(&id, k, v, "id", false, err));
    TRY(roster_add_model(k, id, v->line, entry, err));
    if (alias) {
        roster_values names;
        TRY(read_texts(&names, k, alias, "alias", false, err));
        TRY(roster_add_aliases(k, names.value, names.count, err));
    }
    TRY(read_groups(k, entry, err));
    TRY(read_endpoint(k, entry, err));
done:
    return status;
}

tare_status roster_read_tree(roster_maker *k, const json_value *top, tare_error *err)
{
    tare_status status = TARE_OK;
    static const char *const lists[] = {"judges", "models"};
    const json_value *list = top;
    if (top->kind == JSON_K_OBJECT) {
        TRY(check_keys(k, top, lists, 2, err));
        if (top->length != 1)
            ROSTER_FAIL(k->name, top->line, "roster.type",
                        "give the models as one list, under judges or under models");
        list = &top->children[0];
    }
    if (list->kind != JSON_K_ARRAY)
        TRY(wrong_kind(k, list, "the roster", "a list of models, or one under judges", err));
    for (size_t i = 0; i < list->length; i++) TRY(read_entry(k, &list->children[i], err));
done:
    return status;
}
