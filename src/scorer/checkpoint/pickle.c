#include "scorer/checkpoint/pickle.h"

#include <string.h>

#include "scorer/checkpoint/pickle_machine.h"

enum { STEPS_PER_BYTE = 4 };

tare_status pickle_take(const unsigned char **out, pickle_machine *k, uint64_t count)
{
    if (count > k->length - k->at && k->length == PICKLE_BYTES_MOST) {
        return error_set(k->err, TARE_E_LIMIT, "pickle.size", k->name,
                         "the pickle has more than %d MB: this is no file of weights",
                         PICKLE_BYTES_MOST >> 20);
    }
    if (count > k->length - k->at) {
        return error_set(k->err, TARE_E_DATA, "pickle.truncated", k->name,
                         "the pickle ends within the value that begins at byte %zu: the file is "
                         "not complete, fetch it again", k->opcode_at);
    }
    *out = k->bytes + k->at;
    k->at += (size_t)count;
    return TARE_OK;
}

tare_status pickle_take_number(uint64_t *out, pickle_machine *k, size_t bytes)
{
    tare_status status = TARE_OK;
    const unsigned char *at;
    TRY(pickle_take(&at, k, bytes));
    *out = 0;
    for (size_t i = bytes; i-- > 0;) *out = *out << 8 | at[i];
done:
    return status;
}

tare_status pickle_take_line(const char **out, size_t *length, pickle_machine *k)
{
    tare_status status = TARE_OK;
    const unsigned char *from = k->bytes + k->at;
    const unsigned char *end = memchr(from, '\n', k->length - k->at);
    size_t count = end == NULL ? k->length - k->at : (size_t)(end - from);
    TRY(pickle_take(&from, k, (uint64_t)count + 1));
    *out = (const char *)from;
    *length = count;
done:
    return status;
}

tare_status pickle_count_steps(pickle_machine *k, uint64_t count)
{
    k->steps += count;
    if (k->steps <= (uint64_t)STEPS_PER_BYTE * k->length) return TARE_OK;
    return error_set(k->err, TARE_E_LIMIT, "pickle.size", k->name,
                     "the pickle asks for more work than its %zu bytes allow, at byte %zu",
                     k->length, k->opcode_at);
}

tare_status pickle_node_new(pickle_node **out, pickle_machine *k, pickle_kind kind)
{
    tare_status status = TARE_OK;
    tare_error *err = k->err;
    pickle_node *n;
    if (k->nodes >= PICKLE_NODES_MOST) {
        FAIL(err, TARE_E_LIMIT, "pickle.size", k->name,
             "the pickle holds more than %d values: this is no file of weights",
             PICKLE_NODES_MOST);
    }
    TRY_NEW(n = arena_new(k->a, 1, sizeof *n));
    n->kind = (uint8_t)kind;
    n->offset = (uint32_t)k->opcode_at;
    k->nodes++;
    *out = n;
done:
    return status;
}

tare_status pickle_push(pickle_machine *k, pickle_node *n)
{
    if (!mem_reserve(k->m, &k->stack, &k->stack_room, k->height + 1, sizeof *k->stack))
        return error_memory(k->err);
    k->stack[k->height++] = n;
    return TARE_OK;
}

tare_status pickle_need(pickle_machine *k, size_t count)
{
    size_t floor = k->marks == 0 ? 0 : k->mark[k->marks - 1];
    if (k->height - floor >= count) return TARE_OK;
    return error_set(k->err, TARE_E_DATA, "pickle.stack", k->name,
                     "the opcode 0x%02x at byte %zu of the pickle needs %zu values and there are "
                     "%zu: the file is damaged", k->bytes[k->opcode_at], k->opcode_at, count,
                     k->height - floor);
}

tare_status pickle_to_mark(size_t *from, pickle_machine *k)
{
    if (k->marks == 0) {
        return error_set(k->err, TARE_E_DATA, "pickle.stack", k->name,
                         "the opcode 0x%02x at byte %zu of the pickle needs a mark and there is "
                         "none: the file is damaged", k->bytes[k->opcode_at], k->opcode_at);
    }
    *from = k->mark[--k->marks];
    return pickle_count_steps(k, k->height - *from);
}

tare_status pickle_add_items(pickle_machine *k, pickle_node *n, pickle_node **item, size_t count)
{
    tare_status status = TARE_OK;
    tare_error *err = k->err;
    if (count > n->room - n->count) {
        /* Both are below the steps of a pickle of 64 MB, so the sum fits. */
        uint32_t room = n->count + (uint32_t)count;
        if (room < 2 * n->room) room = 2 * n->room;
        pickle_node **grown;
        TRY_NEW(grown = arena_raw(k->a, room, sizeof *grown));
        if (n->count > 0) memcpy(grown, n->item, n->count * sizeof *grown);
        n->item = grown;
        n->room = room;
    }
    if (count > 0) memcpy(n->item + n->count, item, count * sizeof *item);
    n->count += (uint32_t)count;
done:
    return status;
}

/* Values that never change are made once. */
static tare_status make_constants(pickle_machine *k)
{
    tare_status status = TARE_OK;
    TRY(pickle_node_new(&k->none, k, PICKLE_NONE));
    TRY(pickle_node_new(&k->empty_tuple, k, PICKLE_TUPLE));
    for (int i = 0; i < 2; i++) {
        TRY(pickle_node_new(&k->truth[i], k, PICKLE_BOOL));
        k->truth[i]->integer = i;
    }
done:
    return status;
}

tare_status pickle_read(pickle *out, arena *a, const char *name, const unsigned char *bytes,
                        size_t length, tare_error *err)
{
    tare_status status = TARE_OK;
    pickle_machine k = {.a = a, .m = a->m, .name = name, .bytes = bytes, .err = err};
    k.length = length < PICKLE_BYTES_MOST ? length : PICKLE_BYTES_MOST;
    *out = (pickle){0};
    TRY(make_constants(&k));
    while (!k.stopped) TRY(pickle_step(&k));
    *out = (pickle){k.stack[k.height - 1], k.persistent, k.at, k.nodes};
done:
    mem_free(k.m, k.stack);
    mem_free(k.m, k.mark);
    pickle_memo_free(&k.memo, k.m);
    return status;
}

static bool bytes_are(const char *bytes, size_t length, const char *text)
{
    return strlen(text) == length && memcmp(bytes, text, length) == 0;
}

bool pickle_is_global(const pickle_node *n, const char *module, const char *name)
{
    return n->kind == PICKLE_GLOBAL && bytes_are(n->bytes, n->count, module)
        && bytes_are(n->name, n->room, name);
}

bool pickle_is_text(const pickle_node *n, const char *text)
{
    return n->kind == PICKLE_TEXT && bytes_are(n->bytes, n->count, text);
}

bool pickle_is_call(const pickle_node *n, const char *module, const char *name)
{
    return n->kind == PICKLE_CALL && pickle_is_global(n->item[0], module, name);
}
