#include "stats/resample_whole.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

enum { LANE = 16, GROUP = 4, DIGITS = 3, SHIFTS = 10 };
#define LARGEST 2088895 /* 127 x 128^2 + 63 x 128 + 63 */

/* ---- Columns --------------------------------------------------------------------------------- */

/* What is known of a column: the least shift that makes it whole so far, its largest size. */
typedef struct look {
    double most, scale;
    int shift; /* more than SHIFTS: it is not whole */
} look;

static void look_at_row(look *l, const double *z, size_t p)
{
    for (size_t j = 0; j < p; j++) {
        double x = z[j], size = fabs(x);
        if (!(size <= LARGEST)) l[j].shift = SHIFTS + 1; /* NaN too */
        if (l[j].shift > SHIFTS) continue;
        l[j].most = size > l[j].most ? size : l[j].most;
        while (x * l[j].scale != (double)(int64_t)(x * l[j].scale)) {
            if (++l[j].shift > SHIFTS) break;
            l[j].scale *= 2;
        }
    }
}

static int digits_of(const look *l)
{
    static const double bound[DIGITS] = {127, 16319, LARGEST};
    if (l->shift > SHIFTS) return 0;
    for (int d = 0; d < DIGITS; d++)
        if (l->most * l->scale <= bound[d]) return d + 1;
    return 0;
}

/* A row to the places of its digits: -64 .. 63, the last -127 .. 127. */
static void put_row(whole_columns *c, const double *row, size_t k, const uint8_t *digits,
                    const look *l, size_t p)
{
    size_t at = 0;
    for (size_t j = 0; j < p; j++) {
        int32_t rest = digits[j] ? (int32_t)(row[j] * l[j].scale) : 0;
        for (int d = 0; d < digits[j]; d++, at++) {
            int8_t *to = c->z + (at / LANE * c->groups + k / GROUP) * LANE * GROUP;
            int32_t digit = d + 1 == digits[j] ? rest : (rest % 128 + 192) % 128 - 64;
            to[at % LANE * GROUP + k % GROUP] = (int8_t)digit;
            rest = (rest - digit) / 128;
        }
    }
}

tare_status whole_open(whole_columns *out, uint8_t *is_whole, const double *z, size_t clusters,
                       size_t p, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    look *l;
    *out = (whole_columns){.clusters = clusters, .groups = (clusters + GROUP - 1) / GROUP};
    TRY_NEW(l = arena_new(a, p + 1, sizeof *l));
    for (size_t j = 0; j < p; j++) l[j].scale = 1;
    for (size_t k = 0; k < clusters; k++) look_at_row(l, z + k * p, p);
    for (size_t j = 0; j < p; j++) {
        is_whole[j] = (uint8_t)digits_of(&l[j]);
        out->count += is_whole[j];
    }
    if (out->count == 0) goto done;
    out->lanes = (out->count + 2 * LANE - 1) / (2 * LANE) * 2;
    TRY_NEW(out->z = arena_new(a, out->lanes * out->groups, LANE * GROUP));
    TRY_NEW(out->column = arena_new(a, out->count, sizeof *out->column));
    TRY_NEW(out->scale = arena_new(a, out->count, sizeof *out->scale));
    for (size_t j = 0, at = 0; j < p; j++)
        for (int d = 0; d < is_whole[j]; d++, at++) {
            out->column[at] = j;
            out->scale[at] = ldexp(1, 7 * d - l[j].shift);
        }
    for (size_t k = 0; k < clusters; k++) put_row(out, z + k * p, k, is_whole, l, p);
done:
    return status;
}

/* ---- Product --------------------------------------------------------------------------------- */

/* Groups [from, to) of WHOLE_ROWS rows and two lanes into totals. */
static void add_tile(double *totals, size_t stride, const whole_columns *c, size_t lane,
                     const int32_t sum[WHOLE_ROWS][2 * LANE], size_t rows)
{
    size_t first = lane * LANE;
    size_t width = c->count - first < 2 * LANE ? c->count - first : 2 * LANE;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < width; j++)
            totals[i * stride + c->column[first + j]] += c->scale[first + j] * sum[i][j];
}

static void multiply_rows(double *totals, size_t stride, const whole_columns *c, whole_fn kernel,
                          const uint8_t *const weights[WHOLE_ROWS], size_t rows)
{
    size_t full = c->clusters / GROUP, rest = c->clusters % GROUP;
    uint8_t last[WHOLE_ROWS][GROUP] = {{0}};
    const uint8_t *at[WHOLE_ROWS];
    for (size_t i = 0; i < WHOLE_ROWS; i++)
        for (size_t k = 0; k < rest; k++) last[i][k] = weights[i][full * GROUP + k];
    for (size_t lane = 0; lane < c->lanes; lane += 2) {
        const int8_t *z = c->z + lane * c->groups * LANE * GROUP;
        for (size_t from = 0; from < c->groups; from += WHOLE_GROUPS) {
            int32_t sum[WHOLE_ROWS][2 * LANE] = {{0}};
            size_t groups = full - from < WHOLE_GROUPS ? full - from : WHOLE_GROUPS;
            for (size_t i = 0; i < WHOLE_ROWS; i++) at[i] = weights[i] + from * GROUP;
            kernel(sum, at, z + from * LANE * GROUP, c->groups * LANE * GROUP, groups);
            add_tile(totals, stride, c, lane, sum, rows);
        }
        if (rest == 0) continue;
        int32_t sum[WHOLE_ROWS][2 * LANE] = {{0}};
        for (size_t i = 0; i < WHOLE_ROWS; i++) at[i] = last[i];
        kernel(sum, at, z + full * LANE * GROUP, c->groups * LANE * GROUP, 1);
        add_tile(totals, stride, c, lane, sum, rows);
    }
}

void whole_multiply(double *totals, size_t stride, const whole_columns *c, whole_fn kernel,
                    const uint8_t *const *weights, size_t count)
{
    for (size_t first = 0; first < count; first += WHOLE_ROWS) {
        const uint8_t *rows[WHOLE_ROWS];
        size_t n = count - first < WHOLE_ROWS ? count - first : WHOLE_ROWS;
        /* The first again where there are fewer: what it gives is left alone. */
        for (size_t i = 0; i < WHOLE_ROWS; i++) rows[i] = weights[first + (i < n ? i : 0)];
        multiply_rows(totals + first * stride, stride, c, kernel, rows, n);
    }
}
