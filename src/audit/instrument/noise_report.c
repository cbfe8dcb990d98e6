#include "audit/instrument/noise_report.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/text.h"

static const struct {
    const char *name, *what; /* what is another one */
} TRIALS[NOISE_KINDS] = {
    [NOISE_FIRST] = {"first", ""},
    [NOISE_REPEAT] = {"repeat", "asked again"},
    [NOISE_REVERSED] = {"order, reversed", "in reversed order"},
    [NOISE_SHUFFLED] = {"order, shuffled", "in shuffled order"},
    [NOISE_THREADS] = {"threads", "by several threads"},
    [NOISE_BATCH] = {"batch mates", "in another batch"},
    [NOISE_LIBRARY] = {"library", "by another ONNX Runtime"},
    [NOISE_PNG] = {"re-encode, PNG", "after PNG"},
    [NOISE_JPEG] = {"re-encode, JPEG 95", "after JPEG 95"},
};
/* As they are printed: the instrument's own, then what is context. */
static const noise_kind ORDER[] = {NOISE_REPEAT, NOISE_BATCH, NOISE_REVERSED, NOISE_SHUFFLED,
                                   NOISE_THREADS, NOISE_LIBRARY, NOISE_PNG, NOISE_JPEG};
enum { ORDER_COUNT = sizeof ORDER / sizeof *ORDER };

tare_status noise_about_read(noise_about *out, const scorer_description *d, arena *a,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    *out = (noise_about){.batch = d->batch, .repeatable = d->repeatable};
    TRY_NEW(out->name = arena_copy(a, d->name));
    TRY_NEW(out->spec = arena_copy(a, d->spec));
    TRY_NEW(out->identity = arena_copy(a, d->identity));
    TRY_NEW(out->identity_hash = arena_text(a, d->identity_hash, 16));
    TRY_NEW(out->runtime = arena_copy(a, d->runtime));
done:
    return status;
}

/* ---- Readings -------------------------------------------------------------------------------- */

typedef struct noise_page {
    noise_bench *b;
    const noise_about *about;
    audit_result *r;
    noise_total total;
} noise_page;

/* Photographs that got a score. */
static size_t scored(const noise_page *p)
{
    return p->b->photos->count - p->b->trial[NOISE_FIRST].failed;
}

/* Three digits are enough of a noise. */
static const char *number(char out[NUMBER_TEXT_MAX], double x)
{
    snprintf(out, NUMBER_TEXT_MAX, "%.3g", x);
    return out;
}

static tare_status add_reading(noise_page *p, const char *name, const char *condition, double value,
                               size_t n, const char *words, tare_error *err)
{
    tare_reading *x = result_add_reading(p->r);
    if (!x || !words) return error_memory(err);
    x->family = "noise";
    x->instrument = p->about->name;
    x->name = name;
    x->condition = condition;
    x->unit = "score";
    x->estimate = value;
    x->n_base = n;
    x->n_expected = p->b->photos->count;
    x->verdict = isfinite(value) ? TARE_DESCRIPTIVE : TARE_NO_ANSWER;
    if (!isfinite(value)) x->reason = "degenerate";
    x->words = words;
    return TARE_OK;
}

static tare_status report_trial(noise_page *p, noise_kind kind, tare_error *err)
{
    tare_status status = TARE_OK;
    char most[NUMBER_TEXT_MAX], sd[NUMBER_TEXT_MAX];
    const noise_trial_of *t = &p->b->trial[kind];
    const noise_difference d = noise_compare(p->b, kind);
    arena *a = &p->r->a;
    if (!t->score) goto done;
    TRY(add_reading(p, "max", TRIALS[kind].name, d.most, d.n,
                    arena_printf(a, "%s (%s): the largest change of a score is %s, in %zu of %zu "
                                 "photographs there is one.", TRIALS[kind].name, t->how,
                                 number(most, d.most), d.changed, d.n), err));
    TRY(add_reading(p, "sd", TRIALS[kind].name, d.sd, d.n,
                    isfinite(d.sd) ? arena_printf(a, "%s: the changes have an SD of %s.",
                                                  TRIALS[kind].name, number(sd, d.sd))
                                   : arena_printf(a, "%s: an SD of changes needs two photographs "
                                                  "with scores; here are %zu.", TRIALS[kind].name,
                                                  d.n), err));
done:
    return status;
}

/* An SD and a gap that are not finite would print as "nan": the words say why there is none. */
static tare_status report_total(noise_page *p, tare_error *err)
{
    tare_status status = TARE_OK;
    const size_t n = scored(p);
    TRY(add_reading(p, "noise.sd", "", p->total.sd, n,
                    "SD of the scores of one photograph over the arrangements.", err));
    TRY(add_reading(p, "noise.shift", "", p->total.shift, n,
                    "Largest mean change of an arrangement.", err));
    TRY(add_reading(p, "noise.quantum", "", p->total.quantum, n,
                    isfinite(p->total.quantum) ? "Smallest gap between two different scores."
                    : n < 2 ? "Smallest gap between two different scores: not known from one."
                            : "Smallest gap between two different scores: all are equal.", err));
done:
    return status;
}

/* ---- Table ----------------------------------------------------------------------------------- */

static tare_status table_of(noise_page *p, tare_error *err)
{
    static const char *const columns[] = {
        "trial", "how", "photographs", "without_score", "changed", "max", "sd", "mean", "quantum",
        "max_in_quanta", "largest_in", "in_floor", "why_not"};
    result_table *t = result_add_table(p->r, "noise", "The same photographs, asked otherwise",
                                       columns, sizeof columns / sizeof *columns);
    if (!t) return error_memory(err);
    for (size_t k = 0; k < ORDER_COUNT; k++) {
        const noise_trial_of *trial = &p->b->trial[ORDER[k]];
        const noise_difference d = noise_compare(p->b, ORDER[k]);
        cell *row = result_add_row(p->r, t);
        if (!row) return error_memory(err);
        row[0] = words_cell(TRIALS[ORDER[k]].name);
        row[11] = words_cell(noise_is_own(ORDER[k]) ? "yes" : "no");
        row[12] = words_cell(trial->why_not);
        if (!trial->score) continue;
        row[1] = words_cell(trial->how);
        row[2] = count_cell(d.n);
        row[3] = count_cell(trial->failed);
        row[4] = count_cell(d.changed);
        row[5] = number_cell(d.most);
        row[6] = number_cell(d.sd);
        row[7] = number_cell(d.mean);
        row[8] = number_cell(p->total.quantum);
        row[9] = number_cell(d.most / p->total.quantum);
        row[10] = words_cell(d.changed ? d.most_of : "");
    }
    return TARE_OK;
}

/* ---- Words ----------------------------------------------------------------------------------- */

/* One score, or equal ones: there is nothing to hold the changes against. */
static tare_status say_no_spread(noise_page *p, double most, noise_kind worst, tare_error *err)
{
    tare_status status = TARE_OK;
    char text[NUMBER_TEXT_MAX];
    const size_t n = scored(p);
    if (most == 0 && n > 1)
        TRY(result_answer(p->r, err, "%s gives all of %zu photographs the same score, however they "
                          "are asked.", p->about->name, n));
    else if (most == 0)
        TRY(result_answer(p->r, err, "%s gives the one photograph that it scores the same score to "
                          "the last bit, however it is asked.", p->about->name));
    else
        TRY(result_answer(p->r, err, "%s has noise of its own: a score changes by up to %s (%s) "
                          "though the photograph is the same.", p->about->name, number(text, most),
                          TRIALS[worst].name));
    TRY(result_answer(p->r, err, "%s: how far scores lie apart and their smallest gap are not "
                      "known, so neither is the floor as a part of them. Ask with more, and "
                      "different, photographs.", n > 1 ? "All scores are equal"
                                                       : "One photograph got a score"));
done:
    return status;
}

static tare_status say_floor(noise_page *p, tare_error *err)
{
    char most_text[NUMBER_TEXT_MAX], sd[NUMBER_TEXT_MAX], shift[NUMBER_TEXT_MAX],
        quantum[NUMBER_TEXT_MAX];
    double most = 0;
    noise_kind worst = NOISE_REPEAT;
    for (size_t k = 0; k < ORDER_COUNT; k++) {
        double x = noise_compare(p->b, ORDER[k]).most;
        if (!noise_is_own(ORDER[k]) || !(x > most)) continue;
        most = x;
        worst = ORDER[k];
    }
    if (isnan(p->total.quantum)) return say_no_spread(p, most, worst, err);
    if (most == 0)
        return result_answer(p->r, err, "%s has no noise of its own here: %zu photographs keep "
                             "their scores to the last bit, however they are asked. The smallest "
                             "gap between scores is %s.", p->about->name, scored(p),
                             number(quantum, p->total.quantum));
    return result_answer(p->r, err, "%s has noise of its own: a score changes by up to %s (%s) "
                         "though the photograph is the same. Floor: SD %s, shift %s; the smallest "
                         "gap between scores is %s. Effects below it are none.", p->about->name,
                         number(most_text, most), TRIALS[worst].name, number(sd, p->total.sd),
                         number(shift, p->total.shift), number(quantum, p->total.quantum));
}

static tare_status say_trial(noise_page *p, noise_kind kind, tare_error *err)
{
    char most[NUMBER_TEXT_MAX], sd[NUMBER_TEXT_MAX], steps[NUMBER_TEXT_MAX];
    const noise_trial_of *t = &p->b->trial[kind];
    const noise_difference d = noise_compare(p->b, kind);
    if (!t->score)
        return result_answer(p->r, err, "%s: not measured: %s.", TRIALS[kind].name, t->why_not);
    if (!d.n)
        return result_answer(p->r, err, "%s (%s): no photograph was scored: %s", TRIALS[kind].name,
                             t->how, t->note ? t->note : "");
    if (!d.changed)
        return result_answer(p->r, err, d.n == 1 ? "%s (%s): 0 in %zu photograph."
                                                 : "%s (%s): 0 in all of %zu photographs.",
                             TRIALS[kind].name, t->how, d.n);
    bool gap = isfinite(p->total.quantum);
    return result_answer(p->r, err, "%s (%s): max %s%s%s%s%s%s; %zu of %zu photographs change.",
                         TRIALS[kind].name, t->how, number(most, d.most),
                         isfinite(d.sd) ? ", SD " : "", isfinite(d.sd) ? number(sd, d.sd) : "",
                         gap ? ", up to " : "",
                         gap ? number(steps, d.most / p->total.quantum) : "",
                         gap ? " of the smallest gap" : "", d.changed, d.n);
}

static tare_status cautions(noise_page *p, tare_error *err)
{
    tare_status status = TARE_OK;
    const noise_photos *photos = p->b->photos;
    if (noise_compare(p->b, NOISE_PNG).changed && !noise_compare(p->b, NOISE_REPEAT).changed)
        TRY(result_caution(p->r, err, "Equal pixels out of another file get another score: the "
                           "scorer sees more than pixels, or a colour profile was lost."));
    if (photos->left_out)
        TRY(result_caution(p->r, err, "Photographs that could not be used: %zu, the first %s: %s",
                           photos->left_out, photos->first_left_out, photos->first_why));
    if (p->b->trial[NOISE_FIRST].failed)
        TRY(result_caution(p->r, err, "Photographs without a score: %zu; the first: %s",
                           p->b->trial[NOISE_FIRST].failed, p->b->trial[NOISE_FIRST].note));
done:
    return status;
}

static tare_status facts(noise_page *p, tare_error *err)
{
    tare_status status = TARE_OK;
    char count[64];
    const noise_about *about = p->about;
    TRY(result_fact_add(p->r, "Run", "tare", tare_version(), err));
    TRY(result_fact_add(p->r, "Run", "command", "scorer noise", err));
    snprintf(count, sizeof count, "%zu of %zu", p->b->photos->count, p->b->photos->found);
    TRY(result_fact_add(p->r, "Run", "photographs", count, err));
    TRY(result_fact_add(p->r, "Run", "seed", job_text(p->b->job, "seed"), err));
    TRY(result_fact_add(p->r, "Scorer", "spec", about->spec, err));
    TRY(result_fact_add(p->r, "Scorer", "identity", about->identity, err));
    TRY(result_fact_add(p->r, "Scorer", "identity, short", about->identity_hash, err));
    snprintf(count, sizeof count, "%zu", about->batch);
    TRY(result_fact_add(p->r, "Scorer", "items per call", count, err));
    TRY(result_log_add(p->r, "Scorer", "runtime", about->runtime, err));
done:
    return status;
}

tare_status noise_report(noise_bench *b, const noise_about *about, tare_error *err)
{
    tare_status status = TARE_OK;
    noise_page p = {.b = b, .about = about, .r = &b->job->result};
    p.r->audit = "scorer noise";
    TRY_NEW(p.r->title = arena_printf(&p.r->a, "How far do scores of %s move by themselves?",
                                      about->name));
    TRY(facts(&p, err));
    if (!about->repeatable) {
        TRY(add_reading(&p, "noise.sd", "", NAN, 0, "It cannot be asked again.", err));
        TRY(result_answer(p.r, err, "The noise floor of %s is unknown: its scores were made "
                          "elsewhere and it cannot be asked again.", about->name));
        goto done;
    }
    TRY(noise_total_of(&p.total, b, err));
    TRY(say_floor(&p, err));
    for (size_t k = 0; k < ORDER_COUNT; k++) {
        TRY(say_trial(&p, ORDER[k], err));
        TRY(report_trial(&p, ORDER[k], err));
    }
    TRY(report_total(&p, err));
    TRY(table_of(&p, err));
    TRY(cautions(&p, err));
done:
    return status;
}
