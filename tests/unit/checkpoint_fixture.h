/* checkpoint_fixture.h - files of weights written by the tests themselves, by the format's
 * description. */
#ifndef TESTS_CHECKPOINT_FIXTURE_H
#define TESTS_CHECKPOINT_FIXTURE_H

#include "base/text.h"
#include "scorer/checkpoint/checkpoint.h"

typedef struct weights_folder {
    char folder[64];
    tare_context *context;
} weights_folder;

void weights_begin(weights_folder *w); /* one thread */
void weights_end(weights_folder *w);
/* "FOLDER/NAME", good until the 8th call after. */
const char *weights_path(const weights_folder *w, const char *name);
void weights_write(const weights_folder *w, const char *name, const void *bytes, size_t length);

/* Appends a safetensors file: u64 length, header, data. */
void safetensors_make(text *t, const char *header, const void *data, size_t length);
void weights_write_safetensors(const weights_folder *w, const char *name, const char *header,
                               const void *data, size_t length);

/* The file must be refused: with what. */
tare_error weights_refused(const weights_folder *w, const char *name, tare_status status);

/* A checkpoint whose file is these bytes, for a reader alone; ended with bytes_end. */
typedef struct bytes_checkpoint {
    checkpoint c;
    model_file file;
    tare_context context; /* only its memory counts */
} bytes_checkpoint;
void bytes_begin(bytes_checkpoint *b, const mem *m, const void *bytes, size_t length);
void bytes_end(bytes_checkpoint *b);

#endif
