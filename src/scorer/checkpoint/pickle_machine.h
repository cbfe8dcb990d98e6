/* pickle_machine.h - the stack machine that reads a pickle; of pickle*.c only. */
#ifndef SCORER_CHECKPOINT_PICKLE_MACHINE_H
#define SCORER_CHECKPOINT_PICKLE_MACHINE_H

#include "base/error.h"
#include "scorer/checkpoint/pickle.h"
#include "scorer/checkpoint/pickle_memo.h"

typedef struct pickle_machine {
    arena *a;
    const mem *m;
    const char *name;
    const unsigned char *bytes;
    size_t length, at;
    size_t opcode_at;        /* where the present opcode stands */
    pickle_node **stack;
    size_t height, stack_room;
    size_t *mark;            /* heights at which marks stand */
    size_t marks, mark_room;
    pickle_memo memo;
    pickle_node *none, *empty_tuple, *truth[2]; /* made once: they never change */
    pickle_node *persistent;
    size_t nodes;
    uint64_t steps;
    bool stopped;
    tare_error *err;
} pickle_machine;

/* One opcode. */
tare_status pickle_step(pickle_machine *k);
/* The groups of opcodes; false: `opcode` is none of them. *status is set in any case. */
bool pickle_push_value(pickle_machine *k, int opcode, tare_status *status);
bool pickle_push_text(pickle_machine *k, int opcode, tare_status *status);
bool pickle_collect(pickle_machine *k, int opcode, tare_status *status);
bool pickle_construct(pickle_machine *k, int opcode, tare_status *status);

/* `count` bytes at the present place, which moves on. */
tare_status pickle_take(const unsigned char **out, pickle_machine *k, uint64_t count);
tare_status pickle_take_number(uint64_t *out, pickle_machine *k, size_t bytes);
/* Up to a line feed, which is skipped. */
tare_status pickle_take_line(const char **out, size_t *length, pickle_machine *k);

tare_status pickle_node_new(pickle_node **out, pickle_machine *k, pickle_kind kind);
tare_status pickle_push(pickle_machine *k, pickle_node *n);
/* There are `count` values above the last mark. */
tare_status pickle_need(pickle_machine *k, size_t count);
/* Takes the last mark away: its values are stack[*from .. height). */
tare_status pickle_to_mark(size_t *from, pickle_machine *k);
tare_status pickle_add_items(pickle_machine *k, pickle_node *n, pickle_node **item, size_t count);
tare_status pickle_count_steps(pickle_machine *k, uint64_t count);

#endif
