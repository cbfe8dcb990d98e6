/* vocabulary.h - the symbols of a tokeniser and their ids. */
#ifndef SCORER_TOKEN_VOCABULARY_H
#define SCORER_TOKEN_VOCABULARY_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/json.h"
#include "base/mem.h"
#include "tare.h"

enum { VOCABULARY_WORDS_MOST = 1 << 20, VOCABULARY_SYMBOL_MOST = 1 << 10 };

typedef struct vocabulary {
    const mem *m;
    map *symbols;
    int32_t *id;      /* by the symbol's index                     */
    int32_t *owner;   /* by id: the symbol's index plus 1; 0: free */
    size_t id_room, owner_room;
    size_t words;     /* the largest id plus 1                     */
} vocabulary;

/* Errors: MEMORY. vocabulary_free is good after a failure, too. */
tare_status vocabulary_init(vocabulary *v, const mem *m, tare_error *err);
void vocabulary_free(vocabulary *v);
/* Errors: DATA ("vocabulary.twice": the symbol or the id is there; "vocabulary.symbol": empty or
 * too long; "vocabulary.id": out of range), at FILE:LINE; MEMORY. */
typedef struct vocabulary_place {
    const char *file;
    size_t line;
} vocabulary_place;
tare_status vocabulary_add(vocabulary *v, const char *symbol, size_t length, int64_t id,
                           vocabulary_place place, tare_error *err);
/* All members of a JSON object {"symbol": id}. Errors: as vocabulary_add, and DATA where it is no
 * such object. */
tare_status vocabulary_add_object(vocabulary *v, const json_value *object, const char *file,
                                  tare_error *err);
/* Errors: DATA ("vocabulary.size"): some id below the largest belongs to no symbol. */
tare_status vocabulary_whole(const vocabulary *v, const char *file, tare_error *err);
int32_t vocabulary_find(const vocabulary *v, const char *symbol, size_t length); /* -1: absent */

/* An error at a line of a file. */
tare_status vocabulary_error(tare_error *err, const char *code, vocabulary_place place,
                             const char *format, ...) __attribute__((format(printf, 4, 5)));
/* A symbol for messages. */
typedef struct vocabulary_shown {
    char text[64];
} vocabulary_shown;
vocabulary_shown vocabulary_show(const char *symbol, size_t length);

/* What a text becomes: a growing list. */
typedef struct token_ids {
    const mem *m;
    int64_t *id;
    size_t count, capacity;
} token_ids;
void token_ids_free(token_ids *t);
tare_status token_ids_add(token_ids *t, int64_t id, tare_error *err);

#endif
