#include "support/check.h"

#include "power_fixture.h"

#include <string.h>
#include <unistd.h>

static tare_error err;

void power_bench_open(power_bench *b, unsigned threads)
{
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    o.threads = threads;
    memset(b, 0, sizeof *b);
    assert_ok(tare_context_new(&b->context, &o, &err));
    b->m = mem_system();
    text_init(&b->csv, &b->m);
    strcpy(b->path, "/tmp/tare-power-XXXXXX");
    int file = mkstemp(b->path);
    assert_true(file >= 0);
    close(file);
}

void power_bench_close(power_bench *b)
{
    tare_job_free(b->job);
    tare_context_free(b->context);
    text_free(&b->csv);
    unlink(b->path);
}

tare_status power_bench_run(power_bench *b, const char *const *options, tare_error *e)
{
    tare_job_free(b->job);
    b->job = NULL;
    tare_status status = tare_job_new(&b->job, b->context, "power", e);
    for (size_t k = 0; options[k] && !status; k++) {
        char name[64];
        size_t length = strcspn(options[k], "=");
        assert_true(length < sizeof name);
        memcpy(name, options[k], length);
        name[length] = '\0';
        status = tare_job_set(b->job, name, options[k] + length + 1, e);
    }
    if (status) return status;
    if (b->csv.length) {
        FILE *file = fopen(b->path, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(b->csv.data, 1, b->csv.length, file), b->csv.length);
        assert_int_equal(fclose(file), 0);
        if ((status = tare_job_input(b->job, b->path, e))) return status;
    }
    return tare_job_run(b->job, e);
}

static size_t column_of(const result_table *t, const char *name)
{
    for (size_t k = 0; k < t->column_count; k++)
        if (!strcmp(t->columns[k], name)) return k;
    fail_msg("table %s has no column %s", t->name, name);
    return 0;
}

const cell *power_bench_cell(const power_bench *b, const char *table, const char *reading,
                             const char *condition, const char *column)
{
    const audit_result *r = &b->job->result;
    for (size_t t = 0; t < r->table_count; t++) {
        const result_table *x = r->tables[t];
        if (strcmp(x->name, table) != 0) continue;
        size_t by = column_of(x, "reading"), at = column_of(x, column);
        for (size_t k = 0; k < x->row_count; k++) {
            const cell *row = x->cells + k * x->column_count;
            if (strcmp(row[by].text, reading) != 0) continue;
            if (condition && strcmp(row[column_of(x, "condition")].text, condition) != 0) continue;
            return &row[at];
        }
    }
    fail_msg("no row %s of %s", reading, table);
    return NULL;
}

double power_bench_number(const power_bench *b, const char *reading, const char *column)
{
    return power_bench_cell(b, "power", reading, NULL, column)->number;
}

int power_bench_says(const power_bench *b, const char *words)
{
    const audit_result *r = &b->job->result;
    for (size_t k = 0; k < r->answer_count; k++)
        if (strstr(r->answer[k], words)) return 1;
    for (size_t k = 0; k < r->caution_count; k++)
        if (strstr(r->cautions[k], words)) return 1;
    for (size_t k = 0; k < r->reading_count; k++)
        if (strstr(r->readings[k].words, words)) return 1;
    return 0;
}
