/* Searching, and what the choice is worth on items that had no part in it (judge audits B.6). */
#include <math.h>
#include <string.h>

#include "audit/panel/panel_study.h"
#include "base/error.h"
#include "base/rng.h"
#include "stats/draws.h"
#include "stats/moments.h"

/* Folds by hash of (seed, cluster), so that an item's fold does not depend on the others. */
static tare_status make_folds(search_options *o, panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const score_table *t = s->t;
    bool holdout = !isnan(s->o.holdout);
    uint32_t *fold;
    rng_key key;
    TRY(draws_key(&key, s->plan.seed, "panel", "folds", s->m, err));
    TRY_NEW(fold = arena_new(&s->scratch, t->cluster.count, sizeof *fold));
    o->folds = holdout ? 1 : s->o.folds;
    for (size_t c = 0; c < t->cluster.count; c++) {
        rng_stream stream;
        rng_start(&stream, key, 0, rng_h64(t->cluster.name[c], strlen(t->cluster.name[c])));
        double u = rng_uniform(&stream);
        if (holdout) fold[c] = u < s->o.holdout ? 0 : FOLD_NONE;
        else fold[c] = (uint32_t)(u * (double)o->folds);
    }
    TRY_NEW(s->fit.fold_name = arena_new(s->a, o->folds + 1, sizeof *s->fit.fold_name));
    for (size_t k = 0; k < o->folds; k++)
        TRY_NEW(s->fit.fold_name[k] =
                    holdout ? "held out" : arena_printf(s->a, "%zu", k + 1));
    o->fold = fold;
done:
    return status;
}

/* Folds from a column; items of one cluster must not be parted. */
static tare_status take_folds(search_options *o, panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const score_table *t = s->t;
    uint32_t *fold;
    if (t->fold.count < 2 || t->fold.count > SEARCH_FOLDS_MAX)
        FAIL(err, TARE_E_DATA, "panel.folds", "--folds-by",
             "the column has %zu folds: 2 to %d are needed", t->fold.count, SEARCH_FOLDS_MAX);
    TRY_NEW(fold = arena_new(&s->scratch, t->cluster.count, sizeof *fold));
    for (size_t c = 0; c < t->cluster.count; c++) fold[c] = FOLD_NONE;
    for (size_t i = 0; i < t->item.count; i++) {
        uint32_t c = t->item_cluster[i];
        if (fold[c] != FOLD_NONE && fold[c] != t->item_fold[i])
            FAIL(err, TARE_E_DATA, "panel.folds", t->item.name[i],
                 "items of cluster %s are in several folds: what a panel is chosen on would be in "
                 "what it is tested on",
                 t->cluster.name[c]);
        fold[c] = t->item_fold[i];
    }
    o->folds = t->fold.count;
    o->fold = fold;
    s->fit.fold_name = t->fold.name;
done:
    return status;
}

static double spread(const double *x, size_t n)
{
    return n > 1 ? moments_sd(x, n, 1) : NAN;
}

static fold_choice choice_of(const panel_search *x, size_t panel, size_t fold)
{
    fold_choice c = {panel, NAN, NAN, NAN, NAN};
    if (panel == SIZE_MAX) return c;
    searched p = panel_search_at(x, panel);
    size_t train = search_train(fold), test = search_test(x, fold);
    return (fold_choice){panel, p.agree[train], p.bias[train], p.agree[test], p.bias[test]};
}

static tare_status fit(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    crossfit *f = &s->fit;
    const panel_search *x = &s->search;
    double *agree, *bias;
    f->folds = x->o.folds;
    TRY_NEW(f->choice = arena_new(&s->scratch, f->folds * RULES, sizeof *f->choice));
    TRY_NEW(agree = arena_new(&s->scratch, f->folds, sizeof *agree));
    TRY_NEW(bias = arena_new(&s->scratch, f->folds, sizeof *bias));
    for (size_t k = 0; k < f->folds; k++) {
        search_choice any = panel_search_choose(x, search_train(k), 0);
        search_choice one = panel_search_choose(x, search_train(k), 1);
        f->choice[k * RULES + RULE_BEST] = choice_of(x, any.best, k);
        f->choice[k * RULES + RULE_GENTLE] = choice_of(x, any.gentle, k);
        f->choice[k * RULES + RULE_SINGLE] = choice_of(x, one.best, k);
    }
    for (size_t rule = 0; rule < RULES; rule++) {
        for (size_t k = 0; k < f->folds; k++) {
            agree[k] = f->choice[k * RULES + rule].agree_test;
            bias[k] = f->choice[k * RULES + rule].bias_test;
        }
        f->agree[rule] = moments_mean(agree, f->folds);
        f->bias[rule] = moments_mean(bias, f->folds);
        f->agree_sd[rule] = spread(agree, f->folds);
        f->bias_sd[rule] = spread(bias, f->folds);
    }
done:
    return status;
}

/* A panel that was found joins those that are reported, unless it is there already. */
static tare_status report_panel(panel_study *s, size_t found, panel_source source, tare_error *err)
{
    tare_status status = TARE_OK;
    if (found == SIZE_MAX) return TARE_OK;
    searched x = panel_search_at(&s->search, found);
    for (size_t k = 0; k < s->panels; k++) {
        panel_result *p = &s->panel[k];
        bool same = p->count == x.size;
        for (size_t i = 0; same && i < x.size; i++) same = p->judge[i] == x.member[i];
        if (!same) continue;
        p->found = found;
        return TARE_OK;
    }
    panel_result p = {.source = source, .found = found, .count = x.size};
    TRY_NEW(p.judge = arena_new(s->a, x.size, sizeof *p.judge));
    for (size_t i = 0; i < x.size; i++) p.judge[i] = x.member[i];
    TRY(panel_list_add(s, &p, err));
done:
    return status;
}

static tare_status add_facts(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const panel_search *x = &s->search;
    const char *text;
    TRY_NEW(text = arena_printf(s->a, x->exhaustive ? "all %zu of up to %zu judges"
                                                    : "%zu met by a beam, up to %zu judges",
                                x->count, x->o.most));
    TRY(result_fact_add(s->out, "Search", "panels scored", text, err));
    TRY_NEW(text = arena_printf(s->a, "%zu", x->rows_used));
    TRY(result_fact_add(s->out, "Search", "rows with every candidate and gold", text, err));
    TRY(result_fact_add(s->out, "Search", "folds",
                        s->o.user_folds        ? "by column"
                        : isnan(s->o.holdout) ? "by hash of seed and cluster (ours)"
                                               : "one split, by hash of seed and cluster (ours)",
                        err));
    TRY(result_fact_add(s->out, "Search", "bias of a panel whose members write nothing",
                        "0 (ours)", err));
done:
    return status;
}

tare_status panel_search_and_fit(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    search_options o = {.aggregate = &s->o.aggregate, .agree = s->o.agree, .labels = s->labels,
                        .bias = s->o.bias, .ddof = s->o.ddof, .candidate = s->candidate,
                        .candidates = s->candidates, .most = s->o.most,
                        .width = s->o.beam_of_one ? 1 : 0, .within = s->o.within};
    if (!s->o.search) return TARE_OK;
    if (s->o.user_folds) TRY(take_folds(&o, s, err));
    else TRY(make_folds(&o, s, err));
    TRY(panel_search_run(&s->search, s->context, &s->rows, &o, err));
    s->searched = true;
    TRY(fit(s, err));
    TRY(panel_search_front(&s->front, &s->front_count, &s->search, &s->scratch, err));
    TRY(add_facts(s, err));
    search_choice any = panel_search_choose(&s->search, 0, 0);
    TRY(report_panel(s, any.best, any.best == any.gentle ? PANEL_GENTLE : PANEL_BEST, err));
    TRY(report_panel(s, any.gentle, PANEL_GENTLE, err));
done:
    return status;
}

int panel_rule_of(const panel_study *s, size_t found)
{
    if (!s->searched || s->fit.folds == 0 || found == SIZE_MAX) return -1;
    search_choice any = panel_search_choose(&s->search, 0, 0);
    if (found == any.gentle) return RULE_GENTLE;
    if (found == any.best) return RULE_BEST;
    return found == panel_search_choose(&s->search, 0, 1).best ? RULE_SINGLE : -1;
}

/* ---- Intervals of the held-out agreement ---------------------------------------------------- */

typedef struct held_job {
    const panel_study *s;
    agree_column *column;   /* [folds][RULES] rows of the fold */
    size_t folds;
} held_job;

static void evaluate(double *values, const uint8_t *w, const void *user, void *scratch)
{
    const held_job *job = user;
    const panel_study *s = job->s;
    for (size_t rule = 0; rule < RULES; rule++) {
        double sum = 0;
        for (size_t k = 0; k < job->folds; k++)
            sum += agree_of_column(s->o.agree, &job->column[k * RULES + rule], w, &s->labels,
                                   scratch);
        values[rule] = sum / (double)job->folds;
    }
    values[RULES] = values[RULE_GENTLE] - values[RULE_SINGLE];
}

/* Scores of a panel on the rows of a fold on which all candidates have one. */
static tare_status fold_column(agree_column *out, panel_study *s, size_t panel, size_t fold,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    const panel_rows *r = &s->rows;
    searched p = panel_search_at(&s->search, panel);
    size_t *judge;
    double *x, *scratch;
    TRY_NEW(judge = arena_new(&s->scratch, p.size, sizeof *judge));
    TRY_NEW(x = arena_new(&s->scratch, r->rows, sizeof *x));
    TRY_NEW(scratch = arena_new(&s->scratch, PANEL_SCRATCH(p.size, r->dims), sizeof *scratch));
    for (size_t k = 0; k < p.size; k++) judge[k] = p.member[k];
    panel_members m = {judge, p.size, false, NULL};
    panel_score(x, r, &s->o.aggregate, &m, scratch);
    for (size_t i = 0; i < r->rows; i++) {
        bool in = s->search.o.fold[r->cluster[i]] == fold;
        if (!in || !panel_row_complete(r, s->candidate, s->candidates, i)) x[i] = NAN;
    }
    TRY(agree_column_make(out, &s->scratch, x, NULL, &s->agree_rows, err));
done:
    return status;
}

tare_status panel_crossfit_infer(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    crossfit *f = &s->fit;
    held_job job = {.s = s, .folds = f->folds};
    inference inf[RULES + 1];
    size_t bytes = 0;
    for (size_t k = 0; k < RULES; k++) f->held[k] = inference_none("");
    f->over_single = inference_none("");
    f->entry_margin = f->entry_even = BOOK_NONE;
    if (!s->searched || f->folds == 0) goto done;
    TRY_NEW(job.column = arena_new(&s->scratch, f->folds * RULES, sizeof *job.column));
    for (size_t k = 0; k < f->folds * RULES; k++) {
        if (f->choice[k].panel == SIZE_MAX) goto done;
        TRY(fold_column(&job.column[k], s, f->choice[k].panel, k / RULES, err));
        size_t need = agree_column_scratch(&job.column[k], s->labels.count);
        bytes = need > bytes ? need : bytes;
    }
    infer_weighted what = {.evaluate = evaluate, .user = &job, .outputs = RULES + 1,
                           .scratch_bytes = bytes, .n = s->search.rows_used};
    TRY(infer_weights(inf, &s->plan, &what, &s->book->scratch, err));
    for (size_t k = 0; k < RULES; k++) f->held[k] = inf[k];
    f->over_single = inf[RULES];
done:
    return status;
}
