#include "audit/photos/photo_prompts.h"

#include <string.h>

const char *photo_prompt_of_run(const tare_job *job)
{
    return job_has(job, "prompt") ? job_text(job, "prompt") : "";
}

const char *photo_prompt_asked(const plan_base *b, const char *of_run)
{
    return b->prompt && *b->prompt ? b->prompt : of_run;
}

void photo_prompts_read(photo_prompts *out, const photo_run *run, const char *of_run)
{
    const photo_plan *plan = run->plan;
    sha256 h;
    unsigned char digest[SHA256_BYTES];
    bool swept = false;
    *out = (photo_prompts){.own = plan->prompts, .of = plan->base_count};
    for (size_t k = 0; k < run->scorer_count; k++) {
        out->taken = out->taken || run->instrument[k].takes_prompt;
        swept = swept || run->instrument[k].asked;
    }
    sha256_init(&h);
    for (size_t i = 0; i < plan->base_count; i++) {
        const plan_base *b = &plan->bases[i];
        const char *prompt = photo_prompt_asked(b, of_run);
        sha256_add(&h, b->id, strlen(b->id) + 1);
        sha256_add(&h, prompt, strlen(prompt) + 1);
        if (i == 0 && !swept) out->only = prompt;
        if (out->only && strcmp(out->only, prompt)) out->only = NULL;
    }
    sha256_done(&h, digest);
    sha256_hex(digest, out->sha256);
}

bool photo_prompts_differ(const photo_prompts *x, const photo_prompts *y)
{
    if (!x->taken || !y->taken || (!x->own && !y->own)) return false;
    /* Other photographs that are all asked the same are asked the same. */
    if (x->only && y->only) return strcmp(x->only, y->only) != 0;
    return strcmp(x->sha256, y->sha256) != 0;
}

const char *photo_prompt_of(const photo_run *run, size_t scorer, size_t base, const char *of_run)
{
    const scorer_description *d = &run->instrument[scorer];
    if (!d->takes_prompt) return "";
    return d->prompt ? d->prompt : photo_prompt_asked(&run->plan->bases[base], of_run);
}
