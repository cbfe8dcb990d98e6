/* answer_cautions.h - what the reader must know before using the answer. */
#ifndef AUDIT_SCORER_ANSWER_CAUTIONS_H
#define AUDIT_SCORER_ANSWER_CAUTIONS_H

#include "audit/scorer/study.h"

tare_status say_cautions(study *t, tare_error *err);

#endif
