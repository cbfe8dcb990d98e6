/* safetensors.h - the tensors of safetensors files, gathered from one or several. */
#ifndef SCORER_CHECKPOINT_SAFETENSORS_H
#define SCORER_CHECKPOINT_SAFETENSORS_H

#include "scorer/checkpoint/checkpoint.h"

#define SAFETENSORS_HEADER_MOST ((uint64_t)100000000)
enum { SAFETENSORS_TENSORS_MOST = 1 << 18 };

typedef struct tensor_list {
    checkpoint_tensor *item; /* by mem_reserve */
    size_t count, capacity;
} tensor_list;

/* Appends the tensors of c->file[file], with their names in c's arena. Errors: DATA
 * ("safetensors.*", "json.*"), LIMIT, MEMORY. */
tare_status safetensors_append(tensor_list *list, checkpoint *c, size_t file, tare_error *err);
/* Moves the list into c. Errors: MEMORY. */
tare_status safetensors_keep(checkpoint *c, tensor_list *list, tare_error *err);

#endif
