/* prompt_reading.h - what the instruments read where the prompts of a run stand: every prompt is
 * tried before anything is scored, so that photographs with one that cannot be read do not drop out
 * one by one, and what is cut or may have other ids elsewhere is said in the report (scorers 7). */
#ifndef AUDIT_PHOTOS_PROMPT_READING_H
#define AUDIT_PHOTOS_PROMPT_READING_H

#include "audit/photos/photo_run.h"
#include "audit/result.h"

/* Fills run->reading, of open instruments. `of_run`: photo_prompt_of_run. Errors: DATA, LIMIT
 * ("prompt.*", "vocabulary.*": names the first photograph and the prompt), MEMORY. */
tare_status prompt_reading_make(photo_run *run, const char *of_run, tare_error *err);

/* The facts of one instrument, in its section, and what is to be said of it as cautions: once for
 * all prompts of a sweep. */
tare_status prompt_reading_facts(const photo_run *run, size_t scorer, const char *section,
                                 audit_result *r, tare_error *err);
tare_status prompt_reading_cautions(const photo_run *run, size_t scorer, audit_result *r,
                                    tare_error *err);

#endif
