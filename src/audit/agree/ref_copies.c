#include "audit/agree/ref_copies.h"

#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "table/table.h"

enum { R_ITEM, R_AUTHOR, R_COPY, R_CANDIDATE, R_FIXED };
#define REFERENCES_MOST 32

typedef struct copies {
    const mem *m;
    table *t;
    table_role role[R_FIXED + REFERENCES_MOST];
    size_t roles;
    map *units;                /* "item\nauthor" to unit */
    size_t *unit_of;           /* [map_count]            */
    text key, a, b;
} copies;

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

/* Each run of white space as one blank, none at the ends. */
static void add_joined(text *out, const char *s)
{
    bool gap = false;
    text_clear(out);
    text_add(out, "");
    for (; *s; s++) {
        if (is_space(*s)) {
            gap = out->length > 0;
            continue;
        }
        if (gap) text_add_char(out, ' ');
        gap = false;
        text_add_char(out, *s);
    }
}

static const char *level_of(const copies *c, size_t role, size_t row)
{
    size_t column = c->role[role].column;
    return table_level(c->t, column, table_text_column(c->t, column).codes[row], NULL);
}

static tare_status open_columns(copies *c, tare_context *context, const char *path,
                                const ref_columns *columns, tare_error *err)
{
    tare_status status = TARE_OK;
    if (strcmp(path, "-") == 0)
        FAIL(err, TARE_E_USAGE, "ref_copies.input", "--drop-ref-copies",
             "standard input is gone when the copies are looked for: give a file");
    if (columns->reference_count > REFERENCES_MOST)
        FAIL(err, TARE_E_USAGE, "ref_copies.many", "--reference-text",
             "at most %d columns of references", REFERENCES_MOST);
    c->role[R_ITEM] = (table_role){.role = "item", .given = columns->item, .kind = TABLE_TEXT,
                                   .names = "item|image|question|image_id|question_id|id",
                                   .required = true};
    c->role[R_AUTHOR] = (table_role){.role = "author", .given = columns->author,
                                     .kind = TABLE_TEXT,
                                     .names = "author|candidate|caption|generator|writer|system"};
    c->role[R_COPY] = (table_role){.role = "ref-copy", .given = columns->copy,
                                   .kind = TABLE_TEXT, .names = "ref_copy"};
    c->role[R_CANDIDATE] = (table_role){.role = "candidate-text", .given = columns->candidate,
                                        .kind = TABLE_TEXT, .names = ""};
    for (size_t k = 0; k < columns->reference_count; k++)
        c->role[R_FIXED + k] = (table_role){.role = "reference-text", .kind = TABLE_TEXT,
                                            .given = columns->references[k], .names = ""};
    c->roles = R_FIXED + columns->reference_count;
    TRY(table_open(&c->t, c->m, context->pool, path, NULL, err));
    TRY(table_load_roles(c->t, c->role, c->roles, err));
    bool texts = c->role[R_CANDIDATE].column != TABLE_NONE && columns->reference_count > 0;
    if (c->role[R_COPY].column == TABLE_NONE && !texts)
        FAIL(err, TARE_E_DATA, "ref_copies.column", table_name(c->t),
             "--drop-ref-copies needs a column that says so (ref_copy, or --ref-copy COLUMN), or "
             "texts to compare (--candidate-text COLUMN and --reference-text COLUMN)");
done:
    return status;
}

static tare_status name_units(copies *c, const score_table *t, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY_NEW(c->units = map_new(c->m));
    TRY_NEW(c->unit_of = mem_new(c->m, t->units + 1, sizeof *c->unit_of));
    for (size_t u = 0; u < t->units; u++) {
        text_clear(&c->key);
        text_add(&c->key, t->item.name[t->unit_item[u]]);
        text_add_char(&c->key, '\n');
        if (c->role[R_AUTHOR].column != TABLE_NONE)
            text_add(&c->key, t->author.name[t->unit_author[u]]);
        if (c->key.failed) FAIL_MEMORY(err);
        size_t at = map_add(c->units, c->key.data, c->key.length, NULL);
        if (at == SIZE_MAX) FAIL_MEMORY(err);
        c->unit_of[at] = u;
    }
done:
    return status;
}

static tare_status says_copy(bool *out, copies *c, size_t row, tare_error *err)
{
    static const char *const yes[] = {"1", "yes", "true", "TRUE", "True"};
    static const char *const no[] = {"0", "no", "false", "FALSE", "False", ""};
    const char *word = level_of(c, R_COPY, row);
    char where[TABLE_WHERE_MAX];
    for (size_t k = 0; k < sizeof yes / sizeof *yes; k++)
        if (strcmp(word, yes[k]) == 0) *out = true;
    for (size_t k = 0; k < sizeof no / sizeof *no && !*out; k++)
        if (strcmp(word, no[k]) == 0) return TARE_OK;
    if (*out) return TARE_OK;
    table_where(where, c->t, row, c->role[R_COPY].column);
    return error_set(err, TARE_E_DATA, "ref_copies.word", where,
                     "a candidate is a copy of a reference or not: 1 or 0, yes or no, true or "
                     "false");
}

static bool same_text(copies *c, size_t row)
{
    if (c->role[R_CANDIDATE].column == TABLE_NONE) return false;
    add_joined(&c->a, level_of(c, R_CANDIDATE, row));
    for (size_t k = R_FIXED; k < c->roles; k++) {
        add_joined(&c->b, level_of(c, k, row));
        if (c->b.length > 0 && !c->a.failed && !c->b.failed && strcmp(c->a.data, c->b.data) == 0)
            return true;
    }
    return false;
}

tare_status ref_copies_find(bool *copy, const score_table *t, tare_context *context,
                            const char *path, const ref_columns *columns, tare_error *err)
{
    tare_status status = TARE_OK;
    copies c = {.m = &context->mem};
    text_init(&c.key, c.m);
    text_init(&c.a, c.m);
    text_init(&c.b, c.m);
    TRY(open_columns(&c, context, path, columns, err));
    TRY(name_units(&c, t, err));
    for (size_t i = 0; i < table_rows(c.t); i++) {
        bool is_copy = false;
        if (c.role[R_COPY].column != TABLE_NONE) TRY(says_copy(&is_copy, &c, i, err));
        if (!is_copy && !same_text(&c, i)) continue;
        text_clear(&c.key);
        text_add(&c.key, level_of(&c, R_ITEM, i));
        text_add_char(&c.key, '\n');
        if (c.role[R_AUTHOR].column != TABLE_NONE) text_add(&c.key, level_of(&c, R_AUTHOR, i));
        if (c.key.failed) FAIL_MEMORY(err);
        size_t at = map_find(c.units, c.key.data, c.key.length);
        if (at == SIZE_MAX)
            FAIL(err, TARE_E_DATA, "ref_copies.unit", table_name(c.t),
                 "columns \"%s\" and \"%s\" do not name the rows as the scores do: say --item and "
                 "--author", table_column_name(c.t, c.role[R_ITEM].column),
                 c.role[R_AUTHOR].column == TABLE_NONE
                     ? "" : table_column_name(c.t, c.role[R_AUTHOR].column));
        copy[c.unit_of[at]] = true;
    }
    if (c.a.failed || c.b.failed) FAIL_MEMORY(err);
done:
    text_free(&c.key);
    text_free(&c.a);
    text_free(&c.b);
    mem_free(c.m, c.unit_of);
    map_free(c.units);
    table_free(c.t);
    return status;
}
