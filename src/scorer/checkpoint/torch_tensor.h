/* torch_tensor.h - a call that would rebuild a tensor, as the tensor it describes. */
#ifndef SCORER_CHECKPOINT_TORCH_TENSOR_H
#define SCORER_CHECKPOINT_TORCH_TENSOR_H

#include "scorer/checkpoint/torch_storage.h"

/* Is this call one of torch's for tensors? A parameter is followed to its tensor; NULL: no. */
const pickle_node *torch_tensor_call(const pickle_node *call);

/* *ours = false: elements of a type that no scorer has. `path`: of the file; out->name is set.
 * Errors: DATA ("torch.tensor": by its name, what is wrong). */
tare_status torch_tensor_read(checkpoint_tensor *out, bool *ours, const pickle_node *call,
                              const torch_source *source, const char *path, tare_error *err);

#endif
