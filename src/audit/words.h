/* words.h - numbers, p and reasons as people write them; shared by all audits. */
#ifndef AUDIT_WORDS_H
#define AUDIT_WORDS_H

#include "base/mem.h"

/* Text in `a`, NULL: no memory. Three significant digits; "n/a" for NaN. */
const char *number_text(arena *a, double x);
/* "p = 0.03", or at the floor "p < 0.001": twice the floor, rounded up to one digit. */
const char *p_text(arena *a, const char *letter, double p, double least);
/* Why there is no answer, in words; the reason itself if it is not a known one. */
const char *reason_words(const char *reason);

#endif
