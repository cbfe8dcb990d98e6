/* roster_parts.h - what the readers of the three formats share. Private to the room. */
#ifndef JUDGE_ROSTER_PARTS_H
#define JUDGE_ROSTER_PARTS_H

#include "base/error.h"
#include "base/hash.h"
#include "judge/roster.h"

enum {
    ROSTER_BYTES_MAX = 4 << 20,
    ROSTER_MODELS_MAX = 10000,
    ROSTER_GROUPINGS_MAX = 100 /* every model has a place for every grouping */
};

typedef struct roster_bytes {
    const char *name, *bytes;
    size_t length;
} roster_bytes;

/* Values of one model in one grouping, until all groupings are known. */
typedef struct roster_pending {
    size_t model, grouping;
    roster_values values;
} roster_pending;

/* A roster that grows. Results live in the arena, what is needed on the way in its allocator. */
typedef struct roster_maker {
    roster *out;
    arena *a;
    const char *name;
    roster_model *models;
    size_t count, capacity;
    map *names;               /* ids and aliases */
    size_t *owner;            /* [map_count(names)] model */
    size_t owner_capacity;
    map *groupings;           /* 0 is "family" */
    roster_pending *pending;
    size_t pending_count, pending_capacity;
} roster_maker;

tare_status roster_maker_begin(roster_maker *k, roster *out, arena *a, const char *name,
                               tare_error *err);
void roster_maker_end(roster_maker *k);
/* One more model; what follows is about it. `id` and all other texts live in the arena. */
tare_status roster_add_model(roster_maker *k, const char *id, size_t line, const json_value *source,
                             tare_error *err);
tare_status roster_add_aliases(roster_maker *k, const char **alias, size_t count, tare_error *err);
tare_status roster_add_values(roster_maker *k, const char *grouping, const roster_values *values,
                              tare_error *err);
tare_status roster_make(roster_maker *k, tare_error *err);

/* "file:line" */
#define ROSTER_WHERE_MAX 320
void roster_where(char out[ROSTER_WHERE_MAX], const char *name, size_t line);
/* A text of the file as it may stand in a message; "?" if memory is out. */
const char *roster_shown(arena *a, const char *string);
#define ROSTER_FAIL(name, line, code, ...)                \
    do {                                                  \
        char where_[ROSTER_WHERE_MAX];                    \
        roster_where(where_, (name), (line));             \
        FAIL(err, TARE_E_DATA, (code), where_, __VA_ARGS__); \
    } while (0)

/* Is this the name of a key that would hold a secret itself? */
bool roster_key_is_secret(const char *key);

tare_status roster_read_tree(roster_maker *k, const json_value *top, tare_error *err);
tare_status roster_read_csv(roster_maker *k, const roster_bytes *in, tare_error *err);

#endif
