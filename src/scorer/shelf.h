/* shelf.h - opened things that back ends of one run share, by key; counted. */
#ifndef SCORER_SHELF_H
#define SCORER_SHELF_H

#include "scorer/scorer.h"

/* What is shelved under the key, taken once more; NULL: nothing. */
void *shelf_take(scorer_shelf *s, const char *key);
/* The same by the object itself, which is shelved. */
void shelf_take_again(scorer_shelf *s, const void *object);
/* Shelve an object, taken once. Errors: MEMORY (and it is still the caller's). */
tare_status shelf_put(scorer_shelf *s, const char *key, void *object, void (*close)(void *object),
                      tare_error *err);
/* As often as it was taken: the last time closes it. */
void shelf_give_back(scorer_shelf *s, void *object);

#endif
