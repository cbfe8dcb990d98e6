/* power_sentences.h - one row in plain words. */
#ifndef AUDIT_POWER_POWER_SENTENCES_H
#define AUDIT_POWER_POWER_SENTENCES_H

#include "audit/power/power_study.h"

tare_status power_sentence(const char **out, power_study *p, const power_row *r, tare_error *err);
/* "an FI of 0.02", "a net drift of 3 degrees (attribute ITA)". NULL: no memory. */
const char *power_effect_text(arena *a, const power_row *r, double effect);

#endif
