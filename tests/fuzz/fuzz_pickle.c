/* Any bytes as a pickle, and its tree walked with storages that are all there. */
#include "fuzz_checkpoint.h"
#include "scorer/checkpoint/torch_tree.h"

static const char *find(torch_storage *out, const void *user, const torch_storage_id *id)
{
    const model_file *file = user;
    if (id->key_length == 0) return "its storage has no usable key";
    *out = (torch_storage){file->bytes, file->length, 0};
    return NULL;
}

static tare_status read_pickle(checkpoint *c, tare_error *err)
{
    const torch_source source = {find, c->file};
    pickle p;
    tare_status status = pickle_read(&p, &c->a, "p", c->file->bytes, c->file->length, err);
    if (status != TARE_OK) return status;
    REQUIRE(p.used <= c->file->length && p.nodes <= c->file->length + 4);
    return torch_tree_read(c, &p, &source, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_checkpoint(data, size, read_pickle);
    return 0;
}
