/* exec_protocol.h - the lines of an external scorer, written and read (scorers 1.5). No I/O. */
#ifndef SCORER_EXEC_PROTOCOL_H
#define SCORER_EXEC_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/text.h"
#include "scorer/scorer.h"

#define EXEC_TEXT_MAX 256 /* bytes of a name, version or fingerprint */

typedef enum exec_prompt { EXEC_PROMPT_NONE, EXEC_PROMPT_OPTIONAL, EXEC_PROMPT_REQUIRED }
    exec_prompt;

typedef struct exec_hello {
    char name[EXEC_TEXT_MAX], version[EXEC_TEXT_MAX], fingerprint[EXEC_TEXT_MAX]; /* "": none */
    exec_prompt prompt;
    size_t max_batch;          /* 0: not said       */
    int width, height;         /* 0: not said       */
    bool lower_is_better;
    bool paths;                /* "image":"path": PNG files instead of base64 text (ours) */
} exec_hello;

extern const char exec_hello_request[];

typedef struct exec_bytes { const char *at; size_t length; } exec_bytes;

/* Errors: INSTRUMENT (not a reply to hello), MEMORY. */
tare_status exec_hello_read(exec_hello *out, const mem *m, exec_bytes line, tare_error *err);
const char *exec_prompt_name(exec_prompt use);

/* What an item is sent as. */
typedef struct exec_wire_item {
    const char *key;
    const unsigned char *png; /* base64 is made of it; NULL: path is sent */
    size_t png_length;
    const char *path;
    const char *prompt;       /* NULL: none */
} exec_wire_item;
typedef struct exec_request {
    uint64_t id;
    const exec_wire_item *items;
    size_t count;
} exec_request;
/* Appends the request line, with its end. */
void exec_request_write(text *out, const exec_request *request);

typedef enum exec_reply {
    EXEC_REPLY_SCORES, /* every result is set                                          */
    EXEC_REPLY_STALE,  /* belongs to an earlier request: read on                       */
    EXEC_REPLY_BAD,    /* no reply to this request; `why` says what is wrong           */
    EXEC_REPLY_MEMORY
} exec_reply;
#define EXEC_WHY_MAX 120
exec_reply exec_reply_read(scorer_result *results, char why[EXEC_WHY_MAX], const mem *m,
                           const exec_request *request, exec_bytes line);

#endif
