/* The opcodes that scorers 4.2 lists, and no other. What a value is made of is data: functions are
 * never called, classes never looked up. */
#include "base/text.h"

#include "scorer/checkpoint/pickle_machine.h"

static tare_status push_mark(pickle_machine *k)
{
    if (!mem_reserve(k->m, &k->mark, &k->mark_room, k->marks + 1, sizeof *k->mark))
        return error_memory(k->err);
    k->mark[k->marks++] = k->height;
    return TARE_OK;
}

/* The value on top, or the mark if none is above it. */
static tare_status pop(pickle_machine *k)
{
    tare_status status = TARE_OK;
    if (k->marks > 0 && k->mark[k->marks - 1] == k->height) {
        k->marks--;
        return TARE_OK;
    }
    TRY(pickle_need(k, 1));
    k->height--;
done:
    return status;
}

static tare_status memo_put(pickle_machine *k, uint64_t number)
{
    tare_status status = TARE_OK;
    TRY(pickle_need(k, 1));
    if (number > UINT32_MAX) {
        FAIL(k->err, TARE_E_DATA, "pickle.memo", k->name,
             "the memo number at byte %zu of the pickle does not fit 32 bits", k->opcode_at);
    }
    if (k->memo.count >= PICKLE_NODES_MOST) {
        FAIL(k->err, TARE_E_LIMIT, "pickle.size", k->name,
             "the pickle remembers more than %d values: this is no file of weights",
             PICKLE_NODES_MOST);
    }
    if (!pickle_memo_put(&k->memo, k->m, (uint32_t)number, k->stack[k->height - 1]))
        status = error_memory(k->err);
done:
    return status;
}

static tare_status memo_get(pickle_machine *k, uint64_t number)
{
    pickle_node *n = number > UINT32_MAX ? NULL : pickle_memo_get(&k->memo, (uint32_t)number);
    if (n != NULL) return pickle_push(k, n);
    return error_set(k->err, TARE_E_DATA, "pickle.memo", k->name,
                     "byte %zu of the pickle asks for memo %llu, which was never put there",
                     k->opcode_at, (unsigned long long)number);
}

static tare_status line_number(uint64_t *out, pickle_machine *k)
{
    tare_status status = TARE_OK;
    const char *line;
    size_t length;
    int64_t number;
    TRY(pickle_take_line(&line, &length, k));
    if (!integer_parse(line, length, &number) || number < 0) {
        FAIL(k->err, TARE_E_DATA, "pickle.number", k->name,
             "byte %zu of the pickle is not followed by a number", k->opcode_at);
    }
    *out = (uint64_t)number;
done:
    return status;
}

/* The memo in all widths. */
static bool use_memo(pickle_machine *k, int opcode, tare_status *out)
{
    tare_status status = TARE_OK;
    uint64_t number = 0;
    switch (opcode) {
    case 'g':
    case 'p': TRY(line_number(&number, k)); break;
    case 'h':
    case 'q': TRY(pickle_take_number(&number, k, 1)); break;
    case 'j':
    case 'r': TRY(pickle_take_number(&number, k, 4)); break;
    case 0x94: number = k->memo.count; break; /* MEMOIZE */
    default: return false;
    }
    if (opcode == 'g' || opcode == 'h' || opcode == 'j') status = memo_get(k, number);
    else status = memo_put(k, number);
done:
    *out = status;
    return true;
}

/* What says something about the pickle or the stack and makes no value. */
static bool control(pickle_machine *k, int opcode, tare_status *out)
{
    tare_status status = TARE_OK;
    uint64_t number;
    const unsigned char *frame;
    switch (opcode) {
    case 0x80: /* PROTO */
        TRY(pickle_take_number(&number, k, 1));
        if (number > 5) {
            FAIL(k->err, TARE_E_DATA, "pickle.protocol", k->name,
                 "the pickle has protocol %llu; tare knows those up to 5",
                 (unsigned long long)number);
        }
        break;
    case 0x95: { /* FRAME: must lie inside, and is no more than a hint */
        TRY(pickle_take_number(&number, k, 8));
        size_t at = k->at;
        TRY(pickle_take(&frame, k, number));
        k->at = at;
        break;
    }
    case '(': status = push_mark(k); break;
    case '0': status = pop(k); break;
    case '.': /* STOP */
        TRY(pickle_need(k, 1));
        k->stopped = true;
        break;
    default: return false;
    }
done:
    *out = status;
    return true;
}

tare_status pickle_step(pickle_machine *k)
{
    tare_status status = TARE_OK;
    const unsigned char *opcode;
    k->opcode_at = k->at;
    TRY(pickle_take(&opcode, k, 1));
    TRY(pickle_count_steps(k, 1));
    if (pickle_push_text(k, *opcode, &status) || use_memo(k, *opcode, &status)
        || pickle_push_value(k, *opcode, &status) || pickle_collect(k, *opcode, &status)
        || pickle_construct(k, *opcode, &status) || control(k, *opcode, &status))
        return status;
    FAIL(k->err, TARE_E_DATA, "pickle.opcode", k->name,
         "the opcode 0x%02x at byte %zu of the pickle is none that weights need, and tare runs "
         "no code of a file. Save the weights again, as a state dict or as safetensors", *opcode,
         k->opcode_at);
done:
    return status;
}
