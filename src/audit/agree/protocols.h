/* protocols.h - the named protocols of caption judging (judge audits C.3): which rows, which gold
 * and which statistic a published number rests on. Numbers of two protocols do not compare. */
#ifndef AUDIT_AGREE_PROTOCOLS_H
#define AUDIT_AGREE_PROTOCOLS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum gold_kind {
    GOLD_ANY,      /* one row per unit; the gold column, or the mean of the raters      */
    GOLD_EACH,     /* one row per unit and rater; the single rating                     */
    GOLD_EXACT,    /* one row per unit with exactly `ratings` ratings; their sum        */
    GOLD_SINGLE,   /* one row per unit; a single rating, no mean                        */
    GOLD_PAIR      /* two candidates and a label: accuracy                              */
} gold_kind;

typedef struct protocol {
    const char *name;
    gold_kind gold;
    bool tau_b, tau_c;         /* headline; with both, tau_b leads                      */
    size_t ratings;            /* per unit; 0: any                                      */
    double least, most;        /* range of a rating or of the gold; NaN: any            */
    bool whole;                /* ratings are whole numbers                             */
    size_t rows;               /* of the published data; 0: any                         */
    size_t distinct;           /* gold values of the published data; 0: any             */
    const char *rows_words, *gold_words, *source;
    const char *caution;       /* what the scores cannot show, or NULL                  */
} protocol;

const protocol *protocol_find(const char *name); /* NULL: none of that name */
bool protocol_is_custom(const protocol *p);

/* "flickr8k-expert-rows|...": the choices of --protocol. */
#define PROTOCOL_CHOICES                                                                           \
    "custom|flickr8k-expert-rows|flickr8k-expert-mean|flickr8k-cf|composite|polaris|nebula|"       \
    "pascal50s"

#endif
