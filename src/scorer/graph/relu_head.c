/* Linear layers with ReLU between them, one after the other in double. */
#include <string.h>

#include "base/error.h"
#include "scorer/graph/head_layers.h"

tare_status relu_head_read(relu_head *out, arena *a, const checkpoint *c, const char *prefix,
                           const char *const *layers, size_t count, tare_error *err)
{
    head_layers h;
    tare_status status = head_layers_read(&h, a, c, prefix, layers, count, err);
    if (status == TARE_OK) *out = (relu_head){h.weight, h.bias, h.width, h.count};
    return status;
}

tare_status relu_head_value(double *out, const relu_head *h, const mem *m, const double *x,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    double *now = NULL, *next = NULL;
    size_t most = 1;
    for (size_t k = 0; k <= h->count; k++) most = h->width[k] > most ? h->width[k] : most;
    TRY_NEW(now = mem_new(m, most, sizeof *now));
    TRY_NEW(next = mem_new(m, most, sizeof *next));
    memcpy(now, x, h->width[0] * sizeof *x);
    for (size_t k = 0; k < h->count; k++) {
        const size_t in = h->width[k];
        for (size_t o = 0; o < h->width[k + 1]; o++) {
            double sum = 0;
            for (size_t i = 0; i < in; i++) sum += h->weight[k][o * in + i] * now[i];
            sum += h->bias[k][o];
            next[o] = k + 1 < h->count && sum < 0 ? 0 : sum;
        }
        double *swap = now;
        now = next;
        next = swap;
    }
    *out = now[0];
done:
    mem_free(m, now);
    mem_free(m, next);
    return status;
}
