/* missing_report.c - readings of the missingness audit. */
#include <math.h>
#include <string.h>

#include "audit/judge/missing_study.h"
#include "audit/words.h"
#include "base/error.h"
#include "stats/proportion.h"
#include "stats/verdict.h"

#define FAMILY "missing"
enum { LEVELS_SHOWN = 50 }; /* of more levels the two at the ends are shown */

/* ---- Rates ----------------------------------------------------------------------------------- */

/* A rate of n rows, which are taken for independent (ours); it counts those with a score as its
 * base, so that base and missing rows make up the expected ones. */
static inference rate_of(uint64_t missing, uint64_t n, uint64_t used, double alpha)
{
    inference x = inference_none("");
    x.n = (size_t)used;
    if (n == 0) return x;
    x.estimate = (double)missing / (double)n;
    wilson_interval(&x.lo, &x.hi, (double)missing, (double)n, alpha);
    x.interval_method = "Wilson";
    return x;
}

static missing_counts counts_of(const uint64_t by_status[TARE_REASON_COUNT])
{
    missing_counts c = {0};
    for (int r = 0; r < TARE_REASON_COUNT; r++) {
        c.expected += by_status[r];
        if (r != TARE_R_NONE) c.by_reason[r] = by_status[r];
    }
    c.used = by_status[TARE_R_NONE];
    return c;
}

/* The rate of all that is missing, then of each status that occurs in the table. */
static tare_status add_rates(missing_study *s, const entry_spec *where, const missing_counts *c,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    entry_spec spec = *where;
    spec.family = FAMILY;
    spec.name = "missing_rate";
    spec.unit = "share";
    spec.margin = NAN;
    spec.descriptive = true;
    spec.missing = c;
    inference x = rate_of(missing_total(c), c->expected, c->used, s->b->o.alpha);
    TRY(book_add(s->b, &spec, &x, NULL, err));
    for (int r = TARE_R_NONE + 1; r < TARE_REASON_COUNT; r++) {
        if (!s->total->by_reason[r]) continue;
        TRY_NEW(spec.name = arena_printf(&s->b->out->a, "missing_rate:%s",
                                         tare_reason_name((tare_reason)r)));
        x = rate_of(c->by_reason[r], c->expected, c->used, s->b->o.alpha);
        TRY(book_add(s->b, &spec, &x, NULL, err));
    }
done:
    return status;
}

tare_status missing_report_total(missing_study *s, tare_error *err)
{
    const entry_spec everywhere = {.condition = ""};
    return add_rates(s, &everywhere, s->total, err);
}

/* "author=x" of the layer; the level also stands where readings of its kind have it. */
static tare_status level_place(entry_spec *out, missing_study *s, const missing_factor *f,
                               size_t level, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *name = f->level[level];
    *out = (entry_spec){.arm = s->setting, .dim = s->dim};
    TRY_NEW(out->condition = arena_printf(&s->b->out->a, "%s=%s", f->name, name));
    if (f->kind == FACTOR_JUDGE) out->instrument = name;
    if (f->kind == FACTOR_SETTING) out->arm = name;
    if (f->kind == FACTOR_DIM) out->dim = name;
done:
    return status;
}

/* Judges that have scored nothing are no level of the factors. */
tare_status missing_report_silent(missing_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t j = 0; j < s->t->judge.count; j++) {
        uint64_t by_status[TARE_REASON_COUNT] = {0};
        const char *name = s->t->judge.name[j];
        entry_spec where;
        int most = TARE_R_ABSENT;
        if (!s->silent[j]) continue;
        for (size_t i = 0; i < s->t->rows; i++)
            if (s->t->row_judge[i] == j) by_status[s->t->row_status[i]]++;
        for (int r = TARE_R_NONE + 1; r < TARE_REASON_COUNT; r++)
            if (by_status[r] > by_status[most]) most = r;
        TRY(level_place(&where, s,
                        &(missing_factor){.kind = FACTOR_JUDGE, .name = "judge",
                                          .level = s->t->judge.name}, j, err));
        missing_counts c = counts_of(by_status);
        TRY(add_rates(s, &where, &c, err));
        TRY(result_caution(s->b->out, err,
                           "Judge %s has no score at all: %llu rows, of which %llu %s. Nothing is "
                           "said about it, and the missingness audit leaves it out.",
                           name, (unsigned long long)c.expected,
                           (unsigned long long)by_status[most],
                           tare_reason_name((tare_reason)most)));
    }
done:
    return status;
}

/* ---- Factors --------------------------------------------------------------------------------- */

static tare_status add_spread(missing_study *s, const missing_factor *f, tare_error *err)
{
    tare_status status = TARE_OK;
    inference x = inference_none(f->too_many ? REASON_NOT_RUN : "");
    const char *words;
    size_t at;
    TRY_NEW(words = arena_printf(&s->b->out->a, "what is missing depends on %s%s", f->name,
                                 f->informative ? "" : ", by less than 2 points"));
    entry_spec spec = {.family = FAMILY, .name = "rate_spread", .unit = "share", .grid = FAMILY,
                       .arm = s->setting, .dim = s->dim, .condition = f->name, .margin = NAN,
                       .plus = words, .minus = words,
                       /* what is informative is told of in a caution */
                       .detail = s->t->layers > 1 || !f->informative,
                       .extra = f->too_many       ? "more than 1000 levels"
                                : f->informative ? "missing_informative"
                                                 : ""};
    if (!f->too_many) {
        x.estimate = f->spread;
        x.p = f->test.p;
        x.p_floor = f->test.p_floor;
        x.p_method = f->test.exact ? "exact permutation" : "permutation";
        x.clusters = f->clusters;
        for (size_t g = 0; g < f->levels; g++) x.n += (size_t)missing_level_rows(f, g);
    }
    TRY(book_add(s->b, &spec, &x, &at, err));
    book_reading(s->b, at)->replicates = f->too_many ? 0 : f->test.total;
done:
    return status;
}

static tare_status add_association(missing_study *s, const missing_factor *f, tare_error *err)
{
    tare_status status = TARE_OK;
    inference x = inference_none("");
    size_t at;
    entry_spec spec = {.family = FAMILY, .name = "cramers_v", .arm = s->setting, .dim = s->dim,
                       .condition = f->name, .margin = NAN, .descriptive = true};
    x.estimate = f->v;
    x.p = f->chi_p;
    x.df = f->chi_df;
    x.p_method = f->chi_method;
    TRY(book_add(s->b, &spec, &x, &at, err));
    book_reading(s->b, at)->replicates = 0;
done:
    return status;
}

tare_status missing_report_factor(missing_study *s, const missing_factor *f, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(add_spread(s, f, err));
    if (f->too_many) goto done;
    TRY(add_association(s, f, err));
    for (size_t g = 0; g < f->levels; g++) {
        entry_spec where;
        missing_counts c = counts_of(f->count[g]);
        bool end = g == f->high || g == f->low;
        if (c.expected == 0 || (f->levels > LEVELS_SHOWN && !end)) continue;
        TRY(level_place(&where, s, f, g, err));
        TRY(add_rates(s, &where, &c, err));
    }
done:
    return status;
}
