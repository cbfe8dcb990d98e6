#include "scorer_tables.h"

#include <string.h>

#include "base/rng.h"
#include "stats/special.h"
#include "support/check.h"

void bench_open(bench *b, unsigned threads)
{
    memset(b, 0, sizeof *b);
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    o.threads = threads;
    tare_error err = {0};
    assert_ok(tare_context_new(&b->context, &o, &err));
    b->m = mem_system();
    text_init(&b->csv, &b->m);
    arena_init(&b->a, &b->m);
    b->options = ANALYSE_OPTIONS_DEFAULT;
    b->table = CUBE_TABLE_OPTIONS_DEFAULT;
    result_init(&b->result, &b->m);
}

void bench_close(bench *b)
{
    result_free(&b->result);
    arena_free(&b->a);
    text_free(&b->csv);
    tare_context_free(b->context);
}

void bench_clear(bench *b)
{
    result_free(&b->result);
    result_init(&b->result, &b->m);
    arena_free(&b->a);
    text_clear(&b->csv);
}

tare_status bench_run(bench *b, tare_error *err)
{
    result_free(&b->result);
    result_init(&b->result, &b->m);
    arena_free(&b->a);
    assert_false(b->csv.failed);
    table_bytes bytes = {"scores.csv", b->csv.data, b->csv.length};
    tare_status status = cube_from_table_bytes(&b->c, &b->a, b->context, &bytes, &b->table, err);
    if (status != TARE_OK) return status;
    return analyse_cube(&b->result, b->context, &b->c, &b->options, err);
}

const tare_reading *bench_reading(const bench *b, const char *arm, const char *scorer,
                                  const char *name, const char *condition)
{
    for (size_t i = 0; i < b->result.reading_count; i++) {
        const tare_reading *r = &b->result.readings[i];
        if (arm && strcmp(r->arm, arm) != 0) continue;
        if (scorer && strcmp(r->instrument, scorer) != 0) continue;
        if (strcmp(r->name, name) != 0) continue;
        if (condition && strcmp(r->condition, condition) != 0) continue;
        return r;
    }
    fail_msg("no reading %s (%s) of %s", name, condition ? condition : "any",
             scorer ? scorer : "any");
    return NULL;
}

const result_table *bench_table(const bench *b, const char *name)
{
    for (size_t i = 0; i < b->result.table_count; i++)
        if (strcmp(b->result.tables[i]->name, name) == 0) return b->result.tables[i];
    fail_msg("no table %s", name);
    return NULL;
}

static size_t column_of(const result_table *t, const char *name)
{
    for (size_t k = 0; k < t->column_count; k++)
        if (strcmp(t->columns[k], name) == 0) return k;
    fail_msg("no column %s in %s", name, t->name);
    return 0;
}

/* Good until the next row. */
static const cell *row_of(const bench *b, const result_table *t, size_t row)
{
    static cell room[64];
    const cell *cells = NULL;
    arena scratch;
    tare_error err = {0};
    arena_init(&scratch, &b->m);
    assert_true(t->column_count <= sizeof room / sizeof *room);
    assert_int_equal(result_row(&cells, t, row, room, &scratch, &err), TARE_OK);
    assert_null(scratch.head); /* a row of scores needs no texts of its own */
    return cells;
}

const cell *bench_cell(const bench *b, const char *table, const char *scorer, const char *column)
{
    const result_table *t = bench_table(b, table);
    size_t key = column_of(t, "scorer"), at = column_of(t, column);
    for (size_t i = 0; i < t->row_count; i++) {
        const cell *row = row_of(b, t, i);
        if (strcmp(row[key].text, scorer) == 0) return &row[at];
    }
    fail_msg("no row of %s in %s", scorer, table);
    return NULL;
}

static void dump_number(text *out, double x)
{
    if (isnan(x))
        text_add(out, " .");
    else
        text_add_format(out, " %a", x);
}

char *bench_dump(const bench *b)
{
    text out;
    text_init(&out, &b->m);
    for (size_t i = 0; i < b->result.reading_count; i++) {
        const tare_reading *r = &b->result.readings[i];
        text_add_format(&out, "%s|%s|%s|%s|%s|%s|%s|%s|%s", r->family, r->arm, r->instrument,
                        r->name, r->condition, r->reason, r->marks, r->words,
                        tare_verdict_name(r->verdict));
        const double x[] = {r->estimate, r->se, r->df, r->lo, r->hi, r->p, r->q, r->mde, r->margin,
                            r->floor};
        for (size_t k = 0; k < sizeof x / sizeof *x; k++) dump_number(&out, x[k]);
        text_add_format(&out, " %d %d\n", (int)r->n_base, (int)r->n_cluster);
    }
    for (size_t i = 0; i < b->result.table_count; i++) {
        const result_table *t = b->result.tables[i];
        text_add_format(&out, "[%s]\n", t->name);
        for (size_t k = 0; k < t->row_count * t->column_count; k++) {
            const cell *c = &row_of(b, t, k / t->column_count)[k % t->column_count];
            text_add_format(&out, "%d %s %d", (int)c->kind, c->text, (int)c->integer);
            dump_number(&out, c->number);
            text_add_char(&out, '\n');
        }
    }
    for (size_t i = 0; i < b->result.figure_count; i++)
        for (size_t k = 0; k < b->result.figures[i]->point_count; k++) {
            const figure_point *p = &b->result.figures[i]->points[k];
            text_add_format(&out, "%s %s %s %s %s", p->panel, p->series, p->label, p->mark, p->tip);
            dump_number(&out, p->x);
            dump_number(&out, p->y);
            dump_number(&out, p->lo);
            text_add_char(&out, '\n');
        }
    for (size_t i = 0; i < b->result.answer_count; i++)
        text_add_format(&out, "%s\n", b->result.answer[i]);
    char *taken = text_take(&out);
    assert_non_null(taken);
    return taken;
}

char *bench_sentences(const bench *b)
{
    text out;
    text_init(&out, &b->m);
    text_add_format(&out, "%s\n", b->result.title);
    for (size_t i = 0; i < b->result.answer_count; i++)
        text_add_format(&out, "%s\n", b->result.answer[i]);
    for (size_t i = 0; i < b->result.caution_count; i++)
        text_add_format(&out, "%s\n", b->result.cautions[i]);
    for (size_t i = 0; i < b->result.reading_count; i++)
        text_add_format(&out, "%s; %s\n", b->result.readings[i].words, b->result.readings[i].marks);
    char *taken = text_take(&out);
    assert_non_null(taken);
    return taken;
}

void put_toy(bench *b, bool grouped)
{
    text_add_format(&b->csv, "base,dose,scorer,score,attribute,artifact%s\n",
                    grouped ? ",group" : "");
    for (int i = 1; i <= 6; i++)
        for (int j = 0; j < 7; j++) {
            int dose = 5 * (j - 3);
            double score = (double)((7 * i * i + 11 * j * j + 3 * i * j) % 17) / 10;
            double attribute = 10 + 2 * dose + i + (double)((5 * i + 3 * j) % 7) / 10;
            double artifact = j == 3 ? 0 : (double)((i + 2 * j) % 5) / 20;
            text_add_format(&b->csv, "%d,%d,toy,%.17g,%.17g,%.17g", i, dose, score, attribute,
                            artifact);
            if (grouped) text_add_format(&b->csv, ",g%d", (i + 1) / 2);
            text_add_char(&b->csv, '\n');
        }
}

double gauss_next(gauss *g)
{
    /* splitmix64: the tests' own stream, apart from the draws under test. */
    uint64_t z = (g->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return norm_quantile(((double)(z >> 11) + 0.5) * 0x1p-53);
}
