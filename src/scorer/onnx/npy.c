/* npy.c - a small strict reader of NumPy's .npy: magic, version, length of the header, a literal of
 * Python with three keys, the values. */
#include "scorer/onnx/npy.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/os.h"

enum { HEADER_MOST = 65536, MAGIC = 6 };

/* The literal, and what it said. */
typedef struct npy_header {
    const char *at, *end;
    bool has_type, has_order, has_shape, fortran;
    char type[8];
    size_t rank;
    uint64_t count; /* product of the dimensions */
} npy_header;

static void skip_blanks(npy_header *h)
{
    while (h->at < h->end && (*h->at == ' ' || *h->at == '\n' || *h->at == '\t')) h->at++;
}

static bool take(npy_header *h, char c)
{
    skip_blanks(h);
    if (h->at == h->end || *h->at != c) return false;
    h->at++;
    return true;
}

static bool take_word(npy_header *h, const char *word)
{
    size_t n = strlen(word);
    skip_blanks(h);
    if ((size_t)(h->end - h->at) < n || memcmp(h->at, word, n) != 0) return false;
    h->at += n;
    return true;
}

/* A text in quotes of either kind, without escapes. */
static bool take_text(npy_header *h, const char **text, size_t *length)
{
    char quote = '\'';
    if (!take(h, quote)) {
        quote = '"';
        if (!take(h, quote)) return false;
    }
    *text = h->at;
    while (h->at < h->end && *h->at != quote && *h->at != '\\') h->at++;
    *length = (size_t)(h->at - *text);
    return take(h, quote);
}

static bool take_shape(npy_header *h)
{
    bool comma = true;
    if (!take(h, '(')) return false;
    h->count = 1;
    while (!take(h, ')')) {
        uint64_t n = 0;
        size_t digits = 0;
        if (!comma) return false;
        skip_blanks(h);
        for (; h->at < h->end && *h->at >= '0' && *h->at <= '9'; h->at++, digits++)
            if (__builtin_mul_overflow(n, (uint64_t)10, &n) ||
                __builtin_add_overflow(n, (uint64_t)(*h->at - '0'), &n))
                return false;
        if (digits == 0 || __builtin_mul_overflow(h->count, n, &h->count)) return false;
        h->rank++;
        comma = take(h, ',');
    }
    return true;
}

static bool take_pair(npy_header *h)
{
    const char *key, *value;
    size_t n, m;
    if (!take_text(h, &key, &n) || !take(h, ':')) return false;
    if (n == 5 && !memcmp(key, "descr", n) && !h->has_type) {
        h->has_type = take_text(h, &value, &m) && m < sizeof h->type;
        if (h->has_type) memcpy(h->type, value, m);
        return h->has_type;
    }
    if (n == 13 && !memcmp(key, "fortran_order", n) && !h->has_order) {
        h->fortran = take_word(h, "True");
        h->has_order = h->fortran || take_word(h, "False");
        return h->has_order;
    }
    if (n == 5 && !memcmp(key, "shape", n) && !h->has_shape) return h->has_shape = take_shape(h);
    return false;
}

static bool read_header(npy_header *h)
{
    if (!take(h, '{')) return false;
    while (!take(h, '}')) {
        if (!take_pair(h)) return false;
        if (!take(h, ',')) {
            if (!take(h, '}')) return false;
            break;
        }
    }
    skip_blanks(h);
    return h->at == h->end && h->has_type && h->has_order && h->has_shape;
}

/* Where the values begin; the header in h. */
static tare_status open_header(size_t *start, npy_header *h, const char *name, const char *bytes,
                               size_t length, tare_error *err)
{
    tare_status status = TARE_OK;
    const unsigned char *b = (const unsigned char *)bytes;
    if (length < 10 || memcmp(b, "\x93NUMPY", MAGIC) != 0)
        FAIL(err, TARE_E_DATA, "npy.magic", name, "not a file of numpy.save");
    if (b[6] < 1 || b[6] > 3 || b[7] != 0)
        FAIL(err, TARE_E_DATA, "npy.version", name, "format %d.%d; allowed: 1.0, 2.0, 3.0", b[6],
             b[7]);
    size_t n = b[8] | (size_t)b[9] << 8, from = 10;
    if (b[6] > 1) {
        from = 12;
        if (length >= from) n |= (size_t)b[10] << 16 | (size_t)b[11] << 24;
    }
    if (n > HEADER_MOST || length < from || n > length - from)
        FAIL(err, TARE_E_DATA, "npy.header", name, "its header of %zu bytes is cut off or larger "
             "than %d", n, (int)HEADER_MOST);
    h->at = bytes + from;
    h->end = h->at + n;
    *start = from + n;
    if (!read_header(h))
        FAIL(err, TARE_E_DATA, "npy.header", name, "its header is not {'descr': ..., "
             "'fortran_order': ..., 'shape': ...} of a plain array");
done:
    return status;
}

static tare_status check_header(bool *wide, const npy_header *h, const char *name, size_t data,
                                size_t most, tare_error *err)
{
    tare_status status = TARE_OK;
    *wide = !strcmp(h->type, "<f8");
    if (!*wide && strcmp(h->type, "<f4") != 0) {
        char type[sizeof h->type]; /* only what messages may hold */
        size_t n = 0;
        for (const char *c = h->type; *c; c++) type[n++] = *c > ' ' && *c < 0x7f ? *c : '?';
        type[n] = '\0';
        FAIL(err, TARE_E_DATA, "npy.type", name, "elements are %s; allowed: <f4, <f8 (float32 or "
             "float64, little endian)", type);
    }
    if (h->rank != 1 || h->fortran)
        FAIL(err, TARE_E_DATA, "npy.shape", name, "an array of %zu dimensions%s; allowed: one "
             "dimension, as in numpy.save(file, a.ravel())", h->rank,
             h->fortran ? " in Fortran's order" : "");
    if (h->count == 0 || h->count > most)
        FAIL(err, h->count ? TARE_E_LIMIT : TARE_E_DATA, "npy.count", name,
             "%llu values; allowed: 1 to %zu", (unsigned long long)h->count, most);
    if (data != h->count * (*wide ? 8 : 4))
        FAIL(err, TARE_E_DATA, "npy.length", name, "%zu bytes of values, and %llu values take %llu",
             data, (unsigned long long)h->count,
             (unsigned long long)(h->count * (*wide ? 8 : 4)));
done:
    return status;
}

/* Byte by byte: the file's order is little endian whatever the machine's is. */
static double value_at(const unsigned char *b, bool wide)
{
    uint64_t bits = 0;
    for (int k = wide ? 7 : 3; k >= 0; k--) bits = bits << 8 | b[k];
    if (wide) {
        double d;
        memcpy(&d, &bits, sizeof d);
        return d;
    }
    uint32_t narrow = (uint32_t)bits;
    float f;
    memcpy(&f, &narrow, sizeof f);
    return f;
}

tare_status npy_parse(npy_vector *out, arena *a, const char *name, const char *bytes,
                      size_t length, size_t most, tare_error *err)
{
    tare_status status = TARE_OK;
    npy_header h;
    size_t start = 0;
    bool wide;
    double *values;
    memset(&h, 0, sizeof h);
    memset(out, 0, sizeof *out);
    TRY(open_header(&start, &h, name, bytes, length, err));
    TRY(check_header(&wide, &h, name, length - start, most, err));
    TRY_NEW(values = arena_raw(a, (size_t)h.count, sizeof *values));
    for (size_t i = 0; i < h.count; i++) {
        values[i] = value_at((const unsigned char *)bytes + start + i * (wide ? 8 : 4), wide);
        if (!isfinite(values[i]))
            FAIL(err, TARE_E_DATA, "npy.value", name, "value %zu is not a finite number", i);
    }
    unsigned char digest[SHA256_BYTES];
    char hex[SHA256_HEX];
    sha256_of(bytes, length, digest);
    sha256_hex(digest, hex);
    TRY_NEW(out->sha256 = arena_copy(a, hex));
    out->values = values;
    out->count = (size_t)h.count;
    out->bytes = length;
done:
    return status;
}

tare_status npy_read(npy_vector *out, arena *a, const char *path, size_t most, tare_error *err)
{
    tare_status status = TARE_OK;
    char *bytes = NULL;
    size_t length = 0;
    TRY(os_read_plain(&bytes, &length, a->m, path, most * 8 + HEADER_MOST + 12, err));
    TRY(npy_parse(out, a, path, bytes, length, most, err));
done:
    mem_free(a->m, bytes);
    return status;
}
