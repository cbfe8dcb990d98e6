/* Entries of the audit of pairs: accuracy by category and as their mean, ties, and judges against
 * each other under all three policies for ties. */
#include <math.h>
#include <string.h>

#include "audit/agree/agree.h"
#include "audit/agree/pair_study.h"
#include "base/error.h"
#include "stats/verdict.h"

#define CATEGORIES_MOST 200

const char *tie_policy_name(tie_policy ties)
{
    static const char *const names[TIE_POLICIES] = {"loss", "half", "drop"};
    return names[ties];
}

/* ---- from counts to shares ------------------------------------------------------------------ */

double pair_accuracy_of(const double counts[COUNTS], tie_policy ties)
{
    double all = counts[COUNT_ALL] - (ties == TIE_DROP ? counts[COUNT_TIE] : 0);
    double right = counts[COUNT_RIGHT] + (ties == TIE_HALF ? counts[COUNT_TIE] / 2 : 0);
    return all > 0 ? right / all : NAN;
}

static void category_shares(double *values, const double *total, size_t p, const void *user)
{
    double all = total[COUNT_ALL];
    (void)p;
    (void)user;
    for (int k = 0; k < TIE_POLICIES; k++) values[k] = pair_accuracy_of(total, (tie_policy)k);
    values[SHARE_TIES] = all > 0 ? total[COUNT_TIE] / all : NAN;
}

/* Means of the categories, of which one without pairs leaves none. */
static void mean_shares(double *values, const double *total, size_t p, const void *user)
{
    size_t n = p / COUNTS;
    for (int k = 0; k < SHARES; k++) values[k] = 0;
    for (size_t c = 0; c < n; c++) {
        double of[SHARES];
        category_shares(of, total + c * COUNTS, COUNTS, user);
        for (int k = 0; k < SHARES; k++) values[k] += of[k];
    }
    for (int k = 0; k < SHARES; k++) values[k] /= (double)n;
    values[SHARES] = values[TIE_HALF] - 0.5;
}

/* Mean accuracy of the first judge less that of the second, under each policy. */
static void difference_of(double *values, const double *total, size_t p, const void *user)
{
    size_t n = p / COUNTS / 2;
    (void)user;
    for (int k = 0; k < TIE_POLICIES; k++) {
        double sum = 0;
        for (size_t c = 0; c < n; c++)
            sum += pair_accuracy_of(total + c * COUNTS, (tie_policy)k) -
                   pair_accuracy_of(total + (n + c) * COUNTS, (tie_policy)k);
        values[k] = sum / (double)n;
    }
}

static void add_outcome(double *z, const pair_rows *p, size_t pair, size_t judge)
{
    int outcome = p->outcome[pair * p->judge.count + judge];
    z += p->pair_category[pair] * COUNTS;
    z[COUNT_ALL]++;
    if (outcome > 0) z[COUNT_RIGHT]++;
    if (outcome == 0) z[COUNT_TIE]++;
}

static tare_reason reason_of(const pair_rows *p, size_t pair, size_t judge)
{
    return (tare_reason)p->status[pair * p->judge.count + judge];
}

/* ---- one judge ------------------------------------------------------------------------------ */

/* Counts of each cluster in z [clusters][categories][COUNTS], and of all. */
static void count_judge(judge_pairs *j, double *z, const pair_rows *p, size_t judge)
{
    size_t width = p->category.count * COUNTS;
    double ties = 0;
    for (size_t i = 0; i < p->pairs; i++) {
        tare_reason reason = reason_of(p, i, judge);
        missing_add(&j->missing, reason);
        missing_add(&j->of[p->pair_category[i]], reason);
        if (reason != TARE_R_NONE) continue;
        add_outcome(z + p->pair_cluster[i] * width, p, i, judge);
        add_outcome(j->total, p, i, judge);
    }
    for (size_t c = 0; c < p->category.count; c++) {
        j->empty = j->empty || j->of[c].used == 0;
        ties += j->total[c * COUNTS + COUNT_TIE];
    }
    j->all_tied = j->missing.used > 0 && ties == (double)j->missing.used;
}

static tare_status infer_judge(pair_study *s, size_t judge, tare_error *err)
{
    tare_status status = TARE_OK;
    const pair_rows *p = s->p;
    judge_pairs *j = &s->judge[judge];
    size_t n = s->categories, width = n * COUNTS;
    double *z = NULL;
    infer_smooth *f;
    TRY_NEW(z = mem_new(s->b.m, p->cluster.count * width + 1, sizeof *z));
    TRY_NEW(f = arena_new(s->a, n + 1, sizeof *f));
    TRY_NEW(j->inf = arena_new(s->a, (n + 1) * SHARES + 1, sizeof *j->inf));
    TRY_NEW(j->total = arena_new(s->a, width + 1, sizeof *j->total));
    TRY_NEW(j->of = arena_new(s->a, n + 1, sizeof *j->of));
    count_judge(j, z, p, judge);
    for (size_t c = 0; c < n; c++)
        f[c] = (infer_smooth){.many = category_shares, .outputs = SHARES, .first = c * COUNTS,
                              .count = COUNTS, .n = j->of[c].used};
    f[n] = (infer_smooth){.many = mean_shares, .outputs = SHARES + 1, .n = j->missing.used};
    if (j->missing.used)
        TRY(infer_totals(j->inf, &s->plan, &(infer_sums){z, width}, f, n + 1, s->a, err));
    for (size_t c = 0; c <= n; c++) {
        const missing_counts *m = c < n ? &j->of[c] : &j->missing;
        const char *reason = m->used == 0           ? REASON_NO_SCORES
                             : c == n && j->empty ? REASON_EMPTY_CATEGORY
                                                  : NULL;
        for (size_t k = 0; k < SHARES + (c == n) && reason; k++)
            j->inf[c * SHARES + k] = inference_none(reason);
    }
done:
    mem_free(s->b.m, z);
    return status;
}

/* One share of a category, or of their mean. */
static tare_status enter(pair_study *s, size_t judge, size_t category, size_t share,
                         entry_spec spec, size_t *entry, tare_error *err)
{
    judge_pairs *j = &s->judge[judge];
    bool mean = category == s->categories;
    inference x = j->inf[category * SHARES + share];
    missing_counts missing = mean ? j->missing : j->of[category];
    spec.family = "accuracy";
    spec.instrument = s->p->judge.name[judge];
    spec.margin = NAN;
    if (share == TIE_DROP) {
        double ties = 0;
        for (size_t c = 0; c < s->categories; c++)
            if (mean || c == category) ties += j->total[c * COUNTS + COUNT_TIE];
        missing.used -= (uint64_t)ties;
        missing.by_reason[TARE_R_EXCLUDED] += (uint64_t)ties;
    }
    x.n = missing.used;
    spec.missing = &missing;
    if (j->all_tied && share != SHARE_TIES && !x.reason[0]) spec.reason = REASON_DEGENERATE;
    if (!spec.grid) {
        inference_share(&x);
        spec.descriptive = true;
    }
    return book_add(&s->b, &spec, &x, entry, err);
}

static tare_status enter_judge(pair_study *s, size_t judge, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t n = s->categories;
    judge_pairs *j = &s->judge[judge];
    TRY(enter(s, judge, n, SHARES, (entry_spec){.name = "accuracy_above_half",
                                                .condition = "mean, ties half",
                                                .grid = "accuracy",
                                                .plus = "prefers what people prefer",
                                                .minus = "prefers what people do not prefer"},
              &j->above, err));
    for (size_t k = 0; k < SHARES; k++)
        for (size_t c = 0; c <= n; c++) {
            bool tie = k == SHARE_TIES, leads = tie || k == (size_t)s->o.ties;
            const char *where = c == n ? "mean" : s->p->category.name[c], *condition = where;
            size_t entry;
            if (c < n && n == 1) continue; /* the mean says the same */
            if (!tie)
                TRY_NEW(condition = arena_printf(&s->out->a, "%s, ties %s", where,
                                                 tie_policy_name((tie_policy)k)));
            TRY(enter(s, judge, c, k,
                      (entry_spec){.name = tie ? "tie_rate" : "accuracy", .condition = condition,
                                   .detail = !leads}, &entry, err));
            if (c == n && tie) j->ties = entry;
            if (c == n && !tie && leads) j->accuracy = entry;
        }
done:
    return status;
}

/* ---- two judges ----------------------------------------------------------------------------- */

static tare_status infer_difference_of(inference *d, pair_study *s, missing_counts *missing,
                                       size_t a, size_t b, tare_error *err)
{
    tare_status status = TARE_OK;
    const pair_rows *p = s->p;
    size_t half = s->categories * COUNTS;
    double *z = NULL, *all;
    const char *reason = s->judge[a].missing.used && s->judge[b].missing.used
                             ? REASON_NO_COMMON_ROWS : REASON_NO_SCORES;
    TRY_NEW(z = mem_new(s->b.m, (p->cluster.count + 1) * 2 * half, sizeof *z));
    all = z + p->cluster.count * 2 * half;
    for (size_t i = 0; i < p->pairs; i++) {
        tare_reason lacks = reason_of(p, i, a);
        if (lacks == TARE_R_NONE) lacks = reason_of(p, i, b);
        missing_add(missing, lacks);
        if (lacks != TARE_R_NONE) continue;
        double *to = z + p->pair_cluster[i] * 2 * half;
        add_outcome(to, p, i, a);
        add_outcome(to + half, p, i, b);
        all[p->pair_category[i] * COUNTS + COUNT_ALL]++;
    }
    if (missing->used) reason = NULL;
    for (size_t c = 0; c < s->categories && missing->used; c++)
        if (all[c * COUNTS + COUNT_ALL] == 0) reason = REASON_EMPTY_CATEGORY;
    for (size_t k = 0; k < TIE_POLICIES && reason; k++) d[k] = inference_none(reason);
    if (reason) goto done;
    infer_smooth f = {.many = difference_of, .outputs = TIE_POLICIES, .n = missing->used};
    TRY(infer_totals(d, &s->plan, &(infer_sums){z, 2 * half}, &f, 1, s->a, err));
done:
    mem_free(s->b.m, z);
    return status;
}

/* The policy that leads is tested among all pairs of judges; the others stand beside it, for a
 * verdict must not rest on the policy alone. Beside a judge that never decides there is no test. */
static tare_status compare(pair_study *s, size_t a, size_t b, tare_error *err)
{
    tare_status status = TARE_OK;
    const pair_rows *p = s->p;
    inference d[TIE_POLICIES];
    missing_counts missing = {0};
    arena *text = &s->out->a;
    size_t *entries = pair_differences(s, a, b);
    bool undecided = s->judge[a].all_tied || s->judge[b].all_tied;
    const char *plus, *minus;
    TRY(infer_difference_of(d, s, &missing, a, b, err));
    TRY_NEW(plus = arena_printf(text, "%s follows people better than %s", p->judge.name[a],
                                p->judge.name[b]));
    TRY_NEW(minus = arena_printf(text, "%s follows people better than %s", p->judge.name[b],
                                 p->judge.name[a]));
    for (size_t k = 0; k < TIE_POLICIES; k++) {
        bool leads = k == (size_t)s->o.ties;
        entry_spec spec = {.family = "pairs", .instrument = p->judge.name[a], .name = "d_accuracy",
                           .grid = "pairs", .margin = AGREE_MARGIN, .plus = plus, .minus = minus,
                           .one_of_several = !leads, .detail = !leads, .descriptive = undecided,
                           .missing = &missing};
        TRY_NEW(spec.condition = arena_printf(text, "less %s%s%s", p->judge.name[b],
                                              leads ? "" : ", ties ",
                                              leads ? "" : tie_policy_name((tie_policy)k)));
        d[k].n = missing.used;
        TRY(book_add(&s->b, &spec, &d[k], &entries[k], err));
    }
done:
    return status;
}

/* What a verdict says of the two, for comparing policies. */
typedef enum claim { CLAIM_NONE, CLAIM_SAME, CLAIM_FIRST, CLAIM_SECOND } claim;

static claim claim_of(const tare_reading *r)
{
    switch (r->verdict) {
    case TARE_FOUND: return r->estimate > 0 ? CLAIM_FIRST : CLAIM_SECOND;
    case TARE_SMALL:
    case TARE_NEGLIGIBLE: return CLAIM_SAME;
    default: return CLAIM_NONE;
    }
}

/* A verdict that another policy does not share is none (ours). */
static tare_status hold_back(pair_study *s, size_t a, size_t b, tare_error *err)
{
    tare_status status = TARE_OK;
    const size_t *entries = pair_differences(s, a, b);
    size_t lead = entries[s->o.ties];
    tare_reading *r = book_reading(&s->b, lead);
    claim said = claim_of(r);
    bool differ = false;
    for (size_t k = 0; k < TIE_POLICIES; k++) {
        const tare_reading *other = book_reading(&s->b, entries[k]);
        bool turned = r->estimate * other->estimate < 0 && said != CLAIM_SAME;
        differ = differ || turned || claim_of(other) != said;
    }
    if (!differ || r->verdict == TARE_DESCRIPTIVE || r->verdict == TARE_NO_ANSWER) return TARE_OK;
    TRY(book_mark(&s->b, lead, NOTE_TIE_POLICY, err));
    if (s->b.entries[lead].capped) goto done;
    r->verdict = TARE_INCONCLUSIVE;
    r->words = "inconclusive: " NOTE_TIE_POLICY;
    for (size_t g = 0; g < s->b.grid_count && s->b.entries[lead].significant; g++)
        if (strcmp(s->b.grids[g].name, "pairs") == 0) s->b.grids[g].significant--;
    s->b.entries[lead].significant = false;
done:
    return status;
}

/* ---- all together --------------------------------------------------------------------------- */

static tare_status open_study(pair_study *s, tare_context *context, tare_error *err)
{
    tare_status status = TARE_OK;
    const pair_rows *p = s->p;
    TRY(book_open(&s->b, s->out, context, &s->o.book, err));
    s->a = &s->b.scratch;
    s->judges = p->judge.count;
    s->categories = p->category.count;
    if (s->categories > CATEGORIES_MOST)
        FAIL(err, TARE_E_LIMIT, "pairs.categories", NULL, "%zu categories; at most %d",
             s->categories, CATEGORIES_MOST);
    s->plan = book_plan(&s->b, "items", p->cluster.name, p->cluster.count);
    TRY(infer_plan_prepare(&s->draws, &s->plan, err));
    s->plan.draws = s->draws;
    TRY_NEW(s->judge = arena_new(s->a, s->judges, sizeof *s->judge));
    TRY_NEW(s->difference = arena_new(s->a, s->judges * s->judges * TIE_POLICIES,
                                      sizeof *s->difference));
done:
    return status;
}

/* What is held back for one of two judges is for the difference. */
static void cap_differences(pair_study *s)
{
    entry *e = s->b.entries;
    for (size_t a = 0; a < s->judges; a++)
        for (size_t b = a + 1; b < s->judges; b++)
            for (size_t k = 0; k < TIE_POLICIES; k++)
                if (e[s->judge[a].above].capped || e[s->judge[b].above].capped)
                    e[pair_differences(s, a, b)[k]].capped = true;
}

tare_status pair_accuracy_run(audit_result *out, tare_context *context, const pair_rows *p,
                              const pair_options *options, tare_error *err)
{
    tare_status status = TARE_OK;
    pair_study s = {.out = out, .p = p, .o = *options};
    TRY(open_study(&s, context, err));
    for (size_t j = 0; j < s.judges; j++) {
        TRY(context_check(context, err));
        TRY(infer_judge(&s, j, err));
        TRY(enter_judge(&s, j, err));
    }
    for (size_t a = 0; a < s.judges; a++)
        for (size_t b = a + 1; b < s.judges; b++) TRY(compare(&s, a, b, err));
    TRY(pair_missing_run(&s.b, p, err));
    cap_differences(&s);
    TRY(book_settle(&s.b, err));
    for (size_t a = 0; a < s.judges; a++)
        for (size_t b = a + 1; b < s.judges; b++) TRY(hold_back(&s, a, b, err));
    TRY(pair_report(&s, err));
done:
    infer_draws_free(s.draws);
    book_close(&s.b);
    return status;
}
