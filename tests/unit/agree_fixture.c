#include "agree_fixture.h"

#include <stdarg.h>
#include <string.h>

#include "base/hash.h"

void agree_bench_open(agree_bench *b, unsigned threads)
{
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    tare_error err = {0};
    memset(b, 0, sizeof *b);
    o.threads = threads;
    assert_ok(tare_context_new(&b->context, &o, &err));
    b->m = mem_system();
    strcpy(b->folder, "/tmp/tare-agree-XXXXXX");
    assert_non_null(mkdtemp(b->folder));
    snprintf(b->path, sizeof b->path, "%s/scores.csv", b->folder);
    snprintf(b->human, sizeof b->human, "%s/ratings.csv", b->folder);
    text_init(&b->rows, &b->m);
    assert_ok(tare_job_new(&b->job, b->context, "agree", &err));
    agree_set(b, "boot-b", "999");
}

void agree_bench_clear(agree_bench *b)
{
    tare_error err = {0};
    tare_job_free(b->job);
    text_clear(&b->rows);
    assert_ok(tare_job_new(&b->job, b->context, "agree", &err));
    agree_set(b, "boot-b", "999");
}

void agree_bench_close(agree_bench *b)
{
    tare_job_free(b->job);
    tare_context_free(b->context);
    text_free(&b->rows);
    unlink(b->path);
    unlink(b->human);
    rmdir(b->folder);
}

void agree_put(agree_bench *b, const char *format, ...)
{
    char line[2000];
    va_list list;
    va_start(list, format);
    int n = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    assert_true(n >= 0 && (size_t)n < sizeof line);
    text_add(&b->rows, line);
}

void agree_set(agree_bench *b, const char *option, const char *value)
{
    tare_error err = {0};
    assert_ok(tare_job_set(b->job, option, value, &err));
}

static void save(const char *path, const char *rows)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(rows, f);
    assert_int_equal(fclose(f), 0);
}

tare_status agree_go(agree_bench *b, tare_error *err)
{
    assert_false(b->rows.failed);
    save(b->path, b->rows.data ? b->rows.data : "");
    assert_int_equal(tare_job_input(b->job, b->path, err), TARE_OK);
    return tare_job_run(b->job, err);
}

void agree_human(agree_bench *b, const char *rows)
{
    save(b->human, rows);
    agree_set(b, "human", b->human);
}

static int matches(const char *want, const char *got)
{
    return !want || !strcmp(want, got);
}

size_t agree_count(const agree_bench *b, const char *judge, const char *name,
                   const char *condition)
{
    size_t n = 0;
    for (size_t i = 0; i < tare_job_reading_count(b->job); i++) {
        const tare_reading *r = tare_job_reading(b->job, i);
        n += matches(judge, r->instrument) && matches(name, r->name) &&
             matches(condition, r->condition);
    }
    return n;
}

const tare_reading *agree_get(const agree_bench *b, const char *judge, const char *name,
                              const char *condition)
{
    const tare_reading *found = NULL;
    if (agree_count(b, judge, name, condition) != 1)
        fail_msg("%zu readings of %s, %s, %s", agree_count(b, judge, name, condition),
                 judge ? judge : "*", name ? name : "*", condition ? condition : "*");
    for (size_t i = 0; i < tare_job_reading_count(b->job); i++) {
        const tare_reading *r = tare_job_reading(b->job, i);
        if (matches(judge, r->instrument) && matches(name, r->name) &&
            matches(condition, r->condition))
            found = r;
    }
    return found;
}

int agree_has_caution(const agree_bench *b, const char *words)
{
    for (size_t i = 0; i < b->job->result.caution_count; i++)
        if (strstr(b->job->result.cautions[i], words)) return 1;
    return 0;
}

int agree_says(const agree_bench *b, const char *words)
{
    for (size_t i = 0; tare_job_answer(b->job, i); i++)
        if (strstr(tare_job_answer(b->job, i), words)) return 1;
    return 0;
}

const result_table *agree_table(const agree_bench *b, const char *name)
{
    for (size_t k = 0; k < b->job->result.table_count; k++)
        if (!strcmp(b->job->result.tables[k]->name, name)) return b->job->result.tables[k];
    fail_msg("no table %s", name);
    return NULL;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

void agree_put_toy(agree_bench *b, int holes, int shuffled)
{
    agree_put(b, "item,candidate,even,fine,h1,h2,h3\n");
    for (int i = 0; i < 24; i++) {
        int k = shuffled ? (i * 7 + 5) % 24 : i, q = (7 * k * k + 3 * k + 5) % 11;
        int tenths = 10 + 3 * q + k % 5;
        agree_put(b, "i%02d,c%d,%d,%d.%d", k / 2, k % 2,
                  1 + least(4, (q + (5 * k + 1) % 3) / 3), tenths / 10, tenths % 10);
        for (int r = 0; r < 3; r++) {
            int hole = holes && ((k == 3 && r == 0) || (k == 10 && r == 2) || (k == 17 && r == 1));
            if (hole) agree_put(b, ",");
            else agree_put(b, ",%d", 1 + least(4, (q + (k * (r + 2) + r) % 4) / 3));
        }
        agree_put(b, "\n");
    }
}
