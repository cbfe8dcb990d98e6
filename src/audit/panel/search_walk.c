/* Which panels are scored: all of them, or those that a beam meets. */
#include <math.h>
#include <string.h>

#include "audit/panel/panel_search.h"
#include "base/error.h"

size_t panel_search_count(size_t candidates, size_t most)
{
    size_t all = 0, of_size = 1;
    for (size_t k = 1; k <= most && k <= candidates; k++) {
        if (of_size > SIZE_MAX / 4 / (candidates - k + 1)) return SIZE_MAX;
        of_size = of_size * (candidates - k + 1) / k;
        all += of_size;
        if (all > SIZE_MAX / 4) return SIZE_MAX;
    }
    return all;
}

searched panel_search_at(const panel_search *s, size_t panel)
{
    return (searched){s->member + panel * s->o.most, s->size[panel], s->agree + panel * s->subsets,
                      s->bias + panel * s->subsets};
}

static tare_status make_room(panel_search *s, tare_error *err)
{
    tare_status status = TARE_OK;
    if (s->count < s->capacity) return TARE_OK;
    size_t cap = s->capacity ? 2 * s->capacity : 512;
    void *block;
    TRY_NEW(block = mem_resize(s->m, s->member, cap, s->o.most * sizeof *s->member));
    s->member = block;
    TRY_NEW(block = mem_resize(s->m, s->size, cap, sizeof *s->size));
    s->size = block;
    TRY_NEW(block = mem_resize(s->m, s->agree, cap, s->subsets * sizeof *s->agree));
    s->agree = block;
    TRY_NEW(block = mem_resize(s->m, s->bias, cap, s->subsets * sizeof *s->bias));
    s->bias = block;
    TRY_NEW(block = mem_resize(s->m, s->seen_in, cap, sizeof *s->seen_in));
    s->seen_in = block;
    s->capacity = cap;
done:
    return status;
}

/* The panel of these members, new or known. */
static tare_status add_panel(size_t *out, panel_search *s, const uint32_t *member, size_t size,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    bool is_new;
    TRY(make_room(s, err));
    size_t at = map_add(s->known, (const char *)member, size * sizeof *member, &is_new);
    if (at == SIZE_MAX) FAIL_MEMORY(err);
    if (is_new) {
        memcpy(s->member + at * s->o.most, member, size * sizeof *member);
        s->size[at] = size;
        s->seen_in[at] = 0;
        s->count++;
    }
    *out = at;
done:
    return status;
}

static tare_status run_exhaustive(panel_search *s, tare_error *err)
{
    tare_status status = TARE_OK;
    uint32_t place[SEARCH_MOST], member[SEARCH_MOST];
    for (size_t size = 1; size <= s->o.most; size++) {
        for (size_t k = 0; k < size; k++) place[k] = (uint32_t)k;
        for (;;) {
            size_t at = 0, k = size;
            for (size_t i = 0; i < size; i++) member[i] = (uint32_t)s->o.candidate[place[i]];
            TRY(add_panel(&at, s, member, size, err));
            s->seen_in[at] = UINT64_MAX;
            while (k > 0 && place[k - 1] == s->o.candidates - size + k - 1) k--;
            if (k == 0) break;
            place[k - 1]++;
            for (; k < size; k++) place[k] = place[k - 1] + 1;
        }
    }
    TRY(search_score(s, 0, err));
done:
    return status;
}

/* ---- Beam ------------------------------------------------------------------------------------ */

/* Put panel `at` among the best kept so far (in order, at most width). */
static void keep(const panel_search *s, size_t subset, size_t *kept, size_t *count, size_t at)
{
    size_t k = *count;
    for (size_t i = 0; i < *count; i++)
        if (kept[i] == at) return;
    while (k > 0 && search_better(s, subset, at, kept[k - 1])) k--;
    if (k >= s->o.width) return;
    size_t end = *count < s->o.width ? *count : s->o.width - 1;
    memmove(kept + k + 1, kept + k, (end - k) * sizeof *kept);
    kept[k] = at;
    if (*count < s->o.width) ++*count;
}

/* The members with one judge more, in order. False: it is a member. */
static bool extend(uint32_t *out, const searched *p, uint32_t judge)
{
    size_t k = 0, n = 0;
    for (; k < p->size && p->member[k] < judge; k++) out[n++] = p->member[k];
    if (k < p->size && p->member[k] == judge) return false;
    out[n++] = judge;
    for (; k < p->size; k++) out[n++] = p->member[k];
    return true;
}

typedef struct beam {
    size_t subset, *kept, *next, *child, *parent, count, children;
} beam;

static tare_status extend_all(panel_search *s, beam *b, tare_error *err)
{
    tare_status status = TARE_OK;
    uint32_t member[SEARCH_MOST];
    size_t before = s->count;
    b->children = 0;
    for (size_t k = 0; k < b->count; k++) {
        for (size_t c = 0; c < s->o.candidates; c++) {
            searched p = panel_search_at(s, b->kept[k]);
            size_t at = 0;
            if (!extend(member, &p, (uint32_t)s->o.candidate[c])) continue;
            TRY(add_panel(&at, s, member, p.size + 1, err));
            s->seen_in[at] |= (uint64_t)1 << b->subset;
            b->child[b->children] = at;
            b->parent[b->children++] = b->kept[k];
        }
    }
    TRY(search_score(s, before, err));
done:
    return status;
}

/* From single judges on, until no panel agrees better than the one it extends. */
static tare_status run_beam(panel_search *s, size_t subset, beam *b, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t before = s->count;
    b->subset = subset;
    b->count = 0;
    for (size_t c = 0; c < s->o.candidates; c++) {
        uint32_t judge = (uint32_t)s->o.candidate[c];
        TRY(add_panel(&b->child[c], s, &judge, 1, err));
        s->seen_in[b->child[c]] |= (uint64_t)1 << subset;
    }
    TRY(search_score(s, before, err));
    for (size_t c = 0; c < s->o.candidates; c++) keep(s, subset, b->kept, &b->count, b->child[c]);
    for (size_t size = 2; size <= s->o.most; size++) {
        bool improved = false;
        size_t count = 0;
        TRY(extend_all(s, b, err));
        for (size_t k = 0; k < b->children; k++) {
            double was = panel_search_at(s, b->parent[k]).agree[subset];
            double is = panel_search_at(s, b->child[k]).agree[subset];
            improved = improved || is > was || (isnan(was) && !isnan(is));
            keep(s, subset, b->next, &count, b->child[k]);
        }
        if (!improved) break;
        memcpy(b->kept, b->next, count * sizeof *b->kept);
        b->count = count;
    }
done:
    return status;
}

static tare_status run_beams(panel_search *s, tare_error *err)
{
    tare_status status = TARE_OK;
    arena a;
    beam b = {0};
    arena_init(&a, s->m);
    size_t most = (s->o.width + 1) * s->o.candidates;
    TRY_NEW(b.kept = arena_new(&a, s->o.width + 1, sizeof *b.kept));
    TRY_NEW(b.next = arena_new(&a, s->o.width + 1, sizeof *b.next));
    TRY_NEW(b.child = arena_new(&a, most, sizeof *b.child));
    TRY_NEW(b.parent = arena_new(&a, most, sizeof *b.parent));
    for (size_t k = 0; k <= s->o.folds; k++) TRY(run_beam(s, k, &b, err));
done:
    arena_free(&a);
    return status;
}

tare_status panel_search_run(panel_search *s, tare_context *context, const panel_rows *rows,
                             const search_options *options, tare_error *err)
{
    tare_status status = TARE_OK;
    memset(s, 0, sizeof *s);
    s->rows = rows;
    s->o = *options;
    s->context = context;
    s->m = &context->mem;
    if (s->o.most > s->o.candidates) s->o.most = s->o.candidates;
    if (s->o.most > SEARCH_MOST) s->o.most = SEARCH_MOST;
    s->subsets = 1 + 2 * s->o.folds;
    size_t all = panel_search_count(s->o.candidates, s->o.most);
    s->exhaustive = s->o.width == 0 && all <= SEARCH_EXHAUSTIVE;
    if (!s->exhaustive && s->o.width == 0) s->o.width = SEARCH_WIDTH;
    TRY_NEW(s->known = map_new(s->m));
    TRY(search_data_new(s, err));
    if (s->exhaustive) TRY(run_exhaustive(s, err));
    else TRY(run_beams(s, err));
done:
    return status;
}

void panel_search_free(panel_search *s)
{
    if (!s || !s->m) return;
    search_data_free(s);
    map_free(s->known);
    mem_free(s->m, s->member);
    mem_free(s->m, s->size);
    mem_free(s->m, s->agree);
    mem_free(s->m, s->bias);
    mem_free(s->m, s->seen_in);
    memset(s, 0, sizeof *s);
}
