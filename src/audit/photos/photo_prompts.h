/* photo_prompts.h - which prompts the photographs of a run are asked with: the fact by which two
 * runs are told apart. */
#ifndef AUDIT_PHOTOS_PHOTO_PROMPTS_H
#define AUDIT_PHOTOS_PHOTO_PROMPTS_H

#include "audit/photos/photo_run.h"
#include "base/hash.h"

typedef struct photo_prompts {
    bool taken;             /* an instrument of the run takes prompts                     */
    size_t own, of;         /* photographs with a prompt of their own, and all            */
    const char *only;       /* all are asked with this one; NULL: with several, or a sweep */
    char sha256[SHA256_HEX]; /* of "BASE\0PROMPT\0" of every base by its id; an empty prompt is
                               the run's */
} photo_prompts;

/* `of_run`: photo_prompt_of_run. Strings live as long as the plan. */
void photo_prompts_read(photo_prompts *out, const photo_run *run, const char *of_run);
/* Photographs have prompts of their own that differ between the two runs, or one run has some that
 * are not the other's. */
bool photo_prompts_differ(const photo_prompts *x, const photo_prompts *y);

/* --prompt; "" for jobs that ask nobody. */
const char *photo_prompt_of_run(const tare_job *job);
/* What a photograph is asked with: its own prompt, else the run's; "" if neither is known. */
const char *photo_prompt_asked(const plan_base *b, const char *of_run);
/* What an instrument asks of a base: "" if it takes no prompt. */
const char *photo_prompt_of(const photo_run *run, size_t scorer, size_t base, const char *of_run);

#endif
