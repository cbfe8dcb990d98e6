#include "matrix_fixture.h"

#include <string.h>

#include "base/os.h"
#include "base/rng.h"
#include "stats/special.h"
#include "support/check.h"

void matrix_bench_open(matrix_bench *b, unsigned threads)
{
    tare_error err = {0};
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    memset(b, 0, sizeof *b);
    o.threads = threads;
    assert_ok(tare_context_new(&b->context, &o, &err));
    b->m = mem_system();
    text_init(&b->csv, &b->m);
    text_init(&b->roster, &b->m);
}

static void forget_files(matrix_bench *b)
{
    if (b->path[0]) unlink(b->path);
    if (b->roster_path[0]) unlink(b->roster_path);
    b->path[0] = b->roster_path[0] = '\0';
}

void matrix_bench_close(matrix_bench *b)
{
    forget_files(b);
    text_free(&b->csv);
    text_free(&b->roster);
    tare_job_free(b->job);
    tare_context_free(b->context);
}

static void save(char path[64], const char *form, const text *what)
{
    snprintf(path, 64, "%s", form);
    int file = mkstemps(path, 4);
    assert_true(file >= 0);
    assert_false(what->failed);
    assert_int_equal(write(file, what->data, what->length), (long)what->length);
    close(file);
}

tare_status matrix_bench_run(matrix_bench *b, const char *path, const char *const *options,
                             tare_error *err)
{
    tare_error local = {0}, *e = err ? err : &local;
    forget_files(b);
    tare_job_free(b->job);
    b->job = NULL;
    tare_status status = tare_job_new(&b->job, b->context, "matrix", e);
    if (!path) {
        save(b->path, "/tmp/tare-matrix-XXXXXX.csv", &b->csv);
        path = b->path;
    }
    if (status == TARE_OK) status = tare_job_input(b->job, path, e);
    if (status == TARE_OK && b->roster.length) {
        save(b->roster_path, "/tmp/tare-roster-XXXXXX.csv", &b->roster);
        status = tare_job_set(b->job, "roster", b->roster_path, e);
    }
    for (; status == TARE_OK && options && *options; options++) {
        const char *equals = strchr(*options, '=');
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)(equals - *options), *options);
        status = tare_job_set(b->job, name, equals + 1, e);
    }
    return status == TARE_OK ? tare_job_run(b->job, e) : status;
}

const tare_reading *matrix_bench_reading(const matrix_bench *b, const char *family,
                                         const char *name, const char *judge,
                                         const char *condition)
{
    const audit_result *r = &b->job->result;
    for (size_t i = 0; i < r->reading_count; i++) {
        const tare_reading *x = &r->readings[i];
        if (strcmp(x->family, family) || strcmp(x->name, name)) continue;
        if (judge && strcmp(x->instrument, judge)) continue;
        if (condition && strcmp(x->condition, condition)) continue;
        return x;
    }
    fail_msg("no reading %s %s of %s (%s)", family, name, judge ? judge : "any",
             condition ? condition : "any");
    return NULL;
}

static size_t column_of(const result_table *t, const char *name)
{
    for (size_t k = 0; k < t->column_count; k++)
        if (strcmp(t->columns[k], name) == 0) return k;
    fail_msg("no column %s in %s", name, t->name);
    return 0;
}

double matrix_bench_number(const matrix_bench *b, const char *table, const char *by,
                           const char *key, const char *column)
{
    const audit_result *r = &b->job->result;
    for (size_t i = 0; i < r->table_count; i++) {
        const result_table *t = r->tables[i];
        if (strcmp(t->name, table)) continue;
        size_t of = column_of(t, by), to = column_of(t, column);
        for (size_t row = 0; row < t->row_count; row++) {
            const cell *c = t->cells + row * t->column_count;
            if (strcmp(c[of].text, key)) continue;
            return c[to].kind == CELL_INTEGER ? (double)c[to].integer : c[to].number;
        }
    }
    fail_msg("no row %s in table %s", key, table);
    return NAN;
}

static void put_sentences(text *t, const audit_result *r)
{
    for (size_t i = 0; i < r->answer_count; i++) text_add_format(t, "%s\n", r->answer[i]);
    for (size_t i = 0; i < r->caution_count; i++) text_add_format(t, "! %s\n", r->cautions[i]);
}

char *matrix_bench_sentences(const matrix_bench *b)
{
    text t;
    text_init(&t, &b->m);
    put_sentences(&t, &b->job->result);
    return text_take(&t);
}

static void put_cell(text *t, const cell *c)
{
    if (c->kind == CELL_TEXT) text_add(t, c->text);
    if (c->kind == CELL_NUMBER && isfinite(c->number)) text_add_number(t, c->number);
    if (c->kind == CELL_INTEGER) text_add_format(t, "%lld", (long long)c->integer);
    text_add_char(t, '\t');
}

char *matrix_bench_dump(const matrix_bench *b)
{
    const audit_result *r = &b->job->result;
    text t;
    text_init(&t, &b->m);
    put_sentences(&t, r);
    for (size_t i = 0; i < r->reading_count; i++) {
        const tare_reading *x = &r->readings[i];
        const double n[] = {x->estimate, x->se, x->df, x->lo, x->hi, x->p, x->q, x->q_by,
                            x->q_maxt, x->mde, x->margin};
        text_add_format(&t, "%s %s %s %s %s %s %d %s", x->family, x->arm, x->instrument, x->name,
                        x->condition, x->dim, (int)x->verdict, x->words);
        for (size_t k = 0; k < sizeof n / sizeof *n; k++) {
            text_add_char(&t, ' ');
            if (isfinite(n[k])) text_add_number(&t, n[k]);
        }
        text_add_char(&t, '\n');
    }
    for (size_t i = 0; i < r->table_count; i++)
        for (size_t c = 0; c < r->tables[i]->row_count * r->tables[i]->column_count; c++)
            put_cell(&t, &r->tables[i]->cells[c]);
    return text_take(&t);
}

double matrix_bench_uniform(uint64_t seed, uint32_t n)
{
    rng_stream s;
    rng_start(&s, rng_key_of(seed, "test/matrix"), n, 0);
    return rng_uniform_open(&s);
}

double matrix_bench_gauss(uint64_t seed, uint32_t n)
{
    return norm_quantile(matrix_bench_uniform(seed, n));
}
