/* wordpiece.h - BERT's tokeniser. Scorers 7. */
#ifndef SCORER_TOKEN_WORDPIECE_H
#define SCORER_TOKEN_WORDPIECE_H

#include "scorer/token/vocabulary.h"

typedef struct wordpiece {
    const mem *m;
    vocabulary words;
    int64_t start, end, unknown; /* [CLS], [SEP], [UNK]                    */
    bool keep_case;              /* of a cased model's tokenizer.json      */
    size_t word_most;            /* longer words are unknown: 100          */
} wordpiece;

/* A wordpiece of zeros may be freed. */
void wordpiece_free(wordpiece *w);
/* vocab.txt: one symbol a line, ids from 0. */
tare_status wordpiece_from_lines(wordpiece *out, const mem *m, const char *file, const char *bytes,
                                 size_t length, tare_error *err);
/* tokenizer.json, whole. */
tare_status wordpiece_from_json(wordpiece *out, const mem *m, const json_value *document,
                                const char *file, tare_error *err);
/* The ids of a text that is valid UTF-8, without start and end. Errors: MEMORY. */
tare_status wordpiece_run(token_ids *out, const wordpiece *w, const char *text, size_t length,
                          tare_error *err);

#endif
