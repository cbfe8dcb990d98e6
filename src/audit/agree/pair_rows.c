#include "audit/agree/pair_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "table/table.h"

enum { P_ITEM, P_JUDGE, P_A, P_B, P_LABEL, P_CATEGORY, P_PAIR, P_CLUSTER, P_STATUS, P_ROLES };
#define CELLS_MAX ((size_t)1 << 28)

typedef struct pair_build {
    const mem *m;
    arena *a;
    table *t;
    table_role role[P_ROLES];
    size_t rows;
    uint32_t *rank[P_ROLES];   /* [levels] place by bytes */
    int8_t *side;              /* [rows] preferred: 0 a, 1 b */
    uint32_t *order;
    size_t kept;
    pair_rows *out;
} pair_build;

static tare_status refuse(const pair_build *b, const char *code, size_t row, int role,
                          tare_error *err, const char *what)
{
    char where[TABLE_WHERE_MAX];
    table_where(where, b->t, row, b->role[role].column);
    return error_set(err, TARE_E_DATA, code, where, "%s", what);
}

static bool has(const pair_build *b, int role)
{
    return b->role[role].column != TABLE_NONE;
}

static tare_status open_table(pair_build *b, tare_context *context, const char *path,
                              const pair_columns *c, tare_error *err)
{
    tare_status status = TARE_OK;
    const table_role roles[P_ROLES] = {
        {"item", "item|image|image_id|question|question_id|id", c->item, true, TABLE_TEXT, 0, 0},
        {"judge", "judge|scorer|metric|model", c->judge, false, TABLE_TEXT, 0, 0},
        {"score-a", "score_a|a_score|score_1", c->score_a, true, TABLE_NUMBER, 0, 0},
        {"score-b", "score_b|b_score|score_2", c->score_b, true, TABLE_NUMBER, 0, 0},
        {"label", "label|preferred|winner|gold|human", c->label, true, TABLE_TEXT, 0, 0},
        {"category", "category|type|kind", c->category, false, TABLE_TEXT, 0, 0},
        {"pair", "pair|pair_id", c->pair, false, TABLE_TEXT, 0, 0},
        {"cluster", "cluster", c->cluster, false, TABLE_TEXT, 0, 0},
        {"status", "status", c->status, false, TABLE_TEXT, 0, 0}};
    memcpy(b->role, roles, sizeof roles);
    TRY(table_open(&b->t, b->m, context->pool, path, NULL, err));
    TRY(table_load_roles(b->t, b->role, P_ROLES, err));
    b->rows = table_rows(b->t);
    if (b->rows == 0)
        FAIL(err, TARE_E_DATA, "pairs.empty", path, "the table has no rows");
    for (int k = 0; k < P_ROLES; k++) {
        if (!has(b, k) || b->role[k].kind != TABLE_TEXT) continue;
        size_t levels = table_text_column(b->t, b->role[k].column).levels;
        TRY_NEW(b->rank[k] = arena_new(b->a, levels + 1, sizeof **b->rank));
        TRY(table_rank_levels(b->rank[k], b->t, b->role[k].column, err));
    }
done:
    return status;
}

static tare_status say_guesses(const pair_build *b, tare_context *context, audit_result *result,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    for (int k = 0; k < P_ROLES; k++) {
        if (!has(b, k)) continue;
        const char *column;
        TRY_NEW(column = arena_copy(&result->a, table_column_name(b->t, b->role[k].column)));
        if (b->role[k].found == TABLE_BY_GUESS)
            context_message(context, TARE_NOTE, "taking column \"%s\" as --%s", column,
                            b->role[k].role);
        TRY(result_fact_add(result, "Columns of pairs", b->role[k].role, column, err));
    }
done:
    return status;
}

/* ---- labels --------------------------------------------------------------------------------- */

/* Which of two candidates a word means: 0, 1, or -1 for neither. `scale`: '0' index, '1' place,
 * 'a' letter. */
static int side_of(const char *word, char scale)
{
    if (!word[0] || word[1]) return -1;
    char c = word[0];
    if (scale == 'a') return c == 'a' || c == 'A' ? 0 : c == 'b' || c == 'B' ? 1 : -1;
    return c == scale ? 0 : c == scale + 1 ? 1 : -1;
}

static char label_scale(const pair_build *b, table_texts labels, tare_error *err, tare_status *bad)
{
    bool zero = false, one = false, two = false, letter = false;
    for (uint32_t k = 0; k < labels.levels; k++) {
        const char *word = table_level(b->t, b->role[P_LABEL].column, k, NULL);
        zero = zero || strcmp(word, "0") == 0;
        one = one || strcmp(word, "1") == 0;
        two = two || strcmp(word, "2") == 0;
        letter = letter || side_of(word, 'a') >= 0;
    }
    *bad = TARE_OK;
    if (letter || (!zero && !one && !two)) return 'a';
    if (one && !zero && !two)
        *bad = error_set(err, TARE_E_DATA, "pairs.label_scale", table_name(b->t),
                         "every label is 1, which could mean the first or the second candidate: "
                         "write a and b");
    return two && !zero ? '1' : '0';
}

static tare_status read_labels(pair_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    table_texts labels = table_text_column(b->t, b->role[P_LABEL].column);
    char scale = label_scale(b, labels, err, &status);
    if (status) return status;
    TRY_NEW(b->side = arena_new(b->a, b->rows + 1, sizeof *b->side));
    for (size_t i = 0; i < b->rows; i++) {
        const char *word = table_level(b->t, b->role[P_LABEL].column, labels.codes[i], NULL);
        int side = side_of(word, scale);
        if (side < 0)
            TRY(refuse(b, "pairs.label", i, P_LABEL, err,
                       "the label must name one of the pair's two candidates: a or b, 0 or 1, "
                       "1 or 2; the same way in all rows"));
        b->side[i] = (int8_t)side;
    }
done:
    return status;
}

/* ---- canonical order ------------------------------------------------------------------------ */

static tare_status sort_rows(pair_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    static const int keys[] = {P_ITEM, P_CATEGORY, P_PAIR, P_JUDGE};
    table_key key[4];
    size_t count = 0;
    for (size_t k = 0; k < 4; k++) {
        if (!has(b, keys[k])) continue;
        table_texts x = table_text_column(b->t, b->role[keys[k]].column);
        key[count++] = (table_key){b->role[keys[k]].role, x.codes, b->rank[keys[k]], x.levels};
    }
    const double *const values[2] = {table_number_column(b->t, b->role[P_A].column).values,
                                     table_number_column(b->t, b->role[P_B].column).values};
    const uint32_t *codes[2] = {table_text_column(b->t, b->role[P_LABEL].column).codes};
    size_t code_count = 1;
    if (has(b, P_STATUS))
        codes[code_count++] = table_text_column(b->t, b->role[P_STATUS].column).codes;
    table_sort sort = {b->t, b->rows, key, count, values, 2, codes, code_count};
    TRY(table_sort_rows(&b->order, &b->kept, &b->out->dropped, b->m, &sort, err));
done:
    return status;
}

/* An axis of the distinct texts of a role by bytes; one name where there is no column. */
static tare_status make_axis(name_axis *axis, pair_build *b, int role, const char *none,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    size_t levels = has(b, role) ? table_text_column(b->t, b->role[role].column).levels : 1;
    TRY_NEW(axis->name = arena_new(b->a, levels + 1, sizeof *axis->name));
    axis->count = levels;
    axis->name[0] = none;
    for (uint32_t k = 0; k < levels && has(b, role); k++) {
        size_t length;
        const char *text = table_level(b->t, b->role[role].column, k, &length);
        TRY_NEW(axis->name[b->rank[role][k]] = arena_text(b->a, text, length));
    }
done:
    return status;
}

static uint32_t place(const pair_build *b, int role, size_t row)
{
    if (!has(b, role)) return 0;
    return b->rank[role][table_text_column(b->t, b->role[role].column).codes[row]];
}

static bool same_pair(const pair_build *b, size_t x, size_t y)
{
    return place(b, P_ITEM, x) == place(b, P_ITEM, y) &&
           place(b, P_CATEGORY, x) == place(b, P_CATEGORY, y) &&
           place(b, P_PAIR, x) == place(b, P_PAIR, y);
}

/* ---- outcomes ------------------------------------------------------------------------------- */

static tare_reason status_of(const pair_build *b, size_t row)
{
    const int sides[2] = {P_A, P_B};
    tare_reason reason;
    if (has(b, P_STATUS)) {
        uint32_t code = table_text_column(b->t, b->role[P_STATUS].column).codes[row];
        const char *word = table_level(b->t, b->role[P_STATUS].column, code, NULL);
        if (word[0] && strcmp(word, "ok") != 0)
            return missing_reason_parse(&reason, word) ? reason : TARE_R_ERROR;
    }
    for (int k = 0; k < 2; k++) {
        table_numbers x = table_number_column(b->t, b->role[sides[k]].column);
        if (x.status[row] == TABLE_MISSING) return TARE_R_MISSING;
        if (x.status[row] == TABLE_INFINITE) return TARE_R_SCORE_NONFINITE;
    }
    return TARE_R_NONE;
}

static tare_status check_scores(const pair_build *b, tare_error *err)
{
    const int sides[2] = {P_A, P_B};
    for (int k = 0; k < 2; k++) {
        table_numbers x = table_number_column(b->t, b->role[sides[k]].column);
        if (x.count[TABLE_BAD] > 0)
            return refuse(b, "pairs.score", x.first[TABLE_BAD], sides[k], err,
                          "a score must be a number; empty where there is none");
    }
    return TARE_OK;
}

static tare_status count_pairs(pair_build *b, tare_error *err)
{
    pair_rows *p = b->out;
    for (size_t k = 0; k < b->kept; k++)
        p->pairs += k == 0 || !same_pair(b, b->order[k], b->order[k - 1]);
    if (p->judge.count > CELLS_MAX / p->pairs)
        return error_set(err, TARE_E_LIMIT, "pairs.cells", table_name(b->t),
                         "%zu pairs x %zu judges are too many", p->pairs, p->judge.count);
    return TARE_OK;
}

static tare_status fill(pair_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    pair_rows *p = b->out;
    size_t judges = p->judge.count, at = SIZE_MAX;
    TRY(count_pairs(b, err));
    TRY_NEW(p->pair_cluster = arena_new(b->a, p->pairs, sizeof *p->pair_cluster));
    TRY_NEW(p->pair_category = arena_new(b->a, p->pairs, sizeof *p->pair_category));
    TRY_NEW(p->outcome = arena_new(b->a, p->pairs * judges, sizeof *p->outcome));
    TRY_NEW(p->status = arena_new(b->a, p->pairs * judges, sizeof *p->status));
    memset(p->status, TARE_R_ABSENT, p->pairs * judges);
    table_numbers sa = table_number_column(b->t, b->role[P_A].column);
    table_numbers sb = table_number_column(b->t, b->role[P_B].column);
    int cluster = has(b, P_CLUSTER) ? P_CLUSTER : P_ITEM;
    for (size_t k = 0; k < b->kept; k++) {
        size_t row = b->order[k];
        if (k == 0 || !same_pair(b, row, b->order[k - 1])) {
            at++;
            p->pair_cluster[at] = place(b, cluster, row);
            p->pair_category[at] = place(b, P_CATEGORY, row);
        } else if (b->side[row] != b->side[b->order[k - 1]]) {
            TRY(refuse(b, "pairs.disagree", row, P_LABEL, err,
                       "the rows of one pair have different labels; if they are different pairs, "
                       "a column (--pair) must tell them apart"));
        } else if (place(b, cluster, row) != p->pair_cluster[at]) {
            TRY(refuse(b, "pairs.cluster", row, cluster, err,
                       "the rows of one pair have different clusters"));
        }
        size_t cell = at * judges + place(b, P_JUDGE, row);
        tare_reason reason = status_of(b, row);
        double x = sa.values[row], y = sb.values[row];
        p->status[cell] = (uint8_t)reason;
        if (reason != TARE_R_NONE || x == y) continue;
        p->outcome[cell] = (x < y) == (b->side[row] == 1) ? 1 : -1;
    }
done:
    return status;
}

tare_status pair_rows_load(pair_rows *out, arena *a, tare_context *context, const char *path,
                           const pair_columns *columns, audit_result *result, tare_error *err)
{
    tare_status status = TARE_OK;
    pair_build b = {.m = &context->mem, .a = a, .out = out};
    memset(out, 0, sizeof *out);
    TRY(open_table(&b, context, path, columns, err));
    TRY(say_guesses(&b, context, result, err));
    TRY(check_scores(&b, err));
    TRY(read_labels(&b, err));
    TRY(sort_rows(&b, err));
    TRY(make_axis(&out->judge, &b, P_JUDGE, "judge", err));
    TRY(make_axis(&out->category, &b, P_CATEGORY, "", err));
    TRY(make_axis(&out->cluster, &b, has(&b, P_CLUSTER) ? P_CLUSTER : P_ITEM, "", err));
    TRY(fill(&b, err));
done:
    mem_free(b.m, b.order);
    table_free(b.t);
    return status;
}
