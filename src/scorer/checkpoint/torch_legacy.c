/* torch_legacy.c - torch's files of this kind are not read by this build. */
#include "base/error.h"
#include "scorer/checkpoint/checkpoint.h"

tare_status torch_legacy_read(checkpoint *c, tare_error *err)
{
    return error_set(err, TARE_E_DATA, "checkpoint.kind", c->path,
                     "the reader of torch's files is not built in: save the weights as safetensors");
}
