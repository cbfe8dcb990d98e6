/* The sizes of a tower: each letter of the tables gets its size from the first tensor that has it,
 * all others must agree. */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "scorer/graph/graph_names.h"

enum { SIZE_MOST = 1 << 24, LETTERS = 26 };

typedef struct planner {
    tower_plan *plan;
    const checkpoint *c;
    const char *from[LETTERS]; /* name of the tensor that fixed a letter; NULL: not yet */
} planner;

/* Where the size of a letter is kept. */
static int *place(tower_plan *p, char letter)
{
    switch (letter) {
    case 'D': return &p->width;
    case 'M': return &p->mlp;
    case 'E': return &p->embedding;
    case 'T': return &p->tokens;
    case 'V': return &p->vocabulary;
    case 'C': return &p->context;
    case 'P': return &p->patch;
    case 'X': return &p->cross_width;
    default: return NULL; /* Q and digits follow from others */
    }
}

static void set(planner *k, char letter, int64_t value, const char *name)
{
    int *at = place(k->plan, letter);
    if (at == NULL || k->from[letter - 'A'] != NULL || value <= 0 || value > SIZE_MOST) return;
    *at = (int)value;
    k->from[letter - 'A'] = name;
}

/* -1 while nobody has said it. */
static int64_t wanted(const planner *k, char letter)
{
    if (letter >= 'A' && k->from[(letter == 'Q' ? 'D' : letter) - 'A'] == NULL) return -1;
    return names_dim(k->plan, letter);
}

static tare_status plan_tensor(void *arg, const names_tensor *t, tare_error *err)
{
    planner *k = arg;
    const checkpoint_tensor *found = checkpoint_find(k->c, t->name);
    int64_t dim[MODEL_RANK_MOST];
    char why[256] = "";
    bool fits = found != NULL && found->rank == t->rank;
    for (size_t i = 0; i < t->rank && fits; i++) set(k, t->dims[i], found->dim[i], found->name);
    for (size_t i = 0; i < t->rank; i++) {
        dim[i] = wanted(k, t->dims[i]);
        if (!fits || dim[i] == found->dim[i]) continue;
        fits = false;
        if (t->dims[i] < 'A') continue;
        const char *from = k->from[(t->dims[i] == 'Q' ? 'D' : t->dims[i]) - 'A'];
        if (from == NULL) snprintf(why, sizeof why, " with 1 to %d in place of ?", SIZE_MOST);
        else if (from != found->name) snprintf(why, sizeof why, ", as %.200s has it", from);
    }
    if (found == NULL) return names_missing(k->c, t->name, t->rank, dim, "", err);
    if (!fits) return names_misshaped(k->c, found, t->rank, dim, why, err);
    return TARE_OK;
}

/* One more than the highest number of a layer; what is missing below it is then missing by name.
 * At least 1. */
static int count_layers(const tower_names *t, const char *prefix, const checkpoint *c)
{
    char head[TENSOR_NAME_MOST];
    const int length = snprintf(head, sizeof head, "%s%s", prefix, t->block);
    long most = 0;
    for (size_t i = 0; i < c->tensor_count; i++) {
        const char *name = c->tensor[i].name;
        char *end;
        if (strncmp(name, head, (size_t)length) != 0) continue;
        if (name[length] < '0' || name[length] > '9') continue;
        const long layer = strtol(name + length, &end, 10);
        if (*end == '.' && layer > most && layer < SIZE_MOST) most = layer;
    }
    return (int)most + 1;
}

static tare_status plan_tower(tower_plan *p, const tower_names *t, const checkpoint *c,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    planner k = {p, c, {NULL}};
    if (t == NULL) {
        FAIL(err, TARE_E_DATA, "checkpoint.layout", c->path,
             "this layout has no text tower of this kind");
    }
    p->width = p->mlp = p->embedding = p->patch = p->side = p->tokens = 0;
    p->vocabulary = p->context = p->cross_width = 0;
    p->layers = count_layers(t, p->prefix, c);
    TRY(names_walk(t, p->prefix, p->layers, plan_tensor, &k, err));
    TRY(names_heads(p, c, err));
done:
    return status;
}

tare_status graph_plan_vision(tower_plan *p, const checkpoint *c, tare_error *err)
{
    tare_status status = TARE_OK;
    const tower_names *t = names_vision(p->layout);
    int grid = 1;
    TRY(plan_tower(p, t, c, err));
    while ((int64_t)(grid + 1) * (grid + 1) < p->tokens) grid++;
    if (p->tokens != grid * grid + 1) {
        char name[TENSOR_NAME_MOST];
        names_full(name, t, p->prefix, -1, names_part(t, PART_POSITION)->weight);
        FAIL(err, TARE_E_DATA, "checkpoint.shape", c->path,
             "tensor %s has %d tokens, and a square number and one for the class is wanted", name,
             p->tokens);
    }
    if ((int64_t)grid * p->patch > SIZE_MOST) {
        FAIL(err, TARE_E_DATA, "checkpoint.shape", c->path,
             "patches of %d pixels, %d in a row, are more than an image has", p->patch, grid);
    }
    p->side = grid * p->patch;
done:
    return status;
}

tare_status graph_plan_text(tower_plan *p, const checkpoint *c, tare_error *err)
{
    return plan_tower(p, names_text(p->layout), c, err);
}

tare_status graph_plan_bert(tower_plan *p, const checkpoint *c, tare_error *err)
{
    return plan_tower(p, names_bert(p->layout), c, err);
}
