/* What the reader must know before using the answer. */
#include <math.h>
#include <string.h>

#include "audit/matrix/matrix_words.h"
#include "base/error.h"

#define SPLIT_LOW 0.5
#define NAMES_MOST 12

/* Of a list of names those that are flagged, but not those that `but` names already. */
typedef struct flagged {
    const char *const *name;
    const uint8_t *flag, *but;
    size_t count;
} flagged;

static tare_status caution_names(matrix_study *s, const matrix_view *v, flagged x,
                                 const char *what, tare_error *err)
{
    tare_status status = TARE_OK;
    const char **names, *joined, *prefix;
    size_t n = 0;
    TRY_NEW(names = arena_new(&s->scratch, x.count + 1, sizeof *names));
    for (size_t k = 0; k < x.count; k++)
        if (x.flag[k] && !(x.but && x.but[k])) names[n++] = x.name[k];
    if (!n) goto done;
    TRY_NEW(joined = matrix_names(&s->out->a, names, n, NAMES_MOST));
    TRY_NEW(prefix = matrix_prefix(s, v));
    TRY(result_caution(s->out, err, "%s%s: %s.", prefix, what, joined));
done:
    return status;
}

static tare_status caution_items(matrix_study *s, const matrix_view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *prefix;
    TRY_NEW(prefix = matrix_prefix(s, v));
    if (v->cells_only) goto done;
    if (v->balanced && v->items < v->items_all)
        TRY(result_caution(s->out, err,
                           "%sof %zu items %zu have a score in every cell; only these were used.",
                           prefix, v->items_all, v->items));
    if (!v->balanced)
        TRY(result_caution(s->out, err,
                           "%scell means rest on different items (--cells available): difficulty "
                           "of items mixes into them, and D is not made.", prefix));
    if (v->items < 30)
        TRY(result_caution(s->out, err, "%sonly %zu items.", prefix, v->items));
    for (size_t k = 0; k < v->K; k++) {
        const matrix_self *x = &v->self[k];
        const tare_reading *r = matrix_lead(s, v, x);
        bool turns = r && (r->verdict == TARE_FOUND || r->verdict == TARE_SMALL) &&
                     (r->estimate > 0 ? x->worst_lo <= 0 : x->worst_hi >= 0);
        if (turns)
            TRY(result_caution(s->out, err,
                               "%sthe missing scores could undo the preference of %s: at their "
                               "worst D would lie between %.3g and %.3g.", prefix, x->name,
                               x->worst_lo, x->worst_hi));
    }
done:
    return status;
}

/* Rows of a matrix are negatively dependent: BH may be too liberal there, BY is not. */
static tare_status caution_by(matrix_study *s, const matrix_view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    const char **names, *joined, *prefix;
    size_t n = 0;
    double alpha = s->o.book.alpha;
    if (strcmp(s->o.book.fdr, "bh") != 0) goto done;
    TRY_NEW(names = arena_new(&s->scratch, v->K + 1, sizeof *names));
    for (size_t k = 0; k < v->K; k++) {
        const entry *e = matrix_lead_entry(s, v, &v->self[k]);
        const tare_reading *r = matrix_lead(s, v, &v->self[k]);
        if (e && e->significant && r->q_by > alpha) names[n++] = v->self[k].name;
    }
    if (!n) goto done;
    TRY_NEW(joined = matrix_names(&s->out->a, names, n, NAMES_MOST));
    TRY_NEW(prefix = matrix_prefix(s, v));
    TRY(result_caution(s->out, err,
                       "%swith the correction that holds under any dependence (q_by) these are not "
                       "significant: %s.", prefix, joined));
done:
    return status;
}

static tare_status caution_view(matrix_study *s, const matrix_view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *prefix;
    TRY_NEW(prefix = matrix_prefix(s, v));
    if (v->reason[0]) {
        TRY(result_caution(s->out, err, "%sno answer: %s.", prefix, reason_words(v->reason)));
        goto done;
    }
    TRY(caution_items(s, v, err));
    if (v->E < 4)
        TRY(result_caution(s->out, err,
                           "%swith %zu judges Phi~ has hardly any freedom: read D and Z.", prefix,
                           v->E));
    TRY(caution_names(s, v, (flagged){v->judge_name, v->constant, NULL, v->E},
                      "these judges gave every author the same mean, which says nothing", err));
    TRY(caution_names(s, v, (flagged){v->author_name, v->flat, NULL, v->G},
                      "all judges, each on its own scale, place these authors alike, so that their "
                      "rows of Phi~ are 0", err));
    TRY(caution_names(s, v, (flagged){v->judge_name, v->low_spread, v->constant, v->E},
                      "these judges hardly tell authors apart (reliability of their column below "
                      "0.9): dividing by so small a spread makes Z and Phi~ large, so go by the "
                      "intervals", err));
    if (v->split[0] < SPLIT_LOW || v->split[1] < SPLIT_LOW)
        TRY(result_caution(s->out, err,
                           "%sthe diagonals of two halves of the items correlate only %.2f (R), "
                           "%.2f (Z), %.2f (Phi~): the order of judges by preference is mostly "
                           "noise.", prefix, v->split[0], v->split[1], v->split[2]));
    TRY(caution_by(s, v, err));
done:
    return status;
}

tare_status matrix_cautions_run(matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t i = 0; i < s->views; i++) TRY(caution_view(s, &s->view[i], err));
done:
    return status;
}
