/* Linear layers with nothing between them are one affine map: the last weight times the one before
 * it, and so on. */
#include "base/error.h"
#include "scorer/graph/head_layers.h"

/* row[out] . weight[out,in] */
static double *row_times(arena *a, const double *row, const double *weight, size_t out, size_t in)
{
    double *product = arena_new(a, in, sizeof *product);
    for (size_t o = 0; product != NULL && o < out; o++) {
        for (size_t i = 0; i < in; i++) product[i] += row[o] * weight[o * in + i];
    }
    return product;
}

tare_status affine_head_fold(affine_head *out, arena *a, const checkpoint *c, const char *prefix,
                             const char *const *layers, size_t count, tare_error *err)
{
    tare_status status = TARE_OK;
    head_layers h;
    arena scratch;
    arena_init(&scratch, a->m);
    TRY(head_layers_read(&h, &scratch, c, prefix, layers, count, err));
    double *row = h.weight[count - 1], bias = h.bias[count - 1][0];
    for (size_t k = count - 1; k-- > 0;) {
        for (size_t i = 0; i < h.width[k + 1]; i++) bias += row[i] * h.bias[k][i];
        TRY_NEW(row = row_times(&scratch, row, h.weight[k], h.width[k + 1], h.width[k]));
    }
    TRY_NEW(out->vector = arena_raw(a, h.width[0], sizeof *out->vector));
    memcpy(out->vector, row, h.width[0] * sizeof *row);
    out->bias = bias;
    out->length = h.width[0];
done:
    arena_free(&scratch);
    return status;
}

double affine_head_value(const affine_head *h, const double *x)
{
    double sum = 0;
    for (size_t i = 0; i < h->length; i++) sum += h->vector[i] * x[i];
    return sum + h->bias;
}
