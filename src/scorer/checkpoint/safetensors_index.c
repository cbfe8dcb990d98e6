/* safetensors_index.c - *.index.json: which of several safetensors files in its folder holds which
 * tensor. */
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/os.h"
#include "scorer/checkpoint/checkpoint_sniff.h"
#include "scorer/checkpoint/safetensors.h"

enum { SHARDS_MOST = 4096, INDEX_VALUES = 1 << 20 };

typedef struct shard_index {
    checkpoint *c;
    const json_value *names; /* the object "weight_map" */
    map *shard;              /* file names, in order of appearance; shard k is file 1 + k */
    map *tensor;             /* its keys, in their order                                  */
    bool *seen;              /* of the tensors                                            */
} shard_index;

/* A file of the same folder and no other. */
static bool is_plain_name(const json_value *v)
{
    return v->kind == JSON_K_TEXT && v->length > 0 && strlen(v->text) == v->length
           && strchr(v->text, '/') == NULL && strcmp(v->text, ".") != 0
           && strcmp(v->text, "..") != 0;
}

static tare_status list_names(shard_index *x, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *path = x->c->path;
    char shown[CHECKPOINT_SHOWN], file[CHECKPOINT_SHOWN];
    for (size_t i = 0; i < x->names->length; i++) {
        const json_value *v = &x->names->children[i];
        const char *name = x->names->keys[i];
        if (!is_plain_name(v))
            FAIL(err, TARE_E_DATA, "safetensors.index", path, "tensor %s should stand in \"%s\": "
                 "tare takes shards only from the folder of their index",
                 checkpoint_shown(shown, name),
                 v->kind == JSON_K_TEXT ? checkpoint_shown(file, v->text) : "(no text)");
        if (map_add(x->shard, v->text, v->length, NULL) == SIZE_MAX
            || map_add(x->tensor, name, strlen(name), NULL) == SIZE_MAX)
            FAIL_MEMORY(err);
    }
    if (map_count(x->shard) == 0)
        FAIL(err, TARE_E_DATA, "safetensors.index", path, "its \"weight_map\" names no tensor");
    if (map_count(x->shard) > SHARDS_MOST)
        FAIL(err, TARE_E_LIMIT, "safetensors.index", path, "more than %d shards", SHARDS_MOST);
    if (map_count(x->tensor) != x->names->length)
        FAIL(err, TARE_E_DATA, "safetensors.index", path, "a tensor's name has a NUL in it");
    TRY_NEW(x->seen = mem_new(x->c->a.m, x->names->length, sizeof *x->seen));
done:
    return status;
}

static tare_status open_shard(checkpoint *c, const char *name, tare_error *err)
{
    tare_status status = TARE_OK;
    checkpoint_container kind;
    const char *path;
    size_t index;
    TRY_NEW(path = checkpoint_beside(&c->a, c->path, name));
    if (!os_exists(path))
        FAIL(err, TARE_E_IO, "io.open", path, "there is no such shard, and the index %.300s names "
             "it: put all shards into its folder", c->path);
    TRY(checkpoint_add_file(&index, c, path, err));
    TRY(checkpoint_sniff(&kind, c->a.m, path, c->file[index].bytes, c->file[index].length, err));
    if (kind != CONTAINER_SAFETENSORS)
        FAIL(err, TARE_E_DATA, "safetensors.index", path, "this shard is no safetensors file: tare "
             "reads torch checkpoints in one file and shards of safetensors");
done:
    return status;
}

/* What a shard holds is what the index says of it. */
static tare_status check_shard(shard_index *x, const tensor_list *list, size_t from,
                               size_t shard, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *path = x->c->file[shard + 1].path;
    char shown[CHECKPOINT_SHOWN], file[CHECKPOINT_SHOWN];
    for (size_t i = from; i < list->count; i++) {
        const char *name = list->item[i].name;
        size_t at = map_find(x->tensor, name, strlen(name));
        if (at == SIZE_MAX)
            FAIL(err, TARE_E_DATA, "safetensors.index", path,
                 "tensor %s stands in this shard and not in the index %.300s: shards and index are "
                 "not of one model", checkpoint_shown(shown, name), x->c->path);
        const char *meant = x->names->children[at].text;
        if (strcmp(meant, map_key(x->shard, shard, NULL)) != 0)
            FAIL(err, TARE_E_DATA, "safetensors.index", path,
                 "tensor %s stands in this shard, and the index says that it is in %s: shards and "
                 "index are not of one model", checkpoint_shown(shown, name),
                 checkpoint_shown(file, meant));
        x->seen[at] = true;
    }
done:
    return status;
}

static tare_status read_shards(shard_index *x, tensor_list *list, tare_error *err)
{
    tare_status status = TARE_OK;
    checkpoint *c = x->c;
    char shown[CHECKPOINT_SHOWN], file[CHECKPOINT_SHOWN];
    for (size_t i = 0; i < map_count(x->shard); i++) {
        size_t from = list->count;
        TRY(open_shard(c, map_key(x->shard, i, NULL), err));
        TRY(safetensors_append(list, c, i + 1, err));
        TRY(check_shard(x, list, from, i, err));
    }
    for (size_t i = 0; i < x->names->length; i++) {
        if (x->seen[i]) continue;
        FAIL(err, TARE_E_DATA, "safetensors.index", c->path,
             "tensor %s should stand in %s and does not: shards and index are not of one model",
             checkpoint_shown(shown, x->names->keys[i]),
             checkpoint_shown(file, x->names->children[i].text));
    }
done:
    return status;
}

tare_status safetensors_index_read(checkpoint *c, tare_error *err)
{
    tare_status status = TARE_OK;
    json_limits limits = JSON_LIMITS_DEFAULT;
    json_value *root = NULL;
    tensor_list list = {NULL, 0, 0};
    shard_index x = {.c = c};
    arena a;
    arena_init(&a, c->a.m);
    c->kind = CHECKPOINT_SAFETENSORS;
    limits.values = INDEX_VALUES;
    TRY(json_parse(&root, &a, c->path, (const char *)c->file[0].bytes, c->file[0].length, &limits,
                   err));
    x.names = json_member(root, "weight_map");
    if (x.names == NULL || x.names->kind != JSON_K_OBJECT)
        FAIL(err, TARE_E_DATA, "safetensors.index", c->path, "its \"weight_map\" is no object");
    TRY_NEW(x.shard = map_new(c->a.m));
    TRY_NEW(x.tensor = map_new(c->a.m));
    TRY(list_names(&x, err));
    TRY(read_shards(&x, &list, err));
    TRY(safetensors_keep(c, &list, err));
done:
    mem_free(c->a.m, list.item);
    mem_free(c->a.m, x.seen);
    map_free(x.tensor);
    map_free(x.shard);
    arena_free(&a);
    return status;
}
