/* torch_tree.h - the tensors of a pickle by name. Scorers 4.2.
 *
 * A name is the path of the dict keys above a tensor, joined by dots; whole numbers as keys are
 * written in decimal, places in lists and tuples too (ours). Walked: dicts, OrderedDicts, lists,
 * tuples, and the attributes of TorchScript modules. All else is opaque and counted. */
#ifndef SCORER_CHECKPOINT_TORCH_TREE_H
#define SCORER_CHECKPOINT_TORCH_TREE_H

#include "scorer/checkpoint/torch_storage.h"

enum {
    TORCH_DEPTH_MOST = 128,
    TORCH_NAME_MOST = 1024,
    TORCH_TENSORS_MOST = 1 << 18,
    TORCH_VISITS_PER_NODE = 4 /* a dict may stand in several places, but not in 2^60 */
};

/* Fills c->tensor, tensor_count, opaque. Errors: DATA ("torch.tensor", "torch.name"), LIMIT
 * ("torch.depth", "torch.visits", "torch.tensors"), MEMORY, STOPPED. */
tare_status torch_tree_read(checkpoint *c, const pickle *p, const torch_source *source,
                            tare_error *err);

#endif
