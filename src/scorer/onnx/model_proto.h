/* model_proto.h - reads protobuf, field by field. Nothing is copied. */
#ifndef SCORER_ONNX_MODEL_PROTO_H
#define SCORER_ONNX_MODEL_PROTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct proto {
    const unsigned char *at, *end;
} proto;

typedef enum proto_wire {
    PROTO_VARINT = 0, PROTO_64 = 1, PROTO_BYTES = 2, PROTO_32 = 5
} proto_wire;

typedef struct proto_field {
    unsigned number;
    proto_wire wire;
    uint64_t value; /* of VARINT, 64 and 32 */
    proto bytes;    /* of BYTES             */
} proto_field;

typedef enum proto_step { PROTO_FIELD, PROTO_END, PROTO_DAMAGED } proto_step;

/* After PROTO_DAMAGED `at` is where the field begins that cannot be read. */
proto_step proto_next(proto_field *out, proto *p);
/* A number of at most ten bytes; false: there is none. */
bool proto_varint(uint64_t *out, proto *p);

static inline size_t proto_left(const proto *p)
{
    return (size_t)(p->end - p->at);
}

#endif
