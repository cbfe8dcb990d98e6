/* graph_fixture.h - a small graph over a file of weights, as a checkpoint would give it, for tests.
 *
 * "image" f32 [batch,3,8,8] to "vector" [batch,6]: image . weight + bias, then times `scale`. The
 * weights are those of scorers 8.4 by their names (tiny_weight). weight and bias lie in the file,
 * at an odd multiple of 4; scale in memory (`converted`). */
#ifndef TESTS_GRAPH_FIXTURE_H
#define TESTS_GRAPH_FIXTURE_H

#include "scorer/graph/graph_model.h"
#include "support/ort_fixture.h"

enum { GRAPH_VECTOR_LENGTH = 6 };

typedef struct graph_fixture {
    graph_model graph;
    char *bytes; /* mutable: of graph.bytes  */
    model_external item[3];
    const void *data[3];
    bool converted[3];
    float *file; /* mapped                   */
    size_t file_length;
} graph_fixture;

/* Writes the weights to PATH, a file of the scratch folder, and maps them. The graph names the file
 * `location`. */
void graph_fixture_make(graph_fixture *g, const char *path, const char *location, size_t batch);
/* The same over a file that is there. */
void graph_fixture_map(graph_fixture *g, const char *path, const char *location, size_t batch);
void graph_fixture_free(graph_fixture *g);

/* Element `e` of the vector of ort_pixels number `image`, in double. */
double graph_fixture_value(size_t image, size_t e);

#endif
