/* Which judges are authors, and who shares a value of a grouping of the roster. */
#include <math.h>

#include "audit/matrix/matrix_view.h"
#include "base/error.h"

static tare_status fill_self(matrix_view *v, matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY_NEW(v->self_author = arena_new(&s->scratch, v->E, sizeof *v->self_author));
    TRY_NEW(v->self = arena_new(&s->scratch, v->E + 1, sizeof *v->self));
    for (size_t e = 0; e < v->E; e++) {
        size_t author = s->t->author_of_judge[v->judge[e]];
        v->self_author[e] = SIZE_MAX;
        for (size_t g = 0; g < v->G && author != SIZE_MAX; g++)
            if (v->author[g] == author) v->self_author[e] = g;
        if (v->self_author[e] == SIZE_MAX) continue;
        matrix_self *x = &v->self[v->K++];
        *x = (matrix_self){.author = v->self_author[e], .judge = e, .name = v->judge_name[e],
                           .d = BOOK_NONE, .d_kin = BOOK_NONE, .dz = BOOK_NONE,
                           .regression = BOOK_NONE, .sd = NAN, .d_t = NAN, .d_se = NAN,
                           .d_df = NAN, .d_p_t = NAN, .d_p_flip = NAN, .d_p_wilcoxon = NAN,
                           .worst_lo = NAN, .worst_hi = NAN,
                           .lojo = {{NAN, NAN}, {NAN, NAN}, {NAN, NAN}},
                           .rank_own = NAN, .rank_peers = NAN, .rank_bias = NAN,
                           .rank_share = NAN};
    }
done:
    return status;
}

tare_status matrix_view_kin(matrix_view *v, matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const roster *r = s->t->models;
    TRY(fill_self(v, s, err));
    size_t count = r ? r->grouping_count : 0;
    TRY_NEW(v->grouping = arena_new(&s->scratch, count + 1, sizeof *v->grouping));
    for (size_t k = 0; k < count; k++) {
        matrix_grouping *x = &v->grouping[k];
        *x = (matrix_grouping){.name = r->grouping[k], .index = k};
        TRY_NEW(x->kin = arena_new(&s->scratch, v->G * v->E, 1));
        for (size_t g = 0; g < v->G; g++)
            for (size_t e = 0; e < v->E; e++) {
                bool kin = v->self_author[e] != g &&
                           score_table_kin(s->t, k, v->author[g], v->judge[e]);
                x->kin[g * v->E + e] = kin;
                x->cells += kin;
            }
    }
    v->groupings = count;
done:
    return status;
}
