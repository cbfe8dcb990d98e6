/* Rows that a statistic uses, and the draws over their clusters: made once per set of clusters, so
 * that everything on the same images is paired. */
#include <string.h>

#include "audit/agree/agree.h"
#include "base/error.h"

static tare_status set_new(cluster_set **out, agree *g, const bool *present, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t all = g->t.cluster.count;
    cluster_set *s;
    TRY_NEW(s = arena_new(g->a, 1, sizeof *s));
    TRY_NEW(s->present = arena_new(g->a, all + 1, sizeof *s->present));
    TRY_NEW(s->place = arena_new(g->a, all + 1, sizeof *s->place));
    memcpy(s->present, present, all * sizeof *present);
    for (size_t c = 0; c < all; c++) s->count += present[c];
    TRY_NEW(s->ids = arena_new(g->a, s->count + 1, sizeof *s->ids));
    size_t at = 0;
    for (size_t c = 0; c < all; c++) {
        if (!present[c]) continue;
        s->place[c] = (uint32_t)at;
        s->ids[at++] = g->t.cluster.name[c];
    }
    s->plan = book_plan(&g->b, "items", s->ids, s->count);
    TRY(infer_plan_prepare(&s->draws, &s->plan, err));
    s->plan.draws = s->draws;
    s->next = g->sets;
    g->sets = s;
    *out = s;
done:
    return status;
}

tare_status sample_make(sample *out, agree *g, const row_set *rows, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t all = g->t.cluster.count, n = 0;
    bool *present = mem_new(g->m, all + 1, sizeof *present);
    memset(out, 0, sizeof *out);
    if (!present) FAIL_MEMORY(err);
    for (size_t i = 0; i < rows->n; i++) {
        if (rows->used && !rows->used[i]) continue;
        present[rows->cluster[i]] = true;
        n++;
    }
    if (n == 0) goto done;
    cluster_set *set = g->sets;
    while (set && memcmp(set->present, present, all * sizeof *present) != 0) set = set->next;
    if (!set) TRY(set_new(&set, g, present, err));
    TRY_NEW(out->row = arena_new(g->a, n, sizeof *out->row));
    TRY_NEW(out->cluster = arena_new(g->a, n, sizeof *out->cluster));
    for (size_t i = 0; i < rows->n; i++) {
        if (rows->used && !rows->used[i]) continue;
        out->row[out->n] = (uint32_t)i;
        out->cluster[out->n++] = set->place[rows->cluster[i]];
    }
    out->set = set;
done:
    mem_free(g->m, present);
    return status;
}

void agree_close(agree *g)
{
    for (cluster_set *s = g->sets; s; s = s->next) {
        infer_draws_free(s->draws);
        s->draws = NULL;
    }
    g->sets = NULL;
}
