#include "panel_fixture.h"

#include <string.h>

#include "base/os.h"
#include "base/rng.h"
#include "support/check.h"

void panel_bench_open(panel_bench *b, unsigned threads)
{
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    tare_error err;
    memset(b, 0, sizeof *b);
    o.threads = threads;
    assert_ok(tare_context_new(&b->context, &o, &err));
    b->m = mem_system();
    text_init(&b->csv, &b->m);
    text_init(&b->human, &b->m);
    static int number;
    snprintf(b->path, sizeof b->path, "panel-%d-%d.csv", (int)getpid(), ++number);
    snprintf(b->human_path, sizeof b->human_path, "panel-%d-%d-human.csv", (int)getpid(), number);
}

void panel_bench_close(panel_bench *b)
{
    tare_job_free(b->job);
    tare_context_free(b->context);
    text_free(&b->csv);
    text_free(&b->human);
    unlink(b->path);
    unlink(b->human_path);
}

tare_status panel_bench_run(panel_bench *b, const char *const *options, tare_error *err)
{
    tare_status status;
    tare_job_free(b->job);
    b->job = NULL;
    if ((status = os_write_file(b->path, b->csv.data, b->csv.length, err))) return status;
    if ((status = tare_job_new(&b->job, b->context, "panel", err))) return status;
    if ((status = tare_job_input(b->job, b->path, err))) return status;
    if (b->human.length) {
        status = os_write_file(b->human_path, b->human.data, b->human.length, err);
        if (!status) status = tare_job_set(b->job, "human", b->human_path, err);
        if (status) return status;
    }
    for (; *options; options++) {
        char name[64];
        const char *equals = strchr(*options, '=');
        snprintf(name, sizeof name, "%.*s", (int)(equals - *options), *options);
        if ((status = tare_job_set(b->job, name, equals + 1, err))) return status;
    }
    return tare_job_run(b->job, err);
}

const tare_reading *panel_bench_reading(const panel_bench *b, const char *family,
                                        const char *instrument, const char *name,
                                        const char *condition)
{
    const tare_reading *r;
    for (size_t k = 0; (r = tare_job_reading(b->job, k)); k++)
        if (!strcmp(r->family, family) && !strcmp(r->instrument, instrument) &&
            !strcmp(r->name, name) && (!condition || !strcmp(r->condition, condition)))
            return r;
    fail_msg("no reading %s, %s, %s, %s", family, instrument, name, condition ? condition : "any");
    return NULL;
}

static size_t column_of(const result_table *t, const char *name)
{
    for (size_t c = 0; c < t->column_count; c++)
        if (!strcmp(t->columns[c], name)) return c;
    fail_msg("table %s has no column %s", t->name, name);
    return 0;
}

const cell *panel_bench_cell(const panel_bench *b, const char *table, const panel_key *key,
                             const char *column)
{
    const audit_result *r = &b->job->result;
    for (size_t k = 0; k < r->table_count; k++) {
        const result_table *t = r->tables[k];
        if (strcmp(t->name, table)) continue;
        for (size_t i = 0; i < t->row_count; i++) {
            const cell *row = t->cells + i * t->column_count;
            if (strcmp(row[column_of(t, key->by)].text, key->is)) continue;
            if (key->by2 && strcmp(row[column_of(t, key->by2)].text, key->is2)) continue;
            return &row[column_of(t, column)];
        }
    }
    fail_msg("no row %s %s in table %s", key->is, key->is2 ? key->is2 : "", table);
    return NULL;
}

static void add_sentences(text *out, const audit_result *r)
{
    for (size_t k = 0; k < r->answer_count; k++) text_add_format(out, "%s\n", r->answer[k]);
    for (size_t k = 0; k < r->caution_count; k++) text_add_format(out, "! %s\n", r->cautions[k]);
}

char *panel_bench_sentences(const panel_bench *b)
{
    text out;
    text_init(&out, &b->m);
    text_add(&out, "");
    add_sentences(&out, &b->job->result);
    return text_take(&out);
}

static void add_table(text *out, const result_table *t)
{
    for (size_t k = 0; k < t->row_count * t->column_count; k++) {
        const cell *c = &t->cells[k];
        if (c->kind == CELL_TEXT) text_add_format(out, "%s\t", c->text);
        else if (c->kind == CELL_INTEGER) text_add_format(out, "%lld\t", (long long)c->integer);
        else text_add_format(out, "%.17g\t", c->kind == CELL_NUMBER ? c->number : NAN);
    }
}

char *panel_bench_dump(const panel_bench *b)
{
    const audit_result *r = &b->job->result;
    text out;
    text_init(&out, &b->m);
    for (size_t k = 0; k < r->reading_count; k++) {
        const tare_reading *x = &r->readings[k];
        text_add_format(&out, "%s %s %s %s %.17g %.17g %.17g %.17g %.17g %.17g %d %s %s\n",
                        x->family, x->instrument, x->name, x->condition, x->estimate, x->lo, x->hi,
                        x->p, x->q, x->q_maxt, (int)x->verdict, x->marks, x->words);
    }
    for (size_t k = 0; k < r->table_count; k++) add_table(&out, r->tables[k]);
    for (size_t k = 0; k < r->figure_count; k++)
        for (size_t i = 0; i < r->figures[k]->point_count; i++) {
            const figure_point *p = &r->figures[k]->points[i];
            text_add_format(&out, "%s %s %s %.17g %.17g %.17g %.17g\n", p->panel, p->series,
                            p->label, p->x, p->y, p->lo, p->hi);
        }
    add_sentences(&out, r);
    return text_take(&out);
}

static rng_stream stream_of(uint64_t seed, uint32_t n)
{
    rng_stream s;
    rng_start(&s, rng_key_of(seed, "panel tests"), n, seed);
    return s;
}

double panel_uniform(uint64_t seed, uint32_t n)
{
    rng_stream s = stream_of(seed, n);
    return rng_uniform(&s);
}

double panel_gauss(uint64_t seed, uint32_t n)
{
    rng_stream s = stream_of(seed, n);
    double u = rng_uniform_open(&s), v = rng_uniform(&s);
    return sqrt(-2 * log(u)) * cos(2 * 3.14159265358979323846 * v);
}
