/* tokens.c - a prompt, by whichever tokeniser, to its ids. Scorers 7. */
#include "scorer/token/tokens.h"

#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"

struct tokenizer {
    mem m;
    tokenizer_kind kind;
    size_t words;
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
    if (kind == TOKENIZER_BERT)
        return error_set(err, TARE_E_DATA, "prompt.vocabulary", shown,
                         "only \"%s\" is known without a vocabulary; give BERT's (bert-base-uncased "
                         "on the Hugging Face hub): vocab.txt or tokenizer.json, or the folder "
                         "that holds it", known_text);
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
    if (!is_known(prompt)) TRY(needs_vocabulary(t->kind, prompt, err));
    TRY_NEW(out->id = arena_new(a, KNOWN_IDS, sizeof *out->id));
    memcpy(out->id, t->kind == TOKENIZER_BERT ? bert_known : clip_known, sizeof clip_known);
    out->count = KNOWN_IDS;
done:
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
    TRY(run_known(&list, a, t, prompt, err));
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
    tare_status status = TARE_OK;
    const mem *m = &context->mem;
    tokenizer *t = NULL;
    *out = NULL;
    TRY_NEW(t = mem_new(m, 1, sizeof *t));
    t->m = *m;
    t->kind = kind;
    if (path != NULL)
        FAIL(err, TARE_E_DATA, "vocabulary.kind", path, "vocabularies are not read yet");
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
    mem_free(&m, t);
}

const char *tokenizer_hash(const tokenizer *t)
{
    return t->hash;
}

size_t tokenizer_words(const tokenizer *t)
{
    return t->words;
}
