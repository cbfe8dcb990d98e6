#include "audit/scorer/score_rows.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

static void set_roles(score_rows *r)
{
    const cube_table_columns *c = &r->o->columns;
    const table_role roles[ROW_ROLES] = {
        [ROW_BASE] = {"base", "base|image|item", c->base, true, TABLE_TEXT, 0, TABLE_ABSENT},
        [ROW_DOSE] = {"dose", "dose|level", c->dose, true, TABLE_NUMBER, 0, TABLE_ABSENT},
        [ROW_SCORER] = {"scorer", "scorer|instrument", c->scorer, false, TABLE_TEXT, 0,
                        TABLE_ABSENT},
        [ROW_SCORE] = {"score", "score|rating|value", c->score, true, TABLE_NUMBER, 0,
                       TABLE_ABSENT},
        [ROW_ARM] = {"arm", "arm", c->arm, false, TABLE_TEXT, 0, TABLE_ABSENT},
        [ROW_CLUSTER] = {"cluster", "cluster", c->cluster, false, TABLE_TEXT, 0, TABLE_ABSENT},
        [ROW_KIND] = {"kind", "kind", c->kind, false, TABLE_TEXT, 0, TABLE_ABSENT},
        [ROW_STATUS] = {"status", "status", c->status, false, TABLE_TEXT, 0, TABLE_ABSENT},
        [ROW_GROUP] = {"group", "group", c->group, false, TABLE_TEXT, 0, TABLE_ABSENT},
        [ROW_ATTRIBUTE] = {"attribute", "attribute|ita|width_ratio", c->attribute, false,
                           TABLE_NUMBER, 0, TABLE_ABSENT},
        [ROW_ARTIFACT] = {"artifact", "artifact|clip_frac|warp_artifact", c->artifact, false,
                          TABLE_NUMBER, 0, TABLE_ABSENT},
        [ROW_ENERGY] = {"edit_energy", "edit_energy", c->edit_energy, false, TABLE_NUMBER, 0,
                        TABLE_ABSENT},
    };
    memcpy(r->role, roles, sizeof roles);
}

static tare_status load(score_rows *r, tare_error *err)
{
    tare_status status = TARE_OK;
    unsigned *kinds = mem_new(r->m, table_columns(r->t), sizeof *kinds);
    if (!kinds) FAIL_MEMORY(err);
    TRY(table_find_roles(r->t, r->role, ROW_ROLES, err));
    for (size_t k = 0; k < ROW_ROLES; k++)
        if (r->role[k].column != TABLE_NONE) kinds[r->role[k].column] |= r->role[k].kind;
    TRY(table_load(r->t, kinds, err));
    r->rows = table_rows(r->t);
done:
    mem_free(r->m, kinds);
    return status;
}

/* Codes by place in the order of bytes. */
static tare_status code_words(row_words *out, score_rows *r, int role, const char *stand_in,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    uint32_t *rank = NULL;
    size_t column = r->role[role].column;
    out->present = column != TABLE_NONE;
    TRY_NEW(out->code = arena_new(r->a, r->rows + 1, sizeof *out->code));
    if (!out->present) {
        out->levels = 1;
        TRY_NEW(out->word = arena_new(r->a, 1, sizeof *out->word));
        out->word[0] = stand_in;
        goto done;
    }
    table_texts texts = table_text_column(r->t, column);
    out->levels = texts.levels;
    TRY_NEW(out->word = arena_new(r->a, texts.levels + 1, sizeof *out->word));
    TRY_NEW(rank = mem_new(r->m, texts.levels + 1, sizeof *rank));
    TRY(table_rank_levels(rank, r->t, column, err));
    for (uint32_t k = 0; k < texts.levels; k++)
        TRY_NEW(out->word[rank[k]] = arena_copy(r->a, table_level(r->t, column, k, NULL)));
    for (size_t i = 0; i < r->rows; i++) out->code[i] = rank[texts.codes[i]];
done:
    mem_free(r->m, rank);
    return status;
}

/* A field that does not hold what is needed there. */
static tare_status refuse_as(const char *code, score_rows *r, size_t row, int role,
                             const char *what, tare_error *err)
{
    char where[TABLE_WHERE_MAX];
    table_where(where, r->t, row, r->role[role].column);
    return error_set(err, TARE_E_DATA, code, where, "%s %s", r->role[role].role, what);
}

static tare_status refuse(score_rows *r, size_t row, int role, const char *what, tare_error *err)
{
    return refuse_as("table.number", r, row, role, what, err);
}

/* The empty text is the first level in the order of bytes, if it occurs. */
static bool has_empty(const row_words *w)
{
    return w->present && w->levels > 0 && w->word[0][0] == '\0';
}

static tare_status check_base_names(score_rows *r, tare_error *err)
{
    if (!has_empty(&r->base)) return TARE_OK;
    size_t row = 0;
    while (r->base.code[row] != 0) row++;
    return refuse_as("table.empty_base", r, row, ROW_BASE, "is empty: every row needs a name", err);
}

/* Both a cluster and a base without one are called so: one cluster or two? */
static tare_status refuse_cluster(score_rows *r, uint32_t base, tare_error *err)
{
    size_t row = 0;
    while (r->base.code[row] != base || r->cluster.code[row] != 0) row++;
    return refuse_as("table.cluster", r, row, ROW_CLUSTER,
                     "is empty, and other rows name a cluster that is called like this base: "
                     "write it out", err);
}

/* A base with an empty cluster is a cluster by itself, under its own name. */
static tare_status own_clusters(score_rows *r, tare_error *err)
{
    tare_status status = TARE_OK;
    row_words *w = &r->cluster;
    if (!has_empty(w)) return TARE_OK;
    bool *alone;
    const char **word;
    uint32_t *of_base, *of_cluster; /* places among the words of both */
    TRY_NEW(alone = arena_new(r->a, r->base.levels + 1, sizeof *alone));
    TRY_NEW(of_base = arena_new(r->a, r->base.levels + 1, sizeof *of_base));
    TRY_NEW(of_cluster = arena_new(r->a, w->levels + 1, sizeof *of_cluster));
    TRY_NEW(word = arena_new(r->a, r->base.levels + w->levels + 1, sizeof *word));
    for (size_t i = 0; i < r->rows; i++)
        if (w->code[i] == 0) alone[r->base.code[i]] = true;
    uint32_t b = 0, c = 1, n = 0;
    while (b < r->base.levels || c < w->levels) {
        if (b < r->base.levels && !alone[b]) {
            b++;
            continue;
        }
        int order = b == r->base.levels ? 1
                    : c == w->levels    ? -1
                                        : strcmp(r->base.word[b], w->word[c]);
        if (order == 0) TRY(refuse_cluster(r, b, err));
        word[n] = order < 0 ? r->base.word[b] : w->word[c];
        if (order < 0)
            of_base[b++] = n++;
        else
            of_cluster[c++] = n++;
    }
    for (size_t i = 0; i < r->rows; i++)
        w->code[i] = w->code[i] == 0 ? of_base[r->base.code[i]] : of_cluster[w->code[i]];
    w->word = word;
    w->levels = n;
done:
    return status;
}

static tare_status number_column(const double **out, score_rows *r, int role, tare_error *err)
{
    *out = NULL;
    if (r->role[role].column == TABLE_NONE) return TARE_OK;
    table_numbers x = table_number_column(r->t, r->role[role].column);
    if (x.count[TABLE_BAD])
        return refuse(r, x.first[TABLE_BAD], role,
                      "is not a number; leave the field empty where there is none", err);
    *out = x.values;
    if (role == ROW_SCORE) r->score_status = x.status;
    if (role == ROW_DOSE && x.count[TABLE_MISSING])
        return refuse(r, x.first[TABLE_MISSING], role, "is missing: every row needs one", err);
    if (role == ROW_DOSE && x.count[TABLE_INFINITE])
        return refuse(r, x.first[TABLE_INFINITE], role, "must be finite", err);
    return TARE_OK;
}

static tare_status sort_rows(score_rows *r, tare_error *err)
{
    const table_key keys[] = {{"arm", r->arm.code, NULL, r->arm.levels},
                              {"base", r->base.code, NULL, r->base.levels},
                              {"dose", r->dose, NULL, r->doses},
                              {"scorer", r->scorer.code, NULL, r->scorer.levels}};
    const double *values[4];
    size_t count = 0;
    const double *all[4] = {r->score, r->attribute, r->artifact, r->energy};
    for (size_t k = 0; k < 4; k++)
        if (all[k]) values[count++] = all[k];
    const uint32_t *codes[4] = {r->cluster.code, r->kind.code, r->status.code, r->group.code};
    table_sort what = {.t = r->t, .rows = r->rows, .keys = keys, .key_count = 4, .values = values,
                       .value_count = count, .codes = codes, .code_count = 4};
    return table_sort_rows(&r->order, &r->kept, &r->dropped, r->m, &what, err);
}

tare_status score_rows_read(score_rows *r, table *t, arena *a, tare_context *context,
                            const cube_table_options *options, tare_error *err)
{
    tare_status status = TARE_OK;
    memset(r, 0, sizeof *r);
    r->t = t;
    r->a = a;
    r->m = &context->mem;
    r->o = options;
    set_roles(r);
    TRY(load(r, err));
    if (r->rows == 0)
        FAIL(err, TARE_E_DATA, "table.no_rows", table_name(t), "the table has no rows");
    TRY(code_words(&r->base, r, ROW_BASE, "", err));
    TRY(code_words(&r->scorer, r, ROW_SCORER, "scorer", err));
    TRY(code_words(&r->arm, r, ROW_ARM, "table", err));
    TRY(code_words(&r->cluster, r, ROW_CLUSTER, "", err));
    TRY(code_words(&r->kind, r, ROW_KIND, options->kind ? options->kind : "", err));
    TRY(code_words(&r->status, r, ROW_STATUS, "", err));
    TRY(code_words(&r->group, r, ROW_GROUP, "", err));
    TRY(check_base_names(r, err));
    TRY(own_clusters(r, err));
    const double *dose;
    TRY(number_column(&dose, r, ROW_DOSE, err));
    TRY(number_column(&r->score, r, ROW_SCORE, err));
    TRY(number_column(&r->attribute, r, ROW_ATTRIBUTE, err));
    TRY(number_column(&r->artifact, r, ROW_ARTIFACT, err));
    TRY(number_column(&r->energy, r, ROW_ENERGY, err));
    TRY_NEW(r->dose = arena_new(a, r->rows + 1, sizeof *r->dose));
    TRY(table_code_numbers(r->dose, &r->dose_value, &r->doses, r->m, dose, r->rows, err));
    TRY(sort_rows(r, err));
done:
    return status;
}

void score_rows_free(score_rows *r)
{
    if (!r->m) return;
    mem_free(r->m, r->dose_value);
    mem_free(r->m, r->order);
    table_free(r->t);
}
