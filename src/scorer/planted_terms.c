#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "scorer/planted.h"

static const planted_term_info infos[] = {
    {PLANTED_OFFSET, PLANTED_NUMBER, "offset", "offset=K", "adds K"},
    {PLANTED_CONSTANT, PLANTED_OPTIONAL, "constant", "constant[=K]",
     "adds K (0): alone, the same score for every image"},
    {PLANTED_DOSE, PLANTED_NUMBER, "dose", "dose=K",
     "adds K x (dose - neutral): a preference for one side"},
    {PLANTED_ABSDOSE, PLANTED_NUMBER, "absdose", "absdose=K",
     "subtracts K x the distance of the dose from the neutral one: a preference for the original"},
    {PLANTED_FIDELITY, PLANTED_NUMBER, "fidelity", "fidelity=K", "the same as absdose=K"},
    {PLANTED_ATTRIBUTE, PLANTED_NUMBER, "attribute", "attribute=K",
     "adds K x the measured attribute"},
    {PLANTED_CLIP, PLANTED_NUMBER, "clip", "clip=K", "subtracts K x the artifact covariate"},
    {PLANTED_LUMINANCE, PLANTED_NUMBER, "luminance", "luminance=K",
     "adds K x the mean grey value (0 to 1)"},
    {PLANTED_HIGHFREQ, PLANTED_NUMBER, "highfreq", "highfreq=K",
     "adds K x the mean squared Laplacian of grey (0 to 1)"},
    {PLANTED_BASE, PLANTED_POSITIVE, "base", "base=SD",
     "adds a normal draw per base: bases differ, variants of one do not"},
    {PLANTED_NOISE, PLANTED_POSITIVE, "noise", "noise=SD",
     "adds a normal draw per image, the same when it is scored again"},
    {PLANTED_POSITION, PLANTED_NUMBER, "position", "position=K",
     "adds K x the position in the batch (batches of 8 unless set)"},
    {PLANTED_GROUP, PLANTED_LABELLED, "group", "group=NAME:K",
     "adds K x (dose - neutral) for bases of the group"},
    {PLANTED_ARM, PLANTED_LABELLED, "arm", "arm=NAME:K",
     "adds K x (dose - neutral) in the arm, or in arms with NAME between slashes"},
    {PLANTED_NEUTRAL, PLANTED_NUMBER, "neutral", "neutral=D", "the neutral dose (0)"},
    {PLANTED_SEED, PLANTED_WHOLE, "seed", "seed=N", "of all draws (1)"},
    {PLANTED_TIES, PLANTED_SHARE, "ties", "ties=P",
     "in a share P of the bases every variant gets the same score"},
    {PLANTED_QUANTUM, PLANTED_POSITIVE, "quantum", "quantum=Q",
     "rounds the score to a multiple of Q"},
    {PLANTED_FP16, PLANTED_FLAG, "fp16", "fp16", "rounds the score to half precision, at the end"},
    {PLANTED_FAIL, PLANTED_SHARE, "fail", "fail=P", "no score for a share P of the images"},
    {PLANTED_NAN, PLANTED_SHARE, "nan", "nan=P", "a score of NaN for a share P of the images"},
};

const planted_term_info *planted_term_info_at(size_t index)
{
    return index < sizeof infos / sizeof *infos ? &infos[index] : NULL;
}

static tare_status unknown_term(const char *term, size_t length, tare_error *err)
{
    char seen[48], known[512] = "";
    for (size_t i = 0; planted_term_info_at(i); i++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i ? " " : "", infos[i].usage);
    }
    snprintf(seen, sizeof seen, "%.*s", (int)(length < 40 ? length : 40), term);
    return error_set(err, TARE_E_USAGE, "planted.term", seen, "not a term; terms are %s", known);
}

static bool argument_ok(const planted_term_info *info, double k)
{
    switch (info->argument) {
    case PLANTED_POSITIVE: return k > 0.0;
    case PLANTED_SHARE: return k >= 0.0 && k <= 1.0;
    case PLANTED_WHOLE: return k >= 0.0 && k < 9007199254740992.0 && floor(k) == k;
    default: return true;
    }
}

/* One term of `length` bytes. */
static tare_status parse_term(planted_term *out, arena *a, const char *term, size_t length,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    const char *equals = memchr(term, '=', length);
    size_t name = equals ? (size_t)(equals - term) : length;
    const planted_term_info *info = NULL;
    for (size_t i = 0; planted_term_info_at(i) && !info; i++)
        if (strlen(infos[i].name) == name && !memcmp(infos[i].name, term, name)) info = &infos[i];
    if (!info) return unknown_term(term, length, err);
    *out = (planted_term){info->kind, 0.0, ""};
    const char *value = equals ? equals + 1 : NULL, *end = term + length;
    bool may_be_bare = info->argument == PLANTED_FLAG || info->argument == PLANTED_OPTIONAL;
    bool good = may_be_bare || value != NULL;
    if (info->argument == PLANTED_FLAG && value) good = false;
    if (good && info->argument == PLANTED_LABELLED) {
        const char *colon = value;
        for (const char *p = value; p < end; p++)
            if (*p == ':') colon = p; /* the last: labels may hold colons */
        good = colon > value && *colon == ':';
        if (good) TRY_NEW(out->label = arena_text(a, value, (size_t)(colon - value)));
        value = colon + 1;
    }
    if (good && value)
        good = number_parse(value, (size_t)(end - value), &out->k) && isfinite(out->k) &&
               argument_ok(info, out->k);
    if (!good)
        FAIL(err, TARE_E_USAGE, "planted.argument", info->name, "should read %s: %s", info->usage,
             info->help);
done:
    return status;
}

/* What the sum of terms needs, and the text that names it. */
static tare_status resolve(planted *p, arena *a, tare_error *err)
{
    text t;
    text_init(&t, a->m);
    p->neutral = 0.0;
    p->seed = 1.0;
    p->only_pixels = true;
    for (size_t i = 0; i < p->count; i++) {
        const planted_term *term = &p->terms[i];
        const planted_term_info *info = &infos[term->kind];
        if (term->kind == PLANTED_NEUTRAL) p->neutral = term->k;
        if (term->kind == PLANTED_SEED) p->seed = term->k;
        if (term->kind == PLANTED_POSITION) p->position = true;
        bool reads = term->kind == PLANTED_LUMINANCE || term->kind == PLANTED_HIGHFREQ;
        bool fixed = term->kind == PLANTED_OFFSET || term->kind == PLANTED_CONSTANT ||
                     term->kind == PLANTED_QUANTUM || term->kind == PLANTED_FP16;
        p->pixels = p->pixels || reads;
        p->only_pixels = p->only_pixels && (reads || fixed);
        text_add_format(&t, "%s%s", i ? "," : "", info->name);
        if (info->argument == PLANTED_FLAG) continue;
        text_add_char(&t, '=');
        if (info->argument == PLANTED_LABELLED) text_add_format(&t, "%s:", term->label);
        text_add_number(&t, term->k);
    }
    p->canonical = t.failed ? NULL : arena_text(a, t.data, t.length);
    text_free(&t);
    return p->canonical ? TARE_OK : error_memory(err);
}

tare_status planted_parse(planted *out, arena *a, const char *rest, tare_error *err)
{
    tare_status status = TARE_OK;
    memset(out, 0, sizeof *out);
    for (const char *at = rest;;) {
        size_t length = strcspn(at, ",");
        if (out->count == PLANTED_TERMS_MAX)
            FAIL(err, TARE_E_USAGE, "planted.terms", NULL, "more than %d terms",
                 PLANTED_TERMS_MAX);
        TRY(parse_term(&out->terms[out->count++], a, at, length, err));
        if (!at[length]) break;
        at += length + 1;
    }
    TRY(resolve(out, a, err));
done:
    return status;
}
