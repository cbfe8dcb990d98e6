#include "scorer/onnx/model_weights.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/os.h"
#include "scorer/onnx/model_used.h"

enum { FILES_MOST = 256 };

/* Path of a file beside the model. */
static const char *beside(arena *a, const char *model, const char *location)
{
    const char *slash = strrchr(model, '/');
    int folder = slash != NULL ? (int)(slash - model) + 1 : 0;
    return arena_printf(a, "%.*s%s", folder, model, location);
}

static int by_name(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* The different locations, sorted. */
static tare_status list_locations(const char ***out, size_t *count, arena *a,
                                  const model_externals *x, const char *path, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t kept = 0;
    const char **names = NULL;
    TRY_NEW(names = arena_new(a, x->count + 1, sizeof *names));
    for (size_t i = 0; i < x->count; i++) names[i] = x->item[i].location;
    qsort(names, x->count, sizeof *names, by_name);
    for (size_t i = 0; i < x->count; i++) {
        if (kept == 0 || strcmp(names[kept - 1], names[i]) != 0) names[kept++] = names[i];
    }
    if (kept > FILES_MOST) {
        FAIL(err, TARE_E_LIMIT, "onnx.weights", path, "the weights stand in more than %d files",
             FILES_MOST);
    }
    *out = names;
    *count = kept;
done:
    return status;
}

static tare_status write_json(model_weights *w, arena *a, const char *const *names,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    text t;
    json_writer j;
    text_init(&t, a->m);
    json_begin(&j, &t, 0);
    json_array(&j);
    for (size_t i = 0; i < w->file_count; i++) {
        json_object(&j);
        json_key(&j, "bytes");
        json_integer(&j, (int64_t)w->file[i].length);
        json_key(&j, "file");
        json_string(&j, names[i]);
        json_key(&j, "sha256");
        json_string(&j, w->file[i].sha256);
        json_object_end(&j);
    }
    json_array_end(&j);
    if (t.failed) FAIL_MEMORY(err);
    TRY_NEW(w->json = arena_text(a, t.data, t.length));
done:
    text_free(&t);
    return status;
}

/* The alignment that an element type wants: its size, but 8 for complex128. */
static size_t alignment(const model_external *x)
{
    size_t elements = 1;
    for (size_t i = 0; i < x->rank; i++) elements *= (size_t)x->dim[i];
    size_t size = elements > 0 ? (size_t)x->bytes / elements : 1;
    return size > 8 ? 8 : size;
}

static tare_status find_data(const void **out, arena *a, const model_file *f,
                             const model_external *x, tare_error *err)
{
    tare_status status = TARE_OK;
    if (x->offset > f->length || x->bytes > f->length - x->offset) {
        FAIL(err, TARE_E_DATA, "onnx.weights", f->path,
             "the file is too short: %.*s should be the %llu bytes from %llu on, but it has only "
             "%zu. Was it copied or downloaded whole?", model_name_shown(x->name), x->name,
             (unsigned long long)x->bytes, (unsigned long long)x->offset, f->length);
    }
    const unsigned char *data = f->bytes + x->offset;
    if ((uintptr_t)data % alignment(x) != 0) {
        void *copy = NULL;
        TRY_NEW(copy = arena_raw(a, (size_t)x->bytes, 1));
        memcpy(copy, data, (size_t)x->bytes);
        data = copy;
    }
    *out = data;
done:
    return status;
}

static const model_file *file_of(const model_weights *w, const char *const *names,
                                 const char *location)
{
    const char *const *at = bsearch(&location, names, w->file_count, sizeof *names, by_name);
    return &w->file[at - names];
}

/* A file that is not there: which weight of which model stands in it. */
static tare_status missing_file(const model_weights *w, const char *model, const char *location,
                                const char *path, tare_error *err)
{
    const char *name = "";
    for (size_t i = w->externals.count; i-- > 0;)
        if (strcmp(w->externals.item[i].location, location) == 0) name = w->externals.item[i].name;
    return error_set(err, TARE_E_IO, "io.open", path, "there is no such file, and the weight %.*s "
                     "of the model %.300s stands in it: put it beside the model",
                     model_name_shown(name), name, model);
}

tare_status model_weights_open(model_weights *w, arena *a, tare_context *c, const model_file *model,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    const char **names = NULL;
    size_t count = 0;
    *w = (model_weights){.json = "[]"};
    TRY(model_externals_read(&w->externals, a, model->path, model->bytes, model->length, err));
    TRY(model_used_only(&w->externals, a->m, model->bytes, model->length, err));
    if (w->externals.count == 0) goto done;
    TRY(list_locations(&names, &count, a, &w->externals, model->path, err));
    TRY_NEW(w->file = arena_new(a, count, sizeof *w->file));
    TRY_NEW(w->data = arena_new(a, w->externals.count, sizeof *w->data));
    for (size_t i = 0; i < count; i++) {
        const char *path = NULL;
        TRY_NEW(path = beside(a, model->path, names[i]));
        if (!os_exists(path)) TRY(missing_file(w, model->path, names[i], path, err));
        TRY(model_file_open(&w->file[i], c, path, WEIGHTS_FILE_MOST, err));
        w->file_count++;
    }
    for (size_t i = 0; i < w->externals.count; i++) {
        const model_external *x = &w->externals.item[i];
        TRY(find_data(&w->data[i], a, file_of(w, names, x->location), x, err));
    }
    TRY(write_json(w, a, names, err));
done:
    if (status != TARE_OK) model_weights_close(w);
    return status;
}

tare_status model_weights_settle(model_weights *w, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t i = 0; i < w->file_count; i++) TRY(model_file_settle(&w->file[i], err));
done:
    return status;
}

void model_weights_close(model_weights *w)
{
    for (size_t i = 0; i < w->file_count; i++) model_file_close(&w->file[i]);
    w->file_count = 0;
}
