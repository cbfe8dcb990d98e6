/* onnx_manifest.h - what a manifest says about an ONNX scorer. Scorers 1.4; the manual is
 * docs/onnx-scorer.md.
 *
 * JSON or YAML, unknown keys refused, each error with its line. Paths are relative to the
 * manifest's folder. Nothing here opens the model. */
#ifndef SCORER_ONNX_ONNX_MANIFEST_H
#define SCORER_ONNX_ONNX_MANIFEST_H

#include "base/mem.h"
#include "image/resize.h"
#include "scorer/onnx/onnx_ops.h"
#include "scorer/onnx/ort_session.h"

typedef enum onnx_kind { ONNX_IMAGE, ONNX_VECTOR, ONNX_WAVE } onnx_kind;
typedef enum onnx_layout { ONNX_NCHW, ONNX_NHWC } onnx_layout;
typedef enum onnx_fit { ONNX_FIT_SHORT, ONNX_FIT_LONG, ONNX_FIT_STRETCH, ONNX_FIT_NONE } onnx_fit;
typedef enum onnx_crop {
    ONNX_CROP_NONE, ONNX_CROP_CENTER_ROUND, ONNX_CROP_CENTER_FLOOR, ONNX_CROP_TOPLEFT
} onnx_crop;
typedef enum onnx_pad { ONNX_PAD_NONE, ONNX_PAD_CENTER, ONNX_PAD_TOPLEFT } onnx_pad;
/* An image whose longer side has the size: padded as others are, or left as it is and so of no use
 * unless it is square (HPSv2's loader). */
typedef enum onnx_equal { ONNX_EQUAL_SKIP, ONNX_EQUAL_SKIP_PAD } onnx_equal;
/* Segments of a recording as it is, or of as much of it as whole hops are (DNSMOS's count). */
typedef enum onnx_counted { ONNX_ALL_SAMPLES, ONNX_WHOLE_HOPS } onnx_counted;
typedef enum onnx_short { ONNX_SHORT_REPEAT, ONNX_SHORT_ZERO } onnx_short;

/* From pixels to the tensor of one image. size: [height, width], as the tensor has it. */
typedef struct onnx_image_input {
    onnx_layout layout;
    ort_type type;            /* F32, F16 or U8 */
    bool bgr;
    int height, width;
    onnx_fit fit;
    int fit_height, fit_width; /* what the image is resized to (ours); 0: height and width */
    resize_how how;           /* of the "pillow" back end               */
    bool tensor, antialias;   /* the "tensor" back end: float, section 6.2 */
    bool aligned;             /* its corners; without antialias             */
    bool before_rgb;          /* resize in the file's own mode: published decoding only */
    bool refuse_rgba;         /* an image with colours and alpha is refused, as by loaders that hand
                                 four channels to a model for three: published decoding only */
    onnx_equal when_equal;    /* an image of the wanted size is never resized */
    onnx_crop crop;
    onnx_pad pad;
    double pad_colour[3];     /* 0..255, before normalisation           */
    double divide, mean[3], std[3]; /* ((x / divide) - mean) / std, in float32, in this order;
                                       1, 0, 1 where type is U8 */
} onnx_image_input;

typedef struct onnx_vector_input {
    size_t length;
    const char *from;         /* path of the manifest whose output is the vector; NULL: .npy
                                 files. Its identity is not in ours: whoever opens it adds it */
    size_t from_line;         /* of the manifest, for messages */
} onnx_vector_input;

typedef struct onnx_wave_input {
    double rate;
    size_t length, hop;       /* samples */
    onnx_short when_short;
    onnx_counted counted;
} onnx_wave_input;

typedef enum onnx_prompt_mode { ONNX_PROMPT_NONE, ONNX_PROMPT_FIXED, ONNX_PROMPT_PER_ITEM }
    onnx_prompt_mode;

/* Token ids: literal, or those of `text` by a tokeniser; of each item's own text if per-item. */
typedef struct onnx_prompt {
    onnx_prompt_mode mode;
    const char *tokenizer;    /* "clip", "bert", "hf-json"; NULL: literal tokens */
    const char *vocabulary;   /* path of the tokeniser's file or folder; NULL: built-in ids */
    const char *vocabulary_hash; /* "" without                                   */
    const char *text;         /* what the ids say; "" if literal or per-item     */
    const int64_t *ids;       /* [count] with start and end, cut but not padded; per-item: none */
    size_t count, length;     /* length: of the model's input, at least count    */
    int64_t pad;              /* what fills the rest; the mask there is 0        */
    bool truncate;            /* was it allowed to cut? The last id stays the last */
    const char *ids_name, *mask_name, *positions_name; /* inputs; NULL: none     */
} onnx_prompt;

/* Of a segmenter: which values of the output say where the person is. The operations before it are
 * the manifest's `ops`: they leave [batch, height, width]. */
typedef enum onnx_map_layout { ONNX_MAP_NCHW, ONNX_MAP_NHWC, ONNX_MAP_NHW } onnx_map_layout;
typedef enum onnx_activation { ONNX_ACTIVATION_NONE, ONNX_ACTIVATION_SIGMOID,
                               ONNX_ACTIVATION_SOFTMAX } onnx_activation;
typedef struct onnx_map {
    bool given;               /* false: the manifest is of a scorer                  */
    onnx_map_layout layout;
    int64_t channel;          /* 0 where the layout has none                         */
    onnx_activation activation;
    double threshold;
    bool greater;             /* the person is above the threshold, else below       */
} onnx_map;

typedef struct onnx_manifest {
    const char *path, *folder; /* folder: "." for a bare name */
    const char *name, *model, *sha256, *source, *licence; /* model: path; others may be "" */
    const char *input;        /* name of the graph's input for the image, vector or wave   */
    onnx_kind kind;
    onnx_image_input image;
    onnx_vector_input vector;
    onnx_wave_input wave;
    onnx_prompt prompt;
    const char *output;
    onnx_op *ops;
    size_t op_count;
    onnx_map map;
    bool higher_is_better;
    double range_lo, range_hi; /* NaN: none */
    size_t batch;              /* 1 if not said */
    const char *identity;      /* canonical JSON of all that can change the number, but for model
                                  hashes and what the options add */
} onnx_manifest;

/* Errors: DATA ("manifest.*", "document.*" and "json.*", where "FILE:line:column"; "npy.*"), IO,
 * LIMIT, MEMORY. Texts in the arena. */
tare_status onnx_manifest_read(onnx_manifest *out, arena *a, const char *path, tare_error *err);
/* The same from bytes; for tests and fuzzing. Vectors that operations name are read from files. */
tare_status onnx_manifest_parse(onnx_manifest *out, arena *a, const char *path, const char *bytes,
                                size_t length, tare_error *err);
/* Do the names, element types and fixed dimensions of the graph fit, and does every input of it get
 * something? Symbolic dimensions fit anything. Token ids, mask and positions are [batch, length] of
 * i64 or i32, as the graph has it. `s` is the open model. Errors: DATA ("manifest.input",
 * "manifest.output", with what the graph has; "manifest.ops" and "manifest.map" where its output's
 * shape, as far as it is known, does not go through the operations or is no map). */
tare_status onnx_manifest_fits(const onnx_manifest *m, const ort_session *s, tare_error *err);

#endif
