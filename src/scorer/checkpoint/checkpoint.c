/* checkpoint.c - opening a file of weights, whichever container it is, and finding its tensors. */
#include "scorer/checkpoint/checkpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/os.h"
#include "scorer/checkpoint/checkpoint_sniff.h"

const char *checkpoint_kind_name(checkpoint_kind kind)
{
    switch (kind) {
    case CHECKPOINT_SAFETENSORS: return "safetensors";
    case CHECKPOINT_TORCH_ZIP: return "torch zip";
    case CHECKPOINT_TORCHSCRIPT: return "TorchScript zip";
    case CHECKPOINT_TORCH_LEGACY: return "torch legacy";
    case CHECKPOINT_TFJS: return "TF.js layers model";
    }
    return "?";
}

const char *checkpoint_shown(char out[CHECKPOINT_SHOWN], const char *name)
{
    if (*name == '\0') name = "\"\"";
    size_t n = utf8_valid_prefix(name, strnlen(name, CHECKPOINT_SHOWN - 4));
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)name[i];
        out[i] = c < ' ' || c == 0x7f ? '?' : name[i];
    }
    strcpy(out + n, name[n] != '\0' ? "..." : "");
    return out;
}

const char *checkpoint_beside(arena *a, const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    int folder = slash != NULL ? (int)(slash - path) + 1 : 0;
    return arena_printf(a, "%.*s%s", folder, path, name);
}

/* What people mean when they give a folder. */
static tare_status refuse_folder(const char *path, arena *a, tare_error *err)
{
    static const char *const usual[] = {"model.safetensors", "model.safetensors.index.json",
                                        "model.json", "pytorch_model.bin"};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        const char *file = arena_printf(a, "%s/%s", path, usual[i]);
        if (file == NULL) return error_memory(err);
        if (os_exists(file))
            return error_set(err, TARE_E_DATA, "checkpoint.kind", path,
                             "this is a folder: give the file of weights in it, %s", file);
    }
    return error_set(err, TARE_E_DATA, "checkpoint.kind", path,
                     "this is a folder: give the file of weights in it (.safetensors, .pt, .pth, "
                     ".bin, model.json, or the .index.json of shards)");
}

tare_status checkpoint_add_file(size_t *index, checkpoint *c, const char *path, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t n = c->file_count;
    char *copy;
    TRY_NEW(copy = arena_copy(&c->a, path));
    if ((n & (n - 1)) == 0) { /* 0, or the room is a power of two and full */
        model_file *more;
        TRY_NEW(more = arena_new(&c->a, n > 0 ? 2 * n : 1, sizeof *more));
        if (n > 0) memcpy(more, c->file, n * sizeof *more);
        c->file = more;
    }
    TRY(model_file_open(&c->file[n], c->context, copy, WEIGHTS_FILE_MOST, err));
    c->file_count++;
    *index = n;
done:
    return status;
}

static int by_name(const void *x, const void *y)
{
    return strcmp(((const checkpoint_tensor *)x)->name, ((const checkpoint_tensor *)y)->name);
}

/* False: the product of the dimensions, zeros left out, passes all bounds. */
static bool measure(checkpoint_tensor *t)
{
    int64_t product = 1, step = 1;
    bool none = false, gap = false;
    for (size_t i = t->rank; i-- > 0;) {
        int64_t n = t->dim[i];
        if (n < 0 || __builtin_mul_overflow(product, n > 0 ? n : 1, &product)) return false;
        none |= n == 0;
        gap |= n > 1 && t->stride[i] != step;
        step = product;
    }
    t->elements = none ? 0 : (uint64_t)product;
    t->contiguous = none || !gap;
    return true;
}

tare_status checkpoint_finish(checkpoint *c, tare_error *err)
{
    tare_status status = TARE_OK;
    char shown[CHECKPOINT_SHOWN];
    if (c->tensor_count > 1) qsort(c->tensor, c->tensor_count, sizeof *c->tensor, by_name);
    for (size_t i = 0; i < c->tensor_count; i++) {
        checkpoint_tensor *t = &c->tensor[i];
        if (i > 0 && strcmp(t[-1].name, t->name) == 0)
            FAIL(err, TARE_E_DATA, "checkpoint.duplicate", c->path,
                 "two tensors are called %s: which one is meant cannot be told",
                 checkpoint_shown(shown, t->name));
        if (!measure(t))
            FAIL(err, TARE_E_LIMIT, "checkpoint.size", c->path,
                 "the dimensions of tensor %s are negative or too large",
                 checkpoint_shown(shown, t->name));
    }
done:
    return status;
}

static tare_status read_container(checkpoint *c, tare_error *err)
{
    tare_status status = TARE_OK;
    checkpoint_container container;
    const model_file *f = &c->file[0];
    TRY(checkpoint_sniff(&container, c->a.m, c->path, f->bytes, f->length, err));
    switch (container) {
    case CONTAINER_SAFETENSORS: TRY(safetensors_read(c, err)); break;
    case CONTAINER_SAFETENSORS_INDEX: TRY(safetensors_index_read(c, err)); break;
    case CONTAINER_ZIP: TRY(torch_zip_read(c, err)); break;
    case CONTAINER_PICKLE: TRY(torch_legacy_read(c, err)); break;
    case CONTAINER_TFJS: TRY(tfjs_read(c, err)); break;
    }
    TRY(checkpoint_finish(c, err));
done:
    return status;
}

tare_status checkpoint_open(checkpoint **out, tare_context *context, const char *path,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    checkpoint *c = NULL;
    size_t first;
    *out = NULL;
    TRY_NEW(c = mem_new(&context->mem, 1, sizeof *c));
    c->context = context;
    arena_init(&c->a, &context->mem);
    TRY_NEW(c->path = arena_copy(&c->a, path));
    if (os_is_folder(path)) TRY(refuse_folder(path, &c->a, err));
    TRY(checkpoint_add_file(&first, c, path, err));
    TRY(read_container(c, err));
    *out = c;
    c = NULL;
done:
    checkpoint_close(c);
    return status;
}

void checkpoint_close(checkpoint *c)
{
    if (c == NULL) return;
    for (size_t i = 0; i < c->file_count; i++) model_file_close(&c->file[i]);
    arena_free(&c->a);
    mem_free(&c->context->mem, c);
}

tare_status checkpoint_settle(checkpoint *c, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t i = 0; i < c->file_count; i++) TRY(model_file_settle(&c->file[i], err));
done:
    return status;
}

const checkpoint_tensor *checkpoint_find(const checkpoint *c, const char *name)
{
    const checkpoint_tensor wanted = {.name = name};
    if (c->tensor_count == 0) return NULL;
    return bsearch(&wanted, c->tensor, c->tensor_count, sizeof *c->tensor, by_name);
}
