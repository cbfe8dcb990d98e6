/* roster_csv.c - a roster as a table: id, alias, family, and every other column a grouping.
 *
 * Cells hold lists, separated by ';'. Endpoints have no place in a table, so that here a column may
 * bear any of their names and is a grouping (`params`: the size of a model). A grouping's cell that
 * is empty or says NA, null, none or NaN is none: else two models would be kin by what is not
 * known. */
#include <string.h>

#include "judge/roster_parts.h"
#include "table/table.h"

static tare_status split(roster_values *out, arena *a, const char *cell, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t most = 1;
    for (const char *at = cell; *at; at++) most += *at == ';';
    out->count = 0;
    TRY_NEW(out->value = arena_new(a, most, sizeof *out->value));
    for (const char *at = cell;;) {
        size_t length = strcspn(at, ";"), first = 0, end = length;
        while (first < end && at[first] == ' ') first++;
        while (end > first && at[end - 1] == ' ') end--;
        if (end > first)
            TRY_NEW(out->value[out->count++] = arena_text(a, at + first, end - first));
        if (!at[length]) break;
        at += length + 1;
    }
done:
    return status;
}

/* Columns that a table cannot have. */
static tare_status check_columns(const roster_maker *k, const table *t, tare_error *err)
{
    tare_status status = TARE_OK;
    static const char *const nested[] = {"endpoint", "groups", "headers"};
    for (size_t c = 0; c < table_columns(t); c++) {
        const char *name = table_column_name(t, c);
        size_t column;
        TRY(table_column_find(&column, t, name, err)); /* a name that stands twice */
        if (roster_key_is_secret(name))
            ROSTER_FAIL(k->name, (size_t)1, "roster.secret",
                        "column %s: a roster holds no keys, for it is stored with the results",
                        roster_shown(k->a, name));
        for (size_t i = 0; i < sizeof nested / sizeof *nested; i++)
            if (!strcmp(name, nested[i]))
                ROSTER_FAIL(k->name, (size_t)1, "roster.unknown_key",
                            "a table has no place for %s: write YAML or JSON, or one column for "
                            "each grouping", nested[i]);
    }
done:
    return status;
}

typedef struct csv_columns { size_t id, alias; } csv_columns;

static tare_status read_row(roster_maker *k, const table *t, size_t row, const csv_columns *at,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    roster_values values;
    size_t line = table_line(t, row), length;
    const char *id = table_level(t, at->id, table_text_column(t, at->id).codes[row], &length);
    if (length == 0) ROSTER_FAIL(k->name, line, "roster.no_id", "this row has no id");
    TRY_NEW(id = arena_text(k->a, id, length));
    TRY(roster_add_model(k, id, line, NULL, err));
    for (size_t c = 0; c < table_columns(t); c++) {
        if (c == at->id) continue;
        const char *cell = table_level(t, c, table_text_column(t, c).codes[row], NULL);
        bool none = table_number_column(t, c).status[row] == TABLE_MISSING;
        if (none && c != at->alias) continue;
        TRY(split(&values, k->a, cell, err));
        if (c == at->alias)
            TRY(roster_add_aliases(k, values.value, values.count, err));
        else
            TRY(roster_add_values(k, table_column_name(t, c), &values, err));
    }
done:
    return status;
}

/* Every column is a grouping, also if no model has a value there. */
static tare_status name_groupings(roster_maker *k, const table *t, const csv_columns *at,
                                  tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t c = 0; c < table_columns(t); c++) {
        const char *copy;
        if (c == at->id || c == at->alias) continue;
        if (!*table_column_name(t, c))
            ROSTER_FAIL(k->name, (size_t)1, "roster.type", "column %zu has no name", c + 1);
        TRY_NEW(copy = arena_copy(k->a, table_column_name(t, c)));
        if (map_add(k->groupings, copy, strlen(copy), NULL) == SIZE_MAX) FAIL_MEMORY(err);
    }
done:
    return status;
}

tare_status roster_read_csv(roster_maker *k, const roster_bytes *in, tare_error *err)
{
    tare_status status = TARE_OK;
    table *t = NULL;
    csv_columns at;
    unsigned kinds[ROSTER_GROUPINGS_MAX + 2];
    const table_bytes bytes = {in->name, in->bytes, in->length};
    const table_options options = {.max_bytes = ROSTER_BYTES_MAX,
                                   .max_columns = ROSTER_GROUPINGS_MAX + 1,
                                   .max_rows = ROSTER_MODELS_MAX, .max_field = 1 << 16};
    TRY(table_open_bytes(&t, k->a->m, NULL, &bytes, &options, err));
    TRY(table_column_find(&at.id, t, "id", err));
    TRY(table_column_find(&at.alias, t, "alias", err));
    if (at.id == TABLE_NONE)
        ROSTER_FAIL(k->name, (size_t)1, "roster.no_id", "no column is called id");
    TRY(check_columns(k, t, err));
    TRY(name_groupings(k, t, &at, err));
    for (size_t c = 0; c < table_columns(t); c++) kinds[c] = TABLE_TEXT | TABLE_NUMBER;
    TRY(table_load(t, kinds, err));
    for (size_t row = 0; row < table_rows(t); row++) TRY(read_row(k, t, row, &at, err));
done:
    table_free(t);
    return status;
}
