#include "audit/photos/photo_decoding.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"

#define SECTION "Decoding"

tare_status photo_decoding_read(image_decoding *out, const tare_job *job, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *word = job_text(job, "decoding"), *alpha = job_text(job, "transparent");
    *out = IMAGE_DECODING_DEFAULT;
    for (int k = 0; image_policy_name((image_policy)k); k++)
        if (!strcmp(word, image_policy_name((image_policy)k))) out->policy = (image_policy)k;
    out->limits.pixels = (uint64_t)job_integer(job, "max-pixels");
    if (out->policy == IMAGE_PUBLISHED && job_integer(job, "prepare-size"))
        FAIL(err, TARE_E_USAGE, "photos.prepare", "--prepare-size",
             "--decoding published gives a scorer what its own loader sees, which a size of ours "
             "would change: leave one of the two out");
    if (!alpha) goto done;
    if (out->policy != IMAGE_CANONICAL)
        FAIL(err, TARE_E_USAGE, "photos.transparent", "--transparent",
             "only --decoding canonical puts transparent pixels on something; %s %s", word,
             out->policy == IMAGE_STRICT ? "refuses them" : "does what each scorer's loader does");
    if (!image_alpha_parse(out, alpha))
        FAIL(err, TARE_E_USAGE, "photos.transparent", "--transparent",
             "\"%s\" is none of white, black, #rrggbb, drop, refuse", alpha);
done:
    return status;
}

image_decoding photo_decoding_mask(const image_decoding *photos)
{
    image_decoding how = IMAGE_DECODING_DEFAULT;
    how.policy = IMAGE_PUBLISHED;
    how.limits = photos->limits;
    return how;
}

/* ---- what it did ------------------------------------------------------------------ */

/* Remarks on photographs that other tools show in the same colours. What is not in the list is said
 * as a caution. */
static bool is_harmless(const char *what)
{
    static const char *const words[] = {
        "colours converted to sRGB", "turned upright by EXIF", "turned upright by HEIF",
        "grey repeated", "palette expanded", "bilevel expanded", "CMYK by its profile"};
    static const char *const of_mask[] = {"colour profile ignored", "grey repeated"};
    size_t mask = strlen(NOTE_OF_MASK);
    bool is_mask = !strncmp(what, NOTE_OF_MASK, mask);
    if (is_mask) what += mask;
    const char *bits = what + strspn(what, "0123456789");
    if (bits > what && !strncmp(bits, " bits to 8", strlen(" bits to 8"))) return true;
    for (size_t k = 0; !is_mask && k < sizeof words / sizeof *words; k++)
        if (!strcmp(what, words[k])) return true;
    for (size_t k = 0; is_mask && k < sizeof of_mask / sizeof *of_mask; k++)
        if (!strcmp(what, of_mask[k])) return true;
    return false;
}

/* A remark without what differs from one photograph to the next: the share of transparent pixels,
 * the number of frames. What is said of a mask keeps that. */
static void common_words(char *out, size_t room, const char *remark, size_t length)
{
    static const char share[] = " % transparent", frames[] = "first of ";
    char whole[IMAGE_NOTE_MAX];
    size_t mask = strlen(NOTE_OF_MASK);
    if (length > mask && !strncmp(remark, NOTE_OF_MASK, mask)) {
        memcpy(out, NOTE_OF_MASK, mask);
        common_words(out + mask, room - mask, remark + mask, length - mask);
        return;
    }
    snprintf(whole, sizeof whole, "%.*s", (int)length, remark);
    const char *transparent = strstr(whole, share);
    size_t head = strlen(frames);
    bool first = !strncmp(whole, frames, head);
    if (transparent)
        snprintf(out, room, "%s", transparent + strlen(" % "));
    else if (first)
        snprintf(out, room, "%sseveral%.*s", frames, IMAGE_NOTE_MAX / 2,
                 whole + head + strspn(whole + head, "0123456789"));
    else
        snprintf(out, room, "%s", whole);
}

struct tally {
    map *words;
    size_t *count;
    const char **first; /* photograph */
    size_t capacity;
};

static tare_status count_remark(struct tally *t, const mem *m, const char *remark, size_t length,
                                const plan_base *b, tare_error *err)
{
    char what[IMAGE_NOTE_MAX + sizeof NOTE_OF_MASK];
    bool is_new;
    common_words(what, sizeof what, remark, length);
    if (!*what || !strcmp(what, NOTE_MOSTLY_SKIN)) return TARE_OK;
    size_t k = map_add(t->words, what, strlen(what), &is_new), room = t->capacity;
    if (k == SIZE_MAX || !mem_reserve(m, &t->count, &room, k + 1, sizeof *t->count) ||
        !mem_reserve(m, &t->first, &t->capacity, k + 1, sizeof *t->first))
        return error_memory(err);
    if (is_new) {
        t->count[k] = 0;
        t->first[k] = b->shown;
    }
    t->count[k]++;
    return TARE_OK;
}

static tare_status count_notes(struct tally *t, const photo_session *s, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t i = 0; i < s->plan.base_count; i++) {
        const plan_base *b = &s->plan.bases[i];
        for (const char *at = b->notes; *at;) {
            const char *end = strstr(at, NOTE_BETWEEN);
            size_t length = end ? (size_t)(end - at) : strlen(at);
            TRY(count_remark(t, &s->job->context->mem, at, length, b, err));
            at += length + (end ? strlen(NOTE_BETWEEN) : 0);
        }
    }
done:
    return status;
}

static const char *policy_words(const photo_session *s, arena *a)
{
    const image_decoding *how = &s->plan.decoding;
    const char *alpha = job_text(s->job, "transparent");
    switch (how->policy) {
    case IMAGE_CANONICAL:
        return arena_printf(a, "upright, sRGB, 8 bits; alpha: %s; CMYK, more bits and the first "
                            "of several pictures are converted with a remark",
                            alpha ? alpha : "white");
    case IMAGE_PUBLISHED:
        return "as Pillow opens it: the file's own mode; EXIF and profiles ignored";
    default:
        return "upright, sRGB, 8 bits; alpha, CMYK, 16 bits, several pictures refused (ours)";
    }
}

tare_status photo_decoding_facts(const photo_session *s, audit_result *r, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &s->job->context->mem;
    struct tally t = {.words = map_new(m)};
    const char *words = policy_words(s, &r->a), *doubtful = NULL;
    if (!t.words || !words) FAIL_MEMORY(err);
    TRY(result_fact_add(r, SECTION, "preparation", words, err));
    TRY(count_notes(&t, s, err));
    for (size_t k = 0; k < map_count(t.words); k++) {
        const char *what = map_key(t.words, k, NULL), *of = NULL;
        TRY_NEW(of = arena_printf(&r->a, "%zu photograph%s, the first %s", t.count[k],
                                  t.count[k] == 1 ? "" : "s", t.first[k]));
        TRY(result_fact_add(r, SECTION, what, of, err));
        if (is_harmless(what) || s->plan.decoding.policy == IMAGE_PUBLISHED) continue;
        doubtful = doubtful ? arena_printf(&r->a, "%s; %s: %zu", doubtful, what, t.count[k])
                            : arena_printf(&r->a, "%s: %zu", what, t.count[k]);
        if (!doubtful) FAIL_MEMORY(err);
    }
    if (doubtful)
        TRY(result_caution(r, err, "Decoding changed what some photographs may look like elsewhere "
                           "(%s); tables/bases.tsv says which, in the column notes.", doubtful));
done:
    map_free(t.words);
    mem_free(m, t.count);
    mem_free(m, t.first);
    return status;
}
