/* published_weights.c - the files of a scorer: found, mapped once for all who stand on them,
 * matched. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/os.h"
#include "scorer/fingerprint.h"
#include "scorer/published/published_parts.h"
#include "scorer/shelf.h"

/* ---- On the shelf ---------------------------------------------------------------------------- */

static void file_close(void *object)
{
    published_file *f = object;
    const mem *m = &f->c->context->mem;
    checkpoint_close(f->c);
    mem_free(m, f);
}

/* Names of files do not count: a renamed file gives the same scores. */
static const char *files_json(checkpoint *c)
{
    const char *list = "", *comma = "";
    for (size_t i = 0; list && i < c->file_count; i++) {
        fingerprint f;
        fingerprint_begin(&f, &c->a);
        fingerprint_number(&f, "bytes", (double)c->file[i].length);
        fingerprint_text(&f, "sha256", c->file[i].sha256);
        const char *one = fingerprint_end(&f);
        list = one ? arena_printf(&c->a, "%s%s%s", list, comma, one) : NULL;
        comma = ",";
    }
    return list ? arena_printf(&c->a, "[%s]", list) : NULL;
}

static tare_status file_open(published_file **out, tare_context *context, const char *path,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &context->mem;
    published_file *f = NULL;
    TRY_NEW(f = mem_new(m, 1, sizeof *f));
    TRY(checkpoint_open(&f->c, context, path, err));
    TRY_NEW(f->json = files_json(f->c));
    *out = f;
    f = NULL;
done:
    if (f) {
        checkpoint_close(f->c);
        mem_free(m, f);
    }
    return status;
}

static tare_status file_take(published_file **out, scorer_shelf *shelf, tare_context *context,
                             const char *path, tare_error *err)
{
    tare_status status = TARE_OK;
    published_file *made = NULL;
    char real[PATH_MAX], key[PATH_MAX + 32];
    snprintf(key, sizeof key, "weights:%s", realpath(path, real) ? real : path);
    *out = shelf_take(shelf, key);
    if (*out) goto done;
    TRY(file_open(&made, context, path, err));
    TRY(shelf_put(shelf, key, made, file_close, err));
    *out = made;
    made = NULL;
done:
    if (made) file_close(made);
    return status;
}

tare_status published_weights_settle(published_file *f, tare_error *err)
{
    tare_status status = TARE_OK;
    if (f->settled) goto done;
    f->settled = true;
    TRY(checkpoint_settle(f->c, err));
done:
    return status;
}

/* ---- Head ------------------------------------------------------------------------------------ */

/* The file of the recipe that holds linear layers; NULL: none does. */
static const recipe_file *layers_of(const recipe *r)
{
    for (size_t i = 0; i < r->file_count; i++)
        if (r->file[i].layer_count > 0) return &r->file[i];
    return NULL;
}

static tare_status read_head(published *s, const recipe_file *f, const checkpoint *c,
                             const recipe_match *match, tare_error *err)
{
    if (match->relu)
        return relu_head_read(&s->relu, &s->a, c, match->stripped, f->relu_layer,
                              f->relu_layer_count, err);
    return affine_head_fold(&s->affine, &s->a, c, match->stripped, f->layer, f->layer_count, err);
}

/* A head of its own: read, and the file closed again. */
static tare_status open_head(published *s, const recipe_file *f, tare_error *err)
{
    tare_status status = TARE_OK;
    published_file *head = NULL;
    recipe_match match;
    const char *path = s->words.head;
    if (!path)
        TRY(recipe_find_file(&path, &s->a, &s->r, RECIPE_HEAD, s->options.weights, err));
    TRY(file_take(&head, s->shelf, s->context, path, err));
    TRY(recipe_match_file(&match, &s->a, &s->r, RECIPE_HEAD, head->c, err));
    TRY(recipe_match_error(&match, &s->r, RECIPE_HEAD, head->c, err));
    TRY(read_head(s, f, head->c, &match, err));
    s->head_known = match.known;
    TRY_NEW(s->head_json = arena_copy(&s->a, head->json));
    TRY(published_weights_settle(head, err));
done:
    if (head) shelf_give_back(s->shelf, head);
    return status;
}

static tare_status head_length(const published *s, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t length = s->relu.count ? s->relu.width[0] : s->affine.length;
    size_t vector = (size_t)(s->r.score == RECIPE_BERT ? s->match.text.width
                                                       : s->match.vision.embedding);
    if (length != vector)
        FAIL(err, TARE_E_DATA, "published.head", s->backbone->c->path, "the head takes vectors of "
             "%zu numbers, and this backbone makes %zu: they do not belong together", length,
             vector);
done:
    return status;
}

/* ---- Opening --------------------------------------------------------------------------------- */

/* HPSv2's two files are of one shape: where only the name tells them apart, it is heard. */
static tare_status warn_name(published *s, const char *path, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *other;
    TRY(recipe_of_name(&other, &s->a, &s->r, path, err));
    if (other)
        context_message(s->context, TARE_WARNING, "%s: a file of this name belongs to %s; it is "
                        "taken as the weights of %s because it was named and fits", path, other,
                        s->r.name);
done:
    return status;
}

static tare_status read_scale(published *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const checkpoint *c = s->backbone->c;
    char name[256];
    double scale;
    s->scale = s->r.scale == RECIPE_SCALE_FIXED ? s->r.scale_fixed : 1.0;
    if (s->r.scale != RECIPE_SCALE_FILE) goto done;
    snprintf(name, sizeof name, "%slogit_scale", s->match.stripped);
    const checkpoint_tensor *t = checkpoint_find(c, name);
    if (!t || t->elements != 1)
        FAIL(err, TARE_E_DATA, "checkpoint.missing", c->path,
             "no single number %s: the scale of this score is read from there", name);
    TRY(checkpoint_doubles(&scale, c, t, err));
    s->scale = exp(scale);
    if (!isfinite(s->scale))
        FAIL(err, TARE_E_DATA, "published.scale", c->path, "exp(%s) is not finite: %g", name,
             scale);
done:
    return status;
}

/* OpenAI's archives say how large their images are, which the positions tell only up to the patch
 * where it does not divide the side. 0: nobody says. */
static tare_status said_side(int *side, const published *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const checkpoint *c = s->backbone->c;
    char name[256];
    double said;
    *side = 0;
    snprintf(name, sizeof name, "%sinput_resolution", s->match.stripped);
    const checkpoint_tensor *t = checkpoint_find(c, name);
    if (!t || t->elements != 1) goto done;
    TRY(checkpoint_doubles(&said, c, t, err));
    int patches = said >= 1 && said <= 65535 ? (int)said / s->match.vision.patch : 0;
    if (patches * patches + 1 != s->match.vision.tokens)
        FAIL(err, TARE_E_DATA, "checkpoint.shape", c->path, "%s says %g pixels, which patches of "
             "%d do not make into the %d positions that the file has", name, said,
             s->match.vision.patch, s->match.vision.tokens);
    *side = (int)said;
done:
    return status;
}

/* Of an architecture that is not the published one: as large as the file says. */
static tare_status settle_side(published *s, tare_error *err)
{
    tare_status status = TARE_OK;
    int said;
    if (s->r.mobilenet) goto done;
    TRY(said_side(&said, s, err));
    if (said > 0) s->match.vision.side = said;
    int side = s->match.vision.side;
    if (!s->r.any_sizes || side <= 0) goto done;
    s->r.input.width = s->r.input.height = side;
    TRY(recipe_identify(&s->r, &s->a, err));
done:
    return status;
}

/* Vectors whose cosine is taken. */
static tare_status check_lengths(const published *s, tare_error *err)
{
    int image = s->match.vision.embedding, text = s->match.text.embedding;
    if (s->r.score != RECIPE_COSINE || image == text) return TARE_OK;
    return error_set(err, TARE_E_DATA, "checkpoint.shape", s->backbone->c->path, "the projection "
                     "of the image tower makes vectors of %d numbers and that of the text tower "
                     "of %d: they have no cosine", image, text);
}

tare_status published_weights_open(published *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const recipe_file *layers = layers_of(&s->r);
    const char *path = s->words.backbone;
    s->head_json = "[]";
    s->head_known = true;
    if (layers && layers->role == RECIPE_HEAD) TRY(open_head(s, layers, err));
    if (!path)
        TRY(recipe_find_file(&path, &s->a, &s->r, RECIPE_BACKBONE, s->options.weights, err));
    TRY(file_take(&s->backbone, s->shelf, s->context, path, err));
    TRY(recipe_match_file(&s->match, &s->a, &s->r, RECIPE_BACKBONE, s->backbone->c, err));
    TRY(recipe_match_error(&s->match, &s->r, RECIPE_BACKBONE, s->backbone->c, err));
    TRY(warn_name(s, path, err));
    TRY(check_lengths(s, err));
    TRY(settle_side(s, err));
    if (layers && layers->role == RECIPE_BACKBONE)
        TRY(read_head(s, layers, s->backbone->c, &s->match, err));
    if (layers) TRY(head_length(s, err));
    TRY(read_scale(s, err));
done:
    return status;
}

tare_status published_how(ort_graph *how, const published *s, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *path = s->backbone->c->file[0].path;
    char real[PATH_MAX];
    *how = (ort_graph){.library = s->options.ort_library, .name = s->backbone->c->path,
                       .seconds = s->options.timeout_seconds, .weights = s->backbone->json,
                       .provider = s->options.provider, .file = s->backbone->c->file,
                       .file_count = s->backbone->c->file_count};
    if (!s->options.low_memory) goto done;
    /* The library refuses links that leave the folder: it is told where the file really is. */
    if (!realpath(path, real)) FAIL(err, TARE_E_IO, "io.open", path, "it is no longer there");
    char *slash = strrchr(real, '/');
    if (slash && slash > real) *slash = '\0';
    TRY_NEW(how->folder = arena_copy(a, real));
done:
    return status;
}

tare_status published_dump(const published *s, const char *what, const graph_model *g,
                           tare_error *err)
{
    tare_status status = TARE_OK;
    char path[PATH_MAX];
    if (!s->options.dump_graph) goto done;
    TRY(os_make_folders(s->options.dump_graph, err));
    int n = snprintf(path, sizeof path, "%s/%s-%s.onnx", s->options.dump_graph, s->r.name, what);
    if (n < 0 || (size_t)n >= sizeof path)
        FAIL(err, TARE_E_USAGE, "published.dump", s->options.dump_graph, "the path is too long");
    TRY(os_write_file(path, g->bytes, g->length, err));
done:
    return status;
}

static bool is_float(const checkpoint_tensor *t)
{
    return t->type == TENSOR_F32 || t->type == TENSOR_F16 || t->type == TENSOR_BF16 ||
           t->type == TENSOR_F64;
}

tare_status published_weights_finite(const published *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const checkpoint *c = s->backbone->c;
    const mem *m = &s->context->mem;
    float *values = NULL;
    for (size_t i = 0; i < c->tensor_count; i++) {
        const checkpoint_tensor *t = &c->tensor[i];
        if (!is_float(t)) continue;
        TRY(context_check(s->context, err));
        TRY_NEW(values = mem_new(m, (size_t)t->elements, sizeof *values));
        TRY(checkpoint_floats(values, c, t, err));
        mem_free(m, values);
        values = NULL;
    }
done:
    mem_free(m, values);
    return status;
}
