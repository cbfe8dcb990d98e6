/* onnx_fixture.h - manifests of small models in a folder that goes away, for tests of onnx:. */
#ifndef TESTS_ONNX_FIXTURE_H
#define TESTS_ONNX_FIXTURE_H

#include "base/context.h"
#include "scorer/scorer.h"

enum { FIXTURE_PICTURES = 4, FIXTURE_SCORERS = 7 };

/* The scorers of fixture_manifests, in its order. */
typedef enum fixture_scorer {
    BY_MEAN,      /* mean.onnx                                             */
    BY_CLASSES,   /* classes.onnx, expect                                  */
    BY_BYTES,     /* bytes.onnx: u8, nhwc                                  */
    BY_PROMPT,    /* prompt.onnx with three ids, padded to five            */
    BY_HEAD,      /* head.onnx on tower.onnx                               */
    BY_HEAD_NORM, /* head.onnx on tower.onnx, whose operations are l2norm  */
    BY_TOWER      /* tower.onnx, max                                       */
} fixture_scorer;

typedef struct fixture {
    char folder[64];
    tare_context *context;
    scorer_options options;
    image picture[FIXTURE_PICTURES];
} fixture;

/* The library that the tests use: TARE_ORT_LIB, or the one that `make deps-onnxruntime` puts below
 * build/deps. NULL: there is none. */
const char *fixture_library(void);
/* In main(). */
#define NEED_ORT()                                                                      \
    do {                                                                                \
        if (fixture_library() == NULL) {                                                \
            printf("skipped: no ONNX Runtime here: make deps-onnxruntime\n");           \
            return 77;                                                                  \
        }                                                                               \
    } while (0)

/* Pictures, models and manifests. threads: of the context. */
void fixture_begin(fixture *f, unsigned threads);
void fixture_end(fixture *f);

/* Write FOLDER/NAME. */
void fixture_write(const fixture *f, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The resize, size and numbers of scores_reference.py, for a manifest's `input`. */
extern const char fixture_input[];

/* "onnx:FOLDER/NAME.json" */
const char *fixture_spec(const fixture *f, const char *name, char out[160]);
const char *fixture_spec_of(const fixture *f, fixture_scorer which, char out[160]);
scorer *fixture_open(fixture *f, const char *spec);
scorer_item fixture_item(const fixture *f, size_t picture);
/* One item by itself. */
scorer_result fixture_score(scorer *s, const scorer_item *item);

/* By tests/ref/onnx_scores_reference.py. */
extern const double fixture_scores[FIXTURE_PICTURES][FIXTURE_SCORERS];

#endif
