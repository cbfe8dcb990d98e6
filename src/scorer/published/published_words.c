/* published_words.c - what stands after "laion-v2:": [FILE|DIR][,key=value]... */
#include <string.h>

#include "base/error.h"
#include "scorer/published/published.h"

typedef enum word_key {
    WORD_HEAD, WORD_BACKBONE, WORD_VARIANT, WORD_MODEL, WORD_ANTIALIAS, WORD_PRECISION, WORD_ARCH,
    WORD_NONE
} word_key;

static const struct { const char *key, *values; } keys[] = {
    [WORD_HEAD] = {"head", NULL},
    [WORD_BACKBONE] = {"backbone", NULL},
    [WORD_VARIANT] = {"variant", "cosine|x100|clipscore"},
    [WORD_MODEL] = {"model", "l14|b32"},
    [WORD_ANTIALIAS] = {"antialias", "true|false"},
    [WORD_PRECISION] = {"precision", "fp32|fp16-output"},
    [WORD_ARCH] = {"arch", "published|any"},
};

/* Does the key mean anything for scorers of this scheme? */
static bool applies(word_key key, const char *scheme)
{
    bool clip = !strcmp(scheme, "clip"), hps = !strncmp(scheme, "hpsv2", 5);
    switch (key) {
    case WORD_HEAD: return !strncmp(scheme, "laion", 5);
    case WORD_VARIANT:
    case WORD_MODEL: return clip;
    case WORD_ANTIALIAS:
    case WORD_PRECISION: return hps;
    case WORD_ARCH: return strcmp(scheme, "nsfw") != 0;
    case WORD_BACKBONE: return true;
    case WORD_NONE: break;
    }
    return false;
}

/* Index of `value` among "a|b|c"; -1: none of them. */
static int value_index(const char *values, const char *value)
{
    size_t length = strlen(value);
    for (int k = 0; *values; k++) {
        size_t n = strcspn(values, "|");
        if (n == length && !memcmp(values, value, n)) return k;
        values += n + (values[n] == '|');
    }
    return -1;
}

static tare_status unknown_key(const char *word, const char *scheme, tare_error *err)
{
    char known[200] = "";
    for (word_key k = 0; k < WORD_NONE; k++) {
        size_t used = strlen(known);
        if (!applies(k, scheme) || used + 48 > sizeof known) continue;
        strcat(known, used ? ", " : "");
        strcat(known, keys[k].key);
        strcat(known, keys[k].values ? "=" : "=FILE");
        if (keys[k].values) strcat(known, keys[k].values);
    }
    return error_set(err, TARE_E_USAGE, "published.key", word,
                     "%s: does not know this; after the file or folder may stand %s", scheme,
                     known);
}

static tare_status take(published_words *out, arena *a, const char *scheme, word_key key,
                        const char *value, tare_error *err)
{
    tare_status status = TARE_OK;
    int k = 0;
    const char *comma = keys[key].values ? strchr(value, ',') : NULL;
    /* No value of a list holds a comma: what follows it is a word that nobody knows. */
    if (comma) TRY(unknown_key(comma + 1, scheme, err));
    if (keys[key].values && (k = value_index(keys[key].values, value)) < 0)
        FAIL(err, TARE_E_USAGE, "published.value", value, "%s is one of %s", keys[key].key,
             keys[key].values);
    if (!*value) FAIL(err, TARE_E_USAGE, "published.value", keys[key].key, "nothing after '='");
    TRY_NEW(value = arena_copy(a, value));
    switch (key) {
    case WORD_HEAD: out->head = value; break;
    case WORD_BACKBONE: out->backbone = value; break;
    case WORD_VARIANT: out->variant = value; break;
    case WORD_MODEL: out->model = value; break;
    case WORD_ANTIALIAS: out->antialias = k == 0; break;
    case WORD_PRECISION: out->half_output = k == 1; break;
    case WORD_ARCH: out->any_sizes = k == 1; break;
    case WORD_NONE: break;
    }
done:
    return status;
}

/* The key that a word begins with, *value behind its equal sign; WORD_NONE: none. */
static word_key key_of(const char *word, const char **value)
{
    for (word_key k = 0; k < WORD_NONE; k++) {
        size_t n = strlen(keys[k].key);
        if (!strncmp(word, keys[k].key, n) && word[n] == '=') {
            *value = word + n + 1;
            return k;
        }
    }
    return WORD_NONE;
}

/* A file name may hold commas and equal signs: a comma parts words only where a known key follows.
 * Ends the word before it. NULL: no more. */
static char *next_word(char *from)
{
    const char *value;
    for (char *comma = strchr(from, ','); comma; comma = strchr(comma + 1, ','))
        if (key_of(comma + 1, &value) != WORD_NONE) {
            *comma = '\0';
            return comma + 1;
        }
    return NULL;
}

/* ",colour=red": a key that nobody knows, rather than a file. */
static const char *looks_like_key(const char *words)
{
    for (const char *w = words; w; w = strchr(w, ',')) {
        w += *w == ',';
        size_t n = strspn(w, "abcdefghijklmnopqrstuvwxyz-_");
        if (n > 0 && w[n] == '=') return w;
    }
    return NULL;
}

tare_status published_words_read(published_words *out, arena *a, const char *scheme,
                                 const char *rest, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *value = NULL, *unknown;
    char *left = NULL, *word;
    *out = (published_words){.antialias = -1, .weights = ""};
    TRY_NEW(left = arena_copy(a, rest));
    word = left;
    if (key_of(left, &value) == WORD_NONE) {
        word = next_word(left);
        out->weights = left;
    }
    while (word) {
        char *after = next_word(word);
        word_key key = key_of(word, &value);
        if (!applies(key, scheme)) TRY(unknown_key(word, scheme, err));
        TRY(take(out, a, scheme, key, value, err));
        word = after;
    }
    unknown = looks_like_key(out->weights);
    if (unknown) TRY(unknown_key(unknown, scheme, err));
done:
    return status;
}
