/* score_absent.c - rows as they were, in canonical order, and those that are absent: expected for
 * every unit and judge that occur in a layer (judge audits 0.3). */
#include <math.h>
#include <string.h>

#include "audit/judge/score_build.h"
#include "base/error.h"

#define UNITS_AT_ONCE 8192
#define TALLY_MOST ((size_t)1 << 24)

typedef struct listing {
    score_filling *f;
    score_table *out;
    bool *unit, *judge; /* [layers][units], [layers][judges]: they occur */
    size_t *first;      /* [layers * units + 1] rows before a unit */
} listing;

static uint32_t rows_of(const score_filling *f, size_t cell)
{
    return f->kept ? f->kept[cell] : f->status[cell] != SCORE_NO_ROW;
}

/* Who occurs in the layers [begin, end). */
static tare_status find_present(void *arg, size_t begin, size_t end, unsigned worker,
                                tare_error *err)
{
    const listing *x = arg;
    size_t units = x->out->units, judges = x->f->judges;
    (void)worker, (void)err;
    for (size_t l = begin; l < end; l++) {
        const uint8_t *status = x->f->status + l * x->f->cells;
        bool *judge = x->judge + l * judges;
        for (size_t u = 0; u < units; u++) {
            bool here = false;
            for (size_t j = 0; j < judges; j++) {
                bool row = status[u * judges + j] != SCORE_NO_ROW;
                here = here || row;
                judge[j] = judge[j] || row;
            }
            x->unit[l * units + u] = here;
        }
    }
    return TARE_OK;
}

/* Rows by status; absent ones too. */
static tare_status count_layers(void *arg, size_t begin, size_t end, unsigned worker,
                                tare_error *err)
{
    const listing *x = arg;
    const score_filling *f = x->f;
    const score_table *out = x->out;
    (void)worker, (void)err;
    for (size_t l = begin; l < end; l++)
        for (size_t u = 0; u < out->units; u++) {
            if (!x->unit[l * out->units + u]) continue;
            size_t at = (l * out->author.count + out->unit_author[u]) * f->judges;
            uint32_t *tally = &out->tally[at * TARE_REASON_COUNT];
            for (size_t j = 0; j < f->judges; j++, tally += TARE_REASON_COUNT) {
                size_t c = l * f->cells + u * f->judges + j;
                uint32_t rows = rows_of(f, c);
                if (rows == 0)
                    tally[TARE_R_ABSENT] += x->judge[l * f->judges + j];
                else if (!f->kept)
                    tally[f->status[c]]++;
                else
                    for (uint32_t k = 0; k < rows; k++)
                        tally[f->b->reason[f->list[f->start[c] + k]]]++;
            }
        }
    return TARE_OK;
}

static void put_row(const listing *x, size_t at, size_t u, size_t judge, uint32_t rep)
{
    score_table *out = x->out;
    out->row_layer[at] = (uint32_t)(u / out->units);
    out->row_unit[at] = (uint32_t)(u % out->units);
    out->row_judge[at] = (uint32_t)judge;
    out->row_rep[at] = rep;
}

/* Rows of the units [begin, end), layers one after the other. */
static tare_status put_rows(void *arg, size_t begin, size_t end, unsigned worker, tare_error *err)
{
    const listing *x = arg;
    const score_filling *f = x->f;
    score_table *out = x->out;
    const score_build *b = f->b;
    uint32_t no_rep = out->reps > 1 ? SCORE_NO_REP : 0;
    (void)worker, (void)err;
    for (size_t u = begin; u < end; u++) {
        size_t at = x->first[u];
        if (!x->unit[u]) continue;
        for (size_t j = 0; j < f->judges; j++) {
            size_t c = u * f->judges + j;
            uint32_t rows = rows_of(f, c);
            if (rows == 0) {
                if (!x->judge[u / out->units * f->judges + j]) continue;
                out->row_status[at] = TARE_R_ABSENT;
                put_row(x, at++, u, j, no_rep);
            } else if (!f->kept) {
                out->row_status[at] = f->status[c];
                put_row(x, at++, u, j, 0);
            } else {
                for (uint32_t k = 0; k < rows; k++) {
                    uint32_t entry = f->list[f->start[c] + k];
                    out->row_status[at] = b->reason[entry];
                    put_row(x, at++, u, j, score_place(&b->rep, entry / b->lanes));
                }
            }
        }
    }
    return TARE_OK;
}

static tare_status list_rows(listing *x, tare_error *err)
{
    tare_status status = TARE_OK;
    const score_filling *f = x->f;
    score_build *b = f->b;
    score_table *out = x->out;
    size_t all = out->layers * out->units;
    TRY_NEW(x->first = arena_new(&b->scratch, all + 1, sizeof *x->first));
    for (size_t u = 0; u < all; u++) {
        size_t rows = 0;
        const bool *judge = x->judge + u / out->units * f->judges;
        for (size_t j = 0; j < f->judges && x->unit[u]; j++) {
            uint32_t here = rows_of(f, u * f->judges + j);
            rows += here ? here : judge[j];
        }
        x->first[u + 1] = x->first[u] + rows;
    }
    out->rows = x->first[all];
    TRY_NEW(out->row_unit = arena_new(b->a, out->rows, sizeof *out->row_unit));
    TRY_NEW(out->row_judge = arena_new(b->a, out->rows, sizeof *out->row_judge));
    TRY_NEW(out->row_layer = arena_new(b->a, out->rows, sizeof *out->row_layer));
    TRY_NEW(out->row_rep = arena_new(b->a, out->rows, sizeof *out->row_rep));
    TRY_NEW(out->row_status = arena_new(b->a, out->rows, 1));
    TRY(pool_for(b->context->pool, all, UNITS_AT_ONCE, put_rows, x, err));
done:
    return status;
}

static tare_status name_absent(void *arg, size_t begin, size_t end, unsigned worker,
                               tare_error *err)
{
    score_filling *f = arg;
    (void)worker, (void)err;
    for (size_t c = begin; c < end; c++) {
        if (f->status[c] != SCORE_NO_ROW) continue;
        f->status[c] = TARE_R_ABSENT;
        f->score[c] = NAN;
    }
    return TARE_OK;
}

tare_status score_make_rows(score_filling *f, tare_error *err)
{
    tare_status status = TARE_OK;
    score_build *b = f->b;
    score_table *out = b->out;
    pool *p = b->context->pool;
    listing x = {.f = f, .out = out};
    size_t tally = out->author.count * f->judges;
    TRY_NEW(x.unit = arena_new(&b->scratch, out->layers * out->units, sizeof *x.unit));
    TRY_NEW(x.judge = arena_new(&b->scratch, out->layers * f->judges, sizeof *x.judge));
    TRY(pool_for(p, out->layers, 1, find_present, &x, err));
    if (tally <= TALLY_MOST / TARE_REASON_COUNT / out->layers) {
        TRY_NEW(out->tally = arena_new(b->a, tally * out->layers * TARE_REASON_COUNT,
                                       sizeof *out->tally));
        TRY(pool_for(p, out->layers, 1, count_layers, &x, err));
    }
    if (b->o->keep_rows) TRY(list_rows(&x, err));
    TRY(pool_for(p, f->cells * out->layers, UNITS_AT_ONCE * 8, name_absent, f, err));
done:
    return status;
}
