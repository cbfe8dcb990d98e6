/* ort_graph.c - a session on a graph of ours over the weights of a checkpoint. Scorers 4.4. */
#include <string.h>

#include "base/error.h"
#include "base/os.h"
#include "scorer/graph/graph_model.h"
#include "scorer/onnx/model_structure.h"
#include "scorer/onnx/ort_parts.h"

/* What the library would say of a weight that is not there names a file that nobody has. */
static tare_status check_values(const graph_model *g, const char *name, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    model_externals asked;
    TRY(model_externals_read(&asked, a, name, g->bytes, g->length, err));
    for (size_t i = 0; i < asked.count; i++) {
        const char *weight = asked.item[i].name;
        size_t k = 0;
        while (k < g->externals.count && strcmp(g->externals.item[k].name, weight) != 0) k++;
        if (k == g->externals.count || (g->data[k] == NULL && g->externals.item[k].bytes > 0))
            FAIL(err, TARE_E_DATA, "onnx.weights", name, "the weight %.*s has no bytes",
                 model_name_shown(weight), weight);
    }
done:
    return status;
}

/* Weights of one file follow one another: each file is looked at once, mostly. */
static tare_status check_folder(const graph_model *g, const ort_graph *how, arena *a,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    const char *last = "", *path = NULL;
    uint64_t size = 0;
    for (size_t i = 0; i < g->externals.count; i++) {
        const model_external *e = &g->externals.item[i];
        if (g->converted[i]) continue;
        if (strcmp(last, e->location) != 0) {
            TRY_NEW(path = arena_printf(a, "%s/%s", how->folder, e->location));
            last = e->location;
            size = os_file_size(path);
        }
        if (e->offset > size || e->bytes > size - e->offset)
            FAIL(err, TARE_E_DATA, "onnx.weights", path, "the weight %.*s should be the %llu bytes "
                 "from %llu on, and the file is %s", model_name_shown(e->name), e->name,
                 (unsigned long long)e->bytes, (unsigned long long)e->offset,
                 size > 0 ? "too short" : "not there");
    }
done:
    return status;
}

static bool is_mapped(const ort_graph *how, const char *path)
{
    size_t i = 0;
    while (i < how->file_count && !model_file_leads(&how->file[i], path)) i++;
    return i < how->file_count;
}

/* The library opens the files by their names and may find others than those that were mapped and
 * hashed: a download that ends while we load renames its file. */
static tare_status check_opened(const graph_model *g, const ort_graph *how, arena *a,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    const char *last = "", *path = NULL;
    if (how->folder == NULL || how->file == NULL) goto done;
    for (size_t i = 0; i < g->externals.count; i++) {
        const char *location = g->externals.item[i].location;
        if (g->converted[i] || strcmp(last, location) == 0) continue;
        TRY_NEW(path = arena_printf(a, "%s/%s", how->folder, location));
        last = location;
        if (!is_mapped(how, path)) TRY(model_file_replaced(path, err));
    }
done:
    return status;
}

static tare_status take_graph(ort_session *s, const graph_model *g, const ort_graph *how,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    s->seconds = how->seconds;
    s->weights.externals = g->externals;
    s->weights.data = g->data;
    if (how->provider != NULL) TRY_NEW(s->provider = arena_copy(&s->a, how->provider));
    if (how->weights != NULL) TRY_NEW(s->weights.json = arena_copy(&s->a, how->weights));
    TRY(check_values(g, s->name, &s->a, err));
    if (how->folder == NULL) goto done;
    TRY(check_folder(g, how, &s->a, err));
    TRY_NEW(s->folder = arena_copy(&s->a, how->folder));
    s->by_value = g->converted;
done:
    return status;
}

tare_status ort_session_open_graph(ort_session **out, tare_context *context,
                                   const graph_model *graph, const ort_graph *how,
                                   tare_error *err)
{
    tare_status status = TARE_OK;
    ort_session *s = NULL;
    *out = NULL;
    TRY(ort_session_begin(&s, context, how->name, err));
    if (!model_structure_hash(s->model.sha256, graph->bytes, graph->length))
        FAIL(err, TARE_E_DATA, "onnx.model", how->name, "the graph that was made is no ONNX model");
    TRY(take_graph(s, graph, how, err));
    status = ort_session_load(s, how->library, graph->bytes, graph->length, err);
    /* That another file was found is the better reason. */
    if (status == TARE_OK || status == TARE_E_DATA) {
        tare_error changed;
        tare_status found = check_opened(graph, how, &s->a, &changed);
        if (found != TARE_OK) {
            status = found;
            if (err != NULL) *err = changed;
        }
    }
    if (status != TARE_OK) goto done;
    const char *feed = s->weights.externals.count == 0 ? "in the model"
                       : how->folder != NULL           ? "folder"
                                                       : "values";
    s->facts = (ort_facts){s->library.version, s->library.library.path, true, s->model.sha256,
                           graph->length, s->weights.json, s->provider, feed};
    *out = s;
    s = NULL;
done:
    ort_session_close(s);
    return status;
}
