#include "scorer/fingerprint.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/os.h"
#include "base/text.h"

void fingerprint_begin(fingerprint *f, arena *a)
{
    memset(f, 0, sizeof *f);
    f->a = a;
}

void fingerprint_json(fingerprint *f, const char *key, const char *json)
{
    if (f->count == FINGERPRINT_FIELDS || !json) {
        f->failed = 1;
        return;
    }
    size_t at = f->count++;
    for (; at > 0 && strcmp(f->field[at - 1].key, key) > 0; at--) f->field[at] = f->field[at - 1];
    f->field[at].key = key;
    f->field[at].json = json;
}

/* What `write` puts into a JSON writer, copied to the arena. */
static const char *taken(fingerprint *f, text *t)
{
    const char *copy = t->failed ? NULL : arena_text(f->a, t->data, t->length);
    text_free(t);
    return copy;
}

void fingerprint_text(fingerprint *f, const char *key, const char *value)
{
    text t;
    json_writer w;
    text_init(&t, f->a->m);
    json_begin(&w, &t, 0);
    json_string(&w, value);
    fingerprint_json(f, key, taken(f, &t));
}

void fingerprint_number(fingerprint *f, const char *key, double value)
{
    text t;
    json_writer w;
    text_init(&t, f->a->m);
    json_begin(&w, &t, 0);
    json_number(&w, value);
    fingerprint_json(f, key, taken(f, &t));
}

const char *fingerprint_end(fingerprint *f)
{
    text t;
    json_writer w;
    text_init(&t, f->a->m);
    text_add_char(&t, '{');
    for (size_t i = 0; i < f->count; i++) {
        if (i) text_add_char(&t, ',');
        json_begin(&w, &t, 0);
        json_string(&w, f->field[i].key);
        text_add_char(&t, ':');
        text_add(&t, f->field[i].json);
    }
    text_add_char(&t, '}');
    const char *out = taken(f, &t);
    return f->failed ? NULL : out;
}

const char *fingerprint_hash(arena *a, const void *bytes, size_t length)
{
    unsigned char digest[SHA256_BYTES];
    char hex[SHA256_HEX];
    sha256_of(bytes, length, digest);
    sha256_hex(digest, hex);
    return arena_copy(a, hex);
}

/* The first "KEY : value" line of Linux's cpuinfo as text in the arena; "unknown" elsewhere. */
static const char *cpu_field(arena *a, const char *info, const char *key)
{
    size_t length = strlen(key);
    for (const char *line = info; line && *line; line = strchr(line, '\n')) {
        if (*line == '\n') line++;
        if (strncmp(line, key, length) || (line[length] != '\t' && line[length] != ' ')) continue;
        const char *value = strchr(line, ':'), *stop = strchr(line, '\n');
        if (!value || (stop && value > stop)) break;
        value += strspn(value, ": \t");
        return arena_text(a, value, stop ? (size_t)(stop - value) : strlen(value));
    }
    return "unknown";
}

/* Instruction sets that libm and compilers choose by. */
static const char *cpu_features(arena *a, const char *info)
{
    static const char *const known[] = {"avx", "avx2", "fma", "avx512f", "asimd", "sve"};
    const char *flags = cpu_field(a, info, "flags"), *out = "";
    if (flags && !strcmp(flags, "unknown")) flags = cpu_field(a, info, "Features");
    for (size_t k = 0; flags && out && k < sizeof known / sizeof *known; k++) {
        size_t length = strlen(known[k]);
        for (const char *at = flags; (at = strstr(at, known[k])) != NULL; at += length)
            if ((at == flags || at[-1] == ' ') && (at[length] == ' ' || !at[length])) {
                out = arena_printf(a, "%s%s%s", out, *out ? " " : "", known[k]);
                break;
            }
    }
    return out;
}

static const char *runtime_json(arena *a, size_t batch, const char *engine)
{
    char *info = NULL;
    size_t length;
    fingerprint f;
    fingerprint_begin(&f, a);
    /* Systems without the file have an unknown CPU; being out of memory is another matter. */
    if (os_read_file(&info, &length, a->m, "/proc/cpuinfo", (size_t)8 << 20, NULL) ==
        TARE_E_MEMORY)
        f.failed = 1;
    const char *text = info ? info : "";
    const char *model = cpu_field(a, text, "model name"), *isa = cpu_features(a, text);
    if (!model || !isa) f.failed = 1;
    fingerprint_number(&f, "batch", (double)batch);
    fingerprint_text(&f, "cpu", model ? model : "");
    if (engine) fingerprint_json(&f, "engine", engine);
    fingerprint_text(&f, "isa", isa ? isa : "");
    fingerprint_text(&f, "tare", tare_version());
    const char *out = fingerprint_end(&f);
    mem_free(a->m, info);
    return out;
}

static void hash_text(char out[SHA256_HEX], const char *text)
{
    unsigned char digest[SHA256_BYTES];
    sha256_of(text, strlen(text), digest);
    sha256_hex(digest, out);
}

tare_status fingerprint_describe_engine(scorer_description *d, arena *a, const char *identity,
                                        const char *engine, tare_error *err)
{
    const char *runtime = runtime_json(a, d->batch, engine);
    if (!identity || !runtime) return error_memory(err);
    d->identity = identity;
    d->runtime = runtime;
    hash_text(d->identity_hash, identity);
    hash_text(d->runtime_hash, runtime);
    return TARE_OK;
}

tare_status fingerprint_describe(scorer_description *d, arena *a, const char *identity,
                                 tare_error *err)
{
    return fingerprint_describe_engine(d, a, identity, NULL, err);
}

/* Where in the object a member of this key belongs. */
static const char *place_of_key(json_reader *r, const char *key)
{
    json_event event = JSON_NULL;
    while (json_next(&event, r, NULL) == TARE_OK && event != JSON_END) {
        if (event == JSON_OBJECT_END && r->depth == 0) return r->token;
        if (event != JSON_KEY || r->depth != 1) continue;
        if (strcmp(r->string, key) > 0) return r->token;
    }
    return NULL;
}

const char *fingerprint_with(arena *a, const char *object, const char *key, const char *json)
{
    json_reader r;
    json_open(&r, a->m, "identity", object, strlen(object), NULL);
    const char *at = place_of_key(&r, key), *out = NULL;
    if (at) {
        bool first = at == object + 1, last = *at == '}';
        out = arena_printf(a, "%.*s%s\"%s\":%s%s%s", (int)(at - object), object,
                           last && !first ? "," : "", key, json, last ? "" : ",", at);
    }
    json_close(&r);
    return out;
}

/* What becomes of alpha is part of canonical decoding; the other policies have no choice. */
static const char *decoding_word(arena *a, const image_decoding *how)
{
    const char *policy = image_policy_name(how->policy);
    const unsigned char *ground = how->background;
    if (how->policy != IMAGE_CANONICAL) return arena_printf(a, "\"%s\"", policy);
    switch (how->alpha) {
    case IMAGE_ALPHA_DROP: return arena_printf(a, "\"%s, alpha dropped\"", policy);
    case IMAGE_ALPHA_REFUSE: return arena_printf(a, "\"%s, alpha refused\"", policy);
    default:
        return arena_printf(a, "\"%s, alpha over #%02x%02x%02x\"", policy, ground[0], ground[1],
                            ground[2]);
    }
}

tare_status fingerprint_decoding(scorer_description *d, arena *a, const image_decoding *how,
                                 tare_error *err)
{
    tare_status status = TARE_OK;
    const char *word;
    TRY_NEW(word = decoding_word(a, how));
    TRY_NEW(d->identity = fingerprint_with(a, d->identity, "decoding", word));
    hash_text(d->identity_hash, d->identity);
done:
    return status;
}
