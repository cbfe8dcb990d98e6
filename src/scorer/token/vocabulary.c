#include "scorer/token/vocabulary.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

tare_status vocabulary_error(tare_error *err, const char *code, vocabulary_place place,
                             const char *format, ...)
{
    char where[320], what[512];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (place.line > 0) snprintf(where, sizeof where, "%s:%zu", place.file, place.line);
    else snprintf(where, sizeof where, "%s", place.file);
    return error_set(err, TARE_E_DATA, code, where, "%s", what);
}

vocabulary_shown vocabulary_show(const char *symbol, size_t length)
{
    vocabulary_shown s;
    size_t n = length < sizeof s.text - 1 ? length : sizeof s.text - 1;
    n = utf8_valid_prefix(symbol, n);
    memcpy(s.text, symbol, n);
    s.text[n] = '\0';
    for (char *c = s.text; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7F) *c = '?';
    return s;
}

tare_status vocabulary_init(vocabulary *v, const mem *m, tare_error *err)
{
    *v = (vocabulary){.m = m};
    v->symbols = map_new(m);
    return v->symbols != NULL ? TARE_OK : error_memory(err);
}

void vocabulary_free(vocabulary *v)
{
    if (v->m == NULL) return;
    map_free(v->symbols);
    mem_free(v->m, v->id);
    mem_free(v->m, v->owner);
    *v = (vocabulary){0};
}

static tare_status make_room(vocabulary *v, size_t id, tare_error *err)
{
    size_t had = v->owner_room;
    if (!mem_reserve(v->m, &v->owner, &v->owner_room, id + 1, sizeof *v->owner) ||
        !mem_reserve(v->m, &v->id, &v->id_room, map_count(v->symbols) + 1, sizeof *v->id))
        return error_memory(err);
    memset(v->owner + had, 0, (v->owner_room - had) * sizeof *v->owner);
    return TARE_OK;
}

tare_status vocabulary_add(vocabulary *v, const char *symbol, size_t length, int64_t id,
                           vocabulary_place place, tare_error *err)
{
    tare_status status = TARE_OK;
    bool is_new = true;
    size_t index;
    vocabulary_shown shown = vocabulary_show(symbol, length);
    if (length == 0 || length > VOCABULARY_SYMBOL_MOST)
        TRY(vocabulary_error(err, "vocabulary.symbol", place, "a symbol has %zu bytes; allowed: 1 "
                             "to %d", length, (int)VOCABULARY_SYMBOL_MOST));
    if (id < 0 || id >= VOCABULARY_WORDS_MOST)
        TRY(vocabulary_error(err, "vocabulary.id", place, "\"%s\" has the id %lld; allowed: 0 to "
                             "%d", shown.text, (long long)id, (int)VOCABULARY_WORDS_MOST - 1));
    TRY(make_room(v, (size_t)id, err));
    if (v->owner[id] != 0) {
        size_t n;
        const char *other = map_key(v->symbols, (size_t)v->owner[id] - 1, &n);
        TRY(vocabulary_error(err, "vocabulary.twice", place, "the id %lld of \"%s\" is that of "
                             "\"%s\" already", (long long)id, shown.text,
                             vocabulary_show(other, n).text));
    }
    index = map_add(v->symbols, symbol, length, &is_new);
    if (index == SIZE_MAX) FAIL_MEMORY(err);
    if (!is_new)
        TRY(vocabulary_error(err, "vocabulary.twice", place, "\"%s\" is there twice, as %lld and "
                             "as %lld", shown.text, (long long)v->id[index], (long long)id));
    v->id[index] = (int32_t)id;
    v->owner[id] = (int32_t)index + 1;
    if ((size_t)id >= v->words) v->words = (size_t)id + 1;
done:
    return status;
}

tare_status vocabulary_add_object(vocabulary *v, const json_value *object, const char *file,
                                  tare_error *err)
{
    tare_status status = TARE_OK;
    if (object == NULL || object->kind != JSON_K_OBJECT || object->length == 0)
        TRY(vocabulary_error(err, "vocabulary.kind",
                             (vocabulary_place){file, object == NULL ? 0 : object->line},
                             "an object of symbols and ids is wanted here, {\"symbol\": 0, ...}"));
    for (size_t i = 0; i < object->length; i++) {
        const json_value *id = &object->children[i];
        vocabulary_place place = {file, id->line};
        size_t n = strlen(object->keys[i]);
        if (id->kind != JSON_K_NUMBER || !id->number_is_integer)
            TRY(vocabulary_error(err, "vocabulary.id", place, "the id of \"%s\" is no whole number",
                                 vocabulary_show(object->keys[i], n).text));
        TRY(vocabulary_add(v, object->keys[i], n, (int64_t)id->number, place, err));
    }
done:
    return status;
}

tare_status vocabulary_whole(const vocabulary *v, const char *file, tare_error *err)
{
    for (size_t id = 0; id < v->words; id++)
        if (v->owner[id] == 0)
            return vocabulary_error(err, "vocabulary.size", (vocabulary_place){file, 0},
                                    "the ids go up to %zu, and no symbol has %zu: is the file "
                                    "whole?", v->words - 1, id);
    return TARE_OK;
}

int32_t vocabulary_find(const vocabulary *v, const char *symbol, size_t length)
{
    size_t index = map_find(v->symbols, symbol, length);
    return index == SIZE_MAX ? -1 : v->id[index];
}

void token_ids_free(token_ids *t)
{
    if (t->m != NULL) mem_free(t->m, t->id);
    *t = (token_ids){0};
}

tare_status token_ids_add(token_ids *t, int64_t id, tare_error *err)
{
    if (!mem_reserve(t->m, &t->id, &t->capacity, t->count + 1, sizeof *t->id))
        return error_memory(err);
    t->id[t->count++] = id;
    return TARE_OK;
}
