/* The columns of the three forms, in the order in which they are eliminated (see
 * self_regression.h). */
#include <string.h>

#include "audit/matrix/self_regression.h"
#include "base/error.h"

typedef struct builder {
    regression_form *form;
    matrix_study *s;
    const regression_case *c;
    size_t capacity;
    const char **family;         /* values that a judge and another author share */
    size_t families;
    size_t *first;               /* [TERM_KINDS] column of the first term of a kind */
    size_t *self, *family_column, *author; /* columns by judge, family, author; NO_COLUMN  */
} builder;

static tare_status add_term(builder *b, term_kind kind, size_t judge, const char *level,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    regression_form *form = b->form;
    if (form->design.p == b->capacity)
        FAIL(err, TARE_E_BUG, "regression.terms", NULL, "more than %zu columns", b->capacity);
    regression_term *t = &form->term[form->design.p];
    *t = (regression_term){.kind = kind, .judge = judge, .level = level, .depends = "",
                           .entry = BOOK_NONE};
    form->design.p++;
done:
    return status;
}

static bool shares(const roster_model *a, const char *value)
{
    for (size_t k = 0; k < a->group[0].count; k++)
        if (strcmp(a->group[0].value[k], value) == 0) return true;
    return false;
}

static const roster_model *model_of(const builder *b, const size_t *model, size_t index)
{
    size_t k = model[index];
    return k == ROSTER_NONE ? NULL : &b->s->t->models->models[k];
}

/* Is the family's indicator 1 for author a and judge j? */
static bool in_family(const builder *b, size_t a, size_t j, const char *value)
{
    const regression_cast *cast = &b->c->cast;
    if (!regression_kin(b->s, cast, a, j)) return false;
    return shares(model_of(b, b->s->t->author_model, cast->author[a]), value)
           && shares(model_of(b, b->s->t->judge_model, cast->judge[j]), value);
}

static double rows_of(const builder *b, size_t a, size_t j)
{
    size_t D = b->c->cast.D;
    double n = 0;
    for (size_t d = 0; d < D; d++)
        n += b->form->rows->sums[((a * b->c->cast.J + j) * D + d) * CELL_SUMS + CELL_N];
    return n;
}

/* Values in the order of the roster. */
static tare_status list_families(builder *b, tare_error *err)
{
    tare_status status = TARE_OK;
    const roster *r = b->s->t->models;
    size_t most = 0;
    for (size_t k = 0; r && k < r->count; k++) most += r->models[k].group[0].count;
    TRY_NEW(b->family = arena_new(&b->s->scratch, most + 1, sizeof *b->family));
    for (size_t k = 0; r && k < r->count; k++)
        for (size_t n = 0; n < r->models[k].group[0].count; n++) {
            const char *value = r->models[k].group[0].value[n];
            bool known = false, used = false;
            for (size_t f = 0; f < b->families; f++)
                known = known || strcmp(b->family[f], value) == 0;
            for (size_t a = 0; !known && a < b->c->cast.A; a++)
                for (size_t j = 0; j < b->c->cast.J; j++)
                    used = used || (in_family(b, a, j, value) && rows_of(b, a, j) > 0);
            if (used) b->family[b->families++] = value;
        }
done:
    return status;
}

static tare_status judge_terms(builder *b, tare_error *err)
{
    tare_status status = TARE_OK;
    const regression_cast *cast = &b->c->cast;
    const score_table *t = b->s->t;
    bool gold = b->form->kind != FORM_ADDITIVE;
    b->first[TERM_JUDGE] = b->form->design.p;
    for (size_t j = 0; j < cast->J; j++)
        TRY(add_term(b, TERM_JUDGE, j, t->judge.name[cast->judge[j]], err));
    b->first[TERM_SLOPE] = gold ? b->form->design.p : NO_COLUMN;
    for (size_t j = 0; gold && j < cast->J; j++)
        TRY(add_term(b, TERM_SLOPE, j, t->judge.name[cast->judge[j]], err));
    for (size_t a = 0; a < cast->A; a++) {
        b->author[a] = NO_COLUMN;
        if (gold || a == 0) continue; /* the first author is what the others are compared with */
        b->author[a] = b->form->design.p;
        TRY(add_term(b, TERM_AUTHOR, SIZE_MAX, t->author.name[cast->author[a]], err));
    }
done:
    return status;
}

static tare_status kin_terms(builder *b, tare_error *err)
{
    tare_status status = TARE_OK;
    const regression_cast *cast = &b->c->cast;
    bool full = b->form->kind == FORM_FULL;
    size_t pooled = NO_COLUMN;
    for (size_t j = 0; j < cast->J; j++) {
        double rows = 0;
        b->self[j] = NO_COLUMN;
        for (size_t a = 0; a < cast->A; a++)
            if (regression_self(b->s, cast, a, j)) rows += rows_of(b, a, j);
        if (rows == 0) continue;
        b->self[j] = full || pooled == NO_COLUMN ? b->form->design.p : pooled;
        const char *name = b->s->t->judge.name[cast->judge[j]];
        if (full) TRY(add_term(b, TERM_SELF, j, name, err));
        else if (pooled == NO_COLUMN) TRY(add_term(b, TERM_SELF, SIZE_MAX, "", err));
        if (!full) pooled = b->self[j];
    }
    pooled = NO_COLUMN;
    for (size_t f = 0; f < b->families; f++) {
        b->family_column[f] = full || pooled == NO_COLUMN ? b->form->design.p : pooled;
        if (full) TRY(add_term(b, TERM_FAMILY, SIZE_MAX, b->family[f], err));
        else if (pooled == NO_COLUMN) TRY(add_term(b, TERM_FAMILY, SIZE_MAX, "", err));
        if (!full) pooled = b->family_column[f];
    }
done:
    return status;
}

static tare_status other_terms(builder *b, tare_error *err)
{
    tare_status status = TARE_OK;
    const regression_cast *cast = &b->c->cast;
    const score_table *t = b->s->t;
    b->first[TERM_DIM] = b->form->design.p;
    for (size_t d = 1; d < cast->D; d++) /* the first dim is what the others are compared with */
        TRY(add_term(b, TERM_DIM, SIZE_MAX, t->dim.name[t->layer[cast->layer[d]].dim], err));
    b->form->design.length = NO_COLUMN;
    if (b->form->rows->rows.length) {
        b->form->design.length = b->form->design.p;
        TRY(add_term(b, TERM_LENGTH, SIZE_MAX, "", err));
    }
done:
    return status;
}

/* Indicator columns of a cell; returns how many. A pooled column is set once. */
static uint32_t cell_columns(uint32_t *to, const builder *b, size_t a, size_t j, size_t d)
{
    uint32_t n = 0;
    to[n++] = (uint32_t)(b->first[TERM_JUDGE] + j);
    if (b->author[a] != NO_COLUMN) to[n++] = (uint32_t)b->author[a];
    bool self = regression_self(b->s, &b->c->cast, a, j);
    if (self && b->self[j] != NO_COLUMN) to[n++] = (uint32_t)b->self[j];
    size_t last = NO_COLUMN;
    for (size_t f = 0; f < b->families; f++)
        if (b->family_column[f] != last && in_family(b, a, j, b->family[f])) {
            last = b->family_column[f];
            to[n++] = (uint32_t)last;
        }
    if (d > 0) to[n++] = (uint32_t)(b->first[TERM_DIM] + d - 1);
    return n;
}

static tare_status fill_cells(builder *b, tare_error *err)
{
    tare_status status = TARE_OK;
    const regression_cast *cast = &b->c->cast;
    size_t cells = b->form->rows->rows.cells, each = 4 + b->families;
    uint32_t *start, *column;
    size_t *slope = NULL;
    arena *a = &b->s->scratch;
    TRY_NEW(start = arena_new(a, cells + 1, sizeof *start));
    TRY_NEW(column = arena_new(a, cells, each * sizeof *column));
    if (b->first[TERM_SLOPE] != NO_COLUMN)
        TRY_NEW(slope = arena_new(a, cells, sizeof *slope));
    for (size_t c = 0; c < cells; c++) {
        size_t d = c % cast->D, j = c / cast->D % cast->J, g = c / cast->D / cast->J;
        start[c + 1] = start[c] + cell_columns(column + start[c], b, g, j, d);
        double n = b->form->rows->sums[c * CELL_SUMS + CELL_N];
        for (uint32_t k = start[c]; k < start[c + 1]; k++)
            b->form->term[column[k]].rows += (size_t)n;
        if (!slope) continue;
        slope[c] = b->first[TERM_SLOPE] + j;
        b->form->term[slope[c]].rows += (size_t)n;
    }
    if (b->form->design.length != NO_COLUMN)
        b->form->term[b->form->design.length].rows = b->form->rows->rows.n;
    b->form->design.start = start;
    b->form->design.column = column;
    b->form->design.slope = slope;
done:
    return status;
}

tare_status regression_design_make(regression_form *form, matrix_study *s,
                                   const regression_case *c, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t first[TERM_KINDS];
    arena *a = &s->scratch;
    builder b = {.form = form, .s = s, .c = c, .first = first};
    TRY(list_families(&b, err));
    b.capacity = 3 * c->cast.J + c->cast.A + b.families + c->cast.D + 1;
    TRY_NEW(form->term = arena_new(a, b.capacity, sizeof *form->term));
    TRY_NEW(b.self = arena_new(a, c->cast.J + 1, sizeof *b.self));
    TRY_NEW(b.author = arena_new(a, c->cast.A + 1, sizeof *b.author));
    TRY_NEW(b.family_column = arena_new(a, b.families + 1, sizeof *b.family_column));
    form->design = (cell_design){.length = NO_COLUMN};
    TRY(judge_terms(&b, err));
    TRY(kin_terms(&b, err));
    TRY(other_terms(&b, err));
    TRY(fill_cells(&b, err));
done:
    return status;
}
