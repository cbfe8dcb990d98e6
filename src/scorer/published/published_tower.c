/* published_tower.c - the tower that sees images: a graph of ours over the backbone, shared by all
 * scorers of the run that look through it. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "scorer/fingerprint.h"
#include "scorer/graph/mobilenet.h"
#include "scorer/onnx/onnx_manifest_parts.h"
#include "scorer/published/published_parts.h"
#include "scorer/shelf.h"

/* ---- What it is ------------------------------------------------------------------------------ */

static const char *plan_json(const tower_plan *p, arena *a)
{
    fingerprint f;
    fingerprint_begin(&f, a);
    fingerprint_text(&f, "activation", recipe_activation_words[p->activation]);
    fingerprint_number(&f, "eps", p->eps);
    fingerprint_number(&f, "heads", p->heads);
    fingerprint_number(&f, "layers", p->layers);
    fingerprint_number(&f, "patch", p->patch);
    fingerprint_number(&f, "tokens", p->tokens);
    fingerprint_number(&f, "vector", p->embedding);
    fingerprint_number(&f, "width", p->width);
    return fingerprint_end(&f);
}

/* As a manifest would say it, had somebody written one. */
static void fill_manifest(onnx_manifest *m, const published *s)
{
    m->path = m->model = s->backbone->c->path;
    m->folder = ".";
    m->name = s->r.name;
    m->sha256 = "";
    m->source = m->licence = ""; /* those of the scorers that stand on it */
    m->input = GRAPH_IMAGE;
    m->kind = ONNX_IMAGE;
    m->image = s->r.input;
    m->output = GRAPH_VECTOR;
    m->higher_is_better = true;
    m->range_lo = m->range_hi = NAN;
    m->batch = s->options.batch ? s->options.batch : 1;
}

/* Of the tower alone, so that scorers that share it agree on it. */
static const char *tower_json(const published *s, arena *a)
{
    onnx_manifest m = {0};
    fingerprint f;
    const char *manifest;
    fill_manifest(&m, s);
    manifest = manifest_identity(&m, a);
    if (!manifest) return NULL;
    fingerprint_begin(&f, a);
    fingerprint_json(&f, "input", manifest);
    fingerprint_text(&f, "kind", s->r.mobilenet ? "mobilenet-v2" : "vit");
    if (!s->r.mobilenet) fingerprint_json(&f, "plan", plan_json(&s->match.vision, a));
    return fingerprint_end(&f);
}

/* ---- Making it ------------------------------------------------------------------------------- */

/* What the tower keeps alive: the weights under its session. */
typedef struct stand {
    const mem *m;
    scorer_shelf *shelf;
    published_file *file;
} stand;

static void stand_close(void *made)
{
    stand *st = made;
    shelf_give_back(st->shelf, st->file);
    mem_free(st->m, st);
}

/* The weights once more off the shelf, by the path under which they stand on it. */
static tare_status stand_new(void **made, const published *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &s->context->mem;
    stand *st = NULL;
    TRY_NEW(st = mem_new(m, 1, sizeof *st));
    *st = (stand){m, s->shelf, s->backbone};
    shelf_take_again(s->shelf, s->backbone);
    *made = st;
done:
    return status;
}

/* A layers model says itself what it sees and how many classes it knows: is it what the recipe
 * prepares pictures for, and names the classes of? */
static tare_status check_layers_model(const published *s, int side, int classes, tare_error *err)
{
    tare_status status = TARE_OK;
    const recipe *r = &s->r;
    if (side != r->input.width || side != r->input.height)
        FAIL(err, TARE_E_DATA, "published.layers", s->backbone->c->path, "this model sees %d x %d "
             "pixels, and %s prepares %d x %d: it is another model", side, side, r->name,
             r->input.width, r->input.height);
    if ((size_t)classes != r->class_name_count)
        FAIL(err, TARE_E_DATA, "published.layers", s->backbone->c->path, "this model gives %d "
             "probabilities, and %s names %zu classes, %s to %s: it is another model", classes,
             r->name, r->class_name_count, r->class_name[0],
             r->class_name[r->class_name_count - 1]);
done:
    return status;
}

static tare_status make_graph(graph_model *g, arena *a, const published *s, size_t batch,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    int side, classes;
    if (s->r.mobilenet) {
        TRY(graph_mobilenet(g, &side, &classes, a, s->backbone->c, batch, err));
        TRY(check_layers_model(s, side, classes, err));
    } else {
        TRY(graph_vision(g, a, s->backbone->c, &s->match.vision, batch, err));
    }
done:
    return status;
}

static tare_status make(onnx_model *x, void **made, void *arg, tare_context *context,
                        const scorer_options *options, tare_error *err)
{
    tare_status status = TARE_OK;
    published *s = arg;
    ort_graph how;
    graph_model *g = NULL;
    ort_session *session = NULL;
    x->context = context;
    arena_init(&x->a, &context->mem);
    fill_manifest(&x->manifest, s);
    TRY_NEW(x->manifest.path = arena_copy(&x->a, x->manifest.path));
    x->manifest.model = x->manifest.path;
    TRY_NEW(x->manifest.name = arena_copy(&x->a, x->manifest.name));
    TRY_NEW(x->manifest.identity = tower_json(s, &x->a));
    TRY_NEW(g = arena_new(&x->a, 1, sizeof *g));
    TRY(published_how(&how, s, &x->a, err));
    TRY(make_graph(g, &x->a, s, x->manifest.batch, err));
    TRY(ort_session_open_graph(&session, context, g, &how, err));
    TRY(onnx_model_adopt(x, options, session, x->manifest.batch, err));
    session = NULL;
    TRY(stand_new(made, s, err));
done:
    ort_session_close(session);
    return status;
}

/* For each scorer under its own name, also where it shares the tower of another. */
static tare_status dump(const published *s, tare_error *err)
{
    tare_status status = TARE_OK;
    graph_model g = {0};
    arena a;
    arena_init(&a, &s->context->mem);
    if (!s->options.dump_graph) goto done;
    TRY(make_graph(&g, &a, s, s->options.batch ? s->options.batch : 1, err));
    TRY(published_dump(s, "image", &g, err));
done:
    arena_free(&a);
    return status;
}

tare_status published_tower_open(published *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const tower_plan *p = &s->match.vision;
    const char *tower, *key;
    s->length = s->r.mobilenet ? s->r.class_name_count
                : s->r.score == RECIPE_BERT ? (size_t)p->tokens * (size_t)p->width
                                            : (size_t)p->embedding;
    TRY(dump(s, err));
    TRY_NEW(tower = tower_json(s, &s->a));
    TRY_NEW(key = arena_printf(&s->a, "published:%s%s:%zu:%s:%d", s->backbone->json, tower,
                               s->options.batch, s->options.provider ? s->options.provider : "cpu",
                               s->options.low_memory));
    const onnx_tower_maker maker = {make, stand_close, s, key, s->length};
    TRY(onnx_tower_take_made(&s->tower, s->shelf, s->context, &maker, &s->options, err));
done:
    return status;
}
