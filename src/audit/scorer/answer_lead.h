/* answer_lead.h - the first sentences of the answer, without numbers. */
#ifndef AUDIT_SCORER_ANSWER_LEAD_H
#define AUDIT_SCORER_ANSWER_LEAD_H

#include "audit/scorer/study.h"

/* One sentence per scorer and main arm. `name_of`: the scorer as it is called in sentences (NULL:
 * no memory). */
tare_status say_leads(study *t, const char *(*name_of)(study *t, const view *v), tare_error *err);
/* Bias measurement or mechanistic stress test, once for an arm if its scorers agree. */
tare_status say_criteria(study *t, size_t arm, tare_error *err);

#endif
