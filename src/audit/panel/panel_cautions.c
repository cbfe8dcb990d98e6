/* What the reader must know before using a panel's numbers. */
#include <math.h>
#include <string.h>

#include "audit/panel/panel_words.h"
#include "base/error.h"
#include "stats/moments.h"

static const char *judge_name(const panel_study *s, size_t j)
{
    return s->t->judge.name[j];
}

/* Judges without any score are named by the missingness audit. */
static tare_status unusable_judges(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const panel_rows *r = &s->rows;
    const char *at;
    TRY_NEW(at = panel_where(s));
    for (size_t j = 0; j < r->judges; j++) {
        bool scored = false;
        for (size_t i = 0; i < r->rows && !scored; i++) scored = !isnan(r->raw[i * r->judges + j]);
        if (scored && !r->usable[j])
            TRY(result_caution(s->out, err,
                               "%sJudge %s gives every text the same score: it has no z-scores and "
                               "is left out.",
                               at, judge_name(s, j)));
    }
done:
    return status;
}

static double spread_of(const panel_rows *r, size_t j, double *column)
{
    size_t n = 0;
    for (size_t i = 0; i < r->rows; i++)
        if (!isnan(r->raw[i * r->judges + j])) column[n++] = r->raw[i * r->judges + j];
    return moments_sd(column, n, 0);
}

/* A raw mean weights its members by their spread. */
static tare_status mixed_scales(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const panel_rows *r = &s->rows;
    double *column;
    const char *at;
    TRY_NEW(at = panel_where(s));
    if (s->o.aggregate.rule != AGGREGATE_MEAN && s->o.aggregate.rule != AGGREGATE_TRIM) goto done;
    TRY_NEW(column = arena_new(&s->scratch, r->rows, sizeof *column));
    for (size_t k = 0; k < s->panels; k++) {
        const panel_result *p = &s->panel[k];
        double low = INFINITY, high = 0;
        size_t least = 0, most = 0;
        for (size_t i = 0; i < p->count; i++) {
            double sd = spread_of(r, p->judge[i], column);
            if (sd < low) low = sd, least = p->judge[i];
            if (sd > high) high = sd, most = p->judge[i];
        }
        if (!(high > 2 * low) || p->source == PANEL_SEQUENCE) continue;
        const char *times;
        TRY_NEW(times = low > 0 ? arena_printf(s->a, "%.1f times as much as", high / low)
                                : "and not at all");
        TRY(result_caution(s->out, err,
                           "%sIn panel %s the scores of %s spread %s those of %s: a mean of raw "
                           "scores mostly repeats the judge that spreads more (--aggregate zmean "
                           "puts all on one scale).",
                           at, p->name, judge_name(s, most), times, judge_name(s, least)));
    }
done:
    return status;
}

static tare_status gold_cautions(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const panel_rows *r = &s->rows;
    const char *at;
    TRY_NEW(at = panel_where(s));
    if (s->single_rating)
        TRY(result_caution(s->out, err,
                           "%ssingle-rating-gold: most golds are one person's rating. Its noise is "
                           "part of every judge's error, so errors look more alike than they are "
                           "and a panel is worth more votes than is printed.", at));
    if (r->with_gold < r->scored)
        TRY(result_caution(s->out, err,
                           "%s%zu of %zu rows have no gold score: agreement and votes rest on the "
                           "other %zu.",
                           at, r->scored - r->with_gold, r->scored, r->with_gold));
    for (size_t j = 0; j < r->judges; j++) {
        bool same = r->usable[j];
        for (size_t i = 0; i < r->rows && same; i++) {
            double x = r->raw[i * r->judges + j];
            same = isnan(x) || isnan(r->gold[i]) || x == r->gold[i];
        }
        if (same)
            TRY(result_caution(s->out, err,
                               "%sGold equals the score of judge %s in every row. If it is that "
                               "judge's own column, agreement says nothing about panels it sits "
                               "in.",
                               at, judge_name(s, j)));
    }
done:
    return status;
}

/* Errors on the judges' scale are differences from gold on gold's. */
static tare_status error_scale(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const panel_rows *r = &s->rows;
    double *x;
    size_t n = 0, g = 0;
    const char *at;
    TRY_NEW(at = panel_where(s));
    if (r->binary || s->o.err_z || aggregate_votes(s->o.aggregate.rule) ||
        s->o.aggregate.rule == AGGREGATE_ZMEAN)
        goto done;
    TRY_NEW(x = arena_new(&s->scratch, r->rows * (r->judges + 1), sizeof *x));
    for (size_t k = 0; k < r->rows * r->judges; k++)
        if (!isnan(r->raw[k])) x[n++] = r->raw[k];
    double judges = moments_sd(x, n, 0);
    for (size_t i = 0; i < r->rows; i++)
        if (!isnan(r->gold[i])) x[g++] = r->gold[i];
    double gold = moments_sd(x, g, 0);
    if (judges > 4 * gold || gold > 4 * judges)
        TRY(result_caution(s->out, err,
                           "%sJudges' scores have an SD of %.3g and gold one of %.3g: they seem to "
                           "be on different scales, and score - gold is no error then. Take --err "
                           "z for rho and n_eff.",
                           at, judges, gold));
done:
    return status;
}

/* Fewer than one in a hundred are in the tables only. */
static bool many(size_t count, size_t of)
{
    return 100 * count >= of && count > 0;
}

tare_status panel_cautions(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *at;
    TRY_NEW(at = panel_where(s));
    TRY(unusable_judges(s, err));
    TRY(mixed_scales(s, err));
    TRY(gold_cautions(s, err));
    TRY(error_scale(s, err));
    if (!s->rows.matrix)
        TRY(result_caution(s->out, err, "%sPreference cannot be measured: %s. Agreement and "
                                        "votes are.", at, s->rows.no_matrix));
    else if (s->rows.matrix_items < s->rows.items)
        TRY(result_caution(s->out, err,
                           "%sPreference rests on the %zu of %zu items that have a score in every "
                           "cell.",
                           at, s->rows.matrix_items, s->rows.items));
    for (size_t k = 0; k < s->panels; k++)
        if (many(s->panel[k].dropped, s->rows.scored))
            TRY(result_caution(s->out, err,
                               "%sPanel %s: %zu of %zu rows have no panel score, since %s.",
                               at, s->panel[k].name, s->panel[k].dropped, s->rows.scored,
                               s->o.aggregate.ties == TIES_DROP
                                   ? "a member's score is missing or the vote is a tie"
                                   : "a member's score is missing"));
    if (s->searched && many(s->rows.with_gold - s->search.rows_used, s->rows.with_gold))
        TRY(result_caution(s->out, err,
                           "%sThe search compares panels on the %zu of %zu rows with gold that "
                           "every candidate has scored (--candidates leaves judges out).",
                           at, s->search.rows_used, s->rows.with_gold));
    if (s->o.lso_raw && s->layer == 0)
        TRY(result_caution(s->out, err,
                           "--lso raw: leaving out a lenient member lowers its own text. What "
                           "changes is leniency as much as preference."));
done:
    return status;
}
