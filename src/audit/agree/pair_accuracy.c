#include "audit/agree/pair_accuracy.h"

#include <math.h>
#include <string.h>

#include "audit/agree/agree.h"
#include "audit/agree/agree_tables.h"
#include "audit/words.h"
#include "base/error.h"

enum { COUNT_RIGHT, COUNT_TIE, COUNT_ALL, COUNTS };
#define CATEGORIES_MOST 200

static const char *const policy_names[TIE_POLICIES] = {"loss", "half", "drop"};

typedef struct judge_pairs {
    inference *inf;            /* [outputs] */
    size_t accuracy, above, ties; /* entries of the mean */
    missing_counts missing;
    double *total;             /* [categories][COUNTS] */
} judge_pairs;

typedef struct pair_study {
    audit_result *out;
    book b;
    arena *a;
    const pair_rows *p;
    pair_options o;
    infer_plan plan;
    infer_draws *draws;
    size_t categories, judges;
    judge_pairs *judge;        /* [judges] */
    size_t *difference;        /* [judges * judges] entry of a < b; BOOK_NONE */
} pair_study;

/* ---- from counts to shares ------------------------------------------------------------------ */

typedef struct shares {
    size_t categories;
    tie_policy leads;
} shares;

static double accuracy_of(const double *c, tie_policy ties)
{
    double all = c[COUNT_ALL] - (ties == TIE_DROP ? c[COUNT_TIE] : 0);
    double right = c[COUNT_RIGHT] + (ties == TIE_HALF ? c[COUNT_TIE] / 2 : 0);
    return all > 0 ? right / all : NAN;
}

/* [policy][categories + 1] with the mean of the categories last; then rates of ties in the same
 * order; then the mean less one half with ties as half, which is what guessing gives. */
static size_t outputs_of(size_t categories)
{
    return (TIE_POLICIES + 1) * (categories + 1) + 1;
}

static void shares_of(double *values, const double *total, size_t p, const void *user)
{
    const shares *s = user;
    size_t n = s->categories;
    (void)p;
    for (int k = 0; k <= TIE_POLICIES; k++) {
        double *to = values + (size_t)k * (n + 1);
        to[n] = 0;
        for (size_t c = 0; c < n; c++) {
            const double *count = total + c * COUNTS;
            to[c] = k < TIE_POLICIES ? accuracy_of(count, (tie_policy)k)
                    : count[COUNT_ALL] > 0 ? count[COUNT_TIE] / count[COUNT_ALL]
                                           : NAN;
            to[n] += to[c];
        }
        to[n] /= (double)n;
    }
    values[(TIE_POLICIES + 1) * (n + 1)] = values[(size_t)TIE_HALF * (n + 1) + n] - 0.5;
}

/* Mean accuracy of the first judge less that of the second. */
static void difference_of(double *values, const double *total, size_t p, const void *user)
{
    const shares *s = user;
    double sum = 0;
    (void)p;
    for (size_t c = 0; c < s->categories; c++)
        sum += accuracy_of(total + c * COUNTS, s->leads) -
               accuracy_of(total + (s->categories + c) * COUNTS, s->leads);
    values[0] = sum / (double)s->categories;
}

static void add_outcome(double *z, const pair_rows *p, size_t pair, size_t judge)
{
    int outcome = p->outcome[pair * p->judge.count + judge];
    z += p->pair_category[pair] * COUNTS;
    z[COUNT_ALL]++;
    if (outcome > 0) z[COUNT_RIGHT]++;
    if (outcome == 0) z[COUNT_TIE]++;
}

static bool is_ok(const pair_rows *p, size_t pair, size_t judge)
{
    return p->status[pair * p->judge.count + judge] == TARE_R_NONE;
}

/* ---- one judge ------------------------------------------------------------------------------ */

static tare_status infer_judge(pair_study *s, size_t judge, tare_error *err)
{
    tare_status status = TARE_OK;
    const pair_rows *p = s->p;
    judge_pairs *j = &s->judge[judge];
    size_t width = s->categories * COUNTS, outputs = outputs_of(s->categories), n = 0;
    double *z = NULL;
    TRY_NEW(z = mem_new(s->b.m, p->cluster.count * width + 1, sizeof *z));
    TRY_NEW(j->inf = arena_new(s->a, outputs, sizeof *j->inf));
    TRY_NEW(j->total = arena_new(s->a, width + 1, sizeof *j->total));
    for (size_t i = 0; i < p->pairs; i++) {
        missing_add(&j->missing, (tare_reason)p->status[i * p->judge.count + judge]);
        if (!is_ok(p, i, judge)) continue;
        n++;
        add_outcome(z + p->pair_cluster[i] * width, p, i, judge);
        add_outcome(j->total, p, i, judge);
    }
    for (size_t k = 0; k < outputs; k++) j->inf[k] = inference_none(REASON_NO_SCORES);
    if (n == 0) goto done;
    shares user = {s->categories, s->o.ties};
    infer_smooth f = {.many = shares_of, .user = &user, .outputs = outputs, .n = n};
    TRY(infer_totals(j->inf, &s->plan, &(infer_sums){z, width}, &f, 1, s->a, err));
done:
    mem_free(s->b.m, z);
    return status;
}

static tare_status enter(pair_study *s, size_t judge, size_t output, entry_spec spec,
                         size_t *entry, tare_error *err)
{
    judge_pairs *j = &s->judge[judge];
    inference x = j->inf[output];
    spec.family = "accuracy";
    spec.instrument = s->p->judge.name[judge];
    spec.missing = &j->missing;
    spec.margin = NAN;
    if (!spec.grid) {
        inference_share(&x);
        spec.descriptive = true;
    }
    return book_add(&s->b, &spec, &x, entry, err);
}

/* n and clusters of a category are its own. */
static tare_status enter_judge(pair_study *s, size_t judge, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t n = s->categories, last = (TIE_POLICIES + 1) * (n + 1);
    judge_pairs *j = &s->judge[judge];
    TRY(enter(s, judge, last, (entry_spec){.name = "accuracy_above_half",
                                           .grid = "accuracy",
                                           .plus = "prefers what people prefer",
                                           .minus = "prefers what people do not prefer"},
              &j->above, err));
    for (size_t k = 0; k <= TIE_POLICIES; k++)
        for (size_t c = 0; c <= n; c++) {
            bool tie = k == TIE_POLICIES, leads = tie || k == (size_t)s->o.ties;
            const char *where = c == n ? "mean" : s->p->category.name[c], *condition = where;
            size_t entry;
            if (c < n && n == 1) continue; /* the mean says the same */
            if (!tie)
                TRY_NEW(condition = arena_printf(&s->out->a, "%s, ties %s", where,
                                                 policy_names[k]));
            TRY(enter(s, judge, k * (n + 1) + c,
                      (entry_spec){.name = tie ? "tie_rate" : "accuracy", .condition = condition,
                                   .detail = !leads}, &entry, err));
            if (c == n && tie) j->ties = entry;
            if (c == n && !tie && leads) j->accuracy = entry;
        }
done:
    return status;
}

/* ---- two judges ----------------------------------------------------------------------------- */

static tare_status compare(pair_study *s, size_t a, size_t b, tare_error *err)
{
    tare_status status = TARE_OK;
    const pair_rows *p = s->p;
    size_t half = s->categories * COUNTS, n = 0;
    double *z = NULL;
    inference d = inference_none(REASON_NO_SCORES);
    TRY_NEW(z = mem_new(s->b.m, p->cluster.count * 2 * half + 1, sizeof *z));
    for (size_t i = 0; i < p->pairs; i++) {
        if (!is_ok(p, i, a) || !is_ok(p, i, b)) continue;
        n++;
        add_outcome(z + p->pair_cluster[i] * 2 * half, p, i, a);
        add_outcome(z + p->pair_cluster[i] * 2 * half + half, p, i, b);
    }
    shares user = {s->categories, s->o.ties};
    infer_smooth f = {.many = difference_of, .user = &user, .outputs = 1, .n = n};
    if (n) TRY(infer_totals(&d, &s->plan, &(infer_sums){z, 2 * half}, &f, 1, s->a, err));
    entry_spec spec = {.family = "pairs", .instrument = p->judge.name[a],
                       .name = "d_accuracy", .grid = "pairs", .margin = AGREE_MARGIN};
    arena *text = &s->out->a;
    TRY_NEW(spec.condition = arena_printf(text, "less %s", p->judge.name[b]));
    TRY_NEW(spec.plus = arena_printf(text, "%s follows people better than %s", p->judge.name[a],
                                     p->judge.name[b]));
    TRY_NEW(spec.minus = arena_printf(text, "%s follows people better than %s", p->judge.name[b],
                                      p->judge.name[a]));
    TRY(book_add(&s->b, &spec, &d, &s->difference[a * s->judges + b], err));
done:
    mem_free(s->b.m, z);
    return status;
}

/* ---- tables, figure, words ------------------------------------------------------------------ */

static tare_status count_table(pair_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    static const char *const columns[] = {"judge", "category", "pairs", "right", "tied",
                                          "accuracy_loss", "accuracy_half", "accuracy_drop",
                                          "tie_rate"};
    result_table *table;
    TRY_NEW(table = result_add_table(s->out, "pair-counts", "Pairs by category", columns,
                                     sizeof columns / sizeof *columns));
    for (size_t j = 0; j < s->judges; j++)
        for (size_t c = 0; c < s->categories; c++) {
            const double *x = s->judge[j].total + c * COUNTS;
            cell *row;
            TRY_NEW(row = result_add_row(s->out, table));
            row[0] = cell_of_words(s->p->judge.name[j]);
            row[1] = cell_of_words(s->p->category.name[c]);
            row[2] = cell_of_count((uint64_t)x[COUNT_ALL]);
            row[3] = cell_of_count((uint64_t)x[COUNT_RIGHT]);
            row[4] = cell_of_count((uint64_t)x[COUNT_TIE]);
            for (int k = 0; k < TIE_POLICIES; k++)
                row[5 + k] = cell_of_number(accuracy_of(x, (tie_policy)k));
            row[8] = cell_of_number(x[COUNT_ALL] > 0 ? x[COUNT_TIE] / x[COUNT_ALL] : NAN);
        }
    TRY(agree_family_table(s->out, "accuracy", "Accuracy and ties", err));
    TRY(agree_family_table(s->out, "pairs", "Judges against each other", err));
    TRY(agree_family_table(s->out, "missing", "Missing scores", err));
done:
    return status;
}

static tare_status accuracy_figure(pair_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t n = s->categories;
    figure *f;
    TRY_NEW(f = result_add_figure(s->out, FIGURE_FOREST, "accuracy",
                                  "How often the judge prefers what people prefer"));
    TRY_NEW(f->x_title = arena_printf(&s->out->a, "accuracy (ties: %s)", policy_names[s->o.ties]));
    f->caption = "Half of the pairs are right by chance.";
    for (size_t c = 0; c <= n; c++)
        for (size_t j = 0; j < s->judges; j++) {
            const inference *x = &s->judge[j].inf[(size_t)s->o.ties * (n + 1) + c];
            figure_point *p;
            if (n == 1 && c == 0) continue;
            TRY_NEW(p = result_add_point(s->out, f));
            *p = (figure_point){.panel = c == n ? "mean" : s->p->category.name[c], .series = "",
                                .label = s->p->judge.name[j], .x = x->estimate, .y = NAN,
                                .lo = x->lo, .hi = x->hi, .mark = "", .tip = "", .outline = ""};
        }
done:
    return status;
}

static tare_status say_judge(pair_study *s, size_t judge, tare_error *err)
{
    const judge_pairs *j = &s->judge[judge];
    const tare_reading *acc = book_reading(&s->b, j->accuracy);
    const tare_reading *ties = book_reading(&s->b, j->ties);
    const char *name = s->p->judge.name[judge];
    if (acc->verdict == TARE_NO_ANSWER)
        return result_caution(s->out, err, "%s: no answer, %s.", name,
                              strcmp(acc->reason, REASON_NO_SCORES) == 0
                                  ? "it has no pair of scores" : reason_words(acc->reason));
    const char *mean = s->categories > 1 ? " (mean of the categories)" : "";
    return result_answer(s->out, err, "%s prefers the candidate that people prefer in %.1f %% of "
                         "the pairs%s [%.1f, %.1f], with equal scores %s; it gives equal scores to "
                         "%.1f %%.", name, 100 * acc->estimate, mean, 100 * acc->lo, 100 * acc->hi,
                         s->o.ties == TIE_LOSS   ? "counted as wrong"
                         : s->o.ties == TIE_HALF ? "counted as half right"
                                                 : "left out",
                         100 * ties->estimate);
}

static tare_status say_difference(pair_study *s, size_t entry, size_t a, size_t b, tare_error *err)
{
    const tare_reading *r = book_reading(&s->b, entry);
    bool turned = r->estimate < 0;
    const char *best = s->p->judge.name[turned ? b : a], *other = s->p->judge.name[turned ? a : b];
    double size = 100 * fabs(r->estimate), lo = 100 * (turned ? -r->hi : r->lo),
           hi = 100 * (turned ? -r->lo : r->hi);
    switch (r->verdict) {
    case TARE_FOUND:
        return result_answer(s->out, err, "%s follows people better than %s, by %.1f points of "
                             "accuracy [%.1f, %.1f].", best, other, size, lo, hi);
    case TARE_SMALL:
    case TARE_NEGLIGIBLE:
        return result_answer(s->out, err, "%s and %s are equally close to people for practical "
                             "purposes: %.1f points of accuracy [%.1f, %.1f].", best, other, size,
                             lo, hi);
    case TARE_INCONCLUSIVE:
        if (s->b.entries[entry].capped)
            return result_answer(s->out, err, "%s leads %s by %.1f points of accuracy [%.1f, "
                                 "%.1f]; no verdict, since what they miss is not left to chance.",
                                 best, other, size, lo, hi);
        return result_answer(s->out, err, "Which of %s and %s is closer to people is not resolved: "
                             "%.1f points of accuracy [%.1f, %.1f].", best, other, size, lo, hi);
    default: return TARE_OK;
    }
}

#define JUDGES_COMPARED 4 /* in sentences; the table has all pairs */

static tare_status answer(pair_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    bool many_ties = false;
    for (size_t j = 0; j < s->judges; j++) {
        TRY(say_judge(s, j, err));
        const tare_reading *ties = book_reading(&s->b, s->judge[j].ties);
        many_ties = many_ties || ties->estimate > 0.05;
    }
    for (size_t a = 0; a < s->judges && s->judges <= JUDGES_COMPARED; a++)
        for (size_t b = a + 1; b < s->judges; b++)
            TRY(say_difference(s, s->difference[a * s->judges + b], a, b, err));
    TRY(result_answer(s->out, err, "%zu pairs in %zu %s of %zu items; intervals resample whole "
                      "items.", s->p->pairs, s->categories,
                      s->categories == 1 ? "category" : "categories", s->p->cluster.count));
    if (s->o.protocol->rows && s->p->pairs != s->o.protocol->rows)
        TRY(result_caution(s->out, err, "The published protocol %s has %zu pairs and this table "
                           "%zu: its numbers do not stand beside published ones.",
                           s->o.protocol->name, s->o.protocol->rows, s->p->pairs));
    if (many_ties)
        TRY(result_caution(s->out, err, "A judge that often gives equal scores has very different "
                           "accuracies under the three policies for ties: compare judges under "
                           "one, and look at all three."));
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
    TRY_NEW(s->difference = arena_new(s->a, s->judges * s->judges, sizeof *s->difference));
done:
    return status;
}

/* What is held back for one of two judges is for the difference. */
static void cap_differences(pair_study *s)
{
    entry *e = s->b.entries;
    for (size_t a = 0; a < s->judges; a++)
        for (size_t b = a + 1; b < s->judges; b++)
            if (e[s->judge[a].above].capped || e[s->judge[b].above].capped)
                e[s->difference[a * s->judges + b]].capped = true;
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
    TRY(count_table(&s, err));
    TRY(accuracy_figure(&s, err));
    TRY(answer(&s, err));
done:
    infer_draws_free(s.draws);
    book_close(&s.b);
    return status;
}
