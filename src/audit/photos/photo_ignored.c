#include "audit/photos/photo_ignored.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"

#define KEY "plan.ignored_files"

static tare_status put(photo_plan *plan, const char *path, const char *why, tare_error *err)
{
    tare_status status = TARE_OK;
    if (plan->ignored_named == plan->ignored_room) {
        size_t room = plan->ignored_room ? 2 * plan->ignored_room : 16;
        plan_ignored *more;
        TRY_NEW(more = arena_new(plan->a, room, sizeof *more));
        if (plan->ignored_named)
            memcpy(more, plan->ignored_files, plan->ignored_named * sizeof *more);
        plan->ignored_files = more;
        plan->ignored_room = room;
    }
    plan->ignored_files[plan->ignored_named++] = (plan_ignored){path, why};
done:
    return status;
}

tare_status photo_ignored_add(photo_plan *plan, const char *path, const char *why,
                              tare_error *err)
{
    if (plan->ignored++ == 0) plan->first_ignored = path;
    return plan->ignored_named < PHOTO_IGNORED_NAMED ? put(plan, path, why, err) : TARE_OK;
}

tare_status photo_ignored_keep(const photo_plan *plan, store *s, tare_error *err)
{
    tare_status status = TARE_OK;
    json_writer w;
    text t;
    text_init(&t, plan->a->m);
    json_begin(&w, &t, 0);
    json_array(&w);
    for (size_t i = 0; i < plan->ignored_named; i++) {
        const plan_ignored *f = &plan->ignored_files[i];
        json_string_bytes(&w, f->path, strlen(f->path));
        json_string(&w, f->why);
    }
    json_array_end(&w);
    if (t.failed) FAIL_MEMORY(err);
    TRY(store_set(s, KEY, t.data, err));
done:
    text_free(&t);
    return status;
}

tare_status photo_ignored_recall(photo_plan *plan, store *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *kept = NULL;
    json_value *list = NULL;
    json_limits limits = JSON_LIMITS_DEFAULT;
    limits.values = 4 * PHOTO_IGNORED_NAMED;
    TRY(store_get(&kept, s, plan->a, KEY, err));
    if (!kept) goto done; /* of an older version */
    TRY(json_parse(&list, plan->a, KEY, kept, strlen(kept), &limits, err));
    bool good = list->kind == JSON_K_ARRAY && list->length % 2 == 0;
    for (size_t i = 0; good && i < list->length; i++)
        good = list->children[i].kind == JSON_K_TEXT;
    if (!good)
        FAIL(err, TARE_E_DATA, "run.plan", KEY, "the run folder has no list of ignored files here");
    for (size_t i = 0; i < list->length; i += 2)
        TRY(put(plan, list->children[i].text, list->children[i + 1].text, err));
done:
    return status;
}

tare_status photo_ignored_table(const photo_plan *plan, audit_result *r, tare_error *err)
{
    static const char *const columns[] = {"file", "why"};
    result_table *t;
    if (!plan->ignored_named) return TARE_OK;
    t = result_add_table(r, "ignored", "Files in the folder that are no photographs", columns, 2);
    if (!t) return error_memory(err);
    for (size_t i = 0; i < plan->ignored_named; i++) {
        cell *row = result_add_row(r, t);
        if (!row) return error_memory(err);
        row[0] = (cell){CELL_TEXT, plan->ignored_files[i].path, NAN, 0};
        row[1] = (cell){CELL_TEXT, plan->ignored_files[i].why, NAN, 0};
    }
    return TARE_OK;
}
