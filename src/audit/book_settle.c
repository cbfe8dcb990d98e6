/* The end of a book: q of every family, then verdicts, then words. */
#include <math.h>
#include <string.h>

#include "audit/book.h"
#include "audit/words.h"
#include "base/error.h"
#include "stats/multiple.h"
#include "stats/verdict.h"

typedef struct family {
    size_t *member; /* entries, in order */
    size_t count;
    double *p, *by, *maxt;
} family;

static bool is_member(const book *b, size_t k, const char *grid)
{
    return !b->entries[k].descriptive && strcmp(book_reading(b, k)->grid, grid) == 0;
}

/* A p at its floor must be able to survive the family, or too few replicates hide what is there
 * (statistics 6). */
static tare_status check_replicates(book *b, const book_grid *g, const family *f, tare_error *err)
{
    double least = 0;
    for (size_t k = 0; k < f->count; k++) {
        const entry *e = &b->entries[f->member[k]];
        const tare_reading *r = book_reading(b, f->member[k]);
        bool boot = e->inf.p_method && strstr(e->inf.p_method, "bootstrap");
        if (boot && r->p_floor > least) least = r->p_floor;
    }
    if (!(least * (double)g->tested > b->o.alpha)) return TARE_OK;
    unsigned count = strcmp(b->o.boot_p, "inversion") == 0 ? 2 : 1;
    uint64_t needed = multiple_replicates_needed(g->tested, b->o.alpha, count);
    return result_caution(b->out, err,
                          "Family %s: with %zu tests and %u replicates even the smallest p cannot "
                          "become significant; at least %llu replicates are needed (--boot-b).",
                          g->name, g->tested, b->o.boot_b, (unsigned long long)needed);
}

/* Step-down max-T on t = estimate / se, its null the centred replicates: where every member has
 * them and a spread. Otherwise q_maxt stays NaN. */
static tare_status run_maxt(book *b, family *f, tare_error *err)
{
    enum { TILE = 16 };
    tare_status status = TARE_OK;
    size_t n = f->count, count = b->o.boot_b;
    double *t = NULL, *star = NULL;
    for (size_t k = 0; k < n; k++) f->maxt[k] = NAN;
    for (size_t k = 0; k < n; k++) {
        const inference *x = &b->entries[f->member[k]].inf;
        if (!isnan(f->p[k]) && (!x->replicates || !(x->se > 0))) return TARE_OK;
    }
    if (n == 0 || count > SIZE_MAX / sizeof *star / n) return TARE_OK;
    TRY_NEW(t = mem_new(b->m, n, sizeof *t));
    TRY_NEW(star = mem_new(b->m, n * count, sizeof *star));
    for (size_t first = 0; first < count; first += TILE) { /* what is written stays at hand */
        size_t last = count - first < TILE ? count : first + TILE;
        for (size_t k = 0; k < n; k++) {
            const inference *x = &b->entries[f->member[k]].inf;
            bool out = isnan(f->p[k]);
            t[k] = out ? NAN : x->estimate / x->se;
            for (size_t r = first; r < last; r++)
                star[r * n + k] = out ? NAN : (x->replicates[r] - x->estimate) / x->se;
        }
    }
    multiple_maxt data = {t, star, n, count, 1};
    TRY(multiple_maxt_stepdown(f->maxt, NULL, &data, b->m, err));
done:
    mem_free(b->m, t);
    mem_free(b->m, star);
    return status;
}

static tare_status gather(family *f, book *b, const char *grid, tare_error *err)
{
    tare_status status = TARE_OK;
    memset(f, 0, sizeof *f);
    TRY_NEW(f->member = arena_new(&b->scratch, b->count, sizeof *f->member));
    TRY_NEW(f->p = arena_new(&b->scratch, b->count, sizeof *f->p));
    TRY_NEW(f->by = arena_new(&b->scratch, b->count, sizeof *f->by));
    TRY_NEW(f->maxt = arena_new(&b->scratch, b->count, sizeof *f->maxt));
    for (size_t k = 0; k < b->count; k++) {
        if (!is_member(b, k, grid)) continue;
        const tare_reading *r = book_reading(b, k);
        f->p[f->count] = r->reason[0] ? NAN : r->p;
        f->member[f->count++] = k;
    }
done:
    return status;
}

static tare_status run_family(book *b, const char *grid, tare_error *err)
{
    tare_status status = TARE_OK;
    family f;
    multiple_family size = {0, 0};
    TRY(gather(&f, b, grid, err));
    TRY(run_maxt(b, &f, err));
    TRY(multiple_adjust(f.by, &size, f.p, f.count, MULTIPLE_BY, b->m, err));
    TRY(multiple_adjust(f.p, NULL, f.p, f.count, MULTIPLE_BH, b->m, err));
    if (!mem_reserve(b->m, &b->grids, &b->grid_capacity, b->grid_count + 1, sizeof *b->grids))
        FAIL_MEMORY(err);
    book_grid *g = &b->grids[b->grid_count++];
    *g = (book_grid){grid, f.count, size.tested, 0};
    for (size_t k = 0; k < f.count; k++) {
        tare_reading *r = book_reading(b, f.member[k]);
        r->q = f.p[k];
        r->q_by = f.by[k];
        r->q_maxt = f.maxt[k];
    }
    TRY(check_replicates(b, g, &f, err));
done:
    return status;
}

/* The q that decides. Where max-T cannot be made BY stands in: it holds under any dependence. */
static double deciding_q(const book *b, const tare_reading *r)
{
    if (!r->grid[0]) return r->p;
    if (strcmp(b->o.fdr, "by") == 0) return r->q_by;
    if (strcmp(b->o.fdr, "maxt") == 0) return isnan(r->q_maxt) ? r->q_by : r->q_maxt;
    return r->q;
}

static tare_status judge(book *b, size_t k, tare_error *err)
{
    tare_status status = TARE_OK;
    entry *e = &b->entries[k];
    tare_reading *r = book_reading(b, k);
    if (e->descriptive) {
        r->verdict = r->reason[0] ? TARE_NO_ANSWER : TARE_DESCRIPTIVE;
        r->marks = e->extra ? e->extra : "";
        return TARE_OK;
    }
    e->equivalent = estimate_equivalent(&e->inf, r->margin);
    bool zero = e->inf.zero_variance && e->inf.estimate == 0;
    bool test_only = isnan(r->lo) && !isnan(r->p); /* a permutation: no interval */
    verdict_input in = {
        .estimate = test_only ? 1 : r->estimate, .p = r->p, .q = deciding_q(b, r),
        .lo = test_only ? 1 : r->lo, .hi = test_only ? 1 : r->hi, .alpha = b->o.alpha,
        /* An effect that is 0 in every cluster needs no margin to be negligible. */
        .margin = isnan(r->margin) && zero ? 1 : r->margin, .equivalent = e->equivalent,
        .floor = NAN, .missing_informative = e->capped, .reason = r->reason};
    verdict_result out = verdict_decide(&in);
    bool excludes = test_only || r->lo > 0 || r->hi < 0;
    e->significant =
        out.verdict != TARE_NO_ANSWER && !e->capped && in.q <= b->o.alpha && excludes;
    bool resolved = out.verdict == TARE_FOUND || out.verdict == TARE_SMALL;
    if (resolved && e->condition_note) {
        /* That an effect is there is doubtful then; that it is below the margin is not (ours). */
        out.verdict = out.verdict == TARE_FOUND ? TARE_INCONCLUSIVE : TARE_NEGLIGIBLE;
        out.marks &= ~(unsigned)VERDICT_AT_LEAST_MARGIN;
        e->significant = false;
        TRY(book_mark(b, k, e->condition_note, err));
    }
    r->verdict = out.verdict;
    r->reason = out.reason;
    char marks[VERDICT_MARKS_MAX];
    if (verdict_marks_text(marks, out.marks)) {
        const char *copy;
        TRY_NEW(copy = arena_copy(&b->out->a, marks));
        TRY(book_mark(b, k, copy, err));
    }
    r->marks = e->extra ? e->extra : "";
done:
    return status;
}

static const char *resolved_words(const entry *e, const tare_reading *r)
{
    const char *words = r->estimate > 0 ? e->plus : e->minus;
    return words ? words : "resolved";
}

static const char *entry_words(arena *a, const entry *e, const tare_reading *r)
{
    bool disagree = strstr(r->marks, "p and interval disagree") != NULL;
    switch (r->verdict) {
    case TARE_NO_ANSWER: return arena_printf(a, "no answer: %s", reason_words(r->reason));
    case TARE_FOUND: return resolved_words(e, r);
    case TARE_SMALL:
        return arena_printf(a, "there is an effect, and it is below the margin: %s",
                            resolved_words(e, r));
    case TARE_NEGLIGIBLE:
        return disagree ? "any effect is below the margin; p and interval disagree on whether "
                          "there is one"
                        : "any effect is below the margin";
    case TARE_INCONCLUSIVE:
        if (e->capped) return "inconclusive: missing scores depend on the condition";
        if (e->condition_note && strstr(r->marks, e->condition_note))
            return arena_printf(a, "inconclusive: %s", e->condition_note);
        if (disagree) return "inconclusive: p and interval disagree";
        if (strstr(r->marks, "raw only")) return "raw-significant, not significant after FDR";
        if (isnan(r->mde)) return "inconclusive";
        return arena_printf(a, "inconclusive; an effect of %s or more would have been found with "
                               "80 %% power", number_text(a, r->mde));
    case TARE_DESCRIPTIVE: return "";
    }
    return "";
}

tare_status book_settle(book *b, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < b->count; k++) {
        const tare_reading *r = book_reading(b, k);
        if (!b->entries[k].descriptive && r->grid[0] && !book_grid_of(b, r->grid))
            TRY(run_family(b, r->grid, err));
    }
    for (size_t k = 0; k < b->count; k++) {
        TRY(judge(b, k, err));
        tare_reading *r = book_reading(b, k);
        const char *words;
        TRY_NEW(words = entry_words(&b->out->a, &b->entries[k], r));
        r->words = words;
        if (!b->entries[k].significant || !r->grid[0]) continue;
        for (size_t g = 0; g < b->grid_count; g++)
            if (strcmp(b->grids[g].name, r->grid) == 0) b->grids[g].significant++;
    }
done:
    return status;
}
