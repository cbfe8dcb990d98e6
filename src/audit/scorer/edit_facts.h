/* edit_facts.h - the constants of the edits that this program made. */
#ifndef AUDIT_SCORER_EDIT_FACTS_H
#define AUDIT_SCORER_EDIT_FACTS_H

#include "audit/scorer/study.h"

tare_status edit_facts(study *t, tare_error *err);

#endif
