#include "audit/photos/manifest.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "table/table.h"

enum { BASE, FILE_NAME, ARM, KIND, CLUSTER, GROUP, MASK, DOSE, ATTRIBUTE, ARTIFACT, ROLES };

static const table_role columns[ROLES] = {
    [BASE] = {.role = "base", .names = "base|id", .kind = TABLE_TEXT},
    [FILE_NAME] = {.role = "file", .names = "file|path", .required = true, .kind = TABLE_TEXT},
    [ARM] = {.role = "arm", .names = "arm", .kind = TABLE_TEXT},
    [KIND] = {.role = "kind", .names = "kind", .kind = TABLE_TEXT},
    [CLUSTER] = {.role = "cluster", .names = "cluster", .kind = TABLE_TEXT},
    [GROUP] = {.role = "group", .names = "group", .kind = TABLE_TEXT},
    [MASK] = {.role = "mask", .names = "mask", .kind = TABLE_TEXT},
    [DOSE] = {.role = "dose", .names = "dose", .kind = TABLE_NUMBER},
    [ATTRIBUTE] = {.role = "attribute", .names = "attribute", .kind = TABLE_NUMBER},
    [ARTIFACT] = {.role = "artifact", .names = "artifact", .kind = TABLE_NUMBER},
};

struct reader {
    photo_plan *plan;
    table *t;
    table_role roles[ROLES];
    const char *folder;
    bool doses;
};

/* The text of a field, in the plan's arena; "" without the column. */
static const char *word(const struct reader *r, int role, size_t row)
{
    size_t column = r->roles[role].column, length = 0;
    if (column == TABLE_NONE) return "";
    const char *field =
        table_level(r->t, column, table_text_column(r->t, column).codes[row], &length);
    return arena_text(r->plan->a, field, length);
}

static tare_status number(double *out, const struct reader *r, int role, size_t row,
                          tare_error *err)
{
    size_t column = r->roles[role].column;
    char where[TABLE_WHERE_MAX];
    *out = NAN;
    if (column == TABLE_NONE) return TARE_OK;
    table_numbers n = table_number_column(r->t, column);
    if (n.status[row] == TABLE_OK) *out = n.values[row];
    if (n.status[row] == TABLE_OK || n.status[row] == TABLE_MISSING) return TARE_OK;
    table_where(where, r->t, row, column);
    return error_set(err, TARE_E_DATA, "manifest.number", where, "the %s is not a number",
                     r->roles[role].role);
}

static const char *path_of(const struct reader *r, const char *name)
{
    return *name == '/' ? name : arena_printf(r->plan->a, "%s/%s", r->folder, name);
}

/* "base arm dose": every row of a table of variants is a base of its own. The dose is written in as
 * many digits as it needs. */
static const char *row_id(const plan_base *b, arena *a)
{
    char dose[NUMBER_TEXT_MAX] = "nan";
    if (isfinite(b->dose)) number_format(b->dose, dose);
    return arena_printf(a, "%s %s %s", b->shown, b->arm, dose);
}

static tare_status read_row(struct reader *r, size_t row, tare_error *err)
{
    tare_status status = TARE_OK;
    plan_base *b = &r->plan->bases[row];
    char where[TABLE_WHERE_MAX];
    const char *file = word(r, FILE_NAME, row), *mask = word(r, MASK, row);
    *b = (plan_base){.id = word(r, BASE, row), .arm = word(r, ARM, row), .kind = word(r, KIND, row),
                     .cluster = word(r, CLUSTER, row), .group = word(r, GROUP, row), .why = "",
                     .skin_share = NAN, .pixels_hash = "", .notes = "",
                     .look = ""};
    if (!file || !mask || !b->id || !b->arm || !b->kind || !b->cluster || !b->group)
        FAIL_MEMORY(err);
    TRY(number(&b->dose, r, DOSE, row, err));
    TRY(number(&b->attribute, r, ATTRIBUTE, row, err));
    TRY(number(&b->artifact, r, ARTIFACT, row, err));
    table_where(where, r->t, row, r->roles[FILE_NAME].column);
    if (!*file) FAIL(err, TARE_E_DATA, "manifest.file", where, "this row names no file");
    if (*b->kind && strcmp(b->kind, "real") && strcmp(b->kind, "synthetic"))
        FAIL(err, TARE_E_DATA, "manifest.kind", where, "\"%s\" is neither real nor synthetic",
             b->kind);
    if (!*b->id) b->id = file;
    b->shown = b->id;
    if (r->doses) TRY_NEW(b->id = row_id(b, r->plan->a));
    TRY_NEW(b->file = path_of(r, file));
    if (*mask) TRY_NEW(b->mask = path_of(r, mask));
done:
    return status;
}

/* A column that nobody asked for may be a grouping that was meant: name it. */
static tare_status note_unused(const struct reader *r, tare_error *err)
{
    const char *list = NULL;
    for (size_t c = 0; c < table_columns(r->t); c++) {
        bool used = false;
        for (int k = 0; k < ROLES; k++) used = used || r->roles[k].column == c;
        if (used) continue;
        const char *name = table_column_name(r->t, c);
        list = list ? arena_printf(r->plan->a, "%s, %s", list, name)
                    : arena_copy(r->plan->a, name);
        if (!list) return error_memory(err);
    }
    r->plan->unused_columns = list;
    return TARE_OK;
}

tare_status manifest_read(photo_plan *plan, tare_context *context, const char *path,
                          const manifest_options *options, tare_error *err)
{
    tare_status status = TARE_OK;
    struct reader r = {.plan = plan, .folder = options->folder, .doses = options->doses};
    memcpy(r.roles, columns, sizeof columns);
    r.roles[GROUP].given = options->group;
    TRY(table_open(&r.t, &context->mem, context->pool, path, NULL, err));
    TRY(table_load_roles(r.t, r.roles, ROLES, err));
    size_t rows = table_rows(r.t);
    if (!rows) FAIL(err, TARE_E_DATA, "manifest.empty", path, "the table has no rows");
    TRY_NEW(plan->bases = arena_new(plan->a, rows, sizeof *plan->bases));
    for (size_t i = 0; i < rows; i++) TRY(read_row(&r, i, err));
    plan->base_count = rows;
    if (!options->doses) TRY(note_unused(&r, err));
done:
    table_free(r.t);
    return status;
}
