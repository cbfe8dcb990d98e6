/* tokens.c - a prompt, by whichever tokeniser, to its ids. Scorers 7. */
#include "scorer/token/tokens.h"

#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/text.h"
#include "scorer/token/clip_bpe.h"
#include "scorer/token/vocabulary_file.h"
#include "scorer/token/wordpiece.h"

struct tokenizer {
    mem m;
    tokenizer_kind kind; /* BY_FILE only without a file */
    bool loaded;
    clip_bpe bpe;        /* one of the two, once loaded */
    wordpiece pieces;
    char hash[SHA256_HEX];
};

/* Scorers 7 and 8.3. */
static const char known_text[] = "a photo";
static const int64_t clip_known[] = {49406, 320, 1125, 49407};
static const int64_t bert_known[] = {101, 1037, 6302, 102};
enum { KNOWN_IDS = 4 };

/* ---- Built in ------------------------------------------------------------ */

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Is the prompt "a photo", but for case and white space, as both tokenisers see it? */
static bool is_known(const char *prompt)
{
    const char *k = known_text;
    const char *p = prompt;
    while (is_space(*p)) p++;
    for (; *k != '\0'; k++) {
        if (*k == ' ') {
            if (!is_space(*p)) return false;
            while (is_space(*p)) p++;
        } else {
            if (*p != *k && !(*k >= 'a' && *p == *k - 'a' + 'A')) return false;
            p++;
        }
    }
    while (is_space(*p)) p++;
    return *p == '\0';
}

static tare_status needs_vocabulary(tokenizer_kind kind, const char *prompt, tare_error *err)
{
    char shown[80] = "";
    size_t n = utf8_valid_prefix(prompt, strnlen(prompt, sizeof shown - 1));
    memcpy(shown, prompt, n);
    if (kind == TOKENIZER_BY_FILE)
        return error_set(err, TARE_E_DATA, "prompt.vocabulary", shown,
                         "the tokeniser's own file is needed: tokenizer.json");
    if (kind == TOKENIZER_BERT)
        return error_set(err, TARE_E_DATA, "prompt.vocabulary", shown,
                         "only \"%s\" is known without a vocabulary; give BERT's "
                         "(bert-base-uncased on the Hugging Face hub): vocab.txt or "
                         "tokenizer.json, or the folder that holds it", known_text);
    return error_set(err, TARE_E_DATA, "prompt.vocabulary", shown,
                     "only \"%s\" is known without a vocabulary; give CLIP's: "
                     "bpe_simple_vocab_16e6.txt.gz (of openai/CLIP or tgxs002/HPSv2), "
                     "tokenizer.json, or vocab.json with merges.txt (openai/clip-vit-large-patch14 "
                     "on the Hugging Face hub), or the folder that holds it", known_text);
}

static tare_status run_known(token_list *out, arena *a, const tokenizer *t, const char *prompt,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    if (t->kind == TOKENIZER_BY_FILE || !is_known(prompt))
        TRY(needs_vocabulary(t->kind, prompt, err));
    TRY_NEW(out->id = arena_new(a, KNOWN_IDS, sizeof *out->id));
    memcpy(out->id, t->kind == TOKENIZER_BERT ? bert_known : clip_known, sizeof clip_known);
    out->count = KNOWN_IDS;
done:
    return status;
}

/* ---- From a vocabulary --------------------------------------------------- */

static tare_status run_loaded(token_list *out, arena *a, const tokenizer *t, const char *prompt,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    bool bert = t->kind == TOKENIZER_BERT;
    size_t length = strlen(prompt);
    token_ids ids = {.m = &t->m};
    TRY(token_ids_add(&ids, bert ? t->pieces.start : t->bpe.start, err));
    if (bert) TRY(wordpiece_run(&ids, &t->pieces, prompt, length, err));
    else TRY(clip_bpe_run(&ids, &t->bpe, prompt, length, err));
    TRY(token_ids_add(&ids, bert ? t->pieces.end : t->bpe.end, err));
    TRY_NEW(out->id = arena_new(a, ids.count, sizeof *out->id));
    memcpy(out->id, ids.id, ids.count * sizeof *out->id);
    out->count = ids.count;
done:
    token_ids_free(&ids);
    return status;
}

static const char *said_kind(const json_value *document)
{
    const json_value *type = json_member(json_member(document, "model"), "type");
    return type != NULL && type->kind == JSON_K_TEXT ? type->text : "";
}

static tare_status load_json(tokenizer *t, const json_value *document, const char *path,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    const char *said = said_kind(document);
    bool bert = strcmp(said, "WordPiece") == 0;
    if (!bert && strcmp(said, "BPE") != 0)
        FAIL(err, TARE_E_DATA, "vocabulary.kind", path, "model.type is \"%s\"; read are "
             "tokenizer.json files of the types \"BPE\" (CLIP) and \"WordPiece\" (BERT)",
             vocabulary_show(said, strlen(said)).text);
    if (t->kind != TOKENIZER_BY_FILE && bert != (t->kind == TOKENIZER_BERT))
        FAIL(err, TARE_E_DATA, "vocabulary.kind", path, "model.type is \"%s\", and %s vocabulary "
             "is wanted here", said, bert ? "CLIP's" : "BERT's");
    t->kind = bert ? TOKENIZER_BERT : TOKENIZER_CLIP;
    if (bert) TRY(wordpiece_from_json(&t->pieces, &t->m, document, path, err));
    else TRY(clip_bpe_from_json(&t->bpe, &t->m, document, path, err));
done:
    return status;
}

static tare_status load(tokenizer *t, const char *path, tare_error *err)
{
    tare_status status = TARE_OK;
    const json_limits limits = {8, (size_t)1 << 16, 4u << 20, false};
    vocabulary_file f = {0};
    json_value *document = NULL;
    arena a;
    arena_init(&a, &t->m);
    TRY(vocabulary_file_read(&f, &a, t->kind, path, err));
    if (f.form != VOCABULARY_LINES)
        TRY(json_parse(&document, &a, f.path, f.bytes, f.length, &limits, err));
    if (f.form == VOCABULARY_JSON) {
        TRY(load_json(t, document, f.path, err));
    } else if (t->kind == TOKENIZER_BERT) {
        TRY(wordpiece_from_lines(&t->pieces, &t->m, f.path, f.bytes, f.length, err));
    } else if (f.form == VOCABULARY_PAIR) {
        vocabulary_text merges = {f.more_path, f.more, f.more_length};
        TRY(clip_bpe_from_pair(&t->bpe, &t->m, document, f.path, &merges, err));
    } else {
        vocabulary_text merges = {f.path, f.bytes, f.length};
        TRY(clip_bpe_from_merges(&t->bpe, &t->m, &merges, err));
    }
    memcpy(t->hash, f.hash, sizeof t->hash);
    t->loaded = true;
done:
    vocabulary_file_free(&f);
    arena_free(&a);
    return status;
}

/* ---- The front ----------------------------------------------------------- */

static bool may_differ(const char *prompt)
{
    static const char *const special[] = {
        "<|startoftext|>", "<|endoftext|>", "<start_of_text>", "<end_of_text>",
        "[CLS]", "[SEP]", "[UNK]", "[PAD]", "[MASK]",
    };
    for (const char *p = prompt; *p != '\0'; p++) {
        unsigned char c = (unsigned char)*p;
        if (c == '&' || c >= 0x7F || (c < ' ' && !is_space(*p))) return true;
    }
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
        if (strstr(prompt, special[i]) != NULL) return true;
    return false;
}

tare_status tokenizer_run(token_list *out, arena *a, const tokenizer *t, const char *prompt,
                          size_t most, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t length = strlen(prompt);
    token_list list = {0};
    if (most < 2)
        FAIL(err, TARE_E_BUG, "prompt.most", "", "a prompt has at least its start and its end");
    if (length > TOKENS_PROMPT_MOST)
        FAIL(err, TARE_E_LIMIT, "prompt.long", "", "a prompt has %zu bytes; allowed: %d", length,
             (int)TOKENS_PROMPT_MOST);
    if (!utf8_valid(prompt, length))
        FAIL(err, TARE_E_DATA, "prompt.utf8", "", "the prompt is not UTF-8, from its byte %zu on",
             utf8_valid_prefix(prompt, length) + 1);
    if (t->loaded) TRY(run_loaded(&list, a, t, prompt, err));
    else TRY(run_known(&list, a, t, prompt, err));
    list.may_differ = may_differ(prompt);
    list.whole = list.count;
    if (list.count > most) {
        list.id[most - 1] = list.id[list.count - 1];
        list.count = most;
    }
    *out = list;
done:
    return status;
}

tare_status tokenizer_open(tokenizer **out, tare_context *context, tokenizer_kind kind,
                           const char *path, tare_error *err)
{
    return tokenizer_read(out, &context->mem, kind, path, err);
}

tare_status tokenizer_read(tokenizer **out, const mem *m, tokenizer_kind kind, const char *path,
                           tare_error *err)
{
    tare_status status = TARE_OK;
    tokenizer *t = NULL;
    *out = NULL;
    TRY_NEW(t = mem_new(m, 1, sizeof *t));
    t->m = *m;
    t->kind = kind;
    if (path != NULL) TRY(load(t, path, err));
    *out = t;
    t = NULL;
done:
    tokenizer_close(t);
    return status;
}

void tokenizer_close(tokenizer *t)
{
    if (t == NULL) return;
    mem m = t->m;
    clip_bpe_free(&t->bpe);
    wordpiece_free(&t->pieces);
    mem_free(&m, t);
}

const char *tokenizer_hash(const tokenizer *t)
{
    return t->hash;
}

size_t tokenizer_words(const tokenizer *t)
{
    if (!t->loaded) return 0;
    return t->kind == TOKENIZER_BERT ? t->pieces.words.words : t->bpe.words.words;
}
