/* segmenter.h - which pixels belong to the person: any ONNX model with a manifest whose output is a
 * map (scorer audit 2.6). None is built in.
 *
 * The manifest is that of a scorer (docs/onnx-scorer.md) with `output.map` in the place of the
 * operations that make one number: the channel, what turns it into a probability, the threshold.
 * The map is brought to the photograph's size, back through the resizing of the input: what was
 * cropped away is background. */
#ifndef SCORER_SEGMENTER_H
#define SCORER_SEGMENTER_H

#include "base/context.h"
#include "image/image.h"
#include "scorer/scorer.h"

typedef struct segmenter segmenter;

typedef struct segmenter_description {
    const char *name, *identity, *runtime; /* canonical JSON, as of a scorer */
    char identity_hash[65], runtime_hash[65];
    const char *source, *licence;
} segmenter_description;

/* SPEC is "onnx:FILE.yaml". Of the options timeout, ort_library and decoding are used. Errors:
 * USAGE, DATA (the manifest has no map, or the model's output is none), IO, INSTRUMENT. */
tare_status segmenter_open(segmenter **out, tare_context *context, const char *spec,
                           const scorer_options *options, tare_error *err);
void segmenter_close(segmenter *s); /* NULL ok */
const segmenter_description *segmenter_describe(const segmenter *s);

/* mask [height][width] 0/1 of an RGB picture. May be called from several threads. A picture without
 * a mask is TARE_OK with failure->reason and why: SCORER_ERROR or TIMEOUT where the model failed,
 * UNSUPPORTED_PIXELS where its manifest does not allow the picture's size. Errors: MEMORY, STOPPED.
 */
typedef struct segmenter_failure {
    tare_reason reason; /* TARE_R_NONE: there is a mask */
    char why[160];
} segmenter_failure;
tare_status segmenter_run(segmenter *s, unsigned char *mask, const image *picture,
                          segmenter_failure *failure, tare_error *err);

#endif
