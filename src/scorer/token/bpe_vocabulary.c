/* bpe_vocabulary.c - CLIP's vocabulary from the files in which it is published. */
#include <string.h>

#include "base/error.h"
#include "scorer/token/clip_bpe.h"

/* Scorers 7: 256 letters, 256 that end a word, the merges, start and end. */
enum { PUBLISHED_MERGES = 48894 };
static const char *const start_names[] = {"<|startoftext|>", "<start_of_text>"};
static const char *const end_names[] = {"<|endoftext|>", "<end_of_text>"};

/* One merge, as two symbols. */
typedef struct pair {
    const char *left, *right;
    size_t left_length, right_length;
    vocabulary_place place;
} pair;

/* "left right". */
static tare_status split_pair(pair *out, const char *line, size_t length, vocabulary_place place,
                              tare_error *err)
{
    const char *space = memchr(line, ' ', length);
    size_t left = space == NULL ? 0 : (size_t)(space - line);
    size_t right = space == NULL ? 0 : length - left - 1;
    if (left == 0 || right == 0 || memchr(space + 1, ' ', right) != NULL)
        return vocabulary_error(err, "vocabulary.merge", place, "a merge is two symbols with a "
                                "space between them; here is \"%s\"",
                                vocabulary_show(line, length).text);
    *out = (pair){line, space + 1, left, right, place};
    return TARE_OK;
}

static tare_status known_symbol(int32_t *id, const clip_bpe *b, const char *symbol, size_t length,
                                vocabulary_place place, tare_error *err)
{
    *id = vocabulary_find(&b->words, symbol, length);
    if (*id >= 0) return TARE_OK;
    return vocabulary_error(err, "vocabulary.merge", place, "the merge needs the symbol \"%s\", "
                            "which is not in the vocabulary",
                            vocabulary_show(symbol, length).text);
}

/* `grows`: what it makes is a new symbol, with the next id. */
static tare_status add_pair(clip_bpe *b, const pair *p, bool grows, tare_error *err)
{
    tare_status status = TARE_OK;
    char joined[2 * VOCABULARY_SYMBOL_MOST];
    int32_t left, right, merged;
    bool again;
    TRY(known_symbol(&left, b, p->left, p->left_length, p->place, err));
    TRY(known_symbol(&right, b, p->right, p->right_length, p->place, err));
    memcpy(joined, p->left, p->left_length);
    memcpy(joined + p->left_length, p->right, p->right_length);
    size_t length = p->left_length + p->right_length;
    if (grows) TRY(vocabulary_add(&b->words, joined, length, (int64_t)b->words.words, p->place,
                                  err));
    TRY(known_symbol(&merged, b, joined, length, p->place, err));
    TRY(clip_bpe_add_merge(b, &again, left, right, merged, err));
    if (again)
        TRY(vocabulary_error(err, "vocabulary.twice", p->place, "the merge of \"%s\" and \"%s\" is "
                             "there twice", vocabulary_show(p->left, p->left_length).text,
                             vocabulary_show(p->right, p->right_length).text));
done:
    return status;
}

/* Lines from the first, or from the second where the first is a heading, to an empty one at the end
 * or to `most` merges. */
static tare_status add_lines(clip_bpe *b, const vocabulary_text *t, bool grows, size_t most,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    const char *s = t->bytes, *end = t->bytes + t->length;
    for (size_t line = 1; s < end && b->merges < most; line++) {
        const char *newline = memchr(s, '\n', (size_t)(end - s));
        const char *stop = newline == NULL ? end : newline;
        size_t length = (size_t)(stop - s);
        vocabulary_place place = {t->file, line};
        bool heading = line == 1 && (grows || (length > 0 && *s == '#'));
        pair p;
        if (length > 0 && s[length - 1] == '\r') length--;
        if (!heading && !(length == 0 && stop + 1 >= end)) {
            TRY(split_pair(&p, s, length, place, err));
            TRY(add_pair(b, &p, grows, err));
        }
        s = newline == NULL ? end : newline + 1;
    }
    if (b->merges == 0)
        TRY(vocabulary_error(err, "vocabulary.size", (vocabulary_place){t->file, 0},
                             "there are no merges in this file"));
done:
    return status;
}

/* Letters by their place in the vocabulary. */
static tare_status find_letters(clip_bpe *b, const char *file, tare_error *err)
{
    tare_status status = TARE_OK;
    for (int byte = 0; byte < BPE_BYTES; byte++) {
        for (int last = 0; last < 2; last++) {
            char letter[BPE_LETTER_MAX];
            size_t n = clip_bpe_letter(letter, byte, last);
            int32_t id = vocabulary_find(&b->words, letter, n);
            if (id < 0)
                TRY(vocabulary_error(err, "vocabulary.size", (vocabulary_place){file, 0},
                                     "\"%s\", which stands for byte %d%s, is missing: this is not "
                                     "CLIP's vocabulary", vocabulary_show(letter, n).text, byte,
                                     last ? " at the end of a word" : ""));
            if (last) b->last_byte[byte] = id;
            else b->byte[byte] = id;
        }
    }
done:
    return status;
}

static tare_status find_special(int64_t *out, const clip_bpe *b, const char *const names[2],
                                const char *file, tare_error *err)
{
    for (int i = 0; i < 2; i++) {
        *out = vocabulary_find(&b->words, names[i], strlen(names[i]));
        if (*out >= 0) return TARE_OK;
    }
    return vocabulary_error(err, "vocabulary.kind", (vocabulary_place){file, 0},
                            "\"%s\" is missing: this is not CLIP's vocabulary", names[0]);
}

static tare_status find_all(clip_bpe *b, const char *file, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(find_letters(b, file, err));
    TRY(find_special(&b->start, b, start_names, file, err));
    TRY(find_special(&b->end, b, end_names, file, err));
    TRY(vocabulary_whole(&b->words, file, err));
done:
    return status;
}

tare_status clip_bpe_from_merges(clip_bpe *out, const mem *m, const vocabulary_text *merges,
                                 tare_error *err)
{
    tare_status status = TARE_OK;
    clip_bpe b = {.m = m};
    vocabulary_place place = {merges->file, 0};
    TRY(vocabulary_init(&b.words, m, err));
    for (int k = 0; k < 2 * BPE_BYTES; k++) {
        char letter[BPE_LETTER_MAX];
        size_t n = clip_bpe_letter(letter, clip_bpe_byte_at(k % BPE_BYTES), k >= BPE_BYTES);
        TRY(vocabulary_add(&b.words, letter, n, k, place, err));
    }
    TRY(add_lines(&b, merges, true, PUBLISHED_MERGES, err));
    TRY(vocabulary_add(&b.words, start_names[0], strlen(start_names[0]), (int64_t)b.words.words,
                       place, err));
    TRY(vocabulary_add(&b.words, end_names[0], strlen(end_names[0]), (int64_t)b.words.words, place,
                       err));
    TRY(find_all(&b, merges->file, err));
    *out = b;
    b = (clip_bpe){0};
done:
    clip_bpe_free(&b);
    return status;
}

tare_status clip_bpe_from_pair(clip_bpe *out, const mem *m, const json_value *vocab,
                               const char *vocab_file, const vocabulary_text *merges,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    clip_bpe b = {.m = m};
    TRY(vocabulary_init(&b.words, m, err));
    TRY(vocabulary_add_object(&b.words, vocab, vocab_file, err));
    TRY(find_all(&b, vocab_file, err));
    TRY(add_lines(&b, merges, false, VOCABULARY_WORDS_MOST, err));
    *out = b;
    b = (clip_bpe){0};
done:
    clip_bpe_free(&b);
    return status;
}

/* ---- tokenizer.json ------------------------------------------------------ */

/* Strings "left right", or pairs ["left", "right"]. */
static tare_status read_merge(pair *out, const json_value *v, const char *file, tare_error *err)
{
    vocabulary_place place = {file, v->line};
    if (v->kind == JSON_K_TEXT) return split_pair(out, v->text, v->length, place, err);
    if (v->kind == JSON_K_ARRAY && v->length == 2 && v->children[0].kind == JSON_K_TEXT &&
        v->children[1].kind == JSON_K_TEXT) {
        *out = (pair){v->children[0].text, v->children[1].text, v->children[0].length,
                      v->children[1].length, place};
        return TARE_OK;
    }
    return vocabulary_error(err, "vocabulary.merge", place,
                            "a merge is \"left right\" or [\"left\", \"right\"]");
}

static tare_status add_added(clip_bpe *b, const json_value *added, const char *file,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t i = 0; added != NULL && added->kind == JSON_K_ARRAY && i < added->length; i++) {
        const json_value *v = &added->children[i];
        const json_value *text = json_member(v, "content"), *id = json_member(v, "id");
        vocabulary_place place = {file, v->line};
        if (text == NULL || text->kind != JSON_K_TEXT || id == NULL || id->kind != JSON_K_NUMBER ||
            !id->number_is_integer)
            TRY(vocabulary_error(err, "vocabulary.id", place, "an added token needs \"content\", "
                                 "text, and \"id\", a whole number"));
        if (vocabulary_find(&b->words, text->text, text->length) == (int64_t)id->number) continue;
        TRY(vocabulary_add(&b->words, text->text, text->length, (int64_t)id->number, place, err));
    }
done:
    return status;
}

tare_status clip_bpe_from_json(clip_bpe *out, const mem *m, const json_value *document,
                               const char *file, tare_error *err)
{
    tare_status status = TARE_OK;
    clip_bpe b = {.m = m};
    const json_value *model = json_member(document, "model");
    const json_value *suffix = json_member(model, "end_of_word_suffix");
    const json_value *merges = json_member(model, "merges");
    vocabulary_place place = {file, model == NULL ? 0 : model->line};
    TRY(vocabulary_init(&b.words, m, err));
    if (suffix == NULL || suffix->kind != JSON_K_TEXT || strcmp(suffix->text, "</w>") != 0)
        TRY(vocabulary_error(err, "vocabulary.kind", place, "model.end_of_word_suffix is not "
                             "\"</w>\": this is another kind of BPE than CLIP's"));
    if (merges == NULL || merges->kind != JSON_K_ARRAY || merges->length == 0)
        TRY(vocabulary_error(err, "vocabulary.size", place, "model.merges is missing or empty"));
    TRY(vocabulary_add_object(&b.words, json_member(model, "vocab"), file, err));
    TRY(add_added(&b, json_member(document, "added_tokens"), file, err));
    TRY(find_all(&b, file, err));
    for (size_t i = 0; i < merges->length; i++) {
        pair p;
        TRY(read_merge(&p, &merges->children[i], file, err));
        TRY(add_pair(&b, &p, false, err));
    }
    *out = b;
    b = (clip_bpe){0};
done:
    clip_bpe_free(&b);
    return status;
}
