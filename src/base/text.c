#include "base/text.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void text_init(text *t, const mem *m)
{
    *t = (text){m, NULL, 0, 0, false};
}

void text_free(text *t)
{
    if (t == NULL || t->m == NULL) return;
    mem_free(t->m, t->data);
    text_init(t, t->m);
}

void text_clear(text *t)
{
    t->length = 0;
    t->failed = false;
    if (t->data != NULL) t->data[0] = '\0';
}

/* Room for `count` bytes more and the NUL. */
static bool text_room(text *t, size_t count)
{
    if (t->failed) return false;
    if (count >= SIZE_MAX - t->length
        || !mem_reserve(t->m, &t->data, &t->capacity, t->length + count + 1, 1)) {
        t->failed = true;
    }
    return !t->failed;
}

void text_add_bytes(text *t, const void *bytes, size_t count)
{
    if (!text_room(t, count)) return;
    if (count > 0) memcpy(t->data + t->length, bytes, count);
    t->length += count;
    t->data[t->length] = '\0';
}

void text_add(text *t, const char *string)
{
    text_add_bytes(t, string, strlen(string));
}

void text_add_char(text *t, char c)
{
    if (!text_room(t, 1)) return;
    t->data[t->length++] = c;
    t->data[t->length] = '\0';
}

void text_add_format(text *t, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int wanted = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (wanted < 0) {
        t->failed = true;
    } else if (text_room(t, (size_t)wanted)) {
        vsnprintf(t->data + t->length, (size_t)wanted + 1, format, again);
        t->length += (size_t)wanted;
    }
    va_end(again);
}

void text_add_number(text *t, double value)
{
    assert(isfinite(value));
    char digits[NUMBER_TEXT_MAX];
    text_add_bytes(t, digits, number_format(value, digits));
}

char *text_take(text *t)
{
    if (!t->failed && t->data == NULL) text_add_bytes(t, "", 0);
    char *data = t->data;
    if (t->failed) {
        mem_free(t->m, data);
        data = NULL;
    }
    text_init(t, t->m);
    return data;
}
