/* ort_fixture.h - for tests on ONNX Runtime: the library to test on, a folder of small models, an
 * image of formula pixels.
 *
 * The library is the one that TARE_ORT_LIB names, or build/deps/libonnxruntime.so.1; each test is
 * run a second time on the oldest (list_ort.cmake). Where it is not, the test is skipped. */
#ifndef TESTS_ORT_FIXTURE_H
#define TESTS_ORT_FIXTURE_H

#include "base/context.h"
#include "support/check.h"
#include "support/tiny_onnx.h"

/* In main(): */
#define NEED_ORT()                                                                     \
    do {                                                                               \
        if (!ort_fixture_begin()) return 77;                                           \
    } while (0)

bool ort_fixture_begin(void); /* says why not */
void ort_fixture_end(void);   /* removes the folder */

/* A name in the scratch folder, which holds the named models; good for the next 15 calls. */
const char *ort_place(const char *name);
/* Writes a file of the scratch folder, without waiting for the disk. */
void ort_write(const char *name, const void *bytes, size_t length);
tare_context *ort_context(void);
/* Opens a model of the scratch folder; fails the test if it cannot. */
ort_session *ort_model(tare_context *c, const char *name);

/* `count` pixels: element i is float32((7919 i) mod 1000) / 1000. */
void ort_pixels(float *out, size_t count);
enum { ORT_IMAGE = 3 * 8 * 8 };
/* Output of n images [3,8,8] of formula pixels, the first is number `from`. To be freed with
 * mem_free of mem_system. */
ort_output ort_ask(ort_session *s, const float *pixels, size_t n, const char *output);
size_t ort_open_files(void); /* descriptors of this process */

#endif
