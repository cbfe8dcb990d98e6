#include "scorer/onnx/model_proto.h"

enum { VARINT_BYTES = 10, FIELD_NUMBER_MOST = (1 << 29) - 1 };

bool proto_varint(uint64_t *out, proto *p)
{
    uint64_t value = 0;
    const unsigned char *at = p->at;
    for (int i = 0; i < VARINT_BYTES && at < p->end; i++) {
        unsigned char byte = *at++;
        if (i == VARINT_BYTES - 1 && byte > 1) return false;
        value |= (uint64_t)(byte & 0x7F) << (7 * i);
        if (byte < 0x80) {
            p->at = at;
            *out = value;
            return true;
        }
    }
    return false;
}

/* Little endian. */
static bool fixed(uint64_t *out, proto *p, size_t bytes)
{
    if (proto_left(p) < bytes) return false;
    *out = 0;
    for (size_t i = 0; i < bytes; i++) *out |= (uint64_t)p->at[i] << (8 * i);
    p->at += bytes;
    return true;
}

static bool read_field(proto_field *out, proto *p)
{
    uint64_t key, length;
    if (!proto_varint(&key, p) || key >> 3 == 0 || key >> 3 > FIELD_NUMBER_MOST) return false;
    *out = (proto_field){(unsigned)(key >> 3), (proto_wire)(key & 7), 0, {NULL, NULL}};
    switch (out->wire) {
    case PROTO_VARINT: return proto_varint(&out->value, p);
    case PROTO_64: return fixed(&out->value, p, 8);
    case PROTO_32: return fixed(&out->value, p, 4);
    case PROTO_BYTES:
        if (!proto_varint(&length, p) || length > proto_left(p)) return false;
        out->bytes = (proto){p->at, p->at + length};
        p->at += length;
        return true;
    }
    return false; /* groups: no writer of ONNX makes them */
}

proto_step proto_next(proto_field *out, proto *p)
{
    const unsigned char *begin = p->at;
    if (p->at == p->end) return PROTO_END;
    if (read_field(out, p)) return PROTO_FIELD;
    p->at = begin;
    return PROTO_DAMAGED;
}
