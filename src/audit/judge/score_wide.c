/* score_wide.c - tables with a column per judge, and lists of columns. */
#include <string.h>

#include "audit/judge/score_build.h"
#include "base/error.h"
#include "base/text.h"

tare_status score_split(const char ***out, size_t *count, score_build *b, const char *list,
                        tare_error *err)
{
    tare_status status = TARE_OK;
    size_t most = 1;
    for (const char *s = list; *s; s++) most += *s == ',';
    *count = 0;
    TRY_NEW(*out = arena_new(&b->scratch, most, sizeof **out));
    for (const char *s = list;; s++) {
        size_t length = strcspn(s, ",");
        const char *first = s, *last = s + length;
        while (first < last && *first == ' ') first++;
        while (last > first && last[-1] == ' ') last--;
        if (first == last)
            FAIL(err, TARE_E_USAGE, "score.list", "", "an empty name in the list \"%s\"",
                 score_shown(b, list));
        TRY_NEW((*out)[(*count)++] = arena_text(&b->scratch, first, (size_t)(last - first)));
        s += length;
        if (!*s) break;
    }
done:
    return status;
}

tare_status score_split_cells(const char *names[5], score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    const char **list;
    size_t count;
    TRY(score_split(&list, &count, b, b->o->cells_from, err));
    if (count < 3 || count > 5)
        FAIL(err, TARE_E_USAGE, "score.cells_from", "",
             "--cells-from names the columns author,judge,mean[,sd[,n]]: 3 to 5, not %zu", count);
    memcpy(names, list, count * sizeof *names);
done:
    return status;
}

/* ---- Before reading: which columns can be judges ---------------------------- */

static bool has_role(const score_build *b, size_t column)
{
    for (int k = 0; k < ROLE_COUNT; k++)
        if (b->role[k].column == column) return true;
    for (size_t k = 0; k < b->raters; k++)
        if (b->rater[k].column == column) return true;
    return false;
}

static tare_status named_lanes(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY_NEW(b->lane = arena_new(&b->scratch, b->o->judge_count, sizeof *b->lane));
    for (size_t k = 0; k < b->o->judge_count; k++) {
        table_role r = {"judges", "", b->o->judges[k], true, TABLE_NUMBER, TABLE_NONE,
                        TABLE_ABSENT};
        TRY(table_find_roles(b->t, &r, 1, err));
        bool twice = has_role(b, r.column);
        for (size_t j = 0; j < b->lanes; j++) twice = twice || b->lane[j].column == r.column;
        if (twice)
            FAIL(err, TARE_E_USAGE, "score.column_twice", table_name(b->t),
                 "column %s of --judges is named twice or has another role",
                 score_shown(b, b->o->judges[k]));
        b->lane[b->lanes++].column = r.column;
    }
done:
    return status;
}

tare_status score_name_lanes(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t columns = table_columns(b->t);
    if (b->o->judge_count) {
        TRY(named_lanes(b, err)); /* before the columns that are only guessed */
    } else if (b->shape != SHAPE_WIDE) {
        TRY_NEW(b->lane = arena_new(&b->scratch, 1, sizeof *b->lane));
        b->lane[0].column = b->role[ROLE_SCORE].column;
        b->lanes = 1;
    } else if (b->lanes == 0) {
        TRY_NEW(b->lane = arena_new(&b->scratch, columns, sizeof *b->lane));
        for (size_t k = 0; k < columns; k++)
            if (!has_role(b, k)) b->lane[b->lanes++].column = k;
    }
done:
    return status;
}

/* ---- After reading: which of them hold numbers ------------------------------- */

static tare_status refuse_no_lane(score_build *b, tare_error *err)
{
    return error_set(err, TARE_E_DATA, "score.no_judges", table_name(b->t),
                     "no column for judge, and no column of numbers that could be a judge's: name "
                     "the columns with --judge and --score, or with --judges");
}

static tare_status announce_lanes(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    text list;
    text_init(&list, b->m);
    for (size_t k = 0; k < b->lanes && list.length < 400; k++) {
        const char *name = table_column_name(b->t, b->lane[k].column);
        if (k) text_add(&list, ", ");
        text_add_visible(&list, name, strlen(name), 60);
        if (list.length >= 400 && k + 1 < b->lanes) text_add(&list, ", ...");
    }
    if (list.failed) FAIL_MEMORY(err);
    bool guess = b->o->judge_count == 0;
    if (guess)
        context_message(b->context, TARE_NOTE,
                        "no judge column: each column of numbers without a role is taken for a "
                        "judge: %s; say otherwise with --judges",
                        list.data);
    TRY(score_fact(b, "Columns", guess ? "judges (by guess)" : "judges (by option)", list.data,
                   err));
done:
    text_free(&list);
    return status;
}

tare_status score_guess_lanes(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    if (b->shape != SHAPE_WIDE) return TARE_OK;
    if (b->o->judge_count == 0) {
        size_t kept = 0, only = b->lanes == 1;
        for (size_t k = 0; k < b->lanes; k++) {
            table_numbers n = table_number_column(b->t, b->lane[k].column);
            /* mostly text, or nothing: no judge's column */
            bool judge = n.count[TABLE_OK] > 0 && n.count[TABLE_OK] >= n.count[TABLE_BAD];
            if (judge || (only && b->o->labels))
                b->lane[kept++] = b->lane[k];
            else
                b->kinds[b->lane[k].column] = 0;
        }
        b->lanes = kept;
    }
    if (b->lanes == 0) {
        status = refuse_no_lane(b, err);
        goto done;
    }
    if (b->rows > UINT32_MAX / b->lanes)
        FAIL(err, TARE_E_LIMIT, "score.entries", table_name(b->t),
             "%zu rows of %zu judges are more than 2^32 scores", b->rows, b->lanes);
    TRY(announce_lanes(b, err));
done:
    return status;
}
