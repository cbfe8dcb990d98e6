/* tfjs.c - TF.js layers models: a JSON document that says names, shapes and types of the weights,
 * which lie one after the other in files beside it. Both may be JavaScript modules. Scorers 4.1. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "scorer/checkpoint/checkpoint.h"
#include "scorer/checkpoint/tfjs_module.h"

enum {
    DOCUMENT_MOST = 64 << 20, /* bytes; those of large models have some hundred kB */
    VALUES_MOST = 4000000,
    SHARDS_MOST = 4096,
    WEIGHTS_MOST = 100000
};

/* Bytes of one file of weights. */
typedef struct shard {
    const unsigned char *bytes;
    uint64_t length;
    size_t file; /* SIZE_MAX: decoded */
} shard;

typedef struct reader {
    checkpoint *c;
    arena scratch; /* the tree */
    const char *path;
    bool module;   /* the model is one, so the weights are too */
    shard *shard;  /* of one group of the manifest */
    size_t shards;
    uint64_t bytes, at; /* all shards of the group; where the next weight begins */
    size_t capacity; /* of c->tensor */
} reader;

#define REFUSE(r, code, value, ...)                                          \
    do {                                                                     \
        char where_[320];                                                    \
        FAIL(err, TARE_E_DATA, code, place(where_, r, value), __VA_ARGS__);  \
    } while (0)

/* "PATH:line:column"; the lines of a module are not those of its JSON. */
static const char *place(char where[320], const reader *r, const json_value *v)
{
    if (v == NULL || r->module) snprintf(where, 320, "%.300s", r->path);
    else snprintf(where, 320, "%.280s:%zu:%zu", r->path, v->line, v->column);
    return where;
}

static const json_value *typed(const json_value *object, const char *key, json_kind kind)
{
    const json_value *v = json_member(object, key);
    return v != NULL && v->kind == kind ? v : NULL;
}

static bool plain_text(const json_value *v)
{
    return v != NULL && v->length > 0 && strlen(v->text) == v->length;
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* A name in the model's folder. Modules are found by names without their endings, which are
 * those of the model's own module. */
static tare_status shard_path(const char **out, const reader *r, const json_value *name,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &r->c->a;
    size_t length = strlen(r->path);
    bool least = length > 7 && strcmp(r->path + length - 7, ".min.js") == 0;
    const char *ending = !r->module ? "" : least ? ".min.js" : ".js", *file;
    if (name->kind != JSON_K_TEXT || !plain_text(name) || name->length > 255 ||
        strpbrk(name->text, "/\\") || name->text[0] == '.')
        REFUSE(r, "tfjs.path", name, "weightsManifest names a file of weights by something else "
               "than the name of a file in the model's own folder");
    TRY_NEW(file = arena_printf(a, "%s%s", name->text, ending));
    TRY_NEW(*out = checkpoint_beside(a, r->path, file));
done:
    return status;
}

static tare_status open_shard(shard *out, reader *r, const json_value *name, tare_error *err)
{
    tare_status status = TARE_OK;
    checkpoint *c = r->c;
    const char *path = NULL;
    size_t file;
    TRY(shard_path(&path, r, name, err));
    TRY(checkpoint_add_file(&file, c, path, err));
    const model_file *f = &c->file[file];
    *out = (shard){f->bytes, f->length, file};
    if (r->module) {
        unsigned char *bytes = NULL;
        size_t count = 0;
        TRY(tfjs_module_bytes(&bytes, &count, &c->a, path, f->bytes, f->length, err));
        *out = (shard){bytes, count, SIZE_MAX};
    }
done:
    return status;
}

static tare_status open_shards(reader *r, const json_value *group, tare_error *err)
{
    tare_status status = TARE_OK;
    const json_value *paths = typed(group, "paths", JSON_K_ARRAY);
    if (paths == NULL || paths->length == 0 || paths->length > SHARDS_MOST)
        REFUSE(r, "tfjs.manifest", group,
               "a group of weightsManifest has no list of paths, or one of more than %d",
               SHARDS_MOST);
    r->bytes = r->at = 0;
    r->shards = 0;
    TRY_NEW(r->shard = arena_new(&r->scratch, paths->length, sizeof *r->shard));
    for (size_t k = 0; k < paths->length; k++) {
        TRY(open_shard(&r->shard[k], r, &paths->children[k], err));
        r->shards++;
        r->bytes += r->shard[k].length;
    }
done:
    return status;
}

/* The next `count` bytes of the group: where they lie, or a copy if they lie in several files. */
static tare_status take_bytes(checkpoint_tensor *t, reader *r, uint64_t count, tare_error *err)
{
    tare_status status = TARE_OK;
    uint64_t at = r->at, filled = 0;
    size_t k = 0;
    for (; k + 1 < r->shards && at >= r->shard[k].length; k++) at -= r->shard[k].length;
    const shard *s = &r->shard[k];
    r->at += count;
    t->file = SIZE_MAX;
    if (at + count <= s->length) {
        t->data = s->bytes + at;
        t->file = s->file;
        t->offset = s->file == SIZE_MAX ? 0 : at;
        goto done;
    }
    unsigned char *copy;
    TRY_NEW(copy = arena_raw(&r->c->a, count, 1));
    for (; filled < count; s++, at = 0) {
        uint64_t left = count - filled, here = s->length - at;
        uint64_t now = here < left ? here : left;
        memcpy(copy + filled, s->bytes + at, now);
        filled += now;
    }
    t->data = copy;
done:
    return status;
}

/* ---- Weights --------------------------------------------------------------------------------- */

static tare_status read_shape(checkpoint_tensor *t, const reader *r, const json_value *weight,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    const json_value *shape = typed(weight, "shape", JSON_K_ARRAY);
    if (shape == NULL || shape->length > MODEL_RANK_MOST)
        REFUSE(r, "tfjs.shape", weight, "the weight %.80s has no shape, or one of more than %d "
               "dimensions", t->name, MODEL_RANK_MOST);
    t->rank = shape->length;
    t->elements = 1;
    for (size_t k = 0; k < t->rank; k++) {
        const json_value *d = &shape->children[k];
        if (d->kind != JSON_K_NUMBER || !d->number_is_integer || d->number < 0)
            REFUSE(r, "tfjs.shape", d, "dimension %zu of the weight %.80s is no whole number", k,
                   t->name);
        t->dim[k] = (int64_t)d->number;
        if (t->dim[k] && t->elements > r->bytes / (uint64_t)t->dim[k])
            REFUSE(r, "tfjs.length", d, "the weight %.80s has more elements than its files have "
                   "bytes (%llu)", t->name, (unsigned long long)r->bytes);
        t->elements *= (uint64_t)t->dim[k];
    }
    uint64_t step = 1; /* may wrap where there is a 0: then the whole is refused later */
    for (size_t k = t->rank; k-- > 0; step *= t->dim[k] ? (uint64_t)t->dim[k] : 1)
        t->stride[k] = (int64_t)step;
done:
    return status;
}

static tare_status read_quantised(checkpoint_tensor *t, const reader *r, const json_value *q,
                                  const char *dtype, tare_error *err)
{
    tare_status status = TARE_OK;
    const json_value *stored = typed(q, "dtype", JSON_K_TEXT);
    const json_value *scale = typed(q, "scale", JSON_K_NUMBER);
    const json_value *minimum = typed(q, "min", JSON_K_NUMBER);
    if (strcmp(dtype, "float32") != 0)
        REFUSE(r, "tfjs.dtype", q, "the weight %.80s is %.40s and quantised; only float32 can be",
               t->name, dtype);
    if (stored && strcmp(stored->text, "float16") == 0) {
        t->type = TENSOR_F16;
        goto done;
    }
    if (!stored || (strcmp(stored->text, "uint8") != 0 && strcmp(stored->text, "uint16") != 0))
        REFUSE(r, "tfjs.dtype", q, "the weight %.80s is quantised to \"%.40s\"; known are uint8, "
               "uint16 and float16", t->name, stored ? stored->text : "");
    if (!scale || !minimum || !isfinite(scale->number) || !isfinite(minimum->number))
        REFUSE(r, "tfjs.quantization", q,
               "the weight %.80s is quantised and says no min and scale", t->name);
    t->type = stored->text[4] == '8' ? TENSOR_U8 : TENSOR_U16;
    t->quantised = true;
    t->scale = scale->number;
    t->minimum = minimum->number;
done:
    return status;
}

static tare_status read_type(checkpoint_tensor *t, const reader *r, const json_value *weight,
                             tare_error *err)
{
    static const struct { const char *name; tensor_type type; } types[] = {
        {"float32", TENSOR_F32}, {"int32", TENSOR_I32}, {"bool", TENSOR_BOOL}};
    tare_status status = TARE_OK;
    const json_value *dtype = typed(weight, "dtype", JSON_K_TEXT);
    const json_value *q = json_member(weight, "quantization");
    size_t k = 0;
    while (k < 3 && !(dtype && strcmp(dtype->text, types[k].name) == 0)) k++;
    if (k == 3)
        REFUSE(r, "tfjs.dtype", weight,
               "the weight %.80s has the dtype \"%.40s\"; known are float32, int32 and bool",
               t->name, dtype ? dtype->text : "");
    t->type = types[k].type;
    if (q) TRY(read_quantised(t, r, q, dtype->text, err));
done:
    return status;
}

static tare_status read_weight(reader *r, const json_value *weight, tare_error *err)
{
    tare_status status = TARE_OK;
    checkpoint *c = r->c;
    checkpoint_tensor t = {.contiguous = true};
    const json_value *name = typed(weight, "name", JSON_K_TEXT);
    if (!plain_text(name)) REFUSE(r, "tfjs.manifest", weight, "a weight has no name");
    TRY_NEW(t.name = arena_text(&c->a, name->text, name->length));
    TRY(read_shape(&t, r, weight, err));
    TRY(read_type(&t, r, weight, err));
    size_t size = tensor_type_size(t.type);
    uint64_t left = r->bytes - r->at;
    if (t.elements > left / size)
        REFUSE(r, "tfjs.length", weight, "the files of weights end inside %.80s: it needs %llu "
               "bytes, %llu are left", t.name, (unsigned long long)t.elements * size,
               (unsigned long long)left);
    TRY(take_bytes(&t, r, t.elements * size, err));
    if (c->tensor_count == r->capacity) {
        size_t room = r->capacity ? 2 * r->capacity : 512;
        checkpoint_tensor *grown;
        TRY_NEW(grown = arena_new(&c->a, room, sizeof *grown));
        if (c->tensor_count) memcpy(grown, c->tensor, c->tensor_count * sizeof *grown);
        c->tensor = grown;
        r->capacity = room;
    }
    c->tensor[c->tensor_count++] = t;
done:
    return status;
}

static tare_status read_group(reader *r, const json_value *group, tare_error *err)
{
    tare_status status = TARE_OK;
    const json_value *weights = typed(group, "weights", JSON_K_ARRAY);
    if (weights == NULL || weights->length > WEIGHTS_MOST)
        REFUSE(r, "tfjs.manifest", group,
               "a group of weightsManifest has no list of weights, or one of more than %d",
               WEIGHTS_MOST);
    TRY(open_shards(r, group, err));
    for (size_t k = 0; k < weights->length; k++) TRY(read_weight(r, &weights->children[k], err));
    if (r->at != r->bytes)
        REFUSE(r, "tfjs.length", group, "the files of weights have %llu bytes and the weights of "
               "weightsManifest need %llu. Do these files belong together?",
               (unsigned long long)r->bytes, (unsigned long long)r->at);
done:
    return status;
}

/* ---- The document ---------------------------------------------------------------------------- */

static tare_status read_document(json_value **root, reader *r, tare_error *err)
{
    tare_status status = TARE_OK;
    checkpoint *c = r->c;
    const model_file *f = &c->file[0];
    json_limits limits = JSON_LIMITS_DEFAULT;
    text json;
    size_t first = 0;
    text_init(&json, c->a.m);
    limits.values = VALUES_MOST;
    if (f->length > DOCUMENT_MOST)
        FAIL(err, TARE_E_LIMIT, "tfjs.document", r->path,
             "the description of a model has at most %d bytes; this file has %zu", DOCUMENT_MOST,
             f->length);
    while (first < f->length && strchr(" \t\r\n\xef\xbb\xbf", f->bytes[first]) && f->bytes[first])
        first++;
    r->module = first == f->length || f->bytes[first] != '{';
    if (r->module) TRY(tfjs_module_json(&json, r->path, f->bytes, f->length, err));
    else text_add_bytes(&json, f->bytes, f->length);
    if (json.failed) FAIL_MEMORY(err);
    TRY(json_parse(root, &r->scratch, r->path, json.data, json.length, &limits, err));
    TRY_NEW(c->document = arena_text(&c->a, json.data, json.length));
done:
    text_free(&json);
    return status;
}

tare_status tfjs_read(checkpoint *c, tare_error *err)
{
    tare_status status = TARE_OK;
    reader r = {.c = c, .path = c->path};
    json_value *root = NULL;
    arena_init(&r.scratch, c->a.m);
    c->kind = CHECKPOINT_TFJS;
    TRY(read_document(&root, &r, err));
    const json_value *format = typed(root, "format", JSON_K_TEXT);
    const json_value *manifest = typed(root, "weightsManifest", JSON_K_ARRAY);
    if (format && strcmp(format->text, "layers-model") != 0)
        REFUSE(&r, "tfjs.format", format, "this is a TF.js model of the format \"%.40s\"; what can "
               "be read is a layers-model", format->text);
    if (manifest == NULL || !typed(root, "modelTopology", JSON_K_OBJECT))
        REFUSE(&r, "tfjs.manifest", root,
               "a TF.js layers model has modelTopology and weightsManifest; here one is missing");
    for (size_t k = 0; k < manifest->length; k++) TRY(read_group(&r, &manifest->children[k], err));
done:
    arena_free(&r.scratch);
    return status;
}
