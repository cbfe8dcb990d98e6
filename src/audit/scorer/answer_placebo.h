/* answer_placebo.h - is any edit penalised, or this one (scorer audit 5.7)? */
#ifndef AUDIT_SCORER_ANSWER_PLACEBO_H
#define AUDIT_SCORER_ANSWER_PLACEBO_H

#include "audit/scorer/study.h"

/* Of a view whose FI is resolved, from resolved contrasts alone. `name`: how the scorer is
 * called. */
tare_status say_placebos(study *t, const view *v, const char *name, tare_error *err);

#endif
