/* sound_words.h - a result about recordings, said in words for them.
 *
 * What an audit says is written for images. Where the files were recordings the noun is another,
 * and nothing else. */
#ifndef AUDIT_PHOTOS_SOUND_WORDS_H
#define AUDIT_PHOTOS_SOUND_WORDS_H

#include "audit/photos/photo_plan.h"
#include "audit/result.h"

/* Changes title, answer, cautions, facts, checks, figures and readings if the plan is of
 * recordings. Whole words only. Errors: MEMORY. */
tare_status sound_words(audit_result *r, const photo_plan *plan, tare_error *err);

#endif
