#include "unit/tower_peer.h"

#include <string.h>

#include "support/check.h"

static double *numbers(size_t count)
{
    double *out = calloc(count, sizeof *out);
    assert_non_null(out);
    return out;
}

enum { NAME_MOST = 160 };

static void join(char out[NAME_MOST], const char *head, const char *tail)
{
    assert_true(strlen(head) + strlen(tail) < NAME_MOST);
    strcpy(out, head);
    strcat(out, tail);
}

static const float *weight(const tower_peer *p, const char *head, const char *tail)
{
    char name[NAME_MOST];
    join(name, head, tail);
    return formula_find(p->weights, name)->value;
}

/* ---- One token ----------------------------------------------------------------------------- */

/* y[out] = w[out,in] x + b */
static void linear(double *y, const float *w, const float *b, const double *x, int out, int in)
{
    for (int o = 0; o < out; o++) {
        double sum = b != NULL ? b[o] : 0;
        for (int i = 0; i < in; i++) sum += (double)w[(size_t)o * (size_t)in + (size_t)i] * x[i];
        y[o] = sum;
    }
}

static void norm(double *y, const tower_peer *p, const char *head, const char *name,
                 const double *x)
{
    char whole[NAME_MOST];
    const int n = p->sizes.width;
    double mean = 0, variance = 0;
    join(whole, head, name);
    const float *g = weight(p, whole, ".weight"), *b = weight(p, whole, ".bias");
    for (int i = 0; i < n; i++) mean += x[i] / n;
    for (int i = 0; i < n; i++) variance += (x[i] - mean) * (x[i] - mean);
    variance /= p->one_fewer ? n - 1 : n;
    for (int i = 0; i < n; i++) y[i] = (x[i] - mean) / sqrt(variance + p->eps) * g[i] + b[i];
}

static double gelu(const tower_peer *p, double x)
{
    return p->quick ? x / (1 + exp(-1.702 * x)) : .5 * x * (1 + erf(x / sqrt(2)));
}

/* ---- Attention ----------------------------------------------------------------------------- */

/* Head h of one query over `seen` keys; d numbers of out. */
static void attend_one(double *out, const double *q, const double *k, const double *v, int seen,
                       int width, int d)
{
    double total = 0, most = -INFINITY, *s = numbers((size_t)seen);
    for (int t = 0; t < seen; t++) {
        for (int i = 0; i < d; i++) s[t] += q[i] * k[t * width + i];
        s[t] /= sqrt(d);
        most = fmax(most, s[t]);
    }
    for (int t = 0; t < seen; t++) total += s[t] = exp(s[t] - most);
    for (int i = 0; i < d; i++) {
        out[i] = 0;
        for (int t = 0; t < seen; t++) out[i] += s[t] / total * v[t * width + i];
    }
    free(s);
}

/* The weights of an attention: q, k, v, out as [out,in] with biases. */
typedef struct attention {
    const float *w[4], *b[4];
    int from; /* width of what is looked at */
    bool causal;
} attention;

/* y[n,width] of x[n,width] looking at z[t,from] */
static void attend(double *y, const tower_peer *p, const attention *a, const double *x, int n,
                   const double *z, int t)
{
    const int w = p->sizes.width, d = w / p->heads;
    double *q = numbers((size_t)(n * w)), *k = numbers((size_t)(t * w));
    double *v = numbers((size_t)(t * w)), *o = numbers((size_t)w);
    for (int i = 0; i < n; i++) linear(q + i * w, a->w[0], a->b[0], x + i * w, w, w);
    for (int i = 0; i < t; i++) {
        linear(k + i * w, a->w[1], a->b[1], z + i * a->from, w, a->from);
        linear(v + i * w, a->w[2], a->b[2], z + i * a->from, w, a->from);
    }
    for (int i = 0; i < n; i++) {
        const int seen = a->causal ? i + 1 : t;
        for (int h = 0; h < w; h += d) {
            attend_one(o + h, q + i * w + h, k + h, v + h, seen, w, d);
        }
        linear(y + i * w, a->w[3], a->b[3], o, w, w);
    }
    free(q);
    free(k);
    free(v);
    free(o);
}

/* ---- Layers -------------------------------------------------------------------------------- */

typedef struct layer_names {
    const char *norm_1, *qkv_weight, *qkv_bias, *out, *norm_2, *up, *down;
} layer_names;

static void mlp(double *y, const tower_peer *p, const char *head, const char *up,
                const char *down, const double *x)
{
    const int w = p->sizes.width, m = p->sizes.mlp > 0 ? p->sizes.mlp : 4 * w;
    char a[NAME_MOST], b[NAME_MOST];
    double *hidden = numbers((size_t)m);
    join(a, head, up);
    join(b, head, down);
    linear(hidden, weight(p, a, ".weight"), weight(p, a, ".bias"), x, m, w);
    for (int i = 0; i < m; i++) hidden[i] = gelu(p, hidden[i]);
    linear(y, weight(p, b, ".weight"), weight(p, b, ".bias"), hidden, w, m);
    free(hidden);
}

/* Norm before: x[n,width] in place. */
static void layer(double *x, const tower_peer *p, const char *head, const layer_names *names,
                  int n, bool causal)
{
    const int w = p->sizes.width;
    double *h = numbers((size_t)(n * w)), *y = numbers((size_t)(n * w));
    char out[NAME_MOST];
    attention a = {.from = w, .causal = causal};
    const float *qkv = weight(p, head, names->qkv_weight), *b = weight(p, head, names->qkv_bias);
    for (int i = 0; i < 3; i++) {
        a.w[i] = qkv + i * w * w;
        a.b[i] = b + i * w;
    }
    join(out, head, names->out);
    a.w[3] = weight(p, out, ".weight");
    a.b[3] = weight(p, out, ".bias");
    for (int i = 0; i < n; i++) norm(h + i * w, p, head, names->norm_1, x + i * w);
    attend(y, p, &a, h, n, h, n);
    for (int i = 0; i < n * w; i++) x[i] += y[i];
    for (int i = 0; i < n; i++) {
        norm(h, p, head, names->norm_2, x + i * w);
        mlp(y, p, head, names->up, names->down, h);
        for (int k = 0; k < w; k++) x[i * w + k] += y[k];
    }
    free(h);
    free(y);
}

static const layer_names OPENAI = {"ln_1", "attn.in_proj_weight", "attn.in_proj_bias",
                                   "attn.out_proj", "ln_2", "mlp.c_fc", "mlp.c_proj"};
static const layer_names BLIP = {"norm1", "attn.qkv.weight", "attn.qkv.bias", "attn.proj",
                                 "norm2", "mlp.fc1", "mlp.fc2"};

static void layers(double *x, const tower_peer *p, const char *head, const layer_names *names,
                   int n, bool causal)
{
    for (int i = 0; i < p->sizes.layers; i++) {
        char one[100];
        snprintf(one, sizeof one, "%s%d.", head, i);
        layer(x, p, one, names, n, causal);
    }
}

/* ---- Towers -------------------------------------------------------------------------------- */

static int tokens_of(const formula_sizes *s)
{
    return (s->side / s->patch) * (s->side / s->patch) + 1;
}

/* The pixels of patch t in the order of a kernel: channel, row, column. */
static void cut_patch(double *out, const formula_sizes *s, const float *pixels, int t)
{
    const int across = s->side / s->patch, top = t / across * s->patch;
    const int left = t % across * s->patch;
    for (int c = 0; c < 3; c++) {
        for (int y = 0; y < s->patch; y++) {
            for (int x = 0; x < s->patch; x++) {
                *out++ = pixels[(c * s->side + top + y) * s->side + left + x];
            }
        }
    }
}

static double *embed(const tower_peer *p, const float *pixels, const char *kernel,
                     const char *bias, const char *token, const char *places)
{
    const formula_sizes *s = &p->sizes;
    const int w = s->width, n = tokens_of(s), area = 3 * s->patch * s->patch;
    const float *class = weight(p, token, ""), *place = weight(p, places, "");
    double *x = numbers((size_t)(n * w)), *patch = numbers((size_t)area);
    for (int i = 0; i < w; i++) x[i] = class[i];
    for (int t = 1; t < n; t++) {
        cut_patch(patch, s, pixels, t - 1);
        linear(x + t * w, weight(p, kernel, ""), bias != NULL ? weight(p, bias, "") : NULL,
               patch, w, area);
    }
    for (int i = 0; i < n * w; i++) x[i] += place[i];
    free(patch);
    return x;
}

/* out[embedding] = x[width] . m[width,embedding] */
static void project(double *out, const tower_peer *p, const char *name, const double *x)
{
    const int e = p->sizes.embedding;
    const float *m = weight(p, name, "");
    for (int k = 0; k < e; k++) {
        out[k] = 0;
        for (int i = 0; i < p->sizes.width; i++) out[k] += x[i] * m[i * e + k];
    }
}

void peer_clip_image(double *out, const tower_peer *p, const float *pixels)
{
    const int w = p->sizes.width, n = tokens_of(&p->sizes);
    double *x = embed(p, pixels, "visual.conv1.weight", NULL, "visual.class_embedding",
                      "visual.positional_embedding");
    for (int i = 0; i < n; i++) norm(x + i * w, p, "visual.", "ln_pre", x + i * w);
    layers(x, p, "visual.transformer.resblocks.", &OPENAI, n, false);
    norm(x, p, "visual.", "ln_post", x);
    project(out, p, "visual.proj", x);
    free(x);
}

static double *embed_words(const tower_peer *p, const int64_t *ids, int n, const char *words,
                           const char *places)
{
    const int w = p->sizes.width;
    const float *word = weight(p, words, ""), *place = weight(p, places, "");
    double *x = numbers((size_t)(n * w));
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < w; k++) {
            x[i * w + k] = (double)word[ids[i] * w + k] + (double)place[i * w + k];
        }
    }
    return x;
}

void peer_clip_text(double *out, const tower_peer *p, const int64_t *ids, int n)
{
    const int w = p->sizes.width;
    double *x = embed_words(p, ids, n, "token_embedding.weight", "positional_embedding");
    layers(x, p, "transformer.resblocks.", &OPENAI, n, true);
    norm(x, p, "", "ln_final", x + (n - 1) * w);
    project(out, p, "text_projection", x);
    free(x);
}

void peer_blip_image(double *out, const tower_peer *p, const float *pixels)
{
    const int w = p->sizes.width, n = tokens_of(&p->sizes);
    double *x = embed(p, pixels, "blip.visual_encoder.patch_embed.proj.weight",
                      "blip.visual_encoder.patch_embed.proj.bias",
                      "blip.visual_encoder.cls_token", "blip.visual_encoder.pos_embed");
    layers(x, p, "blip.visual_encoder.blocks.", &BLIP, n, false);
    for (int i = 0; i < n; i++) norm(out + i * w, p, "blip.visual_encoder.", "norm", x + i * w);
    free(x);
}

/* ---- BERT: norms after the sums ------------------------------------------------------------ */

static void bert_attend(double *x, const tower_peer *p, const char *head, int n, const double *z,
                        int t, int from)
{
    static const char *const parts[] = {"self.query", "self.key", "self.value", "output.dense"};
    const int w = p->sizes.width;
    double *y = numbers((size_t)(n * w));
    attention a = {.from = from, .causal = false};
    for (int i = 0; i < 4; i++) {
        char name[NAME_MOST];
        join(name, head, parts[i]);
        a.w[i] = weight(p, name, ".weight");
        a.b[i] = weight(p, name, ".bias");
    }
    attend(y, p, &a, x, n, z, t);
    for (int i = 0; i < n * w; i++) y[i] += x[i];
    for (int i = 0; i < n; i++) norm(x + i * w, p, head, "output.LayerNorm", y + i * w);
    free(y);
}

static void bert_layer(double *x, const tower_peer *p, int index, int n, const double *image,
                       int tokens)
{
    const int w = p->sizes.width;
    char head[100], part[NAME_MOST];
    double *y = numbers((size_t)w);
    snprintf(head, sizeof head, "blip.text_encoder.encoder.layer.%d.", index);
    join(part, head, "attention.");
    bert_attend(x, p, part, n, x, n, w);
    join(part, head, "crossattention.");
    bert_attend(x, p, part, n, image, tokens, p->sizes.cross);
    for (int i = 0; i < n; i++) {
        mlp(y, p, head, "intermediate.dense", "output.dense", x + i * w);
        for (int k = 0; k < w; k++) y[k] += x[i * w + k];
        norm(x + i * w, p, head, "output.LayerNorm", y);
    }
    free(y);
}

void peer_blip_text(double *out, const tower_peer *p, const int64_t *ids, int n,
                    const double *image, int tokens)
{
    const int w = p->sizes.width;
    double *x = embed_words(p, ids, n, "blip.text_encoder.embeddings.word_embeddings.weight",
                            "blip.text_encoder.embeddings.position_embeddings.weight");
    for (int i = 0; i < n; i++) {
        norm(x + i * w, p, "blip.text_encoder.", "embeddings.LayerNorm", x + i * w);
    }
    for (int i = 0; i < p->sizes.layers; i++) bert_layer(x, p, i, n, image, tokens);
    memcpy(out, x, (size_t)w * sizeof *out);
    free(x);
}
