/* pickle.h - a pickle as an inert tree. Scorers 4.2.
 *
 * Nothing is called, imported or built: a call is a node that holds what would be called and with
 * what. Nodes may be shared and may hold themselves, as the objects of the pickle may; who walks
 * the tree counts visits. Text and bytes lie in the pickle and are not checked. */
#ifndef SCORER_CHECKPOINT_PICKLE_H
#define SCORER_CHECKPOINT_PICKLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "tare.h"

enum { PICKLE_BYTES_MOST = 64 << 20, PICKLE_NODES_MOST = 1 << 23 };

typedef enum pickle_kind {
    PICKLE_NONE, PICKLE_BOOL, PICKLE_INT, PICKLE_LONG, PICKLE_FLOAT, PICKLE_TEXT, PICKLE_BYTES,
    PICKLE_TUPLE, PICKLE_LIST, PICKLE_DICT, PICKLE_GLOBAL, PICKLE_PERSISTENT, PICKLE_CALL
} pickle_kind;

/* What was given to a call's result afterwards. */
typedef enum pickle_entries { PICKLE_NO_ENTRIES, PICKLE_ITEMS, PICKLE_PAIRS } pickle_entries;

/* Small, for a hostile pickle makes one of every byte. */
typedef struct pickle_node {
    uint8_t kind, entries;
    uint32_t offset; /* of the opcode that made it */
    uint32_t count;  /* of items; bytes of a text, bytes, long or a global's module */
    uint32_t room;   /* for items; bytes of a global's name */
    union {
        int64_t integer;           /* int, bool */
        double number;             /* float */
        const char *bytes;         /* text, bytes, long (little-endian two's complement), module */
        struct pickle_node **item; /* tuple, list; dict: key, value, key, value, ...
                                      call: function, arguments, then its entries */
        struct pickle_node *next;  /* persistent: the one before it in the pickle */
    };
    union {
        const char *name;          /* global */
        struct pickle_node *state; /* list, dict, call: of BUILD, or NULL */
        struct pickle_node *id;    /* persistent */
    };
} pickle_node;

typedef struct pickle {
    pickle_node *root;
    pickle_node *persistent; /* the last of the pickle's persistent nodes; chained by `next` */
    size_t used;             /* bytes up to and with STOP */
    size_t nodes;
} pickle;

/* Reads one pickle from the first of `length` bytes, which outlive the tree. `name`: of the file
 * and the pickle in it, for errors. Protocols 1 to 5 as torch writes them; text of protocol 0 is
 * not read. Errors: DATA ("pickle.truncated", "pickle.protocol", "pickle.opcode", "pickle.stack",
 * "pickle.memo", "pickle.type", "pickle.number"), all with the byte; LIMIT ("pickle.size");
 * MEMORY. */
tare_status pickle_read(pickle *out, arena *a, const char *name, const unsigned char *bytes,
                        size_t length, tare_error *err);

bool pickle_is_global(const pickle_node *n, const char *module, const char *name);
bool pickle_is_text(const pickle_node *n, const char *text);
/* A call of a global; entries may follow. */
bool pickle_is_call(const pickle_node *n, const char *module, const char *name);

#endif
