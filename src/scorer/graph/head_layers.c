#include "scorer/graph/head_layers.h"

#include <stdio.h>

#include "base/error.h"
#include "scorer/graph/graph_names.h"

typedef struct head_reader {
    arena *a;
    const checkpoint *c;
    const char *prefix;
} head_reader;

/* "mlp.layers." + "0" + ".weight"; a bare "weight" if the layer has no name */
static void name_of(char out[TENSOR_NAME_MOST], const head_reader *r, const char *layer,
                    const char *what)
{
    snprintf(out, TENSOR_NAME_MOST, "%s%s%s%s", r->prefix, layer, layer[0] != '\0' ? "." : "",
             what);
}

/* A tensor of these dims; -1 takes any. */
static tare_status read_one(double **out, const checkpoint_tensor **found, const head_reader *r,
                            const char *name, const int64_t dim[2], tare_error *err)
{
    tare_status status = TARE_OK;
    const size_t rank = dim[1] == 0 ? 1 : 2;
    const checkpoint_tensor *t = checkpoint_find(r->c, name);
    if (t == NULL) TRY(names_missing(r->c, name, rank, dim, "", err));
    bool fits = t->rank == rank;
    for (size_t i = 0; i < rank && fits; i++) {
        fits = t->dim[i] > 0 && (dim[i] < 0 || t->dim[i] == dim[i]);
    }
    if (!fits) {
        TRY(names_misshaped(r->c, t, rank, dim,
                            dim[0] == 1 ? ": the last layer gives one number" : "", err));
    }
    *found = t;
    TRY_NEW(*out = arena_raw(r->a, (size_t)t->elements, sizeof **out));
    TRY(checkpoint_doubles(*out, r->c, t, err));
done:
    return status;
}

static tare_status read_layer(head_layers *h, size_t k, const head_reader *r, const char *layer,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    char name[TENSOR_NAME_MOST];
    const checkpoint_tensor *t;
    const int64_t weight[] = {k + 1 == h->count ? 1 : -1, k > 0 ? (int64_t)h->width[k] : -1};
    name_of(name, r, layer, "weight");
    TRY(read_one(&h->weight[k], &t, r, name, weight, err));
    h->width[k] = (size_t)t->dim[1];
    h->width[k + 1] = (size_t)t->dim[0];
    const int64_t bias[] = {t->dim[0], 0};
    name_of(name, r, layer, "bias");
    TRY(read_one(&h->bias[k], &t, r, name, bias, err));
done:
    return status;
}

tare_status head_layers_read(head_layers *out, arena *a, const checkpoint *c, const char *prefix,
                             const char *const *layers, size_t count, tare_error *err)
{
    tare_status status = TARE_OK;
    const head_reader r = {a, c, prefix};
    out->count = count;
    TRY_NEW(out->weight = arena_new(a, count, sizeof *out->weight));
    TRY_NEW(out->bias = arena_new(a, count, sizeof *out->bias));
    TRY_NEW(out->width = arena_new(a, count + 1, sizeof *out->width));
    for (size_t k = 0; k < count; k++) TRY(read_layer(out, k, &r, layers[k], err));
done:
    return status;
}
