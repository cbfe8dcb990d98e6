/* answer_shaken.h - the caution on readings that another mask or less clipping moves (scorer audit
 * 7). */
#ifndef AUDIT_SCORER_ANSWER_SHAKEN_H
#define AUDIT_SCORER_ANSWER_SHAKEN_H

#include "audit/scorer/study.h"

/* One for a main arm and scorer, of what was resolved and failed a check. */
tare_status say_shaken(study *t, const view *v, tare_error *err);

#endif
