/* The blocks of a view, and their means as functions of cell means (see matrix_blocks.h). */
#include "audit/matrix/matrix_blocks.h"

#include <math.h>
#include <string.h>

#include "audit/matrix/matrix_numbers.h"
#include "base/error.h"

enum { CELL_NEITHER, CELL_BLOCK, CELL_OUTSIDE };

static bool has_value(const roster_model *m, size_t grouping, const char *value)
{
    for (size_t k = 0; k < m->group[grouping].count; k++)
        if (strcmp(m->group[grouping].value[k], value) == 0) return true;
    return false;
}

static bool model_has(const roster *r, size_t model, size_t grouping, const char *value)
{
    return model != ROSTER_NONE && has_value(&r->models[model], grouping, value);
}

static bool asked_for(const matrix_study *s, const char *grouping)
{
    for (size_t k = 0; k < s->o.block_count; k++)
        if (strcmp(s->o.block[k], grouping) == 0) return true;
    return s->o.block_count == 0;
}

static tare_status check_names(const matrix_study *s, tare_error *err)
{
    for (size_t k = 0; k < s->o.block_count; k++)
        if (!s->t->models || roster_grouping(s->t->models, s->o.block[k]) == ROSTER_NONE)
            return error_set(err, TARE_E_USAGE, "matrix.block", NULL,
                             "--block %s: %s", s->o.block[k],
                             s->t->models ? "the roster has no such grouping"
                                          : "blocks come from the roster, and there is none");
    return TARE_OK;
}

/* The values of a grouping among the view's judges, by first appearance in the roster's order. */
static tare_status list_values(const char ***out, size_t *count, matrix_study *s,
                               const matrix_view *v, size_t grouping, tare_error *err)
{
    tare_status status = TARE_OK;
    const roster *r = s->t->models;
    size_t most = 0;
    for (size_t k = 0; k < r->count; k++) most += r->models[k].group[grouping].count;
    TRY_NEW(*out = arena_new(&s->scratch, most + 1, sizeof **out));
    *count = 0;
    for (size_t k = 0; k < r->count; k++) {
        bool judges = false;
        for (size_t e = 0; e < v->E; e++) judges = judges || s->t->judge_model[v->judge[e]] == k;
        for (size_t n = 0; judges && n < r->models[k].group[grouping].count; n++) {
            const char *value = r->models[k].group[grouping].value[n];
            bool known = false;
            for (size_t i = 0; i < *count; i++) known = known || strcmp((*out)[i], value) == 0;
            if (!known) (*out)[(*count)++] = value;
        }
    }
done:
    return status;
}

static tare_status fill_block(matrix_block *b, matrix_study *s, const matrix_view *v,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    const roster *r = s->t->models;
    size_t grouping = v->grouping[b->grouping].index;
    TRY_NEW(b->cell = arena_new(&s->scratch, v->G * v->E, 1));
    for (size_t k = 0; k < BLOCK_KINDS; k++) b->entry[k] = BOOK_NONE;
    for (size_t e = 0; e < v->E; e++) {
        if (!model_has(r, s->t->judge_model[v->judge[e]], grouping, b->value)) continue;
        b->models += v->self_author[e] != SIZE_MAX;
        for (size_t g = 0; g < v->G; g++) {
            if (v->self_author[e] == g) continue;
            bool inside = model_has(r, s->t->author_model[v->author[g]], grouping, b->value);
            b->cell[g * v->E + e] = inside ? CELL_BLOCK : CELL_OUTSIDE;
            b->cells += inside;
            b->outside += !inside;
        }
    }
done:
    return status;
}

/* What is left of x over the cells with open[c] when rows and columns have their means there taken
 * out in turn. Returns the largest change of the last turn. */
static double sweep(double *x, const uint8_t *open, const matrix_view *v)
{
    double most = 0;
    for (int columns = 0; columns < 2; columns++) {
        size_t lines = columns ? v->E : v->G, along = columns ? v->G : v->E;
        for (size_t i = 0; i < lines; i++) {
            double sum = 0, n = 0;
            for (size_t j = 0; j < along; j++) {
                size_t c = columns ? j * v->E + i : i * v->E + j;
                sum += open[c] ? x[c] : 0;
                n += open[c];
            }
            double mean = n > 0 ? sum / n : 0;
            for (size_t j = 0; j < along; j++) {
                size_t c = columns ? j * v->E + i : i * v->E + j;
                if (open[c]) x[c] -= mean;
            }
            most = fmax(most, fabs(mean));
        }
    }
    return most;
}

/* Alternating projections: each turn shrinks what is left to do by 1/((G - 1)(E - 1)) or so. */
static tare_status make_contrast(matrix_block *b, matrix_study *s, const matrix_view *v,
                                 tare_error *err)
{
    enum { TURNS = 1000 };
    tare_status status = TARE_OK;
    size_t cells = v->G * v->E;
    uint8_t *open;
    double largest = 0, left = 0;
    b->apart = NAN;
    if (b->cells == 0 || b->outside == 0) return TARE_OK;
    TRY_NEW(open = arena_new(&s->scratch, cells, 1));
    TRY_NEW(b->contrast = arena_new(&s->scratch, cells, sizeof(double)));
    for (size_t c = 0; c < cells; c++) {
        open[c] = v->self_author[c % v->E] != c / v->E;
        b->contrast[c] = b->cell[c] == CELL_BLOCK     ? 1 / (double)b->cells
                         : b->cell[c] == CELL_OUTSIDE ? -1 / (double)b->outside
                                                      : 0;
        largest = fmax(largest, fabs(b->contrast[c]));
    }
    double change = largest;
    for (int turn = 0; turn < TURNS && change > 1e-15 * largest; turn++)
        change = sweep(b->contrast, open, v);
    for (size_t c = 0; c < cells; c++) left = fmax(left, fabs(b->contrast[c]));
    if (left < 1e-9 * largest) b->contrast = NULL;
done:
    return status;
}

static tare_status find_blocks(matrix_blocks *out, matrix_study *s, const matrix_view *v,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    size_t capacity = 0, count = 0;
    const char **value;
    matrix_block *block = NULL;
    TRY_NEW(out->assignment = arena_new(&s->scratch, v->groupings + 1, sizeof *out->assignment));
    for (size_t g = 0; g < v->groupings; g++) {
        if (!asked_for(s, v->grouping[g].name)) continue;
        out->assignment[out->assignments++] =
            (matrix_assignment){.grouping = g, .entry = {BOOK_NONE, BOOK_NONE}, .reason = ""};
        TRY(list_values(&value, &count, s, v, v->grouping[g].index, err));
        for (size_t k = 0; k < count; k++) {
            matrix_block b = {.grouping = g, .value = value[k]};
            TRY(fill_block(&b, s, v, err));
            if (b.models < 2) continue; /* judge audits A.4 */
            TRY(make_contrast(&b, s, v, err));
            if (!mem_reserve(s->m, &block, &capacity, out->count + 1, sizeof *block))
                FAIL_MEMORY(err);
            block[out->count++] = b;
        }
    }
    TRY_NEW(out->block = arena_new(&s->scratch, out->count + 1, sizeof *out->block));
    if (out->count > 0) memcpy(out->block, block, out->count * sizeof *block);
done:
    mem_free(s->m, block);
    return status;
}

/* ---- Means ----------------------------------------------------------------------------------- */

static double mean_of(const double *x, const matrix_block *b, size_t cells, uint8_t which)
{
    double sum = 0;
    size_t n = which == CELL_BLOCK ? b->cells : b->outside;
    for (size_t c = 0; c < cells; c++)
        if (b->cell[c] == which) sum += x[c];
    return n > 0 ? sum / (double)n : NAN;
}

static double without_self(const double *phi, const matrix_block *b, size_t cells)
{
    double sum = 0;
    if (!b->contrast) return NAN;
    for (size_t c = 0; c < cells; c++) sum += b->contrast[c] * (phi[c] - phi[0]);
    return sum;
}

/* Of each block the mean of R, Z and Phi~, then the same less that of outside authors, then that of
 * R without self cells. The last matrix is that of cell means. */
static void block_values(double *values, const double *const matrix[BLOCK_KINDS + 1],
                         const matrix_blocks *all)
{
    size_t cells = all->view->G * all->view->E;
    for (size_t i = 0; i < all->count; i++) {
        const double *phi = matrix[BLOCK_KINDS];
        values[BLOCK_VALUES * i + 2 * BLOCK_KINDS] = without_self(phi, &all->block[i], cells);
        for (size_t k = 0; k < BLOCK_KINDS; k++) {
            double *to = values + BLOCK_VALUES * i + k;
            to[0] = mean_of(matrix[k], &all->block[i], cells, CELL_BLOCK);
            to[BLOCK_KINDS] = to[0] - mean_of(matrix[k], &all->block[i], cells, CELL_OUTSIDE);
        }
    }
}

static void block_totals(double *values, const double *total, size_t p, const void *user)
{
    const matrix_blocks *all = user;
    const matrix_view *v = all->view;
    double phi[MATRIX_CELLS_MOST], scratch[MATRIX_SCRATCH];
    double r[MATRIX_CELLS_MOST], z[MATRIX_CELLS_MOST], phi2[MATRIX_CELLS_MOST];
    size_t cells = v->G * v->E;
    (void)p;
    for (size_t c = 0; c < cells; c++) phi[c] = total[c] / nearbyint(total[cells]);
    preference out = {.residual = r, .z = z, .standardised = phi2};
    preference_of(&out, phi, &(preference_shape){v->G, v->E, all->ddof}, scratch);
    block_values(values, (const double *const[]){r, z, phi2, phi}, all);
}

tare_status matrix_blocks_describe(infer_smooth *out, matrix_study *s, matrix_view *v,
                                   tare_error *err)
{
    tare_status status = TARE_OK;
    matrix_blocks *all;
    *out = (infer_smooth){.outputs = 0};
    TRY(check_names(s, err));
    if (!s->t->models || v->reason[0]) goto done;
    TRY_NEW(all = arena_new(&s->scratch, 1, sizeof *all));
    all->view = v;
    all->ddof = s->o.ddof;
    TRY(find_blocks(all, s, v, err));
    TRY_NEW(all->values = arena_new(&s->scratch, all->count + 1,
                                    BLOCK_VALUES * sizeof *all->values));
    v->blocks = all;
    if (!v->balanced || v->cells_only || all->count == 0) goto done;
    block_values(all->values, (const double *const[]){v->r, v->z, v->phi2, v->phi}, all);
    for (size_t i = 0; i < all->count; i++) {
        matrix_block *b = &all->block[i];
        const double *x = all->values + BLOCK_VALUES * i;
        b->apart = x[2 * BLOCK_KINDS];
        for (size_t k = 0; k < BLOCK_KINDS; k++) {
            b->mean[k] = x[k];
            b->mean_outside[k] = x[k] - x[k + BLOCK_KINDS];
        }
        for (size_t c = 0; c < v->G * v->E; c++)
            b->positive += b->cell[c] == CELL_BLOCK && v->phi2[c] > 0;
    }
    *out = (infer_smooth){.many = block_totals, .user = all, .n = v->items,
                          .outputs = all->count * BLOCK_VALUES};
done:
    return status;
}

void matrix_blocks_take(matrix_view *v, inference *inf)
{
    for (size_t i = 0; i < v->blocks->count; i++) {
        matrix_block *b = &v->blocks->block[i];
        b->within = inf + BLOCK_VALUES * i;
        b->difference = b->within + BLOCK_KINDS;
        b->no_self = b->difference + BLOCK_KINDS;
    }
}
