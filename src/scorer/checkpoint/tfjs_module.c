#include "scorer/checkpoint/tfjs_module.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/base64.h"
#include "base/error.h"

typedef struct module {
    const char *path, *start, *at, *end;
    text *out;
} module;

static tare_status refuse(const module *m, const char *what, tare_error *err)
{
    char where[320];
    snprintf(where, sizeof where, "%.280s:byte %zu", m->path, (size_t)(m->at - m->start));
    return error_set(err, TARE_E_DATA, "tfjs.module", where,
                     "%s. Is this file whole, as its package has it?", what);
}

static char peek(const module *m, size_t ahead)
{
    return (size_t)(m->end - m->at) > ahead ? m->at[ahead] : '\0';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return isalpha((unsigned char)c) || is_digit(c) || c == '_' || c == '$';
}

static void skip_spaces(module *m)
{
    while (m->at < m->end && strchr(" \t\r\n", *m->at) && *m->at) m->at++;
}

/* To the value itself. */
static tare_status find_value(module *m, const char *first, const char *missing, tare_error *err)
{
    static const char word[] = "exports";
    tare_status status = TARE_OK;
    while ((m->at = memmem(m->at, (size_t)(m->end - m->at), word, sizeof word - 1))) {
        m->at += sizeof word - 1;
        skip_spaces(m);
        if (peek(m, 0) != '=') continue;
        m->at++;
        skip_spaces(m);
        if (peek(m, 0) && strchr(first, peek(m, 0))) goto done;
    }
    m->at = m->end;
    TRY(refuse(m, missing, err));
done:
    return status;
}

/* ---- Object literals ------------------------------------------------------------------------- */

/* Escapes are left to the JSON reader, which knows all but \'. */
static tare_status copy_string(module *m, tare_error *err)
{
    tare_status status = TARE_OK;
    char quote = *m->at++;
    text_add_char(m->out, '"');
    for (; m->at < m->end && *m->at != quote; m->at++) {
        if (*m->at == '\\' && peek(m, 1) == '\'') {
            m->at++;
        } else if (*m->at == '\\' && m->end - m->at > 1) {
            text_add_char(m->out, *m->at++);
        } else if (*m->at == '"') {
            text_add_char(m->out, '\\');
        }
        text_add_char(m->out, *m->at);
    }
    if (m->at >= m->end) TRY(refuse(m, "the file ends inside a string", err));
    m->at++;
    text_add_char(m->out, '"');
done:
    return status;
}

static tare_status copy_word(module *m, tare_error *err)
{
    static const char *const words[] = {"true", "false", "null", NULL};
    tare_status status = TARE_OK;
    const char *from = m->at;
    while (m->at < m->end && is_word(*m->at)) m->at++;
    size_t length = (size_t)(m->at - from);
    skip_spaces(m);
    if (peek(m, 0) == ':') {
        text_add_char(m->out, '"');
        text_add_bytes(m->out, from, length);
        text_add_char(m->out, '"');
        goto done;
    }
    for (size_t k = 0; words[k]; k++)
        if (strlen(words[k]) == length && memcmp(words[k], from, length) == 0) {
            text_add(m->out, words[k]);
            goto done;
        }
    m->at = from;
    TRY(refuse(m, "here stands an expression; a model is made of plain values", err));
done:
    return status;
}

/* Digits before and after the point: JSON wants both. */
static void copy_number(module *m)
{
    if (*m->at == '-') text_add_char(m->out, *m->at++);
    if (peek(m, 0) == '.') text_add_char(m->out, '0');
    while (m->at < m->end && is_digit(*m->at)) text_add_char(m->out, *m->at++);
    if (peek(m, 0) == '.') {
        text_add_char(m->out, *m->at++);
        if (!is_digit(peek(m, 0))) text_add_char(m->out, '0');
    }
    while (m->at < m->end && (is_word(*m->at) || *m->at == '+' || *m->at == '-'))
        text_add_char(m->out, *m->at++); /* an exponent, or what the JSON reader refuses */
}

static tare_status copy_token(module *m, tare_error *err)
{
    tare_status status = TARE_OK;
    char c = *m->at;
    if (c == '"' || c == '\'') {
        TRY(copy_string(m, err));
    } else if (c == '!' && (peek(m, 1) == '0' || peek(m, 1) == '1') && !is_word(peek(m, 2))) {
        text_add(m->out, m->at[1] == '0' ? "true" : "false");
        m->at += 2;
    } else if (c == '-' || c == '.' || is_digit(c)) {
        copy_number(m);
    } else if (is_word(c)) {
        TRY(copy_word(m, err));
    } else if (c && strchr("{}[]:, \t\r\n", c)) {
        text_add_char(m->out, c);
        m->at++;
    } else {
        TRY(refuse(m, "here stands an expression; a model is made of plain values", err));
    }
done:
    return status;
}

tare_status tfjs_module_json(text *out, const char *path, const unsigned char *bytes,
                             size_t length, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *start = (const char *)bytes;
    module m = {path, start, start, start + length, out};
    size_t depth = 0;
    TRY(find_value(&m, "{", "no `exports = {...}`, which would be the model", err));
    do {
        if (m.at >= m.end) TRY(refuse(&m, "the file ends inside the model", err));
        if (*m.at == '{' || *m.at == '[') depth++;
        if (*m.at == '}' || *m.at == ']') depth--;
        TRY(copy_token(&m, err));
    } while (depth > 0);
    if (out->failed) FAIL_MEMORY(err);
done:
    return status;
}

/* ---- Base64 ---------------------------------------------------------------------------------- */

tare_status tfjs_module_bytes(unsigned char **out, size_t *count, arena *a, const char *path,
                              const unsigned char *bytes, size_t length, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *start = (const char *)bytes;
    module m = {path, start, start, start + length, NULL};
    size_t bad = 0;
    TRY(find_value(&m, "\"'", "no `exports = \"...\"`, which would be the weights", err));
    char quote = *m.at++;
    const char *end = memchr(m.at, quote, (size_t)(m.end - m.at));
    if (end == NULL) {
        m.at = m.end;
        TRY(refuse(&m, "the file ends inside the weights", err));
    }
    size_t characters = (size_t)(end - m.at);
    TRY_NEW(*out = arena_raw(a, base64_room(characters) + 1, 1));
    if (!base64_decode(*out, count, m.at, characters, &bad)) {
        m.at += bad;
        TRY(refuse(&m, "the weights are no base64 here", err));
    }
done:
    return status;
}
