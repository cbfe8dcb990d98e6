#include "audit/scorer/cube_from_input.h"

#include <string.h>

#include "audit/photos/instruments.h"
#include "audit/photos/photo_session.h"
#include "audit/scorer/cube_from_run.h"
#include "base/error.h"
#include "base/os.h"
#include "store/store.h"

/* A run remembers its instruments when the last score is in. */
static tare_status check_finished(const char *path, const mem *m, tare_error *err)
{
    tare_status status = TARE_OK;
    store *run = NULL;
    const char *kept = NULL;
    arena a;
    arena_init(&a, m);
    if (!photo_is_run(path))
        FAIL(err, TARE_E_DATA, "input.no_run", path,
             "this folder is no run: make one with tare audit PHOTOS/ --scorer SPEC -o DIR, or "
             "give a score table");
    TRY(store_open(&run, m, path, false, err));
    TRY(store_get(&kept, run, &a, INSTRUMENTS_KEY, err));
    if (!kept)
        FAIL(err, TARE_E_DATA, "input.unfinished", path,
             "this run was stopped before its last score: finish it with tare audit");
done:
    store_close(run);
    arena_free(&a);
    return status;
}

static tare_status open_run(cube_input *x, tare_context *context, const char *path,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    photo_session s;
    photo_session_options o = {.intervene = true, .score = true, .noise = true};
    bool open = false;
    TRY(check_finished(path, &context->mem, err));
    TRY(tare_job_new(&x->reader, context, "audit", err));
    result_init(&x->reader->result, &context->mem);
    TRY(tare_job_input(x->reader, path, err));
    open = true;
    TRY(photo_session_run(&s, x->reader, &o, err));
    TRY(cube_from_run(&x->c, s.run.a, &s.scores, err));
    photo_prompts_read(&x->prompts, &s.run, photo_prompt_of_run(x->reader));
done:
    if (open) photo_session_close(&s);
    return status;
}

tare_status cube_open(cube_input *out, tare_context *context, const char *path,
                      const cube_table_options *table, tare_error *err)
{
    cube_table_options defaults = CUBE_TABLE_OPTIONS_DEFAULT;
    memset(out, 0, sizeof *out);
    arena_init(&out->a, &context->mem);
    out->folder = os_is_folder(path);
    if (out->folder) return open_run(out, context, path, err);
    return cube_from_table(&out->c, &out->a, context, path, table ? table : &defaults, err);
}

void cube_close(cube_input *x)
{
    tare_job_free(x->reader);
    if (x->a.m) arena_free(&x->a);
    memset(x, 0, sizeof *x);
}
