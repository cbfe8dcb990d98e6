/* Opcodes that push one value: text, bytes, numbers, None, booleans. */
#include <string.h>

#include "base/text.h"
#include "scorer/checkpoint/pickle_machine.h"

/* Text and bytes stay where they are. */
static tare_status push_bytes(pickle_machine *k, pickle_kind kind, size_t width)
{
    tare_status status = TARE_OK;
    uint64_t length;
    const unsigned char *bytes;
    pickle_node *n;
    TRY(pickle_take_number(&length, k, width));
    TRY(pickle_take(&bytes, k, length));
    TRY(pickle_node_new(&n, k, kind));
    n->bytes = (const char *)bytes;
    n->count = (uint32_t)length;
    TRY(pickle_push(k, n));
done:
    return status;
}

bool pickle_push_text(pickle_machine *k, int opcode, tare_status *status)
{
    switch (opcode) {
    case 'X': *status = push_bytes(k, PICKLE_TEXT, 4); return true;  /* BINUNICODE        */
    case 0x8c: *status = push_bytes(k, PICKLE_TEXT, 1); return true; /* SHORT_BINUNICODE  */
    case 0x8d: *status = push_bytes(k, PICKLE_TEXT, 8); return true; /* BINUNICODE8       */
    case 'U': *status = push_bytes(k, PICKLE_TEXT, 1); return true;  /* SHORT_BINSTRING   */
    case 'T': *status = push_bytes(k, PICKLE_TEXT, 4); return true;  /* BINSTRING         */
    case 'C': *status = push_bytes(k, PICKLE_BYTES, 1); return true; /* SHORT_BINBYTES    */
    case 'B': *status = push_bytes(k, PICKLE_BYTES, 4); return true; /* BINBYTES          */
    case 0x8e: *status = push_bytes(k, PICKLE_BYTES, 8); return true; /* BINBYTES8        */
    default: return false;
    }
}

static tare_status push_integer(pickle_machine *k, int64_t value)
{
    tare_status status = TARE_OK;
    pickle_node *n;
    TRY(pickle_node_new(&n, k, PICKLE_INT));
    n->integer = value;
    TRY(pickle_push(k, n));
done:
    return status;
}

static tare_status push_float(pickle_machine *k, double value)
{
    tare_status status = TARE_OK;
    pickle_node *n;
    TRY(pickle_node_new(&n, k, PICKLE_FLOAT));
    n->number = value;
    TRY(pickle_push(k, n));
done:
    return status;
}

static int64_t signed_of(uint64_t bits, size_t bytes)
{
    if (bytes == 0) return 0;
    uint64_t sign = (uint64_t)1 << (8 * bytes - 1);
    int64_t value;
    if (bytes < 8 && (bits & sign) != 0) bits |= ~(2 * sign - 1);
    memcpy(&value, &bits, sizeof value);
    return value;
}

static tare_status push_binary_integer(pickle_machine *k, size_t width)
{
    tare_status status = TARE_OK;
    uint64_t bits;
    TRY(pickle_take_number(&bits, k, width));
    TRY(push_integer(k, width == 4 ? signed_of(bits, 4) : (int64_t)bits));
done:
    return status;
}

/* What does not fit 64 bits stays a row of bytes. */
static tare_status push_long(pickle_machine *k)
{
    tare_status status = TARE_OK;
    uint64_t length, bits;
    const unsigned char *bytes;
    pickle_node *n;
    TRY(pickle_take_number(&length, k, 1));
    if (length <= 8) {
        TRY(pickle_take_number(&bits, k, (size_t)length));
        TRY(push_integer(k, signed_of(bits, (size_t)length)));
    } else {
        TRY(pickle_take(&bytes, k, length));
        TRY(pickle_node_new(&n, k, PICKLE_LONG));
        n->bytes = (const char *)bytes;
        n->count = (uint32_t)length;
        TRY(pickle_push(k, n));
    }
done:
    return status;
}

static tare_status push_binary_float(pickle_machine *k)
{
    tare_status status = TARE_OK;
    const unsigned char *bytes;
    uint64_t bits = 0;
    double value;
    TRY(pickle_take(&bytes, k, 8));
    for (size_t i = 0; i < 8; i++) bits = bits << 8 | bytes[i]; /* big-endian, alone among all */
    memcpy(&value, &bits, sizeof value);
    TRY(push_float(k, value));
done:
    return status;
}

/* INT and FLOAT of protocol 1; I00 and I01 are its booleans. */
static tare_status push_line(pickle_machine *k, int opcode)
{
    tare_status status = TARE_OK;
    const char *line;
    size_t length;
    int64_t integer;
    double number;
    TRY(pickle_take_line(&line, &length, k));
    if (opcode == 'I' && length == 2 && line[0] == '0' && (line[1] == '0' || line[1] == '1'))
        TRY(pickle_push(k, k->truth[line[1] - '0']));
    else if (opcode == 'I' && integer_parse(line, length, &integer))
        TRY(push_integer(k, integer));
    else if (opcode == 'F' && number_parse(line, length, &number))
        TRY(push_float(k, number));
    else
        FAIL(k->err, TARE_E_DATA, "pickle.number", k->name,
             "byte %zu of the pickle is not followed by a number of 64 bits", k->opcode_at);
done:
    return status;
}

bool pickle_push_value(pickle_machine *k, int opcode, tare_status *status)
{
    switch (opcode) {
    case 'N': *status = pickle_push(k, k->none); return true;
    case 0x88: *status = pickle_push(k, k->truth[1]); return true;
    case 0x89: *status = pickle_push(k, k->truth[0]); return true;
    case 'J': *status = push_binary_integer(k, 4); return true;
    case 'K': *status = push_binary_integer(k, 1); return true;
    case 'M': *status = push_binary_integer(k, 2); return true;
    case 0x8a: *status = push_long(k); return true;
    case 'G': *status = push_binary_float(k); return true;
    case 'I':
    case 'F': *status = push_line(k, opcode); return true;
    default: return false;
    }
}
