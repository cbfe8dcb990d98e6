/* What may be said of transfer in a sentence (scorer audit 8): counted over confirmed cells, and
 * never one class for a whole table. */
#include <math.h>
#include <string.h>

#include "audit/scorer/transfer.h"
#include "base/error.h"
#include "base/text.h"

/* Cells of one pair that are counted (grid v). */
typedef struct pair_counts {
    size_t cells, answered, confirmed;
    size_t of[TRANSFER_CLASSES];    /* confirmed ones by class                            */
    size_t kept, lost;              /* confirmed, with an effect in the reference: of the same
                                       sign in the compared arm, or not                    */
} pair_counts;

static pair_counts count_pair(const study *t, const size_t pair[2])
{
    pair_counts n = {0};
    for (size_t k = 0; k < t->transfer->count; k++) {
        const transfer_cell *x = &t->transfer->cell[k];
        if (t->view[x->reference].arm_index != pair[0] ||
            t->view[x->compared].arm_index != pair[1] || !transfer_is_counted(t, x))
            continue;
        n.cells++;
        n.answered += x->class_ != TRANSFER_NO_ANSWER;
        if (!x->confirmed) continue;
        n.confirmed++;
        n.of[x->class_]++;
        n.lost += x->class_ == TRANSFER_REVERSAL || x->class_ == TRANSFER_COLLAPSE;
        n.kept += x->class_ == TRANSFER_ATTENUATION || x->class_ == TRANSFER_UNCHANGED ||
                  x->class_ == TRANSFER_AMPLIFICATION;
    }
    return n;
}

/* "2 reversal, 1 collapse" */
static void list_classes(text *out, const pair_counts *n)
{
    static const transfer_class order[] = {TRANSFER_REVERSAL,      TRANSFER_COLLAPSE,
                                           TRANSFER_ATTENUATION,   TRANSFER_UNCHANGED,
                                           TRANSFER_AMPLIFICATION, TRANSFER_EMERGENT,
                                           TRANSFER_NULL};
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        if (n->of[order[k]])
            text_add_format(out, "%s%zu %s", out->length ? ", " : "", n->of[order[k]],
                            transfer_class_name(order[k]));
}

static tare_status say_pair(study *t, const size_t pair[2], tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *x = &t->c->arm[pair[0]], *y = &t->c->arm[pair[1]];
    bool kinds = !strcmp(x->kind, "synthetic") && !strcmp(y->kind, "real");
    const char *effects, *to;
    text classes;
    text_init(&classes, t->m);
    pair_counts n = count_pair(t, pair);
    list_classes(&classes, &n);
    if (classes.failed) FAIL_MEMORY(err);
    TRY_NEW(effects = kinds ? "synthetic-arm effects"
                            : arena_printf(&t->out->a, "effects in %s", x->name));
    TRY_NEW(to = kinds ? "real images" : y->name);
    if (!n.confirmed)
        TRY(result_answer(t->out, err,
                          "Transfer from %s to %s: in none of %zu cells (%zu with an answer) is "
                          "the difference between the arms confirmed, so nothing is said on "
                          "whether %s transfer.", x->name, y->name, n.cells, n.answered, effects));
    else if (n.kept + n.lost == 0)
        TRY(result_answer(t->out, err,
                          "Transfer from %s to %s: %zu of %zu cells are confirmed (%s); none of "
                          "them has an effect in %s that could transfer.", x->name, y->name,
                          n.confirmed, n.cells, classes.data, x->name));
    else
        TRY(result_answer(t->out, err,
                          "Transfer from %s to %s: %zu of %zu cells are confirmed (%s); counted "
                          "over these, %s %s to %s (%zu of %zu keep their sign).", x->name, y->name,
                          n.confirmed, n.cells, classes.data, effects,
                          !n.kept   ? "do not transfer"
                          : !n.lost ? "do transfer, at another size,"
                                    : "transfer in part",
                          to, n.kept, n.kept + n.lost));
done:
    text_free(&classes);
    return status;
}

/* ---- cautions -------------------------------------------------------------------------------- */

/* Arms of one operator with other doses are named with the axis (answer_axis.c). */
static tare_status caution_pair(study *t, const size_t pair[2], tare_error *err)
{
    const cube_arm *x = &t->c->arm[pair[0]], *y = &t->c->arm[pair[1]];
    bool named = x->operator_name[0] && strcmp(x->operator_name, y->operator_name) == 0;
    if (named || same_doses(x, y)) return TARE_OK;
    return result_caution(t->out, err,
                          "%s and %s have other doses: FI, A and drift depend on them, so nothing "
                          "is compared.", x->name, y->name);
}

static bool in_pair(const study *t, size_t arm)
{
    for (size_t p = 0; p < t->transfer->pairs; p++)
        if (t->transfer->pair[p][0] == arm || t->transfer->pair[p][1] == arm) return true;
    return false;
}

/* Arms that nothing is compared with, and what would make pairs of them. */
static tare_status caution_unpaired(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    text list;
    text_init(&list, t->m);
    if (!transfer_expected(t->c)) goto done;
    for (size_t a = 0; a < t->c->arms; a++)
        if (arm_main(&t->c->arm[a]) && !in_pair(t, a))
            text_add_format(&list, "%s%s", list.length ? ", " : "", t->c->arm[a].name);
    if (list.failed) FAIL_MEMORY(err);
    if (!list.length) goto done;
    TRY(result_caution(t->out, err,
                       t->c->runs == 2
                           ? "Not compared, as no arm of the other side belongs to them: %s. Arms "
                             "are paired by their name, or as the only ones of one edit; in a "
                             "score table give both the same name in the column arm."
                           : "Not compared, as no arm of the other kind is of the same edit: %s. "
                             "Arms are paired by their edit; in a score table name them real/EDIT "
                             "and synthetic/EDIT in the column arm, with real and synthetic in the "
                             "column kind.", list.data));
done:
    text_free(&list);
    return status;
}

/* The constants behind the classes. */
static tare_status transfer_facts(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *least, *most;
    TRY_NEW(least = arena_printf(&t->out->a, "%g (ours)", TRANSFER_RATIO_LEAST));
    TRY_NEW(most = arena_printf(&t->out->a, "%g (ours)", TRANSFER_RATIO_MOST));
    TRY(result_fact_add(t->out, "scorer audit", "transfer.attenuation_below", least, err));
    TRY(result_fact_add(t->out, "scorer audit", "transfer.amplification_above", most, err));
    TRY(result_fact_add(t->out, "scorer audit", "transfer.floor", "sum of both arms (ours)", err));
done:
    return status;
}

tare_status transfer_answer_run(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    if (t->transfer && t->transfer->pairs) TRY(transfer_facts(t, err));
    for (size_t p = 0; t->transfer && p < t->transfer->pairs; p++) {
        TRY(say_pair(t, t->transfer->pair[p], err));
        TRY(caution_pair(t, t->transfer->pair[p], err));
    }
    if (t->transfer) TRY(caution_unpaired(t, err));
done:
    return status;
}
