#include "audit/photos/sound_words.h"

#include <ctype.h>
#include <string.h>

#include "audit/photos/photo_look.h"
#include "base/error.h"
#include "base/text.h"

static const char *const nouns[][2] = {
    {"images", "recordings"},        {"image", "recording"},     {"Images", "Recordings"},
    {"photographs", "recordings"},   {"photograph", "recording"}, {"Image", "Recording"},
    {"Photographs", "Recordings"},   {"Photograph", "Recording"},
};

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '/' || c == '-';
}

/* Does a name of a file go on here: "image.wav"? */
static bool goes_on(const char *after)
{
    return in_word(*after) || (*after == '.' && isalnum((unsigned char)after[1]));
}

/* The noun that begins here, as a word of its own; -1: none. */
static int noun_at(const char *text, size_t at)
{
    if (at > 0 && (in_word(text[at - 1]) || text[at - 1] == '.')) return -1;
    for (int k = 0; k < (int)(sizeof nouns / sizeof *nouns); k++) {
        size_t n = strlen(nouns[k][0]);
        if (!strncmp(text + at, nouns[k][0], n) && !goes_on(text + at + n)) return k;
    }
    return -1;
}

static bool has_article(const text *t)
{
    return t->length >= 3 && !memcmp(t->data + t->length - 3, "an ", 3) &&
           (t->length == 3 || !in_word(t->data[t->length - 4]));
}

/* "an image" is "a recording". */
static tare_status reword(const char **words, audit_result *r, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *from = *words;
    bool any = false;
    text t;
    text_init(&t, r->m);
    for (size_t i = 0; from && from[i]; i++) {
        int k = noun_at(from, i);
        if (k < 0) {
            text_add_char(&t, from[i]);
            continue;
        }
        if (!t.failed && nouns[k][0][0] == 'i' && has_article(&t)) t.data[--t.length - 1] = ' ';
        text_add(&t, nouns[k][1]);
        i += strlen(nouns[k][0]) - 1;
        any = true;
    }
    if (t.failed) FAIL_MEMORY(err);
    if (any) TRY_NEW(*words = arena_text(&r->a, t.data, t.length));
done:
    text_free(&t);
    return status;
}

static tare_status reword_figures(audit_result *r, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t i = 0; i < r->figure_count; i++) {
        TRY(reword(&r->figures[i]->title, r, err));
        TRY(reword(&r->figures[i]->caption, r, err));
        TRY(reword(&r->figures[i]->x_title, r, err));
        TRY(reword(&r->figures[i]->y_title, r, err));
    }
done:
    return status;
}

/* Values hold paths and names, which are nobody's words; counts do not. */
static tare_status reword_fact(result_fact *f, audit_result *r, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(reword(&f->key, r, err));
    if (f->value && isdigit((unsigned char)f->value[0])) TRY(reword(&f->value, r, err));
done:
    return status;
}

bool sound_plan(const photo_plan *plan)
{
    return plan->base_count > 0 && photo_look_is_sound(plan->bases[0].look);
}

tare_status sound_words(audit_result *r, bool recordings, tare_error *err)
{
    tare_status status = TARE_OK;
    if (!recordings) goto done;
    TRY(reword(&r->title, r, err));
    for (size_t i = 0; i < r->answer_count; i++) TRY(reword(&r->answer[i], r, err));
    for (size_t i = 0; i < r->caution_count; i++) TRY(reword(&r->cautions[i], r, err));
    for (size_t i = 0; i < r->fact_count; i++)
        TRY(reword_fact(&r->facts[i], r, err));
    for (size_t i = 0; i < r->check_count; i++) {
        TRY(reword(&r->checks[i].name, r, err));
        TRY(reword(&r->checks[i].why, r, err));
    }
    for (size_t i = 0; i < r->table_count; i++) TRY(reword(&r->tables[i]->title, r, err));
    for (size_t i = 0; i < r->reading_count; i++) TRY(reword(&r->readings[i].words, r, err));
    TRY(reword_figures(r, err));
done:
    return status;
}
