/* table_roles.c - which column is what. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/spelling.h"
#include "base/text.h"
#include "table/table_parts.h"

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same_name(const char *column_name, const char *name, size_t length, bool any_case)
{
    if (strlen(column_name) != length) return false;
    for (size_t i = 0; i < length; i++) {
        bool equal = any_case ? lower(column_name[i]) == lower(name[i]) : column_name[i] == name[i];
        if (!equal) return false;
    }
    return true;
}

/* Only delimited text has its names in one line. */
static void header_place(char out[TABLE_WHERE_MAX], const table *t)
{
    snprintf(out, TABLE_WHERE_MAX, t->source == &table_delimited ? "%.300s:1" : "%.300s", t->name);
}

static tare_status find_name(size_t *out, const table *t, const char *name, size_t length,
                             bool any_case, tare_error *err)
{
    *out = TABLE_NONE;
    for (size_t i = 0; i < t->column_count; i++) {
        if (!same_name(t->columns[i].name, name, length, any_case)) continue;
        if (*out != TABLE_NONE) {
            char where[TABLE_WHERE_MAX];
            header_place(where, t);
            return error_set(err, TARE_E_DATA, "table.two_columns", where,
                             "columns %zu and %zu are both called %.*s: rename one", *out + 1,
                             i + 1, length < 200 ? (int)length : 200, name);
        }
        *out = i;
    }
    return TARE_OK;
}

tare_status table_column_find(size_t *out, const table *t, const char *name, tare_error *err)
{
    return find_name(out, t, name, strlen(name), false, err);
}

/* ---- What to say when it is not there -------------------------------------- */

/* Nearest column to one of the names, if near enough to be a slip: a third of the letters. */
static const char *nearest(const table *t, const char *names)
{
    const char *best = NULL;
    size_t best_distance = SIZE_MAX;
    for (const char *name = names; *name != '\0';) {
        size_t length = strcspn(name, "|");
        for (size_t i = 0; i < t->column_count; i++) {
            size_t d = spelling_distance(name, length, t->columns[i].name);
            if (d < best_distance && d <= (length + 2) / 3) {
                best = t->columns[i].name;
                best_distance = d;
            }
        }
        name += length + (name[length] == '|');
    }
    return best;
}

static tare_status not_found(const table *t, const table_role *role, tare_error *err)
{
    char where[TABLE_WHERE_MAX];
    tare_status status = role->given != NULL ? TARE_E_USAGE : TARE_E_DATA;
    const char *near = nearest(t, role->given != NULL ? role->given : role->names);
    text message;
    text_init(&message, t->m);
    if (role->given != NULL) {
        text_add(&message, "no column ");
        text_add_visible(&message, role->given, strlen(role->given), 100);
        text_add_format(&message, " (--%s)", role->role);
    } else {
        text_add_format(&message, "no column for %s; say which with --%s COLUMN", role->role,
                        role->role);
    }
    if (near != NULL) {
        text_add(&message, "; did you mean ");
        text_add_visible(&message, near, strlen(near), 100);
        text_add_char(&message, '?');
    }
    text_add(&message, near != NULL ? " Columns: " : ". Columns: ");
    for (size_t i = 0; i < t->column_count && message.length < 500; i++) {
        const char *name = t->columns[i].name;
        if (i > 0) text_add(&message, ", ");
        text_add_visible(&message, name, strlen(name), 60);
    }
    header_place(where, t);
    if (message.failed) {
        status = error_memory(err);
    } else {
        error_set(err, status, role->given != NULL ? "table.no_column" : "table.no_role", where,
                  "%s", message.data);
    }
    text_free(&message);
    return status;
}

static tare_status find_role(const table *t, table_role *role, tare_error *err)
{
    tare_status status = TARE_OK;
    role->column = TABLE_NONE;
    role->found = TABLE_ABSENT;
    if (role->given != NULL) {
        TRY(find_name(&role->column, t, role->given, strlen(role->given), false, err));
        if (role->column == TABLE_NONE) TRY(not_found(t, role, err));
        role->found = TABLE_BY_OPTION;
        goto done;
    }
    for (int any_case = 0; any_case < 2; any_case++) {
        for (const char *name = role->names; *name != '\0';) {
            size_t length = strcspn(name, "|");
            TRY(find_name(&role->column, t, name, length, any_case, err));
            if (role->column != TABLE_NONE) {
                bool first = name == role->names && !any_case;
                role->found = first ? TABLE_BY_NAME : TABLE_BY_GUESS;
                goto done;
            }
            name += length + (name[length] == '|');
        }
    }
    if (role->required) status = not_found(t, role, err);
done:
    return status;
}

tare_status table_find_roles(const table *t, table_role *roles, size_t count, tare_error *err)
{
    for (size_t i = 0; i < count; i++) {
        tare_status status = find_role(t, &roles[i], err);
        if (status != TARE_OK) return status;
    }
    return TARE_OK;
}

tare_status table_load_roles(table *t, table_role *roles, size_t count, tare_error *err)
{
    tare_status status = TARE_OK;
    unsigned *kinds = NULL;
    TRY(table_find_roles(t, roles, count, err));
    TRY_NEW(kinds = mem_new(t->m, t->column_count, sizeof *kinds));
    for (size_t i = 0; i < count; i++) {
        if (roles[i].column != TABLE_NONE) kinds[roles[i].column] |= roles[i].kind;
    }
    TRY(table_load(t, kinds, err));
done:
    mem_free(t->m, kinds);
    return status;
}
