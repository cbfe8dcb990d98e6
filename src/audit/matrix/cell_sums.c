/* One walk over the rows: sums per cell (see cell_regression.h). */
#include <string.h>

#include "audit/matrix/cell_regression.h"
#include "base/error.h"
#include "stats/moments.h"

#define PIECES_MOST 64
#define PIECES_BYTES ((size_t)64 << 20)

size_t cell_pieces(const cell_rows *rows, size_t bytes_each)
{
    size_t pieces = bytes_each > 0 ? PIECES_BYTES / bytes_each : PIECES_MOST;
    if (pieces > PIECES_MOST) pieces = PIECES_MOST;
    if (pieces > rows->clusters) pieces = rows->clusters;
    if (pieces > rows->n / 1024) pieces = rows->n / 1024;
    return pieces > 0 ? pieces : 1;
}

typedef struct sums_job {
    const cell_rows *rows;
    size_t pieces;
    neumaier *slot; /* [pieces][cells][CELL_SUMS] */
} sums_job;

static void add_row(neumaier *s, const cell_rows *rows, size_t i)
{
    double y = rows->y[i];
    s[CELL_N].sum += 1;
    neumaier_add(&s[CELL_Y], y);
    neumaier_add(&s[CELL_YY], y * y);
    if (rows->gold) {
        double g = rows->gold[i];
        neumaier_add(&s[CELL_G], g);
        neumaier_add(&s[CELL_GG], g * g);
        neumaier_add(&s[CELL_GY], g * y);
    }
    if (rows->length) {
        double l = rows->length[i];
        neumaier_add(&s[CELL_L], l);
        neumaier_add(&s[CELL_LL], l * l);
        neumaier_add(&s[CELL_LY], l * y);
        if (rows->gold) neumaier_add(&s[CELL_LG], l * rows->gold[i]);
    }
}

static tare_status sums_range(void *arg, size_t begin, size_t end, unsigned worker,
                              tare_error *err)
{
    const sums_job *job = arg;
    const cell_rows *rows = job->rows;
    (void)worker;
    (void)err;
    for (size_t k = begin; k < end; k++) {
        neumaier *slot = job->slot + k * rows->cells * CELL_SUMS;
        size_t from = rows->start[k * rows->clusters / job->pieces];
        size_t to = rows->start[(k + 1) * rows->clusters / job->pieces];
        for (size_t i = from; i < to; i++)
            add_row(slot + rows->cell[i] * (size_t)CELL_SUMS, rows, i);
    }
    return TARE_OK;
}

tare_status cell_sums(double *sums, const cell_rows *rows, const mem *m, pool *p, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t width = rows->cells * CELL_SUMS;
    sums_job job = {.rows = rows, .pieces = cell_pieces(rows, width * sizeof(neumaier))};
    TRY_NEW(job.slot = mem_new(m, job.pieces, width * sizeof *job.slot));
    TRY(pool_for(p, job.pieces, 1, sums_range, &job, err));
    for (size_t j = 0; j < width; j++) {
        neumaier s = {0, 0};
        for (size_t k = 0; k < job.pieces; k++)
            neumaier_add(&s, neumaier_total(&job.slot[k * width + j]));
        sums[j] = neumaier_total(&s);
    }
done:
    mem_free(m, job.slot);
    return status;
}
