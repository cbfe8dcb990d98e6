/* onnx_segment_map.h - from a segmenter's map to a mask of the photograph, back through resize,
 * crop and padding. Pure and thread-safe. Scorer audit 2.6.
 *
 * The map covers the model's input, whatever its own resolution. A pixel of the photograph looks
 * its centre up: scaled as the picture was, moved by what was cut off or padded, scaled to the map,
 * and bilinear between the centres of four values. No nearer to the end of what was seen than half
 * a value, so that padding does not bleed in; what the model did not see is background (ours). */
#ifndef SCORER_ONNX_ONNX_SEGMENT_MAP_H
#define SCORER_ONNX_ONNX_SEGMENT_MAP_H

#include "scorer/onnx/onnx_prepare.h"

typedef struct segment_map {
    const double *value; /* [height][width], finite */
    int height, width;
    onnx_placing placing;
    const onnx_image_input *in;
    double threshold;
    bool greater;        /* the person is above the threshold, else below */
} segment_map;

/* mask [height][width] 0/1 of a photograph of that size, which `placing` is for. Errors: MEMORY. */
tare_status segment_map_mask(unsigned char *mask, const mem *m, int height, int width,
                             const segment_map *map, tare_error *err);

#endif
