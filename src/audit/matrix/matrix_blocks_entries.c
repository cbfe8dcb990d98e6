/* Readings, tables and sentences on families and other blocks (judge audits A.4). */
#include <math.h>
#include <string.h>

#include "audit/matrix/matrix_blocks.h"
#include "audit/words.h"
#include "base/error.h"
#include "stats/draws.h"
#include "stats/verdict.h"

static const char *const kind_name[BLOCK_KINDS] = {"R", "Z", "Phi~"};
static const char *const assignment_name[2] = {"assignment_R", "assignment_Z"};
static const char *const kind_unit[BLOCK_KINDS] = {"score", "SD of the judge's cells", ""};

#define NEEDS_TWO "needs two models of one block that both judge and write"
#define NEEDS_BALANCE "cells of equal items are needed"

static const char *block_label(matrix_study *s, const matrix_view *v, const matrix_block *b)
{
    return arena_printf(&s->out->a, "%s: %s", v->grouping[b->grouping].name, b->value);
}

/* 0.1 x the within-author SD of the block's judges, as for D (ours). */
static double block_margin(const matrix_view *v, const matrix_block *b)
{
    double square = 0;
    size_t n = 0;
    for (size_t k = 0; k < v->K; k++) {
        const matrix_self *x = &v->self[k];
        bool member = false;
        for (size_t g = 0; g < v->G; g++) member = member || b->cell[g * v->E + x->judge] == 1;
        if (!member || isnan(x->sd)) continue;
        square += x->sd * x->sd;
        n++;
    }
    return n > 0 ? 0.1 * sqrt(square / (double)n) : NAN;
}

/* Does it say the same as r: its sign, and an interval without 0? */
static bool agrees(const inference *x, const inference *r)
{
    if (x->reason[0] || !(x->lo > 0 || x->hi < 0)) return false;
    return (x->estimate > 0) == (r->estimate > 0);
}

/* R without self cells, beside R. */
static tare_status enter_no_self(matrix_study *s, const matrix_view *v, const matrix_block *b,
                                 const char *label, tare_error *err)
{
    entry_spec spec = matrix_entry(v, "block", "R_no_self", label, "less outsiders");
    spec.unit = kind_unit[BLOCK_R];
    spec.missing = &v->counts;
    spec.descriptive = spec.detail = true;
    spec.reason = b->outside == 0 ? REASON_NOT_RUN : !b->contrast ? REASON_INSEPARABLE : "";
    return book_add(&s->book, &spec, b->no_self, NULL, err);
}

/* R is tested; Z, and R without self cells (ours), have to agree before R is called found; Phi~ is
 * only described. */
static tare_status enter_block(matrix_study *s, matrix_view *v, matrix_block *b, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *label;
    TRY_NEW(label = block_label(s, v, b));
    for (size_t k = 0; k < BLOCK_KINDS; k++) {
        entry_spec spec = matrix_entry(v, "block", kind_name[k], label, "mean of the block");
        spec.unit = kind_unit[k];
        spec.missing = &v->counts;
        spec.descriptive = spec.detail = true;
        TRY(book_add(&s->book, &spec, &b->within[k], NULL, err));
        spec.condition = "less outsiders";
        spec.descriptive = spec.detail = k != BLOCK_R;
        spec.reason = b->outside == 0 ? REASON_NOT_RUN : "";
        if (k == BLOCK_R) {
            spec.margin = block_margin(v, b);
            TRY_NEW(spec.grid = matrix_grid(s, v, "block"));
            spec.plus = "its judges favour the block's authors over outside ones";
            spec.minus = "its judges favour outside authors over the block's";
        }
        TRY(book_add(&s->book, &spec, &b->difference[k], &b->entry[k], err));
    }
    TRY(enter_no_self(s, v, b, label, err));
    const inference *r = &b->difference[BLOCK_R];
    bool scale = !agrees(&b->difference[BLOCK_Z], r), self = !agrees(b->no_self, r);
    if (scale || self)
        s->book.entries[b->entry[BLOCK_R]].condition_note =
            scale && self ? "depends on scale and on self cells"
            : scale       ? "depends on scale"
                          : "depends on self cells";
done:
    return status;
}

/* ---- The assignment test --------------------------------------------------------------------- */

/* R, then Z, and who is kin, among the models that judge and write. */
static tare_status related(double **r, uint8_t **same, matrix_study *s, const matrix_view *v,
                           matrix_assignment *a, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t K = v->K;
    const uint8_t *kin = v->grouping[a->grouping].kin;
    TRY_NEW(*r = arena_new(&s->scratch, 2 * K * K + 1, sizeof **r));
    TRY_NEW(*same = arena_new(&s->scratch, K * K + 1, 1));
    a->models = K;
    for (size_t i = 0; i < K; i++)
        for (size_t j = 0; j < K; j++) {
            size_t c = v->self[i].author * v->E + v->self[j].judge;
            (*r)[i * K + j] = v->r[c];
            (*r)[K * K + i * K + j] = v->z[c];
            (*same)[i * K + j] = i != j && kin[c];
            a->related += i != j && kin[c];
        }
done:
    return status;
}

static inference of_permutation(const block_result *r, size_t items)
{
    inference x;
    memset(&x, 0, sizeof x);
    x.se = x.df = x.lo = x.hi = x.lo90 = x.hi90 = x.p_boot = x.p_t = x.p_flip = x.skewness = NAN;
    x.estimate = r->statistic;
    x.p = r->p;
    x.p_floor = r->p_floor;
    x.n = items;
    x.interval_method = "";
    x.p_method = "assignment permutation, one-sided";
    x.reason = "";
    return x;
}

static tare_status run_assignment(matrix_study *s, matrix_view *v, matrix_assignment *a,
                                  tare_error *err)
{
    tare_status status = TARE_OK;
    double *r;
    uint8_t *same;
    const char *name = v->grouping[a->grouping].name;
    identity_plan plan = {.m = s->m, .draws = s->o.block_perm};
    TRY(related(&r, &same, s, v, a, err));
    if (a->related == 0 || a->related == v->K * (v->K - 1)) a->reason = REASON_NOT_RUN;
    if (!v->balanced) a->reason = REASON_NOT_RUN;
    for (size_t k = 0; k < 2; k++)
        a->result[k] = (block_result){.statistic = NAN, .mean = NAN, .p = NAN, .p_floor = NAN};
    if (a->reason[0] == 0) {
        TRY(draws_key(&plan.key, s->o.book.seed, "items", "perm", s->m, err));
        TRY(block_permutation(a->result, r, same, v->K, 2, &plan, err));
    }
    for (size_t k = 0; k < 2; k++) {
        inference inf = of_permutation(&a->result[k], v->items);
        entry_spec spec = matrix_entry(v, "assignment", assignment_name[k], "", name);
        TRY_NEW(spec.grid = matrix_grid(s, v, "assignment"));
        spec.unit = kind_unit[k];
        spec.reason = a->reason;
        spec.extra = !a->reason[0] ? "" : v->balanced ? NEEDS_TWO : NEEDS_BALANCE;
        spec.plus = "models that belong together favour each other";
        TRY(book_add(&s->book, &spec, &inf, &a->entry[k], err));
    }
done:
    return status;
}

/* Made here where the product of the cells was made without the blocks. */
static tare_status resample_blocks(matrix_study *s, matrix_view *v, const infer_smooth *f,
                                   tare_error *err)
{
    tare_status status = TARE_OK;
    inference *inf;
    infer_sums sums = {v->sums, v->p};
    TRY_NEW(inf = arena_new(&s->scratch, f->outputs, sizeof *inf));
    TRY(infer_totals(inf, &v->plan, &sums, f, 1, &s->scratch, err));
    matrix_blocks_take(v, inf);
done:
    return status;
}

tare_status matrix_blocks_run(matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < s->views; k++) {
        matrix_view *v = &s->view[k];
        infer_smooth f = {.outputs = 0};
        TRY(context_check(s->context, err));
        if (!v->blocks) {
            TRY(matrix_blocks_describe(&f, s, v, err));
            if (f.outputs > 0) TRY(resample_blocks(s, v, &f, err));
        }
        if (!v->blocks || v->cells_only) continue;
        for (size_t i = 0; i < v->blocks->count; i++)
            if (v->blocks->block[i].within) TRY(enter_block(s, v, &v->blocks->block[i], err));
        for (size_t i = 0; i < v->blocks->assignments; i++)
            TRY(run_assignment(s, v, &v->blocks->assignment[i], err));
    }
done:
    return status;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static const char *const block_columns[] = {
    "setting", "dim", "grouping", "block", "models", "cells", "positive", "outside_cells",
    "kind", "mean", "lo", "hi", "outside", "difference", "difference_lo", "difference_hi", "se",
    "difference_no_self", "no_self_lo", "no_self_hi",
    "p", "q_bh", "q_by", "q_maxt", "margin", "verdict", "marks"};
#define BLOCK_COLUMNS (sizeof block_columns / sizeof *block_columns)

static tare_status block_rows(matrix_study *s, const matrix_view *v, const matrix_block *b,
                              result_table *table, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < BLOCK_KINDS && b->within; k++) {
        cell *row;
        const tare_reading *r = book_reading(&s->book, b->entry[k]);
        TRY_NEW(row = result_add_row(s->out, table));
        const cell cells[BLOCK_COLUMNS] = {
            words_cell(v->setting), words_cell(v->dim), words_cell(v->grouping[b->grouping].name),
            words_cell(b->value), count_cell(b->models), count_cell(b->cells),
            count_cell(b->positive), count_cell(b->outside), words_cell(kind_name[k]),
            number_cell(b->mean[k]), number_cell(b->within[k].lo), number_cell(b->within[k].hi),
            number_cell(b->mean_outside[k]), number_cell(r->estimate), number_cell(r->lo),
            number_cell(r->hi), number_cell(r->se), number_cell(k == BLOCK_R ? b->apart : NAN),
            number_cell(k == BLOCK_R ? b->no_self->lo : NAN),
            number_cell(k == BLOCK_R ? b->no_self->hi : NAN), number_cell(r->p), number_cell(r->q),
            number_cell(r->q_by), number_cell(r->q_maxt), number_cell(r->margin),
            words_cell(tare_verdict_name(r->verdict)), words_cell(r->marks)};
        memcpy(row, cells, sizeof cells);
    }
done:
    return status;
}

static const char *const block_cell_columns[] = {"setting", "dim", "grouping", "block", "author",
                                                 "judge", "phi", "R", "Z", "phi_tilde"};
#define BLOCK_CELL_COLUMNS (sizeof block_cell_columns / sizeof *block_cell_columns)

static tare_status block_cell_rows(matrix_study *s, const matrix_view *v, const matrix_block *b,
                                   result_table *table, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t c = 0; c < v->G * v->E; c++) {
        cell *row;
        if (b->cell[c] != 1) continue;
        TRY_NEW(row = result_add_row(s->out, table));
        const cell cells[BLOCK_CELL_COLUMNS] = {
            words_cell(v->setting), words_cell(v->dim), words_cell(v->grouping[b->grouping].name),
            words_cell(b->value), words_cell(v->author_name[c / v->E]),
            words_cell(v->judge_name[c % v->E]), number_cell(v->phi[c]), number_cell(v->r[c]),
            number_cell(v->z[c]), number_cell(v->phi2[c])};
        memcpy(row, cells, sizeof cells);
    }
done:
    return status;
}

static const char *const assignment_columns[] = {
    "setting", "dim", "grouping", "kind", "models", "related_pairs", "T", "p", "p_floor",
    "permutations", "q_bh", "verdict", "reason"};
#define ASSIGNMENT_COLUMNS (sizeof assignment_columns / sizeof *assignment_columns)

static tare_status assignment_rows(matrix_study *s, const matrix_view *v,
                                   const matrix_assignment *a, result_table *table,
                                   tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < 2 && a->entry[k] != BOOK_NONE; k++) {
        cell *row;
        const tare_reading *r = book_reading(&s->book, a->entry[k]);
        TRY_NEW(row = result_add_row(s->out, table));
        const cell cells[ASSIGNMENT_COLUMNS] = {
            words_cell(v->setting), words_cell(v->dim), words_cell(v->grouping[a->grouping].name),
            words_cell(kind_name[k]), count_cell(a->models), count_cell(a->related),
            number_cell(r->estimate), number_cell(r->p), number_cell(r->p_floor),
            count_cell((size_t)a->result[k].total), number_cell(r->q),
            words_cell(tare_verdict_name(r->verdict)), words_cell(r->reason)};
        memcpy(row, cells, sizeof cells);
    }
done:
    return status;
}

tare_status matrix_blocks_tables(matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    result_table *blocks = NULL, *cells, *tests;
    for (size_t k = 0; k < s->views; k++) {
        const matrix_view *v = &s->view[k];
        if (!v->blocks) continue;
        if (!blocks) {
            TRY_NEW(blocks = result_add_table(s->out, "blocks", "Families and other blocks",
                                              block_columns, BLOCK_COLUMNS));
            TRY_NEW(cells = result_add_table(s->out, "block_cells", "Cells of the blocks",
                                             block_cell_columns, BLOCK_CELL_COLUMNS));
            TRY_NEW(tests = result_add_table(s->out, "assignment", "Blocks put to the test",
                                             assignment_columns, ASSIGNMENT_COLUMNS));
        }
        for (size_t i = 0; i < v->blocks->count; i++) {
            TRY(block_rows(s, v, &v->blocks->block[i], blocks, err));
            TRY(block_cell_rows(s, v, &v->blocks->block[i], cells, err));
        }
        for (size_t i = 0; i < v->blocks->assignments; i++)
            TRY(assignment_rows(s, v, &v->blocks->assignment[i], tests, err));
    }
done:
    return status;
}

/* ---- Sentences ------------------------------------------------------------------------------- */

static void list_found(text *list, matrix_study *s, const matrix_view *v, size_t grouping)
{
    for (size_t i = 0; i < v->blocks->count; i++) {
        const matrix_block *b = &v->blocks->block[i];
        if (b->grouping != grouping || b->entry[BLOCK_R] == BOOK_NONE) continue;
        const tare_reading *r = book_reading(&s->book, b->entry[BLOCK_R]);
        if (r->verdict != TARE_FOUND && r->verdict != TARE_SMALL) continue;
        const char *size = number_text(&s->scratch, r->estimate);
        text_add_format(list, "%s%s (%s%s%s)", list->length ? ", " : "", b->value,
                        r->estimate > 0 ? "+" : "", size ? size : "",
                        r->verdict == TARE_SMALL ? ", below the margin" : "");
    }
}

static tare_status one_grouping(matrix_study *s, const matrix_view *v, const matrix_assignment *a,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    text list;
    text_init(&list, s->m);
    const tare_reading *r = book_reading(&s->book, a->entry[0]);
    const tare_reading *z = book_reading(&s->book, a->entry[1]);
    const char *p[2], *t, *name = v->grouping[a->grouping].name;
    TRY_NEW(p[0] = p_text(&s->scratch, "p", r->p, r->p_floor));
    TRY_NEW(p[1] = p_text(&s->scratch, "p", z->p, z->p_floor));
    TRY_NEW(t = number_text(&s->scratch, r->estimate));
    list_found(&list, s, v, a->grouping);
    if (list.failed) FAIL_MEMORY(err);
    bool both = r->verdict == TARE_FOUND && z->verdict == TARE_FOUND;
    const char *lead;
    TRY_NEW(lead = arena_printf(&s->scratch, both ? "models of one %s favour each other"
                                                  : "no general favour within one %s is shown",
                                name));
    TRY(result_answer(s->out, err,
                      "%s%sBlocks by %s: %s (cells between its models less the others: %s in score "
                      "units, %s; with every judge on its own scale %s; %zu models).%s%s%s",
                      v->label, v->label[0] ? ": " : "", name, lead, t, p[0], p[1], a->models,
                      list.length ? " Judges differ between their own block and outside authors "
                                    "in: " : "",
                      list.length ? list.data : "", list.length ? "." : ""));
done:
    text_free(&list);
    return status;
}

tare_status matrix_blocks_answer(matrix_study *s, const matrix_view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    if (!v->blocks) return TARE_OK;
    for (size_t i = 0; i < v->blocks->assignments; i++) {
        const matrix_assignment *a = &v->blocks->assignment[i];
        if (a->entry[0] == BOOK_NONE || a->reason[0]) continue;
        TRY(one_grouping(s, v, a, err));
    }
done:
    return status;
}
