#include "audit/photos/manifest.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "table/table.h"

enum { BASE, FILE_NAME, ARM, KIND, CLUSTER, GROUP, PROMPT, MASK, SILHOUETTE, BAND_TOP,
       BAND_BOTTOM, DOSE, ATTRIBUTE, ARTIFACT, ROLES };

static const table_role columns[ROLES] = {
    [BASE] = {.role = "base", .names = "base|id", .kind = TABLE_TEXT},
    [FILE_NAME] = {.role = "file", .names = "file|path", .required = true, .kind = TABLE_TEXT},
    [ARM] = {.role = "arm", .names = "arm", .kind = TABLE_TEXT},
    [KIND] = {.role = "kind", .names = "kind", .kind = TABLE_TEXT},
    [CLUSTER] = {.role = "cluster", .names = "cluster", .kind = TABLE_TEXT},
    [GROUP] = {.role = "group", .names = "group", .kind = TABLE_TEXT},
    [PROMPT] = {.role = "prompt", .names = "prompt", .kind = TABLE_TEXT},
    [MASK] = {.role = "mask", .names = "mask", .kind = TABLE_TEXT},
    [SILHOUETTE] = {.role = "silhouette", .names = "silhouette", .kind = TABLE_TEXT},
    [BAND_TOP] = {.role = "band_top", .names = "band_top", .kind = TABLE_NUMBER},
    [BAND_BOTTOM] = {.role = "band_bottom", .names = "band_bottom", .kind = TABLE_NUMBER},
    [DOSE] = {.role = "dose", .names = "dose", .kind = TABLE_NUMBER},
    [ATTRIBUTE] = {.role = "attribute", .names = "attribute", .kind = TABLE_NUMBER},
    [ARTIFACT] = {.role = "artifact", .names = "artifact", .kind = TABLE_NUMBER},
};

struct reader {
    photo_plan *plan;
    table *t;
    table_role roles[ROLES];
    const char *folder;
    manifest_rows rows;
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

/* Rows of the torso band, both or none. */
static tare_status read_band(plan_base *b, const struct reader *r, size_t row, tare_error *err)
{
    tare_status status = TARE_OK;
    char where[TABLE_WHERE_MAX];
    double top, bottom;
    TRY(number(&top, r, BAND_TOP, row, err));
    TRY(number(&bottom, r, BAND_BOTTOM, row, err));
    if (isnan(top) && isnan(bottom)) goto done;
    table_where(where, r->t, row, r->roles[isnan(top) ? BAND_BOTTOM : BAND_TOP].column);
    if (isnan(top) || isnan(bottom))
        FAIL(err, TARE_E_DATA, "manifest.band", where, "this row has only one of band_top and "
             "band_bottom: give both, or none to have the band found from the silhouette");
    if (!(top >= 0 && top < bottom))
        FAIL(err, TARE_E_DATA, "manifest.band", where, "band_top is %g and band_bottom %g: rows "
             "are counted from 0 at the top, and the band must end below where it begins", top,
             bottom);
    b->band_top = top;
    b->band_bottom = bottom;
done:
    return status;
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
    const char *silhouette = word(r, SILHOUETTE, row);
    *b = (plan_base){.id = word(r, BASE, row), .arm = word(r, ARM, row), .kind = word(r, KIND, row),
                     .cluster = word(r, CLUSTER, row), .group = word(r, GROUP, row),
                     .prompt = word(r, PROMPT, row), .why = "",
                     .skin_share = NAN, .pixels_hash = "", .notes = "",
                     .look = "", .skin_why = "", .torso_why = ""};
    if (!file || !mask || !silhouette || !b->id || !b->arm || !b->kind || !b->cluster ||
        !b->group || !b->prompt)
        FAIL_MEMORY(err);
    TRY(number(&b->dose, r, DOSE, row, err));
    TRY(number(&b->attribute, r, ATTRIBUTE, row, err));
    TRY(number(&b->artifact, r, ARTIFACT, row, err));
    table_where(where, r->t, row, r->roles[FILE_NAME].column);
    if (!*file) FAIL(err, TARE_E_DATA, "manifest.file", where, "this row names no file");
    if (*b->kind && strcmp(b->kind, "real") && strcmp(b->kind, "synthetic"))
        FAIL(err, TARE_E_DATA, "manifest.kind", where, "\"%s\" is neither real nor synthetic",
             b->kind);
    if (r->rows == MANIFEST_CUSTOM && (!*b->id || isnan(b->dose)))
        FAIL(err, TARE_E_DATA, "manifest.dose", where, "this row names no %s: a manifest of "
             "variants says for each file of which base it is and at which dose",
             *b->id ? "dose" : "base");
    if (!*b->id) b->id = file;
    b->shown = b->id;
    if (r->rows == MANIFEST_VARIANTS) TRY_NEW(b->id = row_id(b, r->plan->a));
    TRY_NEW(b->file = path_of(r, file));
    if (*mask) TRY_NEW(b->mask = path_of(r, mask));
    if (*silhouette) TRY_NEW(b->silhouette = path_of(r, silhouette));
    TRY(read_band(b, r, row, err));
done:
    return status;
}

/* Is a column of this role of use? Of a custom axis nothing is made here, so that nothing guides
 * the making. */
static bool is_used(const struct reader *r, int role)
{
    bool guide = role == MASK || role == SILHOUETTE || role == BAND_TOP || role == BAND_BOTTOM;
    return !guide || r->rows != MANIFEST_CUSTOM;
}

/* A column that nobody asked for may be a grouping that was meant: name it. */
static tare_status note_unused(const struct reader *r, tare_error *err)
{
    const char *list = NULL;
    for (size_t c = 0; c < table_columns(r->t); c++) {
        bool used = false;
        for (int k = 0; k < ROLES; k++)
            used = used || (is_used(r, k) && r->roles[k].column == c);
        if (used) continue;
        const char *name = table_column_name(r->t, c);
        list = list ? arena_printf(r->plan->a, "%s, %s", list, name)
                    : arena_copy(r->plan->a, name);
        if (!list) return error_memory(err);
    }
    r->plan->unused_columns = list;
    return TARE_OK;
}

tare_status manifest_read_then(photo_plan *plan, tare_context *context, const char *path,
                               const manifest_options *options, const manifest_then *then,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    struct reader r = {.plan = plan, .folder = options->folder, .rows = options->rows};
    memcpy(r.roles, columns, sizeof columns);
    if (r.rows == MANIFEST_CUSTOM) r.roles[BASE].required = r.roles[DOSE].required = true;
    r.roles[GROUP].given = options->group;
    TRY(table_open(&r.t, &context->mem, context->pool, path, NULL, err));
    TRY(table_load_roles(r.t, r.roles, ROLES, err));
    size_t rows = table_rows(r.t);
    if (!rows) FAIL(err, TARE_E_DATA, "manifest.empty", path, "the table has no rows");
    TRY_NEW(plan->bases = arena_new(plan->a, rows, sizeof *plan->bases));
    for (size_t i = 0; i < rows; i++) TRY(read_row(&r, i, err));
    plan->base_count = rows;
    if (r.rows != MANIFEST_VARIANTS) TRY(note_unused(&r, err));
    if (then) TRY(then->call(then->arg, plan, r.t, err));
done:
    table_free(r.t);
    return status;
}

tare_status manifest_read(photo_plan *plan, tare_context *context, const char *path,
                          const manifest_options *options, tare_error *err)
{
    return manifest_read_then(plan, context, path, options, NULL, err);
}
