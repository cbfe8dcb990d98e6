/* Opcodes that make values of values: tuples, lists, dicts, globals, calls and their state. */
#include "scorer/checkpoint/pickle_machine.h"

static tare_status wrong_type(pickle_machine *k, const char *what)
{
    return error_set(k->err, TARE_E_DATA, "pickle.type", k->name,
                     "the opcode 0x%02x at byte %zu of the pickle is used on a value that is %s: "
                     "the file is damaged", k->bytes[k->opcode_at], k->opcode_at, what);
}

/* The values from stack[from] on become one node in their place. */
static tare_status gather(pickle_machine *k, pickle_kind kind, size_t from)
{
    tare_status status = TARE_OK;
    pickle_node *n;
    if (kind == PICKLE_DICT && (k->height - from) % 2 != 0)
        TRY(wrong_type(k, "a key without a value"));
    TRY(pickle_node_new(&n, k, kind));
    TRY(pickle_add_items(k, n, k->stack + from, k->height - from));
    k->height = from;
    TRY(pickle_push(k, n));
done:
    return status;
}

static tare_status gather_last(pickle_machine *k, size_t count)
{
    tare_status status = TARE_OK;
    TRY(pickle_need(k, count));
    TRY(gather(k, PICKLE_TUPLE, k->height - count));
done:
    return status;
}

static tare_status gather_marked(pickle_machine *k, pickle_kind kind)
{
    tare_status status = TARE_OK;
    size_t from;
    TRY(pickle_to_mark(&from, k));
    TRY(gather(k, kind, from));
done:
    return status;
}

static tare_status push_empty(pickle_machine *k, pickle_kind kind)
{
    tare_status status = TARE_OK;
    pickle_node *n;
    TRY(pickle_node_new(&n, k, kind));
    TRY(pickle_push(k, n));
done:
    return status;
}

/* APPEND, APPENDS, SETITEM, SETITEMS: values from stack[from] on go into the one before. */
static tare_status put_into(pickle_machine *k, size_t from, pickle_entries entries)
{
    tare_status status = TARE_OK;
    pickle_node *n = k->stack[from - 1];
    size_t count = k->height - from;
    if (entries == PICKLE_PAIRS && count % 2 != 0) TRY(wrong_type(k, "a key without a value"));
    if (n->kind == PICKLE_CALL) {
        if (n->entries != PICKLE_NO_ENTRIES && n->entries != entries)
            TRY(wrong_type(k, "list and dict at once"));
        n->entries = (uint8_t)entries;
    } else if (n->kind != (entries == PICKLE_PAIRS ? PICKLE_DICT : PICKLE_LIST)) {
        TRY(wrong_type(k, entries == PICKLE_PAIRS ? "no dict" : "no list"));
    }
    TRY(pickle_add_items(k, n, k->stack + from, count));
    k->height = from;
done:
    return status;
}

static tare_status put_last(pickle_machine *k, size_t count, pickle_entries entries)
{
    tare_status status = TARE_OK;
    TRY(pickle_need(k, count + 1));
    TRY(put_into(k, k->height - count, entries));
done:
    return status;
}

static tare_status put_marked(pickle_machine *k, pickle_entries entries)
{
    tare_status status = TARE_OK;
    size_t from, height = k->height;
    TRY(pickle_to_mark(&from, k));
    k->height = from; /* what they go into stands below the mark */
    TRY(pickle_need(k, 1));
    k->height = height;
    TRY(put_into(k, from, entries));
done:
    return status;
}

bool pickle_collect(pickle_machine *k, int opcode, tare_status *status)
{
    switch (opcode) {
    case ')': *status = pickle_push(k, k->empty_tuple); return true;
    case ']': *status = push_empty(k, PICKLE_LIST); return true;
    case '}': *status = push_empty(k, PICKLE_DICT); return true;
    case 't': *status = gather_marked(k, PICKLE_TUPLE); return true;
    case 'l': *status = gather_marked(k, PICKLE_LIST); return true;
    case 'd': *status = gather_marked(k, PICKLE_DICT); return true;
    case 0x85:
    case 0x86:
    case 0x87: *status = gather_last(k, (size_t)(opcode - 0x84)); return true; /* TUPLE1..3 */
    case 'a': *status = put_last(k, 1, PICKLE_ITEMS); return true;
    case 'e': *status = put_marked(k, PICKLE_ITEMS); return true;
    case 's': *status = put_last(k, 2, PICKLE_PAIRS); return true;
    case 'u': *status = put_marked(k, PICKLE_PAIRS); return true;
    default: return false;
    }
}

static tare_status push_global(pickle_machine *k)
{
    tare_status status = TARE_OK;
    const char *module, *name;
    size_t module_length, name_length;
    pickle_node *n;
    TRY(pickle_take_line(&module, &module_length, k));
    TRY(pickle_take_line(&name, &name_length, k));
    TRY(pickle_node_new(&n, k, PICKLE_GLOBAL));
    n->bytes = module;
    n->count = (uint32_t)module_length;
    n->name = name;
    n->room = (uint32_t)name_length;
    TRY(pickle_push(k, n));
done:
    return status;
}

static tare_status stack_global(pickle_machine *k)
{
    tare_status status = TARE_OK;
    pickle_node *n;
    TRY(pickle_need(k, 2));
    const pickle_node *module = k->stack[k->height - 2], *name = k->stack[k->height - 1];
    if (module->kind != PICKLE_TEXT || name->kind != PICKLE_TEXT)
        TRY(wrong_type(k, "no text"));
    TRY(pickle_node_new(&n, k, PICKLE_GLOBAL));
    n->bytes = module->bytes;
    n->count = module->count;
    n->name = name->bytes;
    n->room = name->count;
    k->height -= 2;
    TRY(pickle_push(k, n));
done:
    return status;
}

/* REDUCE and NEWOBJ: what would be called, and with what. */
static tare_status call(pickle_machine *k)
{
    tare_status status = TARE_OK;
    TRY(pickle_need(k, 2));
    if (k->stack[k->height - 1]->kind != PICKLE_TUPLE) TRY(wrong_type(k, "no tuple"));
    TRY(gather(k, PICKLE_CALL, k->height - 2));
done:
    return status;
}

static tare_status build(pickle_machine *k)
{
    tare_status status = TARE_OK;
    TRY(pickle_need(k, 2));
    pickle_node *n = k->stack[k->height - 2];
    if (n->kind != PICKLE_CALL && n->kind != PICKLE_LIST && n->kind != PICKLE_DICT)
        TRY(wrong_type(k, "no object"));
    n->state = k->stack[--k->height];
done:
    return status;
}

static tare_status persistent(pickle_machine *k)
{
    tare_status status = TARE_OK;
    pickle_node *n;
    TRY(pickle_need(k, 1));
    TRY(pickle_node_new(&n, k, PICKLE_PERSISTENT));
    n->id = k->stack[k->height - 1];
    n->next = k->persistent;
    k->persistent = n;
    k->stack[k->height - 1] = n;
done:
    return status;
}

bool pickle_construct(pickle_machine *k, int opcode, tare_status *status)
{
    switch (opcode) {
    case 'c': *status = push_global(k); return true;
    case 0x93: *status = stack_global(k); return true;
    case 'R':
    case 0x81: *status = call(k); return true;
    case 'b': *status = build(k); return true;
    case 'Q': *status = persistent(k); return true;
    default: return false;
    }
}
