/* golden_tower RECIPE HEADS FEEDS FILE - the towers of a checkpoint whose sizes may be any, asked
 * with the pixels and ids of scorers 8.4: whole vectors, 17 digits, to standard output.
 *
 * The file goes the way of the published scorers: opened by its first bytes, matched with the
 * recipe (layout and prefix are found, activation and epsilon are the recipe's), planned, built,
 * run. HEADS replaces the recipe's numbers. FEEDS: values, folder, or both with a comma. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "scorer/onnx/ort_session.h"
#include "scorer/recipe/recipe.h"

typedef struct golden {
    tare_context *context;
    arena a;
    const char *path, *folder; /* folder NULL: weights as values */
    const char *feed;          /* word before every line         */
    recipe r;
    recipe_match match;
    checkpoint *c;
    bool settled;
} golden;

static const int64_t ids[] = {98, 5, 17, 99}, positions[] = {0, 1, 2, 3}, last = 3;
enum { IDS = 4 };

static void print(const golden *g, const char *what, const double *value, size_t count)
{
    printf("%s %s", g->feed, what);
    for (size_t i = 0; i < count; i++) printf(" %.17g", value[i]);
    printf("\n");
}

/* ---- Asking ---------------------------------------------------------------------------------- */

static void print_session(const golden *g, const char *what, const graph_model *graph,
                          const ort_session *s)
{
    const ort_facts *f = ort_session_facts(s);
    size_t copies = 0;
    for (size_t i = 0; i < graph->externals.count; i++) copies += graph->converted[i];
    printf("%s %s-session %s %s %zu %zu\n", g->feed, what, f->feed, f->version,
           graph->externals.count, copies);
}

/* out->value is released by the caller. */
static tare_status ask(ort_output *out, golden *g, const char *what, const graph_model *graph,
                       const ort_tensor *in, size_t count, tare_error *err)
{
    tare_status status = TARE_OK;
    ort_session *s = NULL;
    const ort_graph how = {.name = g->path, .weights = "[]", .folder = g->folder,
                           .provider = "cpu"};
    TRY(ort_session_open_graph(&s, g->context, graph, &how, err));
    if (!g->settled) TRY(checkpoint_settle(g->c, err));
    g->settled = true;
    TRY(ort_session_run(out, s, in, count, GRAPH_VECTOR, err));
    print_session(g, what, graph, s);
    print(g, what, out->value, out->count);
done:
    ort_session_close(s);
    return status;
}

static tare_status see(ort_output *out, golden *g, tare_error *err)
{
    tare_status status = TARE_OK;
    graph_model graph;
    const int64_t side = g->match.vision.side;
    const size_t count = (size_t)(3 * side * side);
    float *pixels;
    TRY_NEW(pixels = arena_new(&g->a, count, sizeof *pixels));
    for (size_t i = 0; i < count; i++)
        pixels[i] = (float)((double)(7919 * i % 1000) / 500.0 - 1.0);
    const ort_tensor in = {GRAPH_IMAGE, ORT_F32, 4, {1, 3, side, side}, pixels};
    TRY(graph_vision(&graph, &g->a, g->c, &g->match.vision, 1, err));
    TRY(ask(out, g, "vision", &graph, &in, 1, err));
done:
    return status;
}

static tare_status say(golden *g, tare_error *err)
{
    tare_status status = TARE_OK;
    graph_model graph;
    ort_output out = {0};
    float mask[IDS * IDS];
    for (size_t i = 0; i < IDS * IDS; i++) mask[i] = i % IDS > i / IDS ? -1e9F : 0;
    const ort_tensor in[] = {{GRAPH_IDS, ORT_I64, 2, {1, IDS}, ids},
                             {GRAPH_POSITIONS, ORT_I64, 1, {IDS}, positions},
                             {GRAPH_MASK, ORT_F32, 4, {1, 1, IDS, IDS}, mask},
                             {GRAPH_LAST, ORT_I64, 1, {1}, &last}};
    TRY(graph_text(&graph, &g->a, g->c, &g->match.text, err));
    TRY(ask(&out, g, "text", &graph, in, 4, err));
done:
    mem_free(&g->context->mem, out.value);
    return status;
}

/* ---- ImageReward ----------------------------------------------------------------------------- */

static tare_status reward(golden *g, const double *row, tare_error *err)
{
    tare_status status = TARE_OK;
    const recipe_file *f = recipe_file_of(&g->r, RECIPE_BACKBONE);
    affine_head head;
    TRY(affine_head_fold(&head, &g->a, g->c, g->match.stripped, f->layer, f->layer_count, err));
    const double value = affine_head_value(&head, row), scaled = (value - g->r.mean) / g->r.sd;
    print(g, "head", &value, 1);
    print(g, "reward", &scaled, 1);
done:
    return status;
}

static tare_status say_of(golden *g, const ort_output *image, tare_error *err)
{
    tare_status status = TARE_OK;
    graph_model graph;
    ort_output out = {0};
    float *tokens;
    TRY_NEW(tokens = arena_new(&g->a, image->count, sizeof *tokens));
    for (size_t i = 0; i < image->count; i++) tokens[i] = (float)image->value[i];
    const ort_tensor in[] = {{GRAPH_IDS, ORT_I64, 2, {1, IDS}, ids},
                             {GRAPH_POSITIONS, ORT_I64, 1, {IDS}, positions},
                             {GRAPH_TOKENS, ORT_F32, 3, {1, image->dim[1], image->dim[2]},
                              tokens}};
    TRY(graph_bert(&graph, &g->a, g->c, &g->match.text, err));
    TRY(ask(&out, g, "bert", &graph, in, 3, err));
    TRY(reward(g, out.value, err));
done:
    mem_free(&g->context->mem, out.value);
    return status;
}

/* ---- The whole way --------------------------------------------------------------------------- */

static tare_status print_scale(const golden *g, tare_error *err)
{
    tare_status status = TARE_OK;
    double value;
    char name[64];
    snprintf(name, sizeof name, "%slogit_scale", g->match.stripped);
    const checkpoint_tensor *t = checkpoint_find(g->c, name);
    if (!t || t->elements != 1) FAIL(err, TARE_E_DATA, "golden", g->path, "no number %s", name);
    TRY(checkpoint_doubles(&value, g->c, t, err));
    print(g, "scale", &value, 1);
done:
    return status;
}

static tare_status towers(golden *g, tare_error *err)
{
    tare_status status = TARE_OK;
    ort_output image = {0};
    TRY(see(&image, g, err));
    if (g->r.score == RECIPE_BERT) {
        TRY(say_of(g, &image, err));
    } else {
        TRY(say(g, err));
        TRY(print_scale(g, err));
    }
done:
    mem_free(&g->context->mem, image.value);
    return status;
}

static tare_status match(golden *g, const char *name, int heads, tare_error *err)
{
    tare_status status = TARE_OK;
    static const char *const layouts[] = {"openai", "hf", "blip"};
    TRY(recipe_named(&g->r, &g->a, name, err));
    recipe_any_sizes(&g->r);
    g->r.vision.heads = g->r.text.heads = heads;
    TRY(checkpoint_open(&g->c, g->context, g->path, err));
    TRY(recipe_match_file(&g->match, &g->a, &g->r, RECIPE_BACKBONE, g->c, err));
    TRY(recipe_match_error(&g->match, &g->r, RECIPE_BACKBONE, g->c, err));
    printf("kind %s\nlayout %s\nprefix %s\nopaque %zu\n", checkpoint_kind_name(g->c->kind),
           layouts[g->match.layout], g->match.stripped, g->c->opaque);
done:
    return status;
}

static tare_status run(golden *g, char **argv, tare_error *err)
{
    tare_status status = TARE_OK;
    char real[PATH_MAX];
    TRY(match(g, argv[1], atoi(argv[2]), err));
    if (!realpath(g->path, real)) FAIL(err, TARE_E_IO, "golden", g->path, "it is gone");
    *strrchr(real, '/') = '\0';
    if (strstr(argv[3], "values")) {
        g->feed = "values";
        TRY(towers(g, err));
    }
    if (strstr(argv[3], "folder")) {
        g->feed = "folder";
        g->folder = real;
        TRY(towers(g, err));
    }
done:
    checkpoint_close(g->c);
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 5) return fputs("golden_tower RECIPE HEADS FEEDS FILE\n", stderr), 2;
    tare_error err = {0};
    golden g = {.path = argv[4]};
    tare_status status = tare_context_new(&g.context, NULL, &err);
    if (status == TARE_OK) {
        arena_init(&g.a, &g.context->mem);
        status = run(&g, argv, &err);
        arena_free(&g.a);
    }
    if (status != TARE_OK) fprintf(stderr, "%s: %s: %s\n", err.code, err.where, err.message);
    tare_context_free(g.context);
    return status == TARE_OK ? 0 : 1;
}
