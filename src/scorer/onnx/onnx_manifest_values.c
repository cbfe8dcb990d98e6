/* onnx_manifest_values.c - typed values of a manifest, and what is said of wrong ones. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/spelling.h"
#include "base/text.h"
#include "scorer/onnx/onnx_manifest_parts.h"

enum { SHOWN_MOST = 60 };

/* ---- For messages ---------------------------------------------------------------------------- */

const char *manifest_shown(const manifest_reader *r, const json_value *v)
{
    const char *out = NULL;
    text t;
    text_init(&t, r->a->m);
    switch (v->kind) {
    case JSON_K_NULL: text_add(&t, "null"); break;
    case JSON_K_BOOL: text_add(&t, v->boolean ? "true" : "false"); break;
    case JSON_K_NUMBER: text_add_number(&t, v->number); break;
    case JSON_K_TEXT:
        text_add(&t, "the text \"");
        text_add_visible(&t, v->text, v->length, SHOWN_MOST);
        text_add_char(&t, '"');
        break;
    case JSON_K_ARRAY: text_add_format(&t, "a list of %zu", v->length); break;
    case JSON_K_OBJECT: text_add(&t, "a mapping"); break;
    }
    if (!t.failed) out = arena_copy(r->a, t.data);
    text_free(&t);
    return out ? out : "something else";
}

const char *manifest_name(const manifest_part *p, const char *key)
{
    const char *out = arena_printf(p->r->a, "%s%s%s", p->name, *p->name ? "." : "", key);
    return out ? out : key;
}

void manifest_named_at(tare_error *err, const char *what, const char *path, size_t line)
{
    if (!err || err->status == TARE_E_MEMORY || err->status == TARE_E_STOPPED) return;
    size_t n = strlen(err->message);
    if (n < sizeof err->message)
        snprintf(err->message + n, sizeof err->message - n, " (%s at %.200s:%zu)", what, path,
                 line);
    text_make_plain(err->message);
}

/* "a, b, c" */
static void add_list(text *t, const char *const *words)
{
    for (size_t i = 0; words[i]; i++) text_add_format(t, "%s%s", i ? ", " : "", words[i]);
}

static size_t count_of(const char *const *words)
{
    size_t n = 0;
    while (words[n]) n++;
    return n;
}

/* "; did you mean KEY?" or nothing. */
static void add_near(text *t, const char *word, const char *const *words)
{
    const char *near = spelling_nearest(word, words, count_of(words));
    if (near) text_add_format(t, "; did you mean %s?", near);
}

/* ---- Keys ------------------------------------------------------------------------------------ */

static tare_status unknown_key(const manifest_part *p, size_t at, const char *const *keys,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    const char *key = p->v->keys[at];
    text t;
    text_init(&t, p->r->a->m);
    text_add(&t, "no such key: ");
    if (*p->name) text_add_format(&t, "%s.", p->name);
    text_add_visible(&t, key, strlen(key), SHOWN_MOST);
    add_near(&t, key, keys);
    text_add(&t, "; keys here: ");
    add_list(&t, keys);
    if (t.failed) FAIL_MEMORY(err);
    MANIFEST_FAIL(p->r, &p->v->children[at], "unknown_key", "%s", t.data);
done:
    text_free(&t);
    return status;
}

tare_status manifest_part_open(manifest_part *out, const manifest_reader *r, const json_value *v,
                               const char *name, const char *const *keys, tare_error *err)
{
    tare_status status = TARE_OK;
    *out = (manifest_part){r, v, name};
    if (v->kind != JSON_K_OBJECT)
        MANIFEST_FAIL(r, v, "type", "%s must be a mapping of keys to values; here it is %s",
                      *name ? name : "a manifest", manifest_shown(r, v));
    for (size_t i = 0; i < v->length; i++) {
        size_t k = 0;
        while (keys[k] && strcmp(keys[k], v->keys[i]) != 0) k++;
        if (!keys[k]) TRY(unknown_key(out, i, keys, err));
    }
done:
    return status;
}

const json_value *manifest_get(const manifest_part *p, const char *key)
{
    return json_member(p->v, key);
}

const json_value *manifest_given(const manifest_part *p, const char *key)
{
    const json_value *v = json_member(p->v, key);
    return v && v->kind != JSON_K_NULL ? v : NULL;
}

tare_status manifest_need(const manifest_part *p, const char *key, const char *what,
                          tare_error *err)
{
    tare_status status = TARE_OK;
    if (!manifest_get(p, key))
        MANIFEST_FAIL(p->r, p->v, "missing", "%s is missing: %s", manifest_name(p, key), what);
done:
    return status;
}

tare_status manifest_idle(const manifest_part *p, const char *const *keys, const char *because,
                          tare_error *err)
{
    tare_status status = TARE_OK;
    for (; *keys; keys++)
        if (manifest_get(p, *keys))
            MANIFEST_FAIL(p->r, manifest_get(p, *keys), "conflict", "%s does nothing here: %s",
                          manifest_name(p, *keys), because);
done:
    return status;
}

/* ---- Texts ----------------------------------------------------------------------------------- */

static tare_status must_be(const manifest_part *p, const char *key, const json_value *v,
                           const char *what, tare_error *err)
{
    tare_status status = TARE_OK;
    MANIFEST_FAIL(p->r, v, "type", "%s must be %s; here it is %s", manifest_name(p, key), what,
                  manifest_shown(p->r, v));
done:
    return status;
}

/* ASCII's control characters and Unicode's (U+0080 to U+009F). */
static bool has_controls(const char *s)
{
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s, after = (unsigned char)s[1];
        if (c < 0x20 || c == 0x7f || (c == 0xc2 && after >= 0x80 && after <= 0x9f)) return true;
    }
    return false;
}

tare_status manifest_text(const char **out, const manifest_part *p, const char *key, size_t most,
                          tare_error *err)
{
    tare_status status = TARE_OK;
    const json_value *v = manifest_get(p, key);
    if (!v) goto done;
    if (v->kind != JSON_K_TEXT)
        TRY(must_be(p, key, v, v->kind == JSON_K_NUMBER ? "text: put it in quotes" : "text", err));
    if (v->length == 0 || v->length > most)
        MANIFEST_FAIL(p->r, v, "value", "%s has %zu bytes; allowed: 1 to %zu",
                      manifest_name(p, key), v->length, most);
    if (strlen(v->text) != v->length || has_controls(v->text))
        MANIFEST_FAIL(p->r, v, "value", "%s holds a control character; allowed: one line of text",
                      manifest_name(p, key));
    *out = v->text;
done:
    return status;
}

tare_status manifest_prose(const char **out, const manifest_part *p, const char *key,
                           tare_error *err)
{
    tare_status status = TARE_OK;
    const json_value *v = manifest_given(p, key);
    if (!v) goto done;
    if (v->kind != JSON_K_TEXT) TRY(must_be(p, key, v, "text", err));
    if (v->length > MANIFEST_PROSE_MOST || strlen(v->text) != v->length)
        MANIFEST_FAIL(p->r, v, "value", "%s: allowed are texts of at most %d bytes without a NUL",
                      manifest_name(p, key), (int)MANIFEST_PROSE_MOST);
    *out = v->text;
done:
    return status;
}

tare_status manifest_word(int *out, const manifest_part *p, const char *key,
                          const char *const *words, tare_error *err)
{
    tare_status status = TARE_OK;
    const json_value *v = manifest_get(p, key);
    text t;
    text_init(&t, p->r->a->m);
    if (!v) goto done;
    for (int k = 0; v->kind == JSON_K_TEXT && words[k]; k++)
        if (!strcmp(words[k], v->text) && strlen(v->text) == v->length) {
            *out = k;
            goto done;
        }
    add_list(&t, words);
    if (v->kind == JSON_K_TEXT) add_near(&t, v->text, words);
    if (t.failed) FAIL_MEMORY(err);
    MANIFEST_FAIL(p->r, v, "value", "%s is %s; allowed: %s", manifest_name(p, key),
                  manifest_shown(p->r, v), t.data);
done:
    text_free(&t);
    return status;
}

tare_status manifest_bool(bool *out, const manifest_part *p, const char *key, tare_error *err)
{
    tare_status status = TARE_OK;
    const json_value *v = manifest_get(p, key);
    if (!v) goto done;
    if (v->kind != JSON_K_BOOL) TRY(must_be(p, key, v, "true or false", err));
    *out = v->boolean;
done:
    return status;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

bool manifest_within(const json_value *v, const manifest_bounds *b)
{
    return v->kind == JSON_K_NUMBER && isfinite(v->number) && v->number >= b->lo &&
           v->number <= b->hi && (!b->whole || v->number_is_integer);
}

tare_status manifest_number(double *out, const manifest_part *p, const char *key,
                            const manifest_bounds *b, tare_error *err)
{
    tare_status status = TARE_OK;
    const json_value *v = manifest_get(p, key);
    if (!v) goto done;
    if (v->kind != JSON_K_NUMBER) TRY(must_be(p, key, v, b->words, err));
    if (!manifest_within(v, b))
        MANIFEST_FAIL(p->r, v, "value", "%s is %s; allowed: %s", manifest_name(p, key),
                      manifest_shown(p->r, v), b->words);
    *out = v->number;
done:
    return status;
}

tare_status manifest_numbers(double *out, size_t count, const manifest_part *p, const char *key,
                             const manifest_bounds *b, tare_error *err)
{
    tare_status status = TARE_OK;
    const json_value *v = manifest_get(p, key);
    if (!v) goto done;
    if (v->kind != JSON_K_ARRAY || v->length != count)
        MANIFEST_FAIL(p->r, v, "type", "%s must be a list of %zu, each %s; here it is %s",
                      manifest_name(p, key), count, b->words, manifest_shown(p->r, v));
    for (size_t i = 0; i < count; i++)
        if (!manifest_within(&v->children[i], b))
            MANIFEST_FAIL(p->r, &v->children[i], "value", "%s[%zu] is %s; allowed: %s",
                          manifest_name(p, key), i, manifest_shown(p->r, &v->children[i]),
                          b->words);
    for (size_t i = 0; i < count; i++) out[i] = v->children[i].number;
done:
    return status;
}
