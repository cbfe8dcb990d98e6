/* Rows that a statistic uses, and the draws over the clusters of their layer: one joint resample
 * for all judges, so that everything is paired whatever each of them misses (judge audits 0.4). */
#include <math.h>
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

tare_status cluster_set_of(const cluster_set **out, agree *g, const bool *present, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t all = g->t.cluster.count;
    cluster_set *set = g->sets;
    *out = NULL;
    if (!memchr(present, true, all)) return TARE_OK;
    while (set && memcmp(set->present, present, all * sizeof *present) != 0) set = set->next;
    if (!set) TRY(set_new(&set, g, present, err));
    *out = set;
done:
    return status;
}

tare_status sample_make(sample *out, const agree_layer *l, const row_set *rows, arena *keep,
                        tare_error *err)
{
    tare_status status = TARE_OK;
    size_t n = 0;
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < rows->n; i++) n += !rows->used || rows->used[i];
    if (n == 0 || !l->set) goto done;
    TRY_NEW(out->row = arena_new(keep, n, sizeof *out->row));
    TRY_NEW(out->cluster = arena_new(keep, n, sizeof *out->cluster));
    TRY_NEW(out->data = arena_new(keep, l->set->count, sizeof *out->data));
    for (size_t i = 0; i < rows->n; i++) {
        if (rows->used && !rows->used[i]) continue;
        uint32_t cluster = l->set->place[rows->cluster[i]];
        out->row[out->n] = (uint32_t)i;
        out->cluster[out->n++] = cluster;
        out->clusters += !out->data[cluster];
        out->data[cluster] = true;
    }
    out->set = l->set;
done:
    return status;
}

tare_status sample_infer(inference *out, agree *g, const sample *s, infer_weighted what,
                         arena *keep, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t m = s->set->count;
    bool *data = NULL;
    if (s->clusters < m) {
        TRY_NEW(data = mem_new(g->m, what.outputs * m, sizeof *data));
        for (size_t k = 0; k < what.outputs; k++) memcpy(data + k * m, s->data, m * sizeof *data);
    }
    what.n = s->n;
    what.data = data;
    TRY(infer_weights(out, &s->set->plan, &what, keep, err));
done:
    mem_free(g->m, data);
    return status;
}

missing_counts agree_missing(const agree *g, const agree_layer *l, unit_list units,
                             const size_t *judges, size_t count)
{
    missing_counts counts = {0};
    for (size_t i = 0; i < units.n; i++) {
        size_t unit = units.unit[i];
        const double *score = score_of_unit(&g->t, l->scores, unit);
        tare_reason reason = TARE_R_NONE;
        for (size_t k = 0; k < count && reason == TARE_R_NONE; k++) {
            if (!isnan(score[judges[k]])) continue;
            reason = (tare_reason)l->scores->status[unit * g->t.judge.count + judges[k]];
            if (reason == TARE_R_NONE) reason = TARE_R_MISSING;
        }
        missing_add(&counts, reason);
    }
    return counts;
}

tare_status agree_add(agree *g, const entry_spec *spec, const inference *inf, size_t *entry,
                      tare_error *err)
{
    inference x = *inf;
    if (x.n == 0 && spec->missing) x.n = spec->missing->used;
    return book_add(&g->b, spec, &x, entry, err);
}

void agree_close(agree *g)
{
    for (cluster_set *s = g->sets; s; s = s->next) {
        infer_draws_free(s->draws);
        s->draws = NULL;
    }
    g->sets = NULL;
}
