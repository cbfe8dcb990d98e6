#include "audit/photos/prompt_reading.h"

#include <inttypes.h>
#include <string.h>

#include "audit/photos/photo_prompts.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"

enum { SHOWN_MOST = 60 }; /* bytes of a prompt in an error */

/* One prompt of the run, and who is asked with it. */
typedef struct asked_prompt {
    const char *prompt, *first; /* first: the photograph's name */
    size_t photographs;
} asked_prompt;

typedef struct asked_list {
    asked_prompt *all;
    size_t count, photographs, own;
} asked_list;

static tare_status list_prompts(asked_list *out, arena *a, const photo_plan *plan,
                                const char *of_run, tare_error *err)
{
    tare_status status = TARE_OK;
    map *seen = map_new(a->m);
    *out = (asked_list){.photographs = plan->base_count, .own = plan->prompts};
    if (!seen) FAIL_MEMORY(err);
    TRY_NEW(out->all = arena_new(a, plan->base_count + 1, sizeof *out->all));
    for (size_t i = 0; i < plan->base_count; i++) {
        const plan_base *b = &plan->bases[i];
        const char *prompt = photo_prompt_asked(b, of_run);
        size_t k = map_add(seen, prompt, strlen(prompt), NULL);
        if (k == SIZE_MAX) FAIL_MEMORY(err);
        if (k == out->count) out->all[out->count++] = (asked_prompt){prompt, b->shown, 0};
        out->all[k].photographs++;
    }
done:
    map_free(seen);
    return status;
}

/* ---- Trying them ----------------------------------------------------------------------------- */

/* Prompts of which the same is to be said. */
typedef struct tally {
    size_t prompts, photographs;
    const char *first; /* of the first, in words */
} tally;

/* "4 ids: 49406 320 1125 49407" */
static tare_status ids_text(const char **out, arena *a, const scorer_prompt *p, tare_error *err)
{
    tare_status status = TARE_OK;
    text t;
    text_init(&t, a->m);
    text_add_format(&t, "%zu ids:", p->count);
    for (size_t i = 0; i < p->count; i++) text_add_format(&t, " %" PRId64, p->id[i]);
    if (t.failed) FAIL_MEMORY(err);
    TRY_NEW(*out = arena_text(a, t.data, t.length));
done:
    text_free(&t);
    return status;
}

static tare_status refuse(const scorer_description *d, const asked_prompt *x,
                          const tare_error *why, tare_error *err)
{
    size_t shown = strlen(x->prompt);
    bool all = shown <= SHOWN_MOST;
    if (why->status == TARE_E_MEMORY) return error_memory(err);
    if (!all) shown = utf8_valid_prefix(x->prompt, SHOWN_MOST);
    return error_set(err, why->status, why->code, x->first, "%s cannot be asked with the prompt of "
                     "this photograph, \"%.*s%s\": %s", d->name, (int)shown, x->prompt,
                     all ? "" : " ...", why->message);
}

static tare_status count_prompt(tally *cut, tally *differ, const asked_list *list,
                                const asked_prompt *x, const scorer_prompt *p, arena *a,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    const char *whose = "", *ids;
    bool first = (p->whole > p->count && !cut->prompts) || (p->may_differ && !differ->prompts);
    if (list->own && first) TRY_NEW(whose = arena_printf(a, "that of %s, ", x->first));
    if (p->whole > p->count) {
        if (cut->prompts++ == 0)
            TRY_NEW(cut->first = arena_printf(a, "%s%zu ids cut to %zu", whose, p->whole,
                                              p->count));
        cut->photographs += x->photographs;
    }
    if (p->may_differ) {
        if (differ->prompts++ == 0) {
            TRY(ids_text(&ids, a, p, err));
            TRY_NEW(differ->first = arena_printf(a, "%s%s", whose, ids));
        }
        differ->photographs += x->photographs;
    }
done:
    return status;
}

/* "2 of 5 prompts, of 3 of 9 photographs; the first: that of p0.png, 120 ids cut to 77" */
static tare_status tally_text(const char **out, const tally *t, const asked_list *list, arena *a,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    *out = "";
    if (!t->prompts) goto done;
    if (!list->own) TRY_NEW(*out = arena_printf(a, "%s", t->first));
    else
        TRY_NEW(*out = arena_printf(a, "%zu of %zu prompts, of %zu of %zu photographs; the first: "
                                    "%s", t->prompts, list->count, t->photographs,
                                    list->photographs, t->first));
done:
    return status;
}

static tare_status read_all(prompt_reading *out, const photo_run *run, size_t which,
                            const asked_list *list, tare_error *err)
{
    tare_status status = TARE_OK;
    const scorer_description *d = &run->instrument[which];
    const scorer *s = run->scorers[which];
    tally cut = {0, 0, ""}, differ = {0, 0, ""};
    scorer_prompt p;
    arena a;
    arena_init(&a, run->a->m);
    TRY(scorer_prompt_ids(&p, &a, s, NULL, err));
    if (!p.id) goto done;
    TRY(ids_text(&out->ids, run->a, &p, err));
    for (size_t k = 0; k < list->count; k++) {
        const asked_prompt *x = &list->all[k];
        tare_error why = {TARE_OK, "", "", ""};
        status = scorer_prompt_ids(&p, &a, s, d->prompt ? d->prompt : x->prompt, &why);
        if (status) {
            status = refuse(d, x, &why, err);
            goto done;
        }
        TRY(count_prompt(&cut, &differ, list, x, &p, run->a, err));
        arena_free(&a); /* one prompt at a time: there may be millions */
    }
    TRY(tally_text(&out->cut, &cut, list, run->a, err));
    TRY(tally_text(&out->differ, &differ, list, run->a, err));
done:
    arena_free(&a);
    return status;
}

tare_status prompt_reading_make(photo_run *run, const char *of_run, tare_error *err)
{
    tare_status status = TARE_OK;
    asked_list list;
    TRY_NEW(run->reading = arena_new(run->a, run->scorer_count, sizeof *run->reading));
    TRY(list_prompts(&list, run->a, run->plan, of_run, err));
    for (size_t k = 0; k < run->scorer_count; k++) {
        run->reading[k] = (prompt_reading){"", "", ""};
        TRY(read_all(&run->reading[k], run, k, &list, err));
    }
done:
    return status;
}

/* ---- Saying it ------------------------------------------------------------------------------- */

tare_status prompt_reading_facts(const photo_run *run, size_t scorer, const char *section,
                                 audit_result *r, tare_error *err)
{
    tare_status status = TARE_OK;
    const prompt_reading *p = &run->reading[scorer];
    if (*p->ids) TRY(result_fact_add(r, section, "prompt", p->ids, err));
    if (*p->cut) TRY(result_fact_add(r, section, "prompts cut", p->cut, err));
    if (*p->differ) TRY(result_fact_add(r, section, "tokenisers may differ", p->differ, err));
done:
    return status;
}

/* The instruments of one --scorer that have something to say; the first of them is *first. */
static size_t of_sweep(size_t *first, size_t *all, const photo_run *run, size_t scorer, bool cut)
{
    size_t n = 0;
    *all = 0;
    for (size_t k = scorer; k < run->scorer_count; k++) {
        const prompt_reading *p = &run->reading[k];
        if (strcmp(run->instrument[k].spec, run->instrument[scorer].spec)) break;
        ++*all;
        if (*(cut ? p->cut : p->differ) && n++ == 0) *first = k;
    }
    return n;
}

static tare_status say(const photo_run *run, size_t scorer, bool cut, audit_result *r,
                       tare_error *err)
{
    tare_status status = TARE_OK;
    const scorer_description *d = &run->instrument[scorer];
    size_t first = scorer, all, n = of_sweep(&first, &all, run, scorer, cut);
    const char *name = d->asked ? d->asked : d->name, *said;
    if (!n) goto done;
    const prompt_reading *p = &run->reading[first];
    said = cut ? p->cut : p->differ;
    if (d->asked)
        TRY_NEW(said = arena_printf(&r->a, "%zu of %zu prompts; the first, \"%s\": %s", n, all,
                                    run->instrument[first].prompt, said));
    if (cut)
        TRY(result_caution(r, err, "%s does not see the end of prompts that are too long for it "
                           "(%s).", name, said));
    else
        TRY(result_caution(r, err, "%s: tokenisers may differ for prompts with '&', control "
                           "characters, text outside ASCII or the name of a special token; "
                           "elsewhere they may have other scores (%s).", name, said));
done:
    return status;
}

tare_status prompt_reading_cautions(const photo_run *run, size_t scorer, audit_result *r,
                                    tare_error *err)
{
    tare_status status = TARE_OK;
    const scorer_description *d = run->instrument;
    if (scorer > 0 && !strcmp(d[scorer - 1].spec, d[scorer].spec)) goto done; /* said */
    TRY(say(run, scorer, true, r, err));
    TRY(say(run, scorer, false, r, err));
done:
    return status;
}
