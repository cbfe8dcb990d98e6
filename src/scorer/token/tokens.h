/* tokens.h - prompts to token ids: CLIP's BPE and BERT's WordPiece. Scorers 7.
 *
 * Vocabularies are the user's files; the ids of "a photo" are built in for both, so that a neutral
 * prompt needs none. */
#ifndef SCORER_TOKEN_TOKENS_H
#define SCORER_TOKEN_TOKENS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/context.h"
#include "tare.h"

/* TOKENIZER_BY_FILE: a tokenizer.json, which says itself which of the two it is. */
typedef enum tokenizer_kind { TOKENIZER_CLIP, TOKENIZER_BERT, TOKENIZER_BY_FILE } tokenizer_kind;

enum { TOKENS_PROMPT_MOST = 64 << 10 }; /* bytes of one prompt */

typedef struct tokenizer tokenizer;

/* What a prompt became. */
typedef struct token_list {
    int64_t *id;          /* with start and end, cut to the limit, not padded            */
    size_t count;
    size_t whole;         /* ids before cutting; > count: the prompt was cut             */
    bool may_differ;      /* it holds '&', control characters, text outside ASCII or the name
                             of a special token ("<|endoftext|>", "[SEP]", which are plain text
                             here): other implementations of the tokeniser may give other ids */
} token_list;

/* `path`: a file (bpe_simple_vocab_16e6.txt.gz, tokenizer.json, vocab.txt) or a folder that holds
 * one, or vocab.json with merges.txt; NULL: only what is built in. Errors: IO, DATA ("vocabulary.*"
 * with file and line: another kind, an id twice, a merge of unknown symbols, wrong size), LIMIT,
 * MEMORY. */
tare_status tokenizer_open(tokenizer **out, tare_context *context, tokenizer_kind kind,
                           const char *path, tare_error *err);
/* The same for those who have no context. */
tare_status tokenizer_read(tokenizer **out, const mem *m, tokenizer_kind kind, const char *path,
                           tare_error *err);
void tokenizer_close(tokenizer *t); /* NULL ok */
/* Thread-safe. `most` ids in all (77, 35; at least 2): a longer prompt is cut, its last id stays
 * the end. Case and white space around "a photo" do not matter: it is built in as the tokenisers
 * see it. Errors: DATA ("prompt.vocabulary": this prompt needs the vocabulary: which files to give,
 * where they come from; "prompt.utf8"), LIMIT ("prompt.long": more than TOKENS_PROMPT_MOST bytes),
 * MEMORY. Ids in the arena. */
tare_status tokenizer_run(token_list *out, arena *a, const tokenizer *t, const char *prompt,
                          size_t most, tare_error *err);
/* SHA-256 of the vocabulary's bytes; "" if only the built-in ids are there. */
const char *tokenizer_hash(const tokenizer *t);
/* Ids are less than this: at most the rows of the model's token embedding (49408, 30522 or 30524),
 * else it is another model's vocabulary; whoever has the weights checks it. 0: built-in ids
 * only. */
size_t tokenizer_words(const tokenizer *t);

#endif
