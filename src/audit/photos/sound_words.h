/* sound_words.h - a result about recordings, said in words for them.
 *
 * What an audit says is written for images. Where the files were recordings the noun is another,
 * and nothing else. */
#ifndef AUDIT_PHOTOS_SOUND_WORDS_H
#define AUDIT_PHOTOS_SOUND_WORDS_H

#include <stdbool.h>

#include "audit/photos/photo_plan.h"
#include "audit/result.h"

/* Is the plan of recordings? By the first of them. */
bool sound_plan(const photo_plan *plan);

/* Changes title, answer, cautions, facts, checks, figures, tables and readings; nothing if they
 * were not recordings. Whole words only. Errors: MEMORY. */
tare_status sound_words(audit_result *r, bool recordings, tare_error *err);

#endif
