#include "scorer/onnx/model_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "scorer/onnx/model_hash.h"

enum { HASH_PIECE = 32 << 20 };

static int64_t nanoseconds(struct timespec t)
{
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static model_stamp stamp_of(const struct stat *st)
{
    return (model_stamp){(uint64_t)st->st_dev, (uint64_t)st->st_ino, (uint64_t)st->st_size,
                         nanoseconds(st->st_mtim), nanoseconds(st->st_ctim)};
}

static tare_status map_file(model_file *f, uint64_t most, tare_error *err)
{
    struct stat st;
    if (fstat(f->descriptor, &st) != 0) return error_system(err, errno, "read", f->path);
    if (!S_ISREG(st.st_mode)) {
        return error_set(err, TARE_E_DATA, "onnx.file", f->path,
                         "this is a folder or a device; a model is a file");
    }
    if (st.st_size <= 0) {
        return error_set(err, TARE_E_DATA, "onnx.file", f->path, "this file is empty");
    }
    if ((uint64_t)st.st_size > most) {
        return error_set(err, TARE_E_LIMIT, "onnx.file", f->path,
                         "this file is larger than the %llu bytes that ONNX allows it: save the "
                         "model with its weights in a file beside it (external data)",
                         (unsigned long long)most);
    }
    void *bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, f->descriptor, 0);
    if (bytes == MAP_FAILED) return error_system(err, errno, "map", f->path);
    f->bytes = bytes;
    f->length = (size_t)st.st_size;
    f->stamp = stamp_of(&st);
    return TARE_OK;
}

static tare_status hash_bytes(model_file *f, tare_context *c, tare_error *err)
{
    tare_status status = TARE_OK;
    sha256 h;
    unsigned char digest[SHA256_BYTES];
    sha256_init(&h);
    for (size_t at = 0; at < f->length; at += HASH_PIECE) {
        TRY(context_check(c, err));
        sha256_add(&h, f->bytes + at, f->length - at < HASH_PIECE ? f->length - at : HASH_PIECE);
    }
    sha256_done(&h, digest);
    sha256_hex(digest, f->sha256);
done:
    return status;
}

tare_status model_file_open(model_file *f, tare_context *c, const char *path, uint64_t most,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    *f = (model_file){.path = path, .descriptor = -1};
    /* Not blocking: a pipe by this name must not be waited for. */
    f->descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (f->descriptor < 0) return error_system(err, errno, "open", path);
    TRY(map_file(f, most, err));
    if (!model_hash_recall(f->sha256, &f->stamp)) {
        TRY(hash_bytes(f, c, err));
        model_hash_keep(f->sha256, &f->stamp);
    }
done:
    if (status != TARE_OK) model_file_close(f);
    return status;
}

bool model_file_leads(const model_file *f, const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0) return false;
    const model_stamp now = stamp_of(&st), *was = &f->stamp;
    return now.device == was->device && now.inode == was->inode && now.bytes == was->bytes
        && now.modified_ns == was->modified_ns && now.changed_ns == was->changed_ns;
}

tare_status model_file_replaced(const char *path, tare_error *err)
{
    return error_set(err, TARE_E_DATA, "onnx.changed", path,
                     "while this file was loaded it was moved, or another was put in its place. "
                     "Wait until it is complete");
}

tare_status model_file_settle(model_file *f, tare_error *err)
{
    struct stat st;
    if (f->descriptor < 0) return TARE_OK;
    int failed = fstat(f->descriptor, &st) != 0 ? errno : 0;
    close(f->descriptor);
    f->descriptor = -1;
    if (failed != 0) return error_system(err, failed, "read", f->path);
    model_stamp now = stamp_of(&st);
    if (now.bytes != f->stamp.bytes || now.modified_ns != f->stamp.modified_ns) {
        return error_set(err, TARE_E_DATA, "onnx.changed", f->path,
                         "this file was written to while it was loaded. Wait until it is complete");
    }
    /* A file that is renamed over this one does not touch the descriptor. */
    if (!model_file_leads(f, f->path)) return model_file_replaced(f->path, err);
    madvise((void *)(uintptr_t)f->bytes, f->length, MADV_DONTNEED);
    return TARE_OK;
}

void model_file_close(model_file *f)
{
    if (f->bytes != NULL) munmap((void *)(uintptr_t)f->bytes, f->length);
    if (f->path != NULL && f->descriptor >= 0) close(f->descriptor);
    f->bytes = NULL;
    f->descriptor = -1;
}
