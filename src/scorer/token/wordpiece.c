/* wordpiece.c - a text cleaned, split at white space, punctuation and ideographs, and each word cut
 * into the longest symbols there are. */
#include "scorer/token/wordpiece.h"

#include <string.h>

#include "base/error.h"
#include "scorer/token/code_points.h"

enum { WORD_MOST = 100, WORD_LIMIT = 1000 };
static const char inside[] = "##"; /* before a symbol that does not begin a word */
enum { INSIDE = 2 };

void wordpiece_free(wordpiece *w)
{
    if (w->m == NULL) return;
    vocabulary_free(&w->words);
    *w = (wordpiece){0};
}

/* ---- From files ---------------------------------------------------------- */

static tare_status find_special(int64_t *out, const wordpiece *w, const char *name,
                                const char *file, tare_error *err)
{
    *out = vocabulary_find(&w->words, name, strlen(name));
    if (*out >= 0) return TARE_OK;
    return vocabulary_error(err, "vocabulary.kind", (vocabulary_place){file, 0},
                            "\"%s\" is missing: this is not BERT's vocabulary", name);
}

static tare_status find_all(wordpiece *w, const char *unknown, const char *file, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(find_special(&w->start, w, "[CLS]", file, err));
    TRY(find_special(&w->end, w, "[SEP]", file, err));
    TRY(find_special(&w->unknown, w, unknown, file, err));
    TRY(vocabulary_whole(&w->words, file, err));
done:
    return status;
}

tare_status wordpiece_from_lines(wordpiece *out, const mem *m, const char *file, const char *bytes,
                                 size_t length, tare_error *err)
{
    tare_status status = TARE_OK;
    wordpiece w = {.m = m, .word_most = WORD_MOST};
    const char *s = bytes, *end = bytes + length;
    TRY(vocabulary_init(&w.words, m, err));
    for (size_t line = 1; s < end; line++) {
        const char *newline = memchr(s, '\n', (size_t)(end - s));
        size_t n = (size_t)((newline == NULL ? end : newline) - s);
        if (n > 0 && s[n - 1] == '\r') n--;
        TRY(vocabulary_add(&w.words, s, n, (int64_t)line - 1, (vocabulary_place){file, line}, err));
        s = newline == NULL ? end : newline + 1;
    }
    TRY(find_all(&w, "[UNK]", file, err));
    *out = w;
    w = (wordpiece){0};
done:
    wordpiece_free(&w);
    return status;
}

/* What the file says beside the vocabulary, so far as it can differ among BERT's relatives. */
static tare_status read_ways(wordpiece *w, const json_value *document, const char *file,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    const json_value *model = json_member(document, "model");
    const json_value *prefix = json_member(model, "continuing_subword_prefix");
    const json_value *most = json_member(model, "max_input_chars_per_word");
    const json_value *normal = json_member(document, "normalizer");
    const json_value *type = json_member(normal, "type");
    const json_value *lower = json_member(normal, "lowercase");
    vocabulary_place place = {file, model->line};
    if (prefix == NULL || prefix->kind != JSON_K_TEXT || strcmp(prefix->text, inside) != 0)
        TRY(vocabulary_error(err, "vocabulary.kind", place, "model.continuing_subword_prefix is "
                             "not \"##\": this is no tokeniser of BERT's kind"));
    if (type == NULL || type->kind != JSON_K_TEXT || strcmp(type->text, "BertNormalizer") != 0)
        TRY(vocabulary_error(err, "vocabulary.kind", (vocabulary_place){file, normal == NULL ? 0 :
                             normal->line}, "the normalizer is not a BertNormalizer: this is no "
                             "tokeniser of BERT's kind"));
    w->keep_case = lower != NULL && lower->kind == JSON_K_BOOL && !lower->boolean;
    if (most != NULL) {
        if (most->kind != JSON_K_NUMBER || !(most->number >= 1 && most->number <= WORD_LIMIT))
            TRY(vocabulary_error(err, "vocabulary.kind", (vocabulary_place){file, most->line},
                                 "model.max_input_chars_per_word must be from 1 to %d",
                                 (int)WORD_LIMIT));
        w->word_most = (size_t)most->number;
    }
done:
    return status;
}

tare_status wordpiece_from_json(wordpiece *out, const mem *m, const json_value *document,
                                const char *file, tare_error *err)
{
    tare_status status = TARE_OK;
    wordpiece w = {.m = m, .word_most = WORD_MOST};
    const json_value *model = json_member(document, "model");
    const json_value *unknown = json_member(model, "unk_token");
    TRY(vocabulary_init(&w.words, m, err));
    TRY(read_ways(&w, document, file, err));
    TRY(vocabulary_add_object(&w.words, json_member(model, "vocab"), file, err));
    TRY(find_all(&w, unknown != NULL && unknown->kind == JSON_K_TEXT ? unknown->text : "[UNK]",
                 file, err));
    *out = w;
    w = (wordpiece){0};
done:
    wordpiece_free(&w);
    return status;
}

/* ---- Cleaning ------------------------------------------------------------ */

/* Controls go, white space becomes a blank, ideographs stand alone. */
static bool clean(code_points *out, const code_points *in)
{
    bool good = true;
    out->count = 0;
    for (size_t i = 0; good && i < in->count; i++) {
        int32_t p = in->at[i];
        bool white = p == '\t' || p == '\n' || p == '\r' || code_point_is_space(p);
        if (p == 0 || p == 0xFFFD) continue;
        if (code_point_is_other(p) && p != '\t' && p != '\n' && p != '\r') continue;
        if (code_point_is_ideograph(p))
            good = code_points_add(out, ' ') && code_points_add(out, p) &&
                   code_points_add(out, ' ');
        else good = code_points_add(out, white ? ' ' : p);
    }
    return good;
}

/* Decomposed, without marks, in lower case. */
static bool fold(code_points *c, code_points *scratch)
{
    size_t kept = 0;
    if (!code_points_decompose(scratch, c)) return false;
    for (size_t i = 0; i < scratch->count; i++)
        if (!code_point_is_mark(scratch->at[i])) scratch->at[kept++] = scratch->at[i];
    scratch->count = kept;
    return code_points_lower(c, scratch);
}

/* ---- Cutting ------------------------------------------------------------- */

typedef struct cutter {
    const wordpiece *w;
    char *bytes;         /* of one word, with room for the prefix before each place */
    size_t *start;       /* of each of its points, in bytes                         */
    int32_t *found;      /* ids so far                                              */
} cutter;

/* The longest symbol at byte `from`; *to: its end. The bytes before `from` are overwritten by the
 * prefix for the time of the look and put back. */
static int32_t longest(const cutter *k, size_t from, size_t last, size_t *to)
{
    int32_t id = -1;
    char *s = k->bytes + INSIDE + k->start[from];
    char saved[INSIDE];
    if (from > 0) {
        s -= INSIDE;
        memcpy(saved, s, INSIDE);
        memcpy(s, inside, INSIDE);
    }
    for (*to = last; id < 0 && *to > from;) {
        size_t end = INSIDE + k->start[*to];
        id = vocabulary_find(&k->w->words, s, (size_t)(k->bytes + end - s));
        if (id < 0) --*to;
    }
    if (from > 0) memcpy(s, saved, INSIDE);
    return id;
}

static tare_status cut_word(token_ids *out, const cutter *k, const int32_t *point, size_t n,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    size_t bytes = 0, found = 0;
    if (n > k->w->word_most) {
        TRY(token_ids_add(out, k->w->unknown, err));
        goto done;
    }
    for (size_t i = 0; i < n; i++) {
        k->start[i] = bytes;
        bytes += code_point_bytes((unsigned char *)k->bytes + INSIDE + bytes, point[i]);
    }
    k->start[n] = bytes;
    for (size_t from = 0, to; from < n; from = to) {
        k->found[found] = longest(k, from, n, &to);
        if (k->found[found++] < 0) { /* one part unknown: the whole word is */
            TRY(token_ids_add(out, k->w->unknown, err));
            goto done;
        }
    }
    for (size_t i = 0; i < found; i++) TRY(token_ids_add(out, k->found[i], err));
done:
    return status;
}

tare_status wordpiece_run(token_ids *out, const wordpiece *w, const char *text, size_t length,
                          tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = w->m;
    cutter k = {.w = w};
    code_points raw, c;
    code_points_init(&raw, m);
    code_points_init(&c, m);
    TRY_NEW(k.bytes = mem_new(m, INSIDE + 4 * w->word_most + 4, 1));
    TRY_NEW(k.start = mem_new(m, w->word_most + 1, sizeof *k.start));
    TRY_NEW(k.found = mem_new(m, w->word_most + 1, sizeof *k.found));
    if (!code_points_read(&raw, text, length) || !clean(&c, &raw)) FAIL_MEMORY(err);
    if (!w->keep_case && !fold(&c, &raw)) FAIL_MEMORY(err);
    for (size_t i = 0, n; i < c.count; i += n) {
        n = 1;
        if (code_point_is_space(c.at[i])) continue;
        if (!code_point_is_punctuation(c.at[i]))
            while (i + n < c.count && !code_point_is_space(c.at[i + n]) &&
                   !code_point_is_punctuation(c.at[i + n]))
                n++;
        TRY(cut_word(out, &k, c.at + i, n, err));
    }
done:
    mem_free(m, k.bytes);
    mem_free(m, k.start);
    mem_free(m, k.found);
    code_points_free(&raw);
    code_points_free(&c);
    return status;
}
