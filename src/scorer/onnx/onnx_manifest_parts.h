/* onnx_manifest_parts.h - what the parts of reading a manifest share. Private to onnx_manifest*.c.
 *
 * A getter leaves *out alone where the key is absent: defaults are set before, and what must be
 * there is asked for with manifest_need. */
#ifndef SCORER_ONNX_ONNX_MANIFEST_PARTS_H
#define SCORER_ONNX_ONNX_MANIFEST_PARTS_H

#include <stdio.h>

#include "base/error.h"
#include "base/json.h"
#include "scorer/onnx/onnx_manifest.h"

enum {
    MANIFEST_BYTES_MOST = 1 << 20,
    MANIFEST_LINE_MOST = 200,    /* bytes of a name                    */
    MANIFEST_PATH_MOST = 4096,
    MANIFEST_PROSE_MOST = 16384, /* source, licence                    */
    MANIFEST_SIDE_MOST = 65535,
    MANIFEST_BATCH_MOST = 4096,
    MANIFEST_OPS_MOST = 32,
    MANIFEST_VALUES_MOST = 65536, /* of expect                         */
    MANIFEST_DOT_MOST = 1 << 20,  /* values of a dot file, and of a vector */
    MANIFEST_TOKENS_MOST = 4096,
    MANIFEST_WAVE_MOST = 1 << 24  /* samples                           */
};

typedef struct manifest_reader {
    arena *a;
    const char *path, *folder;
} manifest_reader;

/* One mapping of the manifest and its name in messages: "input.resize", "" at the top. */
typedef struct manifest_part {
    const manifest_reader *r;
    const json_value *v;
    const char *name;
} manifest_part;

/* MANIFEST_FAIL(reader, value, "type", "...", ...): code "manifest.type", at the value. */
#define MANIFEST_WHERE_MAX 320
#define MANIFEST_FAIL(r, v, kind, ...)                                        \
    do {                                                                      \
        char where_[MANIFEST_WHERE_MAX];                                      \
        snprintf(where_, sizeof where_, "%.260s:%zu:%zu", (r)->path,          \
                 (v)->line, (v)->column);                                     \
        FAIL(err, TARE_E_DATA, "manifest." kind, where_, __VA_ARGS__);        \
    } while (0)

/* After a file that a manifest names has failed: where it is named, behind the message. NULL ok. */
void manifest_named_at(tare_error *err, const char *what, const char *path, size_t line);

/* For messages; never NULL. manifest_shown: a value in a few words, `a list of 3`, `"nhcw"`. */
const char *manifest_shown(const manifest_reader *r, const json_value *v);
const char *manifest_name(const manifest_part *p, const char *key); /* "input.resize.mode" */

/* The mapping `v`, called `name`, with no keys but these. */
tare_status manifest_part_open(manifest_part *out, const manifest_reader *r, const json_value *v,
                               const char *name, const char *const *keys, tare_error *err);
/* NULL: absent. manifest_given: absent or null. */
const json_value *manifest_get(const manifest_part *p, const char *key);
const json_value *manifest_given(const manifest_part *p, const char *key);
tare_status manifest_need(const manifest_part *p, const char *key, const char *what,
                          tare_error *err);
/* None of these keys (NULL-terminated) may be there: they would do nothing, as `because` says. */
tare_status manifest_idle(const manifest_part *p, const char *const *keys, const char *because,
                          tare_error *err);

/* One line of at most `most` bytes, not empty, without control characters. */
tare_status manifest_text(const char **out, const manifest_part *p, const char *key, size_t most,
                          tare_error *err);
/* Any text, of lines too; null is "". */
tare_status manifest_prose(const char **out, const manifest_part *p, const char *key,
                           tare_error *err);
/* Index in a NULL-terminated list. */
tare_status manifest_word(int *out, const manifest_part *p, const char *key,
                          const char *const *words, tare_error *err);
tare_status manifest_bool(bool *out, const manifest_part *p, const char *key, tare_error *err);

typedef struct manifest_bounds {
    double lo, hi;
    bool whole;
    const char *words; /* "a whole number from 1 to 65535" */
} manifest_bounds;
bool manifest_within(const json_value *v, const manifest_bounds *b);
tare_status manifest_number(double *out, const manifest_part *p, const char *key,
                            const manifest_bounds *b, tare_error *err);
/* Exactly `count` numbers. */
tare_status manifest_numbers(double *out, size_t count, const manifest_part *p, const char *key,
                             const manifest_bounds *b, tare_error *err);

/* Where a file that the manifest names is: relative to the manifest's folder. NULL: no memory. */
const char *manifest_place(const manifest_reader *r, const char *file);

/* The parts themselves, each of which sets its own defaults. */
tare_status manifest_read_input(onnx_manifest *out, const manifest_reader *r, const json_value *v,
                                tare_error *err);
tare_status manifest_read_prompt(onnx_prompt *out, const manifest_reader *r, const json_value *v,
                                 tare_error *err);
tare_status manifest_read_output(onnx_manifest *out, const manifest_reader *r, const json_value *v,
                                 tare_error *err);
tare_status manifest_read_ops(onnx_op **out, size_t *count, const manifest_reader *r,
                              const json_value *v, tare_error *err);
/* `output` of a segmenter. */
tare_status manifest_read_map(onnx_manifest *out, const manifest_part *output, tare_error *err);
const char *manifest_map_identity(const onnx_map *map, arena *a);
/* Is an output of this shape (-1: not known yet) such a map? Errors: DATA ("manifest.map"). */
tare_status manifest_map_shape(const onnx_manifest *m, const onnx_shape *shape, tare_error *err);
/* Canonical JSON in the arena; NULL: no memory. */
const char *manifest_identity(const onnx_manifest *m, arena *a);
const char *manifest_input_identity(const onnx_manifest *m, arena *a); /* of `input` alone */

/* Words of the enums, NULL-terminated, as manifests write them. */
extern const char *const manifest_kinds[], *const manifest_layouts[], *const manifest_fits_words[],
    *const manifest_crops[], *const manifest_equal_words[], *const manifest_shorts[],
    *const manifest_counts[];

const char *manifest_dtype(ort_type type); /* "f32", "f16", "u8" */

/* onnx_manifest_fits on lists of ports; each ends with a port without a name. */
tare_status manifest_fits_ports(const onnx_manifest *m, const ort_port *inputs,
                                const ort_port *outputs, tare_error *err);

#endif
