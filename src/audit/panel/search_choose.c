#include <math.h>
#include <string.h>

#include "audit/panel/panel_search.h"
#include "base/error.h"

static int compare_members(const searched *a, const searched *b)
{
    for (size_t k = 0; k < a->size && k < b->size; k++)
        if (a->member[k] != b->member[k]) return a->member[k] < b->member[k] ? -1 : 1;
    return a->size < b->size ? -1 : a->size > b->size;
}

bool search_better(const panel_search *s, size_t subset, size_t a, size_t b)
{
    searched p = panel_search_at(s, a), q = panel_search_at(s, b);
    double x = p.agree[subset], y = q.agree[subset];
    if (isnan(x) || isnan(y)) return isnan(y) && !isnan(x);
    if (x != y) return x > y;
    double u = p.bias[subset], v = q.bias[subset];
    if (!isnan(u) && !isnan(v) && u != v) return u < v;
    return compare_members(&p, &q) < 0;
}

search_choice panel_search_choose(const panel_search *s, size_t subset, size_t size)
{
    search_choice c = {SIZE_MAX, SIZE_MAX};
    for (size_t k = 0; k < s->count; k++) {
        if (!(s->seen_in[k] >> subset & 1) || (size && s->size[k] != size)) continue;
        if (isnan(panel_search_at(s, k).agree[subset])) continue;
        if (c.best == SIZE_MAX || search_better(s, subset, k, c.best)) c.best = k;
    }
    if (c.best == SIZE_MAX) return c;
    double least = panel_search_at(s, c.best).agree[subset] - s->o.within;
    c.gentle = c.best;
    for (size_t k = 0; k < s->count; k++) {
        if (!(s->seen_in[k] >> subset & 1) || (size && s->size[k] != size)) continue;
        double u = panel_search_at(s, k).bias[subset];
        double v = panel_search_at(s, c.gentle).bias[subset];
        if (!(panel_search_at(s, k).agree[subset] >= least) || isnan(u)) continue;
        if (isnan(v) || u < v || (u == v && search_better(s, subset, k, c.gentle))) c.gentle = k;
    }
    return c;
}

#define FRONT_CLOSE 1e-12

static bool beats(const searched *q, const searched *p)
{
    double more = q->agree[0] - p->agree[0], less = p->bias[0] - q->bias[0];
    return more >= 0 && less >= 0 && (more > FRONT_CLOSE || less > FRONT_CLOSE);
}

tare_status panel_search_front(size_t **front, size_t *count, const panel_search *s, arena *a,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    size_t *kept, n = 0;
    *count = 0;
    TRY_NEW(kept = arena_new(a, s->count + 1, sizeof *kept));
    for (size_t k = 0; k < s->count; k++) {
        searched p = panel_search_at(s, k);
        bool beaten = !(s->seen_in[k] & 1) || isnan(p.agree[0]) || isnan(p.bias[0]);
        for (size_t i = 0; i < n && !beaten; i++) {
            searched q = panel_search_at(s, kept[i]);
            beaten = beats(&q, &p);
        }
        if (beaten) continue;
        size_t left = 0;
        for (size_t i = 0; i < n; i++) {
            searched q = panel_search_at(s, kept[i]);
            if (!beats(&p, &q)) kept[left++] = kept[i];
        }
        n = left;
        for (; left > 0 && search_better(s, 0, k, kept[left - 1]); left--)
            kept[left] = kept[left - 1];
        kept[left] = k;
        n++;
    }
    *front = kept;
    *count = n;
done:
    return status;
}
