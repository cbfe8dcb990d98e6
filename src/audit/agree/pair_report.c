/* Tables, figure and sentences of the audit of pairs. */
#include <math.h>
#include <string.h>

#include "audit/agree/agree.h"
#include "audit/agree/agree_tables.h"
#include "audit/agree/pair_study.h"
#include "audit/words.h"
#include "base/error.h"

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
            row[0] = words_cell(s->p->judge.name[j]);
            row[1] = words_cell(s->p->category.name[c]);
            row[2] = count_cell((uint64_t)x[COUNT_ALL]);
            row[3] = count_cell((uint64_t)x[COUNT_RIGHT]);
            row[4] = count_cell((uint64_t)x[COUNT_TIE]);
            for (int k = 0; k < TIE_POLICIES; k++)
                row[5 + k] = number_cell(pair_accuracy_of(x, (tie_policy)k));
            row[8] = number_cell(x[COUNT_ALL] > 0 ? x[COUNT_TIE] / x[COUNT_ALL] : NAN);
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
    TRY_NEW(f->x_title = arena_printf(&s->out->a, "accuracy (ties: %s)",
                                      tie_policy_name(s->o.ties)));
    f->caption = "Half of the pairs are right by chance.";
    for (size_t c = 0; c <= n; c++)
        for (size_t j = 0; j < s->judges; j++) {
            const inference *x = &s->judge[j].inf[c * SHARES + (size_t)s->o.ties];
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
                              j->all_tied ? "it gives the two of every pair equal scores"
                              : strcmp(acc->reason, REASON_NO_SCORES) == 0
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

/* "4.2 points of accuracy [1.0, 7.4] with ties as wrong, 2.0 as half right, -0.3 left out", from
 * the judge that leads. */
static const char *difference_text(pair_study *s, size_t a, size_t b, double sign)
{
    static const char *const how[TIE_POLICIES] = {"as wrong", "as half right", "left out"};
    const size_t *entries = pair_differences(s, a, b);
    const tare_reading *r = book_reading(&s->b, entries[s->o.ties]);
    const char *text = arena_printf(&s->out->a, "%.1f points of accuracy [%.1f, %.1f] with ties %s",
                                    100 * sign * r->estimate,
                                    100 * (sign > 0 ? r->lo : -r->hi),
                                    100 * (sign > 0 ? r->hi : -r->lo), how[s->o.ties]);
    for (size_t k = 0; k < TIE_POLICIES && text; k++) {
        double x = book_reading(&s->b, entries[k])->estimate;
        if (k != (size_t)s->o.ties && !isnan(x))
            text = arena_printf(&s->out->a, "%s, %.1f %s", text, 100 * sign * x, how[k]);
    }
    return text;
}

static tare_status say_difference(pair_study *s, size_t a, size_t b, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t entry = pair_differences(s, a, b)[s->o.ties];
    const tare_reading *r = book_reading(&s->b, entry);
    bool turned = r->estimate < 0;
    const char *best = s->p->judge.name[turned ? b : a], *other = s->p->judge.name[turned ? a : b];
    const char *size;
    TRY_NEW(size = difference_text(s, a, b, turned ? -1 : 1));
    if (r->verdict == TARE_FOUND)
        TRY(result_answer(s->out, err, "%s follows people better than %s, by %s.", best, other,
                          size));
    else if (r->verdict == TARE_SMALL || r->verdict == TARE_NEGLIGIBLE)
        TRY(result_answer(s->out, err, "%s and %s are equally close to people for practical "
                          "purposes: %s.", best, other, size));
    else if (r->verdict != TARE_INCONCLUSIVE)
        goto done;
    else if (s->b.entries[entry].capped)
        TRY(result_answer(s->out, err, "%s leads %s by %s; no verdict, since what they miss is "
                          "not left to chance.", best, other, size));
    else if (strstr(r->marks, NOTE_TIE_POLICY))
        TRY(result_answer(s->out, err, "Which of %s and %s is closer to people depends on what "
                          "equal scores count as: %s leads by %s.", best, other, best, size));
    else
        TRY(result_answer(s->out, err, "Which of %s and %s is closer to people is not resolved: "
                          "%s.", best, other, size));
done:
    return status;
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
            TRY(say_difference(s, a, b, err));
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

tare_status pair_report(pair_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(count_table(s, err));
    TRY(accuracy_figure(s, err));
    TRY(answer(s, err));
done:
    return status;
}
