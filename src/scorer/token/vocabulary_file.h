/* vocabulary_file.h - which files a path means, their bytes and their hash. */
#ifndef SCORER_TOKEN_VOCABULARY_FILE_H
#define SCORER_TOKEN_VOCABULARY_FILE_H

#include "base/hash.h"
#include "base/mem.h"
#include "scorer/token/tokens.h"

typedef enum vocabulary_form {
    VOCABULARY_LINES, /* merges or symbols, one a line; inflated */
    VOCABULARY_PAIR,  /* vocab.json and, as `more`, merges.txt   */
    VOCABULARY_JSON   /* tokenizer.json                          */
} vocabulary_form;

typedef struct vocabulary_file {
    const mem *m;
    vocabulary_form form;
    const char *path, *more_path; /* in the arena; more: NULL if there is no second file */
    char *bytes, *more;
    size_t length, more_length;
    char hash[SHA256_HEX];        /* of the bytes as they are in the file or files */
} vocabulary_file;

enum { VOCABULARY_BYTES_MOST = 64 << 20 };

/* Errors: IO, LIMIT, DATA ("vocabulary.none": nothing in the folder; "vocabulary.kind";
 * "table.gzip"), MEMORY. */
tare_status vocabulary_file_read(vocabulary_file *out, arena *a, tokenizer_kind kind,
                                 const char *path, tare_error *err);
void vocabulary_file_free(vocabulary_file *f);

#endif
