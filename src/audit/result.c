#include "audit/result.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

void result_init(audit_result *r, const mem *m)
{
    memset(r, 0, sizeof *r);
    r->m = m;
    r->audit = r->title = "";
    r->arm_word = "Arm";
    r->instrument_word = "Scorer";
    r->unit_word = "Bases";
    arena_init(&r->a, m);
}

void result_free(audit_result *r)
{
    if (!r || !r->m) return;
    for (size_t i = 0; i < r->table_count; i++) mem_free(r->m, r->tables[i]->cells);
    for (size_t i = 0; i < r->figure_count; i++) {
        mem_free(r->m, r->figures[i]->points);
        mem_free(r->m, r->figures[i]->cells);
    }
    mem_free(r->m, r->answer);
    mem_free(r->m, r->cautions);
    mem_free(r->m, r->readings);
    mem_free(r->m, r->tables);
    mem_free(r->m, r->figures);
    mem_free(r->m, r->facts);
    mem_free(r->m, r->log);
    mem_free(r->m, r->missing);
    mem_free(r->m, r->checks);
    arena_free(&r->a);
    memset(r, 0, sizeof *r);
}

tare_reading *result_add_reading(audit_result *r)
{
    if (!mem_reserve(r->m, &r->readings, &r->reading_capacity, r->reading_count + 1,
                     sizeof *r->readings))
        return NULL;
    tare_reading *x = &r->readings[r->reading_count++];
    memset(x, 0, sizeof *x);
    x->family = x->arm = x->instrument = x->name = x->condition = x->unit = "";
    x->dim = "";
    x->interval_method = x->p_method = x->grid = x->reason = x->marks = x->words = "";
    x->estimate = x->se = x->df = x->lo = x->hi = x->p = NAN;
    x->q = x->q_by = x->q_maxt = NAN;
    x->mde = x->margin = x->floor = x->p_floor = NAN;
    x->verdict = TARE_DESCRIPTIVE;
    return x;
}

result_table *result_add_table(audit_result *r, const char *name, const char *title,
                               const char *const *columns, size_t column_count)
{
    result_table *t = arena_new(&r->a, 1, sizeof *t);
    if (!t || !mem_reserve(r->m, &r->tables, &r->table_capacity, r->table_count + 1,
                           sizeof *r->tables))
        return NULL;
    t->name = arena_copy(&r->a, name);
    t->title = arena_copy(&r->a, title);
    t->columns = arena_new(&r->a, column_count, sizeof *t->columns);
    if (!t->name || !t->title || !t->columns) return NULL;
    for (size_t i = 0; i < column_count; i++)
        if ((t->columns[i] = arena_copy(&r->a, columns[i])) == NULL) return NULL;
    t->column_count = column_count;
    r->tables[r->table_count++] = t;
    return t;
}

cell *result_add_row(audit_result *r, result_table *t)
{
    if (t->column_count && t->row_count > SIZE_MAX / t->column_count - 1) return NULL;
    if (!mem_reserve(r->m, &t->cells, &t->row_capacity, (t->row_count + 1) * t->column_count,
                     sizeof *t->cells))
        return NULL;
    cell *row = t->cells + t->row_count++ * t->column_count;
    for (size_t i = 0; i < t->column_count; i++) row[i] = (cell){CELL_EMPTY, "", NAN, 0};
    return row;
}

tare_status result_row(const cell **out, const result_table *t, size_t row, cell *room,
                       arena *scratch, tare_error *err)
{
    *out = t->make ? room : t->cells + row * t->column_count;
    if (!t->make) return TARE_OK;
    for (size_t i = 0; i < t->column_count; i++) room[i] = (cell){CELL_EMPTY, "", NAN, 0};
    return t->make(t->arg, room, row, scratch, err);
}

cell number_cell(double x)
{
    return isnan(x) ? (cell){CELL_EMPTY, "", NAN, 0} : (cell){CELL_NUMBER, "", x, 0};
}

cell words_cell(const char *text)
{
    return text && text[0] ? (cell){CELL_TEXT, text, NAN, 0} : (cell){CELL_EMPTY, "", NAN, 0};
}

cell count_cell(uint64_t x)
{
    return (cell){CELL_INTEGER, "", NAN, (int64_t)x};
}

figure *result_add_figure(audit_result *r, figure_kind kind, const char *id, const char *title)
{
    figure *f = arena_new(&r->a, 1, sizeof *f);
    if (!f || !mem_reserve(r->m, &r->figures, &r->figure_capacity, r->figure_count + 1,
                           sizeof *r->figures))
        return NULL;
    f->kind = kind;
    f->id = arena_copy(&r->a, id);
    f->title = arena_copy(&r->a, title);
    f->caption = f->x_title = f->y_title = "";
    f->margin = f->band_lo = f->band_hi = NAN;
    f->band_title = "";
    if (!f->id || !f->title) return NULL;
    r->figures[r->figure_count++] = f;
    return f;
}

figure_point *result_add_point(audit_result *r, figure *f)
{
    if (!mem_reserve(r->m, &f->points, &f->point_capacity, f->point_count + 1, sizeof *f->points))
        return NULL;
    figure_point *p = &f->points[f->point_count++];
    *p = (figure_point){"", "", "", NAN, NAN, NAN, NAN, "", "", ""};
    return p;
}

figure_cell *result_add_picture(audit_result *r, figure *f)
{
    if (!mem_reserve(r->m, &f->cells, &f->cell_capacity, f->cell_count + 1, sizeof *f->cells))
        return NULL;
    figure_cell *c = &f->cells[f->cell_count++];
    *c = (figure_cell){"", "", NULL, 0, ""};
    return c;
}

/* Append a formatted sentence to a list of them. */
static tare_status add_sentence(audit_result *r, const char ***list, size_t *count,
                                size_t *capacity, const char *sentence, tare_error *err)
{
    if (!sentence || !mem_reserve(r->m, list, capacity, *count + 1, sizeof **list))
        return error_memory(err);
    (*list)[(*count)++] = sentence;
    return TARE_OK;
}

static char *format_sentence(arena *a, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *out = n < 0 ? NULL : arena_new(a, (size_t)n + 1, 1);
    if (out) vsnprintf(out, (size_t)n + 1, format, args);
    return out;
}

tare_status result_answer(audit_result *r, tare_error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *sentence = format_sentence(&r->a, format, args);
    va_end(args);
    return add_sentence(r, &r->answer, &r->answer_count, &r->answer_capacity, sentence, err);
}

tare_status result_caution(audit_result *r, tare_error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *sentence = format_sentence(&r->a, format, args);
    va_end(args);
    return add_sentence(r, &r->cautions, &r->caution_count, &r->caution_capacity, sentence, err);
}

/* Append a copy of a fact to a list of them. */
static tare_status add_fact(audit_result *r, result_fact **list, size_t *count, size_t *capacity,
                            const result_fact *fact, tare_error *err)
{
    if (!mem_reserve(r->m, list, capacity, *count + 1, sizeof **list)) return error_memory(err);
    result_fact *f = &(*list)[*count];
    f->section = arena_copy(&r->a, fact->section);
    f->key = arena_copy(&r->a, fact->key);
    f->value = arena_copy(&r->a, fact->value);
    if (!f->section || !f->key || !f->value) return error_memory(err);
    ++*count;
    return TARE_OK;
}

tare_status result_fact_add(audit_result *r, const char *section, const char *key,
                            const char *value, tare_error *err)
{
    return add_fact(r, &r->facts, &r->fact_count, &r->fact_capacity,
                    &(result_fact){section, key, value}, err);
}

tare_status result_log_add(audit_result *r, const char *section, const char *key,
                           const char *value, tare_error *err)
{
    return add_fact(r, &r->log, &r->log_count, &r->log_capacity,
                    &(result_fact){section, key, value}, err);
}

result_missing *result_add_missing(audit_result *r)
{
    if (!mem_reserve(r->m, &r->missing, &r->missing_capacity, r->missing_count + 1,
                     sizeof *r->missing))
        return NULL;
    result_missing *x = &r->missing[r->missing_count++];
    *x = (result_missing){"", "", "", "", TARE_R_NONE, 0, 0, ""};
    return x;
}

result_check *result_add_check(audit_result *r)
{
    if (!mem_reserve(r->m, &r->checks, &r->check_capacity, r->check_count + 1, sizeof *r->checks))
        return NULL;
    result_check *x = &r->checks[r->check_count++];
    *x = (result_check){"", "", "", "", CHECK_NOT_RUN, ""};
    return x;
}
