/* prompt_list.h - the prompts of a run: one, or those of a sweep (--prompts FILE). In a sweep each
 * scorer that takes a prompt is asked once with each, as an instrument of its own. */
#ifndef AUDIT_PHOTOS_PROMPT_LIST_H
#define AUDIT_PHOTOS_PROMPT_LIST_H

#include "audit/job.h"
#include "base/mem.h"

/* Of a sweep: enough to see a spread, and few enough to be asked of every variant (ours). */
enum { PROMPTS_LEAST = 2, PROMPTS_MOST = 100, PROMPT_BYTES_MOST = 500 };

typedef struct prompt_list {
    const char **prompt;
    size_t count;
    bool sweep;
} prompt_list;

/* `of_photos`: photographs that have prompts of their own in the manifest: no sweep goes over
 * those. Errors: USAGE (with --prompt, or beside prompts of photographs), IO, DATA ("prompts.*" at
 * FILE:LINE: not UTF-8, a control character, too long, twice; too few or too many), MEMORY. */
tare_status prompt_list_read(prompt_list *out, arena *a, const tare_job *job, size_t of_photos,
                             tare_error *err);

#endif
