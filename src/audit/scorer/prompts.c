/* prompts.c - how much the readings of one scorer depend on the prompt that it is asked with
 * (scorers 11.10; ours). Each prompt is an instrument of its own, with verdicts of its own; here is
 * their spread, which carries no test. */
#include <math.h>
#include <string.h>

#include "audit/scorer/study.h"
#include "base/error.h"
#include "base/text.h"
#include "stats/moments.h"

enum { VERDICTS = TARE_DESCRIPTIVE + 1 };

/* One reading of one scorer in one arm, over the prompts. `own`: in SDs of the scores that the
 * prompt gives to unchanged images, for scores under two prompts have no common scale. */
typedef struct spread {
    size_t asked, answered;
    const tare_reading *least, *most;
    const char *least_prompt, *most_prompt;
    double sd, own_least, own_most, own_sd;
    size_t verdicts[VERDICTS], below[VERDICTS]; /* below: of those, estimates under 0 */
    bool same;     /* one verdict, and where something was found, in one direction */
    bool opposite; /* resolved in both directions                                  */
} spread;

static bool resolved(tare_verdict v)
{
    return v == TARE_FOUND || v == TARE_SMALL;
}

static bool is_swept(const study *t, size_t scorer)
{
    return t->c->asked && t->c->asked[scorer] && *t->c->asked[scorer];
}

/* Is it the first prompt of its scorer? */
static bool is_first(const study *t, size_t scorer)
{
    for (size_t s = 0; s < scorer; s++)
        if (is_swept(t, s) && !strcmp(t->c->asked[s], t->c->asked[scorer])) return false;
    return is_swept(t, scorer);
}

static void add_reading(spread *x, const tare_reading *r, const char *prompt)
{
    const tare_reading *before = x->least;
    x->verdicts[r->verdict]++;
    x->below[r->verdict] += r->estimate < 0;
    if (before && before->verdict != r->verdict) x->same = false;
    if (!x->least || r->estimate < x->least->estimate) x->least = r, x->least_prompt = prompt;
    if (!x->most || r->estimate > x->most->estimate) x->most = r, x->most_prompt = prompt;
}

static tare_status measure(spread *out, study *t, const view *first, reading_id id,
                           tare_error *err)
{
    tare_status status = TARE_OK;
    const cube *c = t->c;
    const char *name = c->asked[first->scorer_index];
    double *raw, *own;
    size_t n_own = 0;
    spread x = {.same = true, .own_least = NAN, .own_most = NAN};
    TRY_NEW(raw = brief_array(t, c->scorers));
    TRY_NEW(own = brief_array(t, c->scorers));
    for (size_t s = first->scorer_index; s < c->scorers; s++) {
        const view *v = &t->view[first->arm_index * c->scorers + s];
        if (!is_swept(t, s) || strcmp(c->asked[s], name) != 0) continue;
        const judged *j = study_get(t, v, id);
        x.asked++;
        if (!j || isnan(study_reading(t, j)->estimate)) {
            x.verdicts[TARE_NO_ANSWER]++;
            x.same = false;
            continue;
        }
        add_reading(&x, study_reading(t, j), c->prompt[s]);
        raw[x.answered++] = study_reading(t, j)->estimate;
        if (!(v->sd0 > 0)) continue;
        own[n_own] = study_reading(t, j)->estimate / v->sd0;
        x.own_least = fmin(x.own_least, own[n_own]);
        x.own_most = fmax(x.own_most, own[n_own++]);
    }
    size_t of = x.verdicts[TARE_FOUND] + x.verdicts[TARE_SMALL];
    size_t below = x.below[TARE_FOUND] + x.below[TARE_SMALL];
    x.opposite = below > 0 && below < of;
    if (x.opposite) x.same = false;
    x.sd = x.answered > 1 ? moments_sd(raw, x.answered, 1) : NAN;
    x.own_sd = n_own > 1 ? moments_sd(own, n_own, 1) : NAN;
    *out = x;
done:
    arena_free(&t->brief);
    return status;
}

/* "found 2 (1 below 0), inconclusive 1". */
static tare_status verdict_words(const char **out, const spread *x, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    *out = "";
    for (int k = 0; k < VERDICTS; k++)
        if (x->verdicts[k] > 0) {
            TRY_NEW(*out = arena_printf(a, "%s%s%s %zu", *out, **out ? ", " : "",
                                        tare_verdict_name((tare_verdict)k), x->verdicts[k]));
            if (resolved((tare_verdict)k) && x->below[k] > 0)
                TRY_NEW(*out = arena_printf(a, "%s (%zu below 0)", *out, x->below[k]));
        }
done:
    return status;
}

static tare_status add_row(study *t, result_table *table, const view *v, const char *reading,
                           const spread *x, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *verdicts;
    cell *row;
    TRY(verdict_words(&verdicts, x, &t->out->a, err));
    TRY_NEW(row = result_add_row(t->out, table));
    const cell cells[] = {
        words_cell(v->arm->name), words_cell(t->c->asked[v->scorer_index]), words_cell(reading),
        count_cell(x->asked), count_cell(x->answered),
        number_cell(x->least ? x->least->estimate : NAN), words_cell(x->least_prompt),
        number_cell(x->most ? x->most->estimate : NAN), words_cell(x->most_prompt),
        number_cell(x->sd), number_cell(x->own_least), number_cell(x->own_most),
        number_cell(x->own_sd), words_cell(!x->answered ? "" : x->same ? "yes" : "no"),
        words_cell(verdicts)};
    memcpy(row, cells, sizeof cells);
done:
    return status;
}

static tare_status say(study *t, const view *v, const char *reading, const spread *x,
                       tare_error *err)
{
    tare_status status = TARE_OK;
    const char *verdicts;
    if (x->answered < 2) goto done;
    TRY(verdict_words(&verdicts, x, &t->out->a, err));
    TRY(result_answer(t->out, err, "%s, %s, asked with %zu prompts: %s lies between %.3g (\"%s\") "
                      "and %.3g (\"%s\"), with an SD of %.3g over the prompts; the verdict %s "
                      "(%s).",
                      t->c->asked[v->scorer_index], v->arm->name, x->asked, reading,
                      x->least->estimate, x->least_prompt, x->most->estimate, x->most_prompt,
                      x->sd, x->opposite ? "depends on the prompt, and so does the direction"
                      : x->same   ? "is the same for all"
                                  : "depends on the prompt", verdicts));
done:
    return status;
}

tare_status prompts_run(study *t, tare_error *err)
{
    static const char *const columns[] = {
        "arm", "scorer", "reading", "prompts", "answered", "min", "min_prompt", "max",
        "max_prompt", "sd", "min_in_sd0", "max_in_sd0", "sd_in_sd0", "same_verdict", "verdicts"};
    static const struct { reading_id id; const char *name; } readings[] = {{RD_FI, "FI"},
                                                                           {RD_A, "A"}};
    tare_status status = TARE_OK;
    result_table *table = NULL;
    for (size_t i = 0; i < t->views; i++) {
        const view *v = &t->view[i];
        if (!arm_main(v->arm) || !is_first(t, v->scorer_index)) continue;
        for (size_t k = 0; k < sizeof readings / sizeof *readings; k++) {
            spread x;
            TRY(measure(&x, t, v, readings[k].id, err));
            if (!table)
                TRY_NEW(table = result_add_table(t->out, "prompts", "Readings over the prompts",
                                                 columns, sizeof columns / sizeof *columns));
            TRY(add_row(t, table, v, readings[k].name, &x, err));
            TRY(say(t, v, readings[k].name, &x, err));
        }
    }
done:
    return status;
}
