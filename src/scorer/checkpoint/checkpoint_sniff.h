/* checkpoint_sniff.h - which container a file is, by its first bytes. */
#ifndef SCORER_CHECKPOINT_CHECKPOINT_SNIFF_H
#define SCORER_CHECKPOINT_CHECKPOINT_SNIFF_H

#include "base/mem.h"
#include "tare.h"

typedef enum checkpoint_container {
    CONTAINER_SAFETENSORS, CONTAINER_SAFETENSORS_INDEX, CONTAINER_ZIP, CONTAINER_PICKLE,
    CONTAINER_TFJS
} checkpoint_container;

/* Errors: DATA ("checkpoint.kind": what it looks like instead, and what to do; "json.*"), LIMIT,
 * MEMORY. */
tare_status checkpoint_sniff(checkpoint_container *out, const mem *m, const char *path,
                             const unsigned char *bytes, size_t length, tare_error *err);

#endif
