#include "support/formula_weights.h"

#include <string.h>

#include "support/check.h"
#include "support/tiny_onnx.h"

enum { F32 = 1, F16 = 10, BF16 = 16 };

/* ---- The formula --------------------------------------------------------------------------- */

static bool ends(const char *name, const char *end)
{
    const size_t a = strlen(name), b = strlen(end);
    return a >= b && strcmp(name + a - b, end) == 0;
}

static bool holds(const char *name, const char *part)
{
    return strstr(name, part) != NULL;
}

static float value_of(const char *name, size_t rank, uint64_t i)
{
    const float u = tiny_weight(name, i);
    if (holds(name, "embedding.weight") || holds(name, "embeddings.weight")
        || ends(name, "_embedding") || ends(name, "cls_token") || ends(name, "pos_embed")) {
        return u / 2;
    }
    if (ends(name, "bias")) return u / 8;
    return rank == 1 ? (float)(1 + (double)u / 8) : u / 4;
}

formula_tensor *formula_add(formula_list *l, const char *name, size_t rank, const int64_t *dim)
{
    l->item = realloc(l->item, (l->count + 1) * sizeof *l->item);
    assert_non_null(l->item);
    formula_tensor *t = &l->item[l->count++];
    memset(t, 0, sizeof *t);
    assert_true(strlen(name) < sizeof t->name);
    strcpy(t->name, name);
    t->rank = rank;
    t->count = 1;
    for (size_t i = 0; i < rank; i++) t->count *= (size_t)(t->dim[i] = dim[i]);
    t->value = malloc(t->count * sizeof *t->value);
    assert_non_null(t->value);
    for (size_t i = 0; i < t->count; i++) t->value[i] = value_of(name, rank, i);
    return t;
}

enum { NAME_MOST = 160 };

static void join(char out[NAME_MOST], const char *head, const char *tail)
{
    assert_true(strlen(head) + strlen(tail) < NAME_MOST);
    strcpy(out, head);
    strcat(out, tail);
}

/* ---- Layouts ------------------------------------------------------------------------------- */

#define DIMS(...) ((const int64_t[]){__VA_ARGS__})

static void add_vector(formula_list *l, const char *head, const char *tail, int64_t length)
{
    char name[NAME_MOST];
    join(name, head, tail);
    formula_add(l, name, 1, &length);
}

static void add_linear(formula_list *l, const char *head, const char *tail, int64_t out,
                       int64_t in)
{
    char name[NAME_MOST];
    join(name, head, tail);
    add_vector(l, name, ".bias", out);
    strcat(name, ".weight");
    formula_add(l, name, 2, DIMS(out, in));
}

static void add_norm(formula_list *l, const char *head, const char *tail, int64_t width)
{
    char name[NAME_MOST];
    join(name, head, tail);
    add_vector(l, name, ".weight", width);
    add_vector(l, name, ".bias", width);
}

static int64_t mlp(const formula_sizes *s)
{
    return s->mlp > 0 ? s->mlp : 4 * s->width;
}

static void openai_blocks(formula_list *l, const formula_sizes *s, const char *where)
{
    const int64_t w = s->width;
    for (int i = 0; i < s->layers; i++) {
        char head[100], name[NAME_MOST];
        snprintf(head, sizeof head, "%stransformer.resblocks.%d.", where, i);
        add_norm(l, head, "ln_1", w);
        join(name, head, "attn.in_proj_weight");
        formula_add(l, name, 2, DIMS(3 * w, w));
        add_vector(l, head, "attn.in_proj_bias", 3 * w);
        add_linear(l, head, "attn.out_proj", w, w);
        add_norm(l, head, "ln_2", w);
        add_linear(l, head, "mlp.c_fc", mlp(s), w);
        add_linear(l, head, "mlp.c_proj", w, mlp(s));
    }
}

static int64_t tokens(const formula_sizes *s)
{
    return (int64_t)(s->side / s->patch) * (s->side / s->patch) + 1;
}

void formula_openai_vision(formula_list *l, const formula_sizes *s)
{
    const int64_t w = s->width;
    formula_add(l, "visual.conv1.weight", 4, DIMS(w, 3, s->patch, s->patch));
    formula_add(l, "visual.class_embedding", 1, DIMS(w));
    formula_add(l, "visual.positional_embedding", 2, DIMS(tokens(s), w));
    add_norm(l, "visual.", "ln_pre", w);
    openai_blocks(l, s, "visual.");
    add_norm(l, "visual.", "ln_post", w);
    formula_add(l, "visual.proj", 2, DIMS(w, s->embedding));
}

void formula_openai_text(formula_list *l, const formula_sizes *s)
{
    const int64_t w = s->width;
    formula_add(l, "token_embedding.weight", 2, DIMS(s->vocabulary, w));
    formula_add(l, "positional_embedding", 2, DIMS(s->context, w));
    openai_blocks(l, s, "");
    add_norm(l, "", "ln_final", w);
    formula_add(l, "text_projection", 2, DIMS(w, s->embedding));
    formula_add(l, "logit_scale", 0, NULL)->value[0] = 4.605170249938965F;
}

void formula_blip_vision(formula_list *l, const formula_sizes *s)
{
    const int64_t w = s->width;
    const char *root = "blip.visual_encoder.";
    formula_add(l, "blip.visual_encoder.cls_token", 3, DIMS(1, 1, w));
    formula_add(l, "blip.visual_encoder.pos_embed", 3, DIMS(1, tokens(s), w));
    formula_add(l, "blip.visual_encoder.patch_embed.proj.weight", 4,
                DIMS(w, 3, s->patch, s->patch));
    add_vector(l, root, "patch_embed.proj.bias", w);
    for (int i = 0; i < s->layers; i++) {
        char head[100];
        snprintf(head, sizeof head, "%sblocks.%d.", root, i);
        add_norm(l, head, "norm1", w);
        add_linear(l, head, "attn.qkv", 3 * w, w);
        add_linear(l, head, "attn.proj", w, w);
        add_norm(l, head, "norm2", w);
        add_linear(l, head, "mlp.fc1", mlp(s), w);
        add_linear(l, head, "mlp.fc2", w, mlp(s));
    }
    add_norm(l, root, "norm", w);
}

static void add_bert_attention(formula_list *l, const char *head, int64_t w, int64_t from)
{
    add_linear(l, head, "self.query", w, w);
    add_linear(l, head, "self.key", w, from);
    add_linear(l, head, "self.value", w, from);
    add_linear(l, head, "output.dense", w, w);
    add_norm(l, head, "output.LayerNorm", w);
}

void formula_blip_text(formula_list *l, const formula_sizes *s)
{
    const int64_t w = s->width;
    const char *root = "blip.text_encoder.";
    formula_add(l, "blip.text_encoder.embeddings.word_embeddings.weight", 2,
                DIMS(s->vocabulary, w));
    formula_add(l, "blip.text_encoder.embeddings.position_embeddings.weight", 2,
                DIMS(s->context, w));
    add_norm(l, root, "embeddings.LayerNorm", w);
    for (int i = 0; i < s->layers; i++) {
        char head[100], part[140];
        snprintf(head, sizeof head, "%sencoder.layer.%d.", root, i);
        snprintf(part, sizeof part, "%sattention.", head);
        add_bert_attention(l, part, w, w);
        snprintf(part, sizeof part, "%scrossattention.", head);
        add_bert_attention(l, part, w, s->cross);
        add_linear(l, head, "intermediate.dense", mlp(s), w);
        add_linear(l, head, "output.dense", w, mlp(s));
        add_norm(l, head, "output.LayerNorm", w);
    }
}

void formula_head(formula_list *l, const int *numbers, const int *widths, size_t layers)
{
    for (size_t i = 0; i < layers; i++) {
        char name[40];
        snprintf(name, sizeof name, "mlp.layers.%d", numbers[i]);
        add_linear(l, name, "", widths[i + 1], widths[i]);
    }
}

/* ---- Hugging Face -------------------------------------------------------------------------- */

static const char *const HF_NAMES[][2] = {
    {"visual.conv1.weight", "vision_model.embeddings.patch_embedding.weight"},
    {"visual.class_embedding", "vision_model.embeddings.class_embedding"},
    {"visual.positional_embedding", "vision_model.embeddings.position_embedding.weight"},
    {"visual.ln_pre.", "vision_model.pre_layrnorm."},
    {"visual.ln_post.", "vision_model.post_layernorm."},
    {"visual.proj", "visual_projection.weight"},
    {"token_embedding.weight", "text_model.embeddings.token_embedding.weight"},
    {"positional_embedding", "text_model.embeddings.position_embedding.weight"},
    {"ln_final.", "text_model.final_layer_norm."},
    {"text_projection", "text_projection.weight"},
    {"visual.transformer.resblocks.", "vision_model.encoder.layers."},
    {"transformer.resblocks.", "text_model.encoder.layers."},
};
static const char *const HF_PARTS[][2] = {
    {".ln_1.", ".layer_norm1."}, {".ln_2.", ".layer_norm2."}, {".mlp.c_fc.", ".mlp.fc1."},
    {".mlp.c_proj.", ".mlp.fc2."}, {".attn.out_proj.", ".self_attn.out_proj."},
};

static void replace(char name[NAME_MOST], const char *old, const char *new)
{
    char tail[NAME_MOST];
    char *at = strstr(name, old);
    if (at == NULL) return;
    strcpy(tail, at + strlen(old));
    *at = '\0';
    assert_true(strlen(name) + strlen(new) + strlen(tail) < NAME_MOST);
    strcat(name, new);
    strcat(name, tail);
}

/* The rows from..from + rows of a tensor of one or two dims, maybe turned, under another name. */
static void add_rows(formula_list *l, const char *name, const formula_tensor *t, int64_t from,
                     int64_t rows, bool turned)
{
    const int64_t columns = t->rank == 2 ? t->dim[1] : 1;
    formula_tensor *n = formula_add(l, name, t->rank, turned ? DIMS(columns, rows)
                                                             : DIMS(rows, columns));
    for (int64_t r = 0; r < rows; r++) {
        for (int64_t c = 0; c < columns; c++) {
            n->value[turned ? c * rows + r : r * columns + c]
                = t->value[(from + r) * columns + c];
        }
    }
}

static void hf_tensor(formula_list *out, const formula_tensor *t)
{
    char name[NAME_MOST];
    join(name, t->name, "");
    for (size_t i = 0; i < sizeof HF_NAMES / sizeof *HF_NAMES; i++) {
        if (strncmp(name, HF_NAMES[i][0], strlen(HF_NAMES[i][0])) != 0) continue;
        replace(name, HF_NAMES[i][0], HF_NAMES[i][1]);
        break;
    }
    for (size_t i = 0; i < sizeof HF_PARTS / sizeof *HF_PARTS; i++) {
        replace(name, HF_PARTS[i][0], HF_PARTS[i][1]);
    }
    if (holds(name, ".attn.in_proj_")) {
        for (int i = 0; i < 3; i++) {
            const int64_t width = t->dim[0] / 3;
            const char part[] = {'.', "qkv"[i], '_', 'p', 'r', 'o', 'j', '.', '\0'};
            char one[NAME_MOST], whole[NAME_MOST];
            join(whole, ".self_attn", part);
            join(one, name, "");
            replace(one, ".attn.in_proj_", whole);
            add_rows(out, one, t, i * width, width, false);
        }
    } else if (ends(name, "_projection.weight")) {
        add_rows(out, name, t, 0, t->dim[0], true);
    } else {
        formula_tensor *n = formula_add(out, name, t->rank, t->dim);
        memcpy(n->value, t->value, t->count * sizeof *t->value);
    }
}

formula_list formula_as_hf(const formula_list *openai)
{
    formula_list out = {NULL, 0};
    for (size_t i = 0; i < openai->count; i++) hf_tensor(&out, &openai->item[i]);
    return out;
}

void formula_free(formula_list *l)
{
    for (size_t i = 0; i < l->count; i++) free(l->item[i].value);
    free(l->item);
    *l = (formula_list){NULL, 0};
}

const formula_tensor *formula_find(const formula_list *l, const char *name)
{
    for (size_t i = 0; i < l->count; i++) {
        if (strcmp(l->item[i].name, name) == 0) return &l->item[i];
    }
    fail_msg("the fixture has no tensor %s", name);
    return NULL;
}

/* ---- Storing ------------------------------------------------------------------------------- */

/* Nearest, ties to even, both. */
static uint16_t half_of(float value)
{
    int exponent;
    const uint16_t sign = signbit(value) ? 0x8000 : 0;
    if (value == 0) return sign;
    frexp(fabs((double)value), &exponent); /* value = m 2^exponent, m in [.5,1) */
    if (exponent < -13) exponent = -13;
    const double units = nearbyint(ldexp(fabs((double)value), 11 - exponent));
    return (uint16_t)(sign | ((exponent + 13) * 1024 + (int)units));
}

static float of_half(uint16_t bits)
{
    const int exponent = bits >> 10 & 31, units = bits & 1023;
    const double size = exponent == 0 ? ldexp(units, -24) : ldexp(1024 + units, exponent - 25);
    return (float)(bits >> 15 != 0 ? -size : size);
}

static uint16_t brain_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static float of_brain(uint16_t half)
{
    const uint32_t bits = (uint32_t)half << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void formula_round(formula_list *l, int type)
{
    for (size_t i = 0; i < l->count; i++) {
        for (size_t k = 0; k < l->item[i].count; k++) {
            float *v = &l->item[i].value[k];
            *v = type == F16 ? of_half(half_of(*v)) : of_brain(brain_of(*v));
        }
    }
}

static void save_values(FILE *f, const formula_tensor *t, int type)
{
    if (type == F32) {
        assert_int_equal(fwrite(t->value, sizeof *t->value, t->count, f), t->count);
        return;
    }
    for (size_t k = 0; k < t->count; k++) {
        const uint16_t half = type == F16 ? half_of(t->value[k]) : brain_of(t->value[k]);
        assert_int_equal(fwrite(&half, sizeof half, 1, f), 1);
    }
}

void formula_save(const formula_list *l, const char *path, int type, size_t shift)
{
    const char *kind = type == F32 ? "F32" : type == F16 ? "F16" : "BF16";
    const size_t size = type == F32 ? 4 : 2;
    char *header = malloc(l->count * 400 + 100);
    size_t at = 0, offset = 0;
    assert_non_null(header);
    for (size_t i = 0; i < l->count; i++) {
        const formula_tensor *t = &l->item[i];
        at += (size_t)sprintf(header + at, "%s\"%s\":{\"dtype\":\"%s\",\"shape\":[",
                              i > 0 ? "," : "{", t->name, kind);
        for (size_t d = 0; d < t->rank; d++) {
            at += (size_t)sprintf(header + at, "%s%d", d > 0 ? "," : "", (int)t->dim[d]);
        }
        at += (size_t)sprintf(header + at, "],\"data_offsets\":[%zu,%zu]}", offset,
                              offset + t->count * size);
        offset += t->count * size;
    }
    header[at++] = '}';
    while (at % 8 != shift % 8) header[at++] = ' ';
    FILE *f = fopen(path, "wb");
    const uint64_t length = at;
    assert_non_null(f);
    assert_int_equal(fwrite(&length, sizeof length, 1, f), 1);
    assert_int_equal(fwrite(header, 1, at, f), at);
    for (size_t i = 0; i < l->count; i++) save_values(f, &l->item[i], type);
    assert_int_equal(fclose(f), 0);
    free(header);
}

void formula_pixels(float *out, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        out[i] = (float)((double)(7919 * i % 1000) / 500 - 1);
    }
}
