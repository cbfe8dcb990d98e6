/* Instruments of a finished run, remembered in its folder. */
#include <math.h>
#include <string.h>

#include "audit/photos/instruments.h"
#include "base/error.h"
#include "base/json.h"

#define BATCH_MOST 1000000 /* no back end comes near */

static void write_one(json_writer *w, const scorer_description *d, const prompt_reading *p)
{
    json_object(w);
    const char *const texts[][2] = {{"name", d->name},
                                    {"spec", d->spec},
                                    {"identity", d->identity},
                                    {"runtime", d->runtime},
                                    {"identity_hash", d->identity_hash},
                                    {"runtime_hash", d->runtime_hash},
                                    {"source", d->source},
                                    {"licence", d->licence},
                                    {"standing", d->standing}};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        json_key(w, texts[k][0]);
        json_string(w, texts[k][1]);
    }
    json_key(w, "batch");
    json_integer(w, (int64_t)d->batch);
    json_key(w, "sign");
    json_number(w, d->sign);
    json_key(w, "identified");
    json_bool(w, d->identified);
    json_key(w, "repeatable");
    json_bool(w, d->repeatable);
    json_key(w, "takes_prompt");
    json_bool(w, d->takes_prompt);
    if (d->asked) {
        json_key(w, "asked");
        json_string(w, d->asked);
        json_key(w, "prompt");
        json_string(w, d->prompt);
    }
    const char *const read[][2] = {{"prompt_ids", p->ids}, {"prompts_cut", p->cut},
                                   {"prompts_differ", p->differ}};
    for (size_t k = 0; k < sizeof read / sizeof *read; k++) {
        if (!*read[k][1]) continue;
        json_key(w, read[k][0]);
        json_string(w, read[k][1]);
    }
    json_object_end(w);
}

tare_status instruments_keep(const photo_run *run, tare_error *err)
{
    tare_status status = TARE_OK;
    text out;
    json_writer w;
    text_init(&out, &run->context->mem);
    json_begin(&w, &out, 0);
    json_array(&w);
    for (size_t k = 0; k < run->scorer_count; k++)
        write_one(&w, &run->instrument[k], &run->reading[k]);
    json_array_end(&w);
    if (out.failed) FAIL_MEMORY(err);
    TRY(store_set(run->store, INSTRUMENTS_KEY, out.data, err));
done:
    text_free(&out);
    return status;
}

static tare_status damaged(const char *what, tare_error *err)
{
    return error_set(err, TARE_E_DATA, "run.instrument", what,
                     "the run folder does not say what its instruments were");
}

static tare_status read_text(const char **out, const json_value *v, const char *key,
                             tare_error *err)
{
    const json_value *x = json_member(v, key);
    if (!x || x->kind != JSON_K_TEXT) return damaged(key, err);
    *out = x->text; /* in the arena of the run */
    return TARE_OK;
}

static tare_status read_hash(char out[65], const json_value *v, const char *key, tare_error *err)
{
    const char *hash = "";
    tare_status status = read_text(&hash, v, key, err);
    if (status == TARE_OK && strlen(hash) != 64) status = damaged(key, err);
    if (status == TARE_OK) memcpy(out, hash, 65);
    return status;
}

static tare_status read_one(scorer_description *d, const json_value *v, tare_error *err)
{
    tare_status status = TARE_OK;
    const json_value *batch = json_member(v, "batch"), *sign = json_member(v, "sign");
    const json_value *identified = json_member(v, "identified");
    const json_value *repeatable = json_member(v, "repeatable");
    const json_value *prompt = json_member(v, "takes_prompt"); /* not in older folders */
    if (!batch || !sign || !identified || !repeatable ||
        !(batch->number_is_integer && batch->number >= 1 && batch->number <= BATCH_MOST) ||
        !(fabs(sign->number) == 1))
        TRY(damaged(NULL, err));
    *d = (scorer_description){.batch = (size_t)batch->number,
                              .sign = sign->number,
                              .range_lo = NAN,
                              .range_hi = NAN,
                              .identified = identified->boolean,
                              .repeatable = repeatable->boolean,
                              .takes_prompt = prompt && prompt->boolean,
                              .standing = "",
                              .standing_key = ""};
    if (json_member(v, "standing")) /* not in older folders */
        TRY(read_text(&d->standing, v, "standing", err));
    TRY(read_text(&d->name, v, "name", err));
    if (json_member(v, "asked")) { /* of a sweep */
        TRY(read_text(&d->asked, v, "asked", err));
        TRY(read_text(&d->prompt, v, "prompt", err));
    }
    TRY(read_text(&d->spec, v, "spec", err));
    TRY(read_text(&d->identity, v, "identity", err));
    TRY(read_text(&d->runtime, v, "runtime", err));
    TRY(read_text(&d->source, v, "source", err));
    TRY(read_text(&d->licence, v, "licence", err));
    TRY(read_hash(d->identity_hash, v, "identity_hash", err));
    TRY(read_hash(d->runtime_hash, v, "runtime_hash", err));
done:
    return status;
}

/* Not in older folders, and where there was nothing to say. */
static tare_status read_reading(prompt_reading *p, const json_value *v, tare_error *err)
{
    tare_status status = TARE_OK;
    *p = (prompt_reading){"", "", ""};
    if (json_member(v, "prompt_ids")) TRY(read_text(&p->ids, v, "prompt_ids", err));
    if (json_member(v, "prompts_cut")) TRY(read_text(&p->cut, v, "prompts_cut", err));
    if (json_member(v, "prompts_differ")) TRY(read_text(&p->differ, v, "prompts_differ", err));
done:
    return status;
}

tare_status instruments_recall(bool *found, photo_run *run, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *kept = NULL;
    json_value *list = NULL;
    *found = false;
    TRY(store_get(&kept, run->store, run->a, INSTRUMENTS_KEY, err));
    if (!kept) goto done;
    TRY(json_parse(&list, run->a, INSTRUMENTS_KEY, kept, strlen(kept), NULL, err));
    if (list->kind != JSON_K_ARRAY) TRY(damaged(INSTRUMENTS_KEY, err));
    TRY_NEW(run->instrument = arena_new(run->a, list->length, sizeof *run->instrument));
    TRY_NEW(run->reading = arena_new(run->a, list->length, sizeof *run->reading));
    for (size_t k = 0; k < list->length; k++) {
        TRY(read_one(&run->instrument[k], &list->children[k], err));
        TRY(read_reading(&run->reading[k], &list->children[k], err));
    }
    run->scorer_count = list->length;
    *found = true;
done:
    return status;
}
