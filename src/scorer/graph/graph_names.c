#include "scorer/graph/graph_names.h"

#include <stdio.h>

#include "base/error.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define PAIR(part, name, dims) {part, name ".weight", dims, name ".bias"}

/* ---- OpenAI, open_clip --------------------------------------------------------------------- */

static const graph_name OPENAI_VISION[] = {
    {PART_PATCH, "visual.conv1.weight", "D3PP", NULL},
    {PART_CLASS, "visual.class_embedding", "D", NULL},
    {PART_POSITION, "visual.positional_embedding", "TD", NULL},
    PAIR(PART_NORM_BEFORE, "visual.ln_pre", "D"),
    PAIR(PART_NORM_AFTER, "visual.ln_post", "D"),
    {PART_PROJECTION, "visual.proj", "DE", NULL},
};
static const graph_name OPENAI_TEXT[] = {
    {PART_TOKEN, "token_embedding.weight", "VD", NULL},
    {PART_POSITION, "positional_embedding", "CD", NULL},
    PAIR(PART_NORM_AFTER, "ln_final", "D"),
    {PART_PROJECTION, "text_projection", "DE", NULL},
};
static const graph_name OPENAI_BLOCK[] = {
    PAIR(PART_NORM_1, "ln_1", "D"),
    {PART_QKV, "attn.in_proj_weight", "QD", "attn.in_proj_bias"},
    PAIR(PART_OUT, "attn.out_proj", "DD"),
    PAIR(PART_NORM_2, "ln_2", "D"),
    PAIR(PART_UP, "mlp.c_fc", "MD"),
    PAIR(PART_DOWN, "mlp.c_proj", "DM"),
};

/* ---- Hugging Face CLIPModel ---------------------------------------------------------------- */

static const graph_name HF_VISION[] = {
    {PART_PATCH, "vision_model.embeddings.patch_embedding.weight", "D3PP", NULL},
    {PART_CLASS, "vision_model.embeddings.class_embedding", "D", NULL},
    {PART_POSITION, "vision_model.embeddings.position_embedding.weight", "TD", NULL},
    PAIR(PART_NORM_BEFORE, "vision_model.pre_layrnorm", "D"), /* sic */
    PAIR(PART_NORM_AFTER, "vision_model.post_layernorm", "D"),
    {PART_PROJECTION, "visual_projection.weight", "ED", NULL},
};
static const graph_name HF_TEXT[] = {
    {PART_TOKEN, "text_model.embeddings.token_embedding.weight", "VD", NULL},
    {PART_POSITION, "text_model.embeddings.position_embedding.weight", "CD", NULL},
    PAIR(PART_NORM_AFTER, "text_model.final_layer_norm", "D"),
    {PART_PROJECTION, "text_projection.weight", "ED", NULL},
};
static const graph_name HF_BLOCK[] = {
    PAIR(PART_NORM_1, "layer_norm1", "D"),
    PAIR(PART_Q, "self_attn.q_proj", "DD"),
    PAIR(PART_K, "self_attn.k_proj", "DD"),
    PAIR(PART_V, "self_attn.v_proj", "DD"),
    PAIR(PART_OUT, "self_attn.out_proj", "DD"),
    PAIR(PART_NORM_2, "layer_norm2", "D"),
    PAIR(PART_UP, "mlp.fc1", "MD"),
    PAIR(PART_DOWN, "mlp.fc2", "DM"),
};

/* ---- BLIP, as ImageReward has it ----------------------------------------------------------- */

static const graph_name BLIP_VISION[] = {
    PAIR(PART_PATCH, "visual_encoder.patch_embed.proj", "D3PP"),
    {PART_CLASS, "visual_encoder.cls_token", "11D", NULL},
    {PART_POSITION, "visual_encoder.pos_embed", "1TD", NULL},
    PAIR(PART_NORM_AFTER, "visual_encoder.norm", "D"),
};
static const graph_name BLIP_VISION_BLOCK[] = {
    PAIR(PART_NORM_1, "norm1", "D"),
    PAIR(PART_QKV, "attn.qkv", "QD"),
    PAIR(PART_OUT, "attn.proj", "DD"),
    PAIR(PART_NORM_2, "norm2", "D"),
    PAIR(PART_UP, "mlp.fc1", "MD"),
    PAIR(PART_DOWN, "mlp.fc2", "DM"),
};
static const graph_name BLIP_TEXT[] = {
    {PART_TOKEN, "text_encoder.embeddings.word_embeddings.weight", "VD", NULL},
    {PART_POSITION, "text_encoder.embeddings.position_embeddings.weight", "CD", NULL},
    PAIR(PART_NORM_BEFORE, "text_encoder.embeddings.LayerNorm", "D"),
};
static const graph_name BLIP_TEXT_BLOCK[] = {
    PAIR(PART_Q, "attention.self.query", "DD"),
    PAIR(PART_K, "attention.self.key", "DD"),
    PAIR(PART_V, "attention.self.value", "DD"),
    PAIR(PART_OUT, "attention.output.dense", "DD"),
    PAIR(PART_NORM_1, "attention.output.LayerNorm", "D"),
    PAIR(PART_CROSS_Q, "crossattention.self.query", "DD"),
    PAIR(PART_CROSS_K, "crossattention.self.key", "DX"),
    PAIR(PART_CROSS_V, "crossattention.self.value", "DX"),
    PAIR(PART_CROSS_OUT, "crossattention.output.dense", "DD"),
    PAIR(PART_CROSS_NORM, "crossattention.output.LayerNorm", "D"),
    PAIR(PART_UP, "intermediate.dense", "MD"),
    PAIR(PART_DOWN, "output.dense", "DM"),
    PAIR(PART_NORM_3, "output.LayerNorm", "D"),
};

#define TOWER(what, once, block, each) {what, once, COUNT(once), block, each, COUNT(each)}

const tower_names *names_vision(graph_layout layout)
{
    static const tower_names TOWERS[] = {
        [GRAPH_OPENAI] = TOWER("image tower", OPENAI_VISION, "visual.transformer.resblocks.",
                               OPENAI_BLOCK),
        [GRAPH_HF] = TOWER("image tower", HF_VISION, "vision_model.encoder.layers.", HF_BLOCK),
        [GRAPH_BLIP] = TOWER("image tower", BLIP_VISION, "visual_encoder.blocks.",
                             BLIP_VISION_BLOCK),
    };
    return &TOWERS[layout];
}

const tower_names *names_text(graph_layout layout)
{
    static const tower_names OPENAI = TOWER("text tower", OPENAI_TEXT, "transformer.resblocks.",
                                            OPENAI_BLOCK);
    static const tower_names HF = TOWER("text tower", HF_TEXT, "text_model.encoder.layers.",
                                        HF_BLOCK);
    return layout == GRAPH_OPENAI ? &OPENAI : layout == GRAPH_HF ? &HF : NULL;
}

const tower_names *names_bert(graph_layout layout)
{
    static const tower_names BERT = TOWER("text encoder", BLIP_TEXT, "text_encoder.encoder.layer.",
                                          BLIP_TEXT_BLOCK);
    return layout == GRAPH_BLIP ? &BERT : NULL;
}

const graph_name *names_part(const tower_names *t, graph_part part)
{
    for (size_t i = 0; i < t->once_count; i++) {
        if (t->once[i].part == part) return &t->once[i];
    }
    for (size_t i = 0; i < t->each_count; i++) {
        if (t->each[i].part == part) return &t->each[i];
    }
    return NULL;
}

/* ---- The walk ------------------------------------------------------------------------------ */

void names_full(char out[TENSOR_NAME_MOST], const tower_names *t, const char *prefix, int layer,
                const char *name)
{
    if (layer < 0) snprintf(out, TENSOR_NAME_MOST, "%s%s", prefix, name);
    else snprintf(out, TENSOR_NAME_MOST, "%s%s%d.%s", prefix, t->block, layer, name);
}

static tare_status walk_rows(const tower_names *t, const char *prefix, int layer,
                             names_visit visit, void *arg, tare_error *err)
{
    tare_status status = TARE_OK;
    const graph_name *rows = layer < 0 ? t->once : t->each;
    const size_t count = layer < 0 ? t->once_count : t->each_count;
    names_tensor one;
    for (size_t i = 0; i < count; i++) {
        names_full(one.name, t, prefix, layer, rows[i].weight);
        one.dims = rows[i].dims;
        one.rank = strlen(one.dims);
        TRY(visit(arg, &one, err));
        if (rows[i].bias == NULL) continue;
        names_full(one.name, t, prefix, layer, rows[i].bias);
        one.rank = 1;
        TRY(visit(arg, &one, err));
    }
done:
    return status;
}

tare_status names_walk(const tower_names *t, const char *prefix, int layers, names_visit visit,
                       void *arg, tare_error *err)
{
    tare_status status = TARE_OK;
    for (int layer = -1; layer < layers; layer++) {
        TRY(walk_rows(t, prefix, layer, visit, arg, err));
    }
done:
    return status;
}

int64_t names_dim(const tower_plan *p, char letter)
{
    switch (letter) {
    case 'D': return p->width;
    case 'Q': return 3 * (int64_t)p->width;
    case 'M': return p->mlp;
    case 'E': return p->embedding;
    case 'T': return p->tokens;
    case 'V': return p->vocabulary;
    case 'C': return p->context;
    case 'P': return p->patch;
    case 'X': return p->cross_width;
    default: return letter - '0';
    }
}

/* ---- Checking ------------------------------------------------------------------------------ */

/* "[768,1024]"; -1, any size, as "?" */
static void dims_text(char out[TENSOR_TEXT], size_t rank, const int64_t *dim)
{
    size_t at = (size_t)snprintf(out, TENSOR_TEXT, "[");
    for (size_t i = 0; i < rank && at < TENSOR_TEXT; i++) {
        const char *comma = i > 0 ? "," : "";
        if (dim[i] < 0) at += (size_t)snprintf(out + at, TENSOR_TEXT - at, "%s?", comma);
        else at += (size_t)snprintf(out + at, TENSOR_TEXT - at, "%s%lld", comma,
                                    (long long)dim[i]);
    }
    if (at < TENSOR_TEXT) snprintf(out + at, TENSOR_TEXT - at, "]");
}

tare_status names_missing(const checkpoint *c, const char *name, size_t rank, const int64_t *dim,
                          const char *why, tare_error *err)
{
    char wanted[TENSOR_TEXT];
    dims_text(wanted, rank, dim);
    return error_set(err, TARE_E_DATA, "checkpoint.missing", c->path,
                     "there is no tensor %s %s%s. Is this the file that the scorer wants? `tare "
                     "scorer list` shows what is in it", name, wanted, why);
}

tare_status names_misshaped(const checkpoint *c, const checkpoint_tensor *t, size_t rank,
                            const int64_t *dim, const char *why, tare_error *err)
{
    char wanted[TENSOR_TEXT], found[TENSOR_TEXT];
    dims_text(wanted, rank, dim);
    dims_text(found, t->rank < MODEL_RANK_MOST ? t->rank : MODEL_RANK_MOST, t->dim);
    return error_set(err, TARE_E_DATA, "checkpoint.shape", c->path,
                     "tensor %s is %s, and %s is wanted%s", t->name, found, wanted, why);
}

typedef struct checker {
    const tower_plan *plan;
    const checkpoint *c;
} checker;

static tare_status check_tensor(void *arg, const names_tensor *t, tare_error *err)
{
    const checker *k = arg;
    const checkpoint_tensor *found = checkpoint_find(k->c, t->name);
    int64_t dim[MODEL_RANK_MOST];
    for (size_t i = 0; i < t->rank; i++) dim[i] = names_dim(k->plan, t->dims[i]);
    if (found == NULL) return names_missing(k->c, t->name, t->rank, dim, "", err);
    if (found->rank != t->rank || memcmp(found->dim, dim, t->rank * sizeof *dim) != 0) {
        return names_misshaped(k->c, found, t->rank, dim, "", err);
    }
    return TARE_OK;
}

tare_status names_check(const tower_names *t, const tower_plan *p, const checkpoint *c,
                        tare_error *err)
{
    checker k = {p, c};
    return names_walk(t, p->prefix, p->layers, check_tensor, &k, err);
}

tare_status names_heads(const tower_plan *p, const checkpoint *c, tare_error *err)
{
    if (p->heads > 0 && p->width % p->heads == 0) return TARE_OK;
    return error_set(err, TARE_E_DATA, "checkpoint.heads", c->path,
                     "%d heads do not divide the width %d of this file: it is not the "
                     "architecture that the recipe says", p->heads, p->width);
}

/* ---- For matching -------------------------------------------------------------------------- */

typedef struct needer {
    const tower_plan *plan;
    graph_need visit;
    void *arg;
} needer;

static tare_status need_tensor(void *arg, const names_tensor *t, tare_error *err)
{
    const needer *n = arg;
    int64_t dim[MODEL_RANK_MOST];
    for (size_t i = 0; i < t->rank; i++) dim[i] = names_dim(n->plan, t->dims[i]);
    return n->visit(n->arg, t->name, t->rank, dim, err);
}

static tare_status need_all(const tower_names *t, const tower_plan *p, graph_need visit, void *arg,
                            tare_error *err)
{
    needer n = {p, visit, arg};
    return t == NULL ? TARE_OK : names_walk(t, p->prefix, p->layers, need_tensor, &n, err);
}

tare_status graph_vision_needs(const tower_plan *p, graph_need visit, void *arg, tare_error *err)
{
    return need_all(names_vision(p->layout), p, visit, arg, err);
}

tare_status graph_text_needs(const tower_plan *p, graph_need visit, void *arg, tare_error *err)
{
    return need_all(names_text(p->layout), p, visit, arg, err);
}

tare_status graph_bert_needs(const tower_plan *p, graph_need visit, void *arg, tare_error *err)
{
    return need_all(names_bert(p->layout), p, visit, arg, err);
}
