/* Worst case of missing scores (judge audits G.7): D over all items, what is missing set to the end
 * of the scale that lowers, or raises, D most. The ends are the least and the largest score of the
 * layer (ours). */
#include <math.h>

#include "audit/matrix/matrix_numbers.h"
#include "audit/matrix/matrix_self_test.h"
#include "audit/matrix/matrix_view.h"
#include "base/error.h"
#include "stats/moments.h"

/* The sign with which S[g][e] enters D of (author a, judge j). */
static bool raises(size_t g, size_t e, const matrix_self *x)
{
    return (g == x->author) == (e == x->judge);
}

static void scale_ends(double ends[2], const matrix_study *s, const matrix_view *v)
{
    const score_table *t = s->t;
    const score_layer *l = &t->layer[v->layer];
    ends[0] = INFINITY;
    ends[1] = -INFINITY;
    for (size_t k = 0; k < t->units * t->judge.count; k++) {
        if (l->status[k] != TARE_R_NONE) continue;
        ends[0] = fmin(ends[0], l->score[k]);
        ends[1] = fmax(ends[1], l->score[k]);
    }
}

/* Items of the layer that were not used, and have a row. */
static tare_status dropped_items(uint32_t **out, size_t *count, const matrix_view *v,
                                 matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY_NEW(*out = arena_new(&s->scratch, s->t->item.count + 1, sizeof **out));
    for (uint32_t i = 0, used = 0; i < s->t->item.count; i++) {
        if (used < v->items && v->item[used] == i) {
            used++;
            continue;
        }
        bool any = false;
        for (size_t g = 0; g < v->G && !any; g++)
            for (size_t e = 0; e < v->E && !any; e++)
                any = matrix_cell_status(s, v, i, v->author[g], v->judge[e]) != TARE_R_ABSENT;
        if (any) (*out)[(*count)++] = i;
    }
done:
    return status;
}

tare_status matrix_worst_case(matrix_view *v, matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const score_layer *l = &s->t->layer[v->layer];
    uint32_t *item;
    size_t count = 0, cells = v->G * v->E;
    double ends[2], *y = NULL;
    if (v->items == v->items_all) return TARE_OK;
    TRY(dropped_items(&item, &count, v, s, err));
    TRY_NEW(y = mem_new(s->m, cells, sizeof *y));
    scale_ends(ends, s, v);
    for (size_t k = 0; k < v->K; k++) {
        matrix_self *x = &v->self[k];
        matrix_contrast c = {x->author, x->judge, NULL, NULL};
        for (int most = 0; most < 2; most++) {
            neumaier sum = {0, 0};
            for (size_t i = 0; i < count; i++) {
                for (size_t g = 0; g < v->G; g++)
                    for (size_t e = 0; e < v->E; e++) {
                        size_t unit = s->index[(size_t)item[i] * s->t->author.count + v->author[g]];
                        size_t at = unit * s->t->judge.count + v->judge[e];
                        bool ok = unit != SIZE_MAX && l->status[at] == TARE_R_NONE;
                        y[g * v->E + e] = ok ? l->score[at] : ends[raises(g, e, x) == (most == 1)];
                    }
                neumaier_add(&sum, matrix_contrast_of(y, v->G, v->E, &c));
            }
            double all = v->d[k].estimate * (double)v->items + neumaier_total(&sum);
            *(most ? &x->worst_hi : &x->worst_lo) = all / (double)(v->items + count);
        }
    }
done:
    mem_free(s->m, y);
    return status;
}
