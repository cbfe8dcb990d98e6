/* clip_bpe.h - CLIP's byte pair encoding. Scorers 7. */
#ifndef SCORER_TOKEN_CLIP_BPE_H
#define SCORER_TOKEN_CLIP_BPE_H

#include "scorer/token/vocabulary.h"

enum { BPE_BYTES = 256 };

/* Two symbols that become one. Lower ranks first. */
typedef struct bpe_merge {
    int32_t left, right, merged, rank; /* merged < 0: a free place of the table */
} bpe_merge;

typedef struct clip_bpe {
    const mem *m;
    vocabulary words;
    int32_t byte[BPE_BYTES], last_byte[BPE_BYTES]; /* last: of a word, with </w> */
    int64_t start, end;
    bpe_merge *table;
    size_t places, merges;
} clip_bpe;

/* A clip_bpe of zeros may be freed. */
void clip_bpe_free(clip_bpe *b);
/* The letter that stands for a byte in vocabularies, with "</w>" behind it for the last byte of a
 * word. Returns its length. */
enum { BPE_LETTER_MAX = 8 };
size_t clip_bpe_letter(char out[BPE_LETTER_MAX], int byte, bool last);
/* The k-th byte in the order in which vocabularies list them. */
int clip_bpe_byte_at(int k);
/* The next rank. *again: these two have one already. Errors: MEMORY. */
tare_status clip_bpe_add_merge(clip_bpe *b, bool *again, int32_t left, int32_t right,
                               int32_t merged, tare_error *err);
/* The ids of a text that is valid UTF-8, without start and end. Takes n log n steps.
 * Errors: MEMORY. */
tare_status clip_bpe_run(token_ids *out, const clip_bpe *b, const char *text, size_t length,
                         tare_error *err);

/* ---- From files (bpe_vocabulary.c) --------------------------------------- */

typedef struct vocabulary_text {
    const char *file, *bytes;
    size_t length;
} vocabulary_text;

/* bpe_simple_vocab_16e6.txt: ids follow from the order; lines behind the 48,895th are not used. */
tare_status clip_bpe_from_merges(clip_bpe *out, const mem *m, const vocabulary_text *merges,
                                 tare_error *err);
/* vocab.json with merges.txt. */
tare_status clip_bpe_from_pair(clip_bpe *out, const mem *m, const json_value *vocab,
                               const char *vocab_file, const vocabulary_text *merges,
                               tare_error *err);
/* tokenizer.json, whole. */
tare_status clip_bpe_from_json(clip_bpe *out, const mem *m, const json_value *document,
                               const char *file, tare_error *err);

#endif
