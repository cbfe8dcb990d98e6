/* tare_report_write: all files of a report, each whole or not at all, and no stale ones beside
 * them. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "audit/job.h"
#include "base/error.h"
#include "base/json.h"
#include "base/os.h"
#include "base/pool.h"
#include "report/files.h"

#define LOCK_SECONDS 60.0
#define OLD_READINGS_BYTES ((size_t)256 << 20)

typedef struct writer {
    const mem *m;
    arena a;
    const char *folder;
    text buffer;
    tare_error *err;
} writer;

static tare_status write_bytes(writer *w, const char *path, const void *bytes, size_t length)
{
    char *full = arena_printf(&w->a, "%s/%s", w->folder, path);
    return full ? os_write_file(full, bytes, length, w->err) : error_memory(w->err);
}

/* The buffer becomes the file and is empty again. */
static tare_status write_buffer(writer *w, const char *path)
{
    tare_status status = TARE_OK;
    tare_error *err = w->err;
    if (w->buffer.failed) FAIL_MEMORY(err);
    TRY(write_bytes(w, path, w->buffer.data, w->buffer.length));
    text_clear(&w->buffer);
done:
    return status;
}

static tare_status make_folder(writer *w, const char *name)
{
    char *full = arena_printf(&w->a, "%s/%s", w->folder, name);
    return full ? os_make_own_folder(full, w->err) : error_memory(w->err);
}

static tare_status write_tables(writer *w, const audit_result *r, const file_names *names)
{
    tare_status status = TARE_OK;
    if (r->table_count > 0) TRY(make_folder(w, "tables"));
    for (size_t i = 0; i < r->table_count; i++) {
        char *full = arena_printf(&w->a, "%s/%s", w->folder, names->table[i]);
        if (!full) return error_memory(w->err);
        TRY(table_file(full, r->tables[i], w->m, w->err));
    }
done:
    return status;
}

static tare_status write_figures(writer *w, const audit_result *r, const file_names *names)
{
    tare_status status = TARE_OK;
    if (r->figure_count > 0) TRY(make_folder(w, "figures"));
    for (size_t i = 0; i < r->figure_count; i++) {
        const figure *f = r->figures[i];
        if (f->kind != FIGURE_STRIP) {
            spec_json(&w->buffer, f);
            TRY(write_buffer(w, names->figure[i]));
            continue;
        }
        for (size_t k = 0; k < f->cell_count; k++) {
            TRY(write_bytes(w, names->all[names->picture[i] + k], f->cells[k].png,
                            f->cells[k].png_length));
        }
    }
done:
    return status;
}

static bool is_listed(const file_names *names, const char *path)
{
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(names->all[i], path) == 0) return true;
    }
    return false;
}

/* In a folder of somebody else tables/ may be a link: what the list names is not deleted there. */
static void remove_own(char *path)
{
    char *name = strrchr(path, '/');
    *name = 0;
    bool own = os_is_own_folder(path);
    *name = '/';
    if (own) unlink(path); /* gone already, or not removable: no failure of this report */
}

static tare_status remove_stale(writer *w, const json_value *old, const file_names *names)
{
    const json_value *files = old->kind == JSON_K_OBJECT ? json_member(old, "files") : NULL;
    if (!files || files->kind != JSON_K_ARRAY) return TARE_OK;
    for (size_t i = 0; i < files->length; i++) {
        const json_value *f = &files->children[i];
        if (f->kind != JSON_K_TEXT || strlen(f->text) != f->length) continue;
        if (!file_names_is_ours(f->text) || is_listed(names, f->text)) continue;
        char *full = arena_printf(&w->a, "%s/%s", w->folder, f->text);
        if (!full) return error_memory(w->err);
        remove_own(full);
    }
    return TARE_OK;
}

/* Files that an earlier report in this folder listed and this one does not have. A
 * readings.json that cannot be read is not ours: then nothing is removed. */
static tare_status clear_old(writer *w, const file_names *names)
{
    char *path = arena_printf(&w->a, "%s/readings.json", w->folder), *bytes = NULL;
    size_t length = 0;
    json_value *old = NULL;
    tare_error ignored;
    if (!path) return error_memory(w->err);
    if (!os_is_own_file(path)) return TARE_OK;
    if (os_read_file(&bytes, &length, w->m, path, OLD_READINGS_BYTES, &ignored) != TARE_OK)
        return TARE_OK;
    tare_status status = TARE_OK;
    if (json_parse(&old, &w->a, path, bytes, length, NULL, &ignored) == TARE_OK)
        status = remove_stale(w, old, names);
    mem_free(w->m, bytes);
    return status;
}

/* The large files, each made by itself. */
enum { LARGE_HTML, LARGE_JSON, LARGE_TSV, LARGE };

typedef struct making {
    const audit_result *r;
    const file_names *names;
    text buffer[LARGE];
} making;

static tare_status make_range(void *arg, size_t begin, size_t end, unsigned worker,
                              tare_error *err)
{
    making *all = arg;
    (void)worker;
    for (size_t k = begin; k < end; k++) {
        text *to = &all->buffer[k];
        if (k == LARGE_HTML) page_html(to, all->r, all->names);
        else if (k == LARGE_JSON) readings_json(to, all->r, all->names);
        else readings_tsv(to, all->r);
        if (to->failed) return error_memory(err);
    }
    return TARE_OK;
}

/* readings.json last: it lists the files. */
static tare_status write_large(writer *w, const audit_result *r, const file_names *names, pool *p)
{
    static const char *const name[LARGE] = {"report.html", "readings.json", "readings.tsv"};
    static const int order[LARGE] = {LARGE_HTML, LARGE_TSV, LARGE_JSON};
    tare_status status = TARE_OK;
    tare_error *err = w->err;
    making all = {.r = r, .names = names};
    for (int k = 0; k < LARGE; k++) text_init(&all.buffer[k], w->m);
    TRY(pool_for(p, LARGE, 1, make_range, &all, err));
    for (int k = 0; k < LARGE; k++) {
        const text *made = &all.buffer[order[k]];
        TRY(write_bytes(w, name[order[k]], made->data, made->length));
    }
done:
    for (int k = 0; k < LARGE; k++) text_free(&all.buffer[k]);
    return status;
}

tare_status tare_report_write(const tare_job *job, const char *folder, tare_error *err)
{
    tare_status status = TARE_OK;
    const audit_result *r = &job->result;
    writer w = {.m = &job->context->mem, .folder = folder, .err = err};
    file_names names;
    int lock = -1; /* two reports at once would be mixed */
    arena_init(&w.a, w.m);
    text_init(&w.buffer, w.m);
    if (!job->has_result)
        FAIL(err, TARE_E_USAGE, "report.no_result", folder, "run the job before its report");
    TRY(file_names_make(&names, &w.a, r, err));
    TRY(os_make_folders(folder, err));
    TRY(os_lock_folder(&lock, folder, LOCK_SECONDS, err));
    TRY(write_tables(&w, r, &names));
    TRY(write_figures(&w, r, &names));
    TRY(clear_old(&w, &names));
    log_text(&w.buffer, r);
    TRY(write_buffer(&w, "tare.log"));
    TRY(write_large(&w, r, &names, job->context->pool));
done:
    if (lock >= 0) close(lock);
    text_free(&w.buffer);
    arena_free(&w.a);
    return status;
}

void tare_text_free(tare_context *context, char *string)
{
    if (context) mem_free(&context->mem, string);
}
