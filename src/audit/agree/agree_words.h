/* agree_words.h - what answer and cautions share. */
#ifndef AUDIT_AGREE_AGREE_WORDS_H
#define AUDIT_AGREE_AGREE_WORDS_H

#include "audit/agree/agree.h"

#define LISTED 8 /* judges in a list; then "and others" */

/* The reading of an entry; NULL for BOOK_NONE. */
const tare_reading *agree_reading(const agree *g, size_t entry);
/* "dim clarity: " in front of a sentence, where there are several layers. NULL: no memory. */
const char *agree_lead_in(arena *a, const agree_layer *l);
/* Cautions of a settled book. Errors: MEMORY. */
tare_status agree_cautions_run(agree *g, tare_error *err);

#endif
