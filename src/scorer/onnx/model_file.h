/* model_file.h - a file of a model: opened once, mapped once, hashed from that mapping. Scorers
 * 4.5.
 *
 * Files that shrink while they are mapped end a program (SIGBUS): sizes and times are compared
 * before and after a model is loaded, and network folders that are being written to are no place
 * for models. */
#ifndef SCORER_ONNX_MODEL_FILE_H
#define SCORER_ONNX_MODEL_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/context.h"
#include "base/hash.h"

/* What tells one state of a file from another. */
typedef struct model_stamp {
    uint64_t device, inode, bytes;
    int64_t modified_ns, changed_ns;
} model_stamp;

typedef struct model_file {
    const char *path; /* borrowed */
    int descriptor;   /* -1: settled or closed */
    const unsigned char *bytes;
    size_t length;
    model_stamp stamp;
    char sha256[SHA256_HEX];
} model_file;

/* path lives as long as the file, which may have up to `most` bytes. Errors: IO, DATA ("onnx.file":
 * a folder, a device, empty), LIMIT ("onnx.file"), STOPPED (while it is hashed), MEMORY. */
tare_status model_file_open(model_file *f, tare_context *c, const char *path, uint64_t most,
                            tare_error *err);
/* One array is the library's way in, and protobuf's lengths end here. */
#define MODEL_FILE_MOST ((uint64_t)INT32_MAX)
#define WEIGHTS_FILE_MOST ((uint64_t)SIZE_MAX / 2)
/* `path`, its own or another, leads to the file that was mapped, in the state in which it was. */
bool model_file_leads(const model_file *f, const char *path);
/* What to say if it does not: DATA ("onnx.changed"). */
tare_status model_file_replaced(const char *path, tare_error *err);
/* After loading: it is still what was mapped, and its path leads to it; closes the descriptor and
 * keeps the mapping, whose pages may go. Errors: DATA ("onnx.changed"), IO. */
tare_status model_file_settle(model_file *f, tare_error *err);
void model_file_close(model_file *f); /* all zeros, or closed: nothing */

#endif
