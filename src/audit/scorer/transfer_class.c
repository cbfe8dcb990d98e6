/* The class of each transfer cell, once q and verdicts are known (scorer audit 8). */
#include <math.h>
#include <string.h>

#include "audit/scorer/transfer.h"
#include "audit/words.h"
#include "base/error.h"

const char *transfer_class_name(transfer_class c)
{
    static const char *const names[TRANSFER_CLASSES] = {
        [TRANSFER_NO_ANSWER] = "no answer",     [TRANSFER_NULL] = "null",
        [TRANSFER_COLLAPSE] = "collapse",       [TRANSFER_EMERGENT] = "emergent",
        [TRANSFER_REVERSAL] = "reversal",       [TRANSFER_ATTENUATION] = "attenuation",
        [TRANSFER_UNCHANGED] = "unchanged",     [TRANSFER_AMPLIFICATION] = "amplification"};
    return (size_t)c < TRANSFER_CLASSES ? names[c] : "";
}

transfer_class transfer_class_of(transfer_side reference, transfer_side compared)
{
    if (!reference.answered || !compared.answered) return TRANSFER_NO_ANSWER;
    if (!reference.significant)
        return compared.significant ? TRANSFER_EMERGENT : TRANSFER_NULL;
    if (!compared.significant) return TRANSFER_COLLAPSE;
    if ((reference.estimate < 0) != (compared.estimate < 0)) return TRANSFER_REVERSAL;
    double r = fabs(reference.estimate), c = fabs(compared.estimate);
    if (c < TRANSFER_RATIO_LEAST * r) return TRANSFER_ATTENUATION;
    if (c > TRANSFER_RATIO_MOST * r) return TRANSFER_AMPLIFICATION;
    return TRANSFER_UNCHANGED;
}

static transfer_side side_of(const study *t, const judged *j)
{
    const tare_reading *r = study_reading(t, j);
    return (transfer_side){r->verdict != TARE_NO_ANSWER, j->significant, r->estimate};
}

/* What not being resolved means on the compared side. */
static tare_status word_compared(transfer_cell *cell, study *t, const judged *compared,
                                 tare_error *err)
{
    tare_status status = TARE_OK;
    cell->compared_words = "";
    if (cell->class_ != TRANSFER_COLLAPSE && cell->class_ != TRANSFER_NULL) goto done;
    const tare_reading *r = study_reading(t, compared);
    cell->compared_words = "inconclusive";
    if (compared->equivalent) cell->compared_words = "equivalent to 0";
    else if (!isnan(r->mde)) {
        const char *mde;
        TRY_NEW(mde = number_text(&t->out->a, r->mde));
        TRY_NEW(cell->compared_words = arena_printf(&t->out->a, "inconclusive, MDE %s", mde));
    }
done:
    return status;
}

static tare_status classify(transfer_cell *cell, study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    const judged *reference = study_get(t, &t->view[cell->reference], cell->id);
    const judged *compared = study_get(t, &t->view[cell->compared], cell->id);
    judged *difference = &t->judged[cell->difference];
    tare_reading *r = &t->out->readings[difference->reading];
    cell->class_ = transfer_class_of(side_of(t, reference), side_of(t, compared));
    /* What is refused of the difference is refused of the class: other doses, another attribute. */
    bool refused = strcmp(r->reason, REASON_OTHER_DOSES) == 0 ||
                   strcmp(r->reason, REASON_OTHER_ATTRIBUTE) == 0;
    if (refused) cell->class_ = TRANSFER_NO_ANSWER;
    /* Of a side whose missing scores depend on the dose it is not known what it would be (ours). */
    if (t->view[cell->reference].capped || t->view[cell->compared].capped) {
        if (cell->class_ != TRANSFER_NO_ANSWER) cell->refused = REASON_MISSING_INFORMATIVE;
        cell->class_ = TRANSFER_NO_ANSWER;
    }
    bool answered = cell->class_ != TRANSFER_NO_ANSWER;
    double base = fabs(study_reading(t, reference)->estimate);
    cell->ratio = answered && base > 0 ? fabs(study_reading(t, compared)->estimate) / base : NAN;
    cell->confirmed = answered && transfer_is_counted(t, cell) && difference->significant;
    TRY(word_compared(cell, t, compared, err));
    if (cell->refused[0])
        TRY_NEW(r->words = arena_copy(&t->out->a, "no class: missing scores depend on the dose"));
    if (!answered) goto done;
    const char *name = transfer_class_name(cell->class_);
    TRY_NEW(r->words = arena_printf(&t->out->a, "%s%s%s%s%s", name,
                                    cell->compared_words[0] ? " (" : "", cell->compared_words,
                                    cell->compared_words[0] ? ")" : "",
                                    cell->confirmed ? ", confirmed" : ", not confirmed"));
    if (cell->confirmed) TRY(study_mark(t, difference, "confirmed", err));
    r->marks = difference->extra ? difference->extra : "";
done:
    return status;
}

tare_status transfer_class_run(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; t->transfer && k < t->transfer->count; k++)
        TRY(classify(&t->transfer->cell[k], t, err));
done:
    return status;
}
