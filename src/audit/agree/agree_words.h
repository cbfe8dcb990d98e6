/* agree_words.h - what answer and cautions share. */
#ifndef AUDIT_AGREE_AGREE_WORDS_H
#define AUDIT_AGREE_AGREE_WORDS_H

#include "audit/agree/agree.h"

#define LISTED 8 /* judges in a list; then "and others" */

/* The reading of an entry; NULL for BOOK_NONE. */
const tare_reading *agree_reading(const agree *g, size_t entry);
/* "dim clarity: " in front of a sentence, where there are several layers. NULL: no memory. */
const char *agree_lead_in(arena *a, const agree_layer *l);
/* It has a number, and no reason against it. NULL ok. */
bool agree_has_value(const tare_reading *r);
const char *agree_stat_words(const agree *g, size_t stat); /* "tau-b" */
/* Was the verdict held back because what is missing depends on something? */
bool agree_is_capped(const agree *g, size_t entry);
/* Of three judges or more, best first: is none resolved as behind the first? */
bool agree_field_is_open(const agree *g, const agree_view *const *views, size_t n);
/* Which of the judges [n], best first, is closer to people? Errors: MEMORY. */
tare_status agree_comparison_run(agree *g, const agree_view **views, size_t n, const char *in,
                                 tare_error *err);
/* Cautions of a settled book. Errors: MEMORY. */
tare_status agree_cautions_run(agree *g, tare_error *err);

#endif
