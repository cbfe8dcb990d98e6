/* weight_compare.c - two files' views of the same weights, number by number. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "scorer/graph/weight_views.h"
#include "scorer/onnx/onnx_half.h"

enum { NUMBERS_MOST = 1 << 18 }; /* that are held of each file at a time, or one row if longer */

/* ---- Rounding -------------------------------------------------------------------------------- */

/* Bits of the significand; 0: whole numbers, which are not rounded. */
static int precision(const checkpoint_tensor *t)
{
    if (t->quantised) return 0;
    switch (t->type) {
    case TENSOR_F64: return 53;
    case TENSOR_F32: return 24;
    case TENSOR_F16: return 11;
    case TENSOR_BF16: return 8;
    default: return 0;
    }
}

static double to_bf16(double x)
{
    float value = (float)x;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits += 0x7fff + (bits >> 16 & 1); /* ties to even; all that is read is finite */
    bits &= 0xffff0000;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static double rounded(double x, int bits)
{
    return bits == 24   ? (double)(float)x
           : bits == 11 ? onnx_half_value(onnx_half((float)x))
           : bits == 8  ? to_bf16(x)
                        : x;
}

/* ---- One pair -------------------------------------------------------------------------------- */

typedef struct comparer {
    arena *a;
    const mem *m;
    const weight_views *first, *second;
    double *x, *y;
    size_t room;
} comparer;

/* Rows of the first dimension from `row` on, as a tensor of their own. */
static checkpoint_tensor rows_of(const checkpoint_tensor *t, int64_t row, int64_t rows)
{
    checkpoint_tensor part = *t;
    if (t->rank == 0) return part;
    part.elements = t->elements / (uint64_t)t->dim[0] * (uint64_t)rows;
    part.dim[0] = rows;
    part.data += (size_t)(row * t->stride[0]) * tensor_type_size(t->type);
    return part;
}

static bool is_same(double x, double y)
{
    return x == y && signbit(x) == signbit(y);
}

/* The numbers that stand in x and y into the pair; false: some differ after rounding, too. */
static bool compare_numbers(weight_pair *p, const comparer *k, size_t n, int bits)
{
    bool good = true;
    for (size_t i = 0; i < n; i++) {
        if (is_same(k->x[i], k->y[i])) continue;
        p->differing++;
        p->largest = fmax(p->largest, fabs(k->x[i] - k->y[i]));
        good &= bits && is_same(rounded(k->x[i], bits), rounded(k->y[i], bits));
    }
    return good;
}

/* A tensor that is no numbers, or not finite ones, is that pair's own trouble. */
static tare_status read_both(weight_pair *p, const comparer *k, const checkpoint_tensor *x,
                             const checkpoint_tensor *y, tare_error *err)
{
    tare_status status = TARE_OK;
    tare_error why;
    tare_status read = checkpoint_doubles(k->x, k->first->c, x, &why);
    if (read == TARE_OK) read = checkpoint_doubles(k->y, k->second->c, y, &why);
    if (read == TARE_E_DATA) {
        p->outcome = WEIGHT_UNREADABLE;
        p->largest = NAN;
        TRY_NEW(p->why = arena_copy(k->a, why.message));
    } else if (read != TARE_OK) {
        status = read;
        if (err) *err = why;
    }
done:
    return status;
}

static tare_status make_room(comparer *k, size_t n, tare_error *err)
{
    tare_status status = TARE_OK;
    if (n <= k->room) goto done;
    mem_free(k->m, k->x);
    mem_free(k->m, k->y);
    k->x = k->y = NULL;
    k->room = 0;
    TRY_NEW(k->x = mem_new(k->m, n, sizeof *k->x));
    TRY_NEW(k->y = mem_new(k->m, n, sizeof *k->y));
    k->room = n;
done:
    return status;
}

static bool same_dims(const checkpoint_tensor *x, const checkpoint_tensor *y)
{
    return x->rank == y->rank && !memcmp(x->dim, y->dim, x->rank * sizeof *x->dim);
}

static tare_status compare_pair(weight_pair *p, comparer *k, tare_error *err)
{
    tare_status status = TARE_OK;
    const checkpoint_tensor *x = &p->first->t, *y = &p->second->t;
    const int of_x = precision(x), of_y = precision(y);
    bool good = true;
    p->outcome = WEIGHT_EQUAL;
    p->largest = 0;
    if (!same_dims(x, y)) {
        p->outcome = WEIGHT_OTHER_DIMS;
        p->largest = NAN;
    }
    if (p->outcome != WEIGHT_EQUAL || x->elements == 0) goto done;
    const int64_t all = x->rank ? x->dim[0] : 1;
    const uint64_t row = x->elements / (uint64_t)all;
    const int64_t step = row < NUMBERS_MOST ? (int64_t)(NUMBERS_MOST / row) : 1;
    for (int64_t at = 0; at < all; at += step) {
        const int64_t rows = all - at < step ? all - at : step;
        const checkpoint_tensor xs = rows_of(x, at, rows), ys = rows_of(y, at, rows);
        TRY(context_check(k->first->c->context, err));
        TRY(make_room(k, (size_t)xs.elements, err));
        TRY(read_both(p, k, &xs, &ys, err));
        if (p->outcome == WEIGHT_UNREADABLE) goto done;
        good &= compare_numbers(p, k, (size_t)xs.elements, of_x < of_y ? of_x : of_y);
    }
    if (p->differing) p->outcome = good && of_x != of_y ? WEIGHT_ROUNDED : WEIGHT_DIFFERS;
done:
    return status;
}

/* ---- All of them ----------------------------------------------------------------------------- */

/* Both lists are in order of key. */
tare_status weight_views_compare(weight_pair **out, size_t *count, arena *a,
                                 const weight_views *first, const weight_views *second,
                                 tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &first->c->context->mem;
    comparer k = {.a = a, .m = m, .first = first, .second = second};
    weight_pair *list;
    size_t n = 0, i = 0, j = 0;
    TRY_NEW(list = arena_new(a, first->count + second->count + 1, sizeof *list));
    while (i < first->count || j < second->count) {
        int order = i == first->count    ? 1
                    : j == second->count ? -1
                                         : strcmp(first->item[i].key, second->item[j].key);
        weight_pair *p = &list[n++];
        *p = (weight_pair){.largest = NAN, .why = ""};
        if (order <= 0) p->first = &first->item[i++];
        if (order >= 0) p->second = &second->item[j++];
        if (order == 0) TRY(compare_pair(p, &k, err));
        else p->outcome = order < 0 ? WEIGHT_ONLY_FIRST : WEIGHT_ONLY_SECOND;
    }
    *out = list;
    *count = n;
done:
    mem_free(m, k.x);
    mem_free(m, k.y);
    return status;
}
