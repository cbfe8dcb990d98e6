#include "audit/photos/photo_measures.h"

#include <math.h>

#include "audit/photos/measures_json.h"
#include "base/error.h"

tare_status photo_measures_init(photo_measures *x, arena *a, size_t rows, tare_error *err)
{
    *x = (photo_measures){.a = a, .rows = rows};
    x->state = arena_new(a, rows, 1);
    return x->state ? TARE_OK : error_memory(err);
}

tare_status photo_measures_put(photo_measures *x, size_t row, const perturb_measures *values,
                               measured_state state, tare_error *err)
{
    for (size_t k = 0; k < measures_count(); k++) {
        double value = measures_get(values, k);
        if (!x->column[k] && (isnan(value) || (measures_whole(k) && value == 0))) continue;
        if (!x->column[k]) {
            x->column[k] = arena_raw(x->a, x->rows, sizeof *x->column[k]);
            if (!x->column[k]) return error_memory(err);
            for (size_t i = 0; i < x->rows; i++) x->column[k][i] = measures_whole(k) ? 0 : NAN;
        }
        x->column[k][row] = value;
    }
    x->state[row] = (unsigned char)state;
    return TARE_OK;
}

perturb_measures photo_measures_at(const photo_measures *x, size_t row)
{
    perturb_measures out;
    measures_clear(&out);
    for (size_t k = 0; k < measures_count(); k++)
        if (x->column[k]) measures_set(&out, k, x->column[k][row]);
    return out;
}
