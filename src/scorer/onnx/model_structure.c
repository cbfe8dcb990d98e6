#include "scorer/onnx/model_structure.h"

#include "scorer/onnx/model_proto.h"

/* Numbers of fields (scorers 4.3): model to graph to initialiser to place. */
enum { MODEL_GRAPH = 7, GRAPH_INITIALISER = 5, TENSOR_PLACE = 13 };
enum { IN_MODEL, IN_GRAPH, IN_INITIALISER };

static void add_number(sha256 *h, uint64_t x)
{
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(x >> 8 * i);
    sha256_add(h, bytes, sizeof bytes);
}

/* What is looked into is framed by its number and a 0, which numbers no field. */
static bool add_fields(sha256 *h, proto p, int level)
{
    proto_field f;
    proto_step step;
    while ((step = proto_next(&f, &p)) == PROTO_FIELD) {
        if (level == IN_INITIALISER && f.number == TENSOR_PLACE) continue;
        add_number(h, f.number);
        bool inside = f.wire == PROTO_BYTES
                      && ((level == IN_MODEL && f.number == MODEL_GRAPH)
                          || (level == IN_GRAPH && f.number == GRAPH_INITIALISER));
        if (inside) {
            if (!add_fields(h, f.bytes, level + 1)) return false;
            add_number(h, 0);
        } else if (f.wire == PROTO_BYTES) {
            add_number(h, proto_left(&f.bytes));
            sha256_add(h, f.bytes.at, proto_left(&f.bytes));
        } else {
            add_number(h, f.value);
        }
    }
    return step == PROTO_END;
}

bool model_structure_hash(char out[SHA256_HEX], const void *bytes, size_t length)
{
    sha256 h;
    unsigned char digest[SHA256_BYTES];
    proto whole = {bytes, (const unsigned char *)bytes + length};
    sha256_init(&h);
    bool good = add_fields(&h, whole, IN_MODEL);
    sha256_done(&h, digest);
    sha256_hex(digest, out);
    return good;
}
