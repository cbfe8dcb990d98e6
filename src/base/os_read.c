/* os_read.c - whole files, in one piece or on all threads. */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/os.h"

int os_open(const char *path, int flags)
{
    int fd;
    do fd = open(path, flags | O_CLOEXEC, 0666);
    while (fd < 0 && errno == EINTR);
    return fd;
}

ptrdiff_t os_read(int fd, void *to, size_t count)
{
    size_t got = 0;
    while (got < count) {
        size_t ask = count - got < (size_t)1 << 30 ? count - got : (size_t)1 << 30;
        ssize_t n = read(fd, (char *)to + got, ask);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return -1;
        if (n == 0) break;
        got += (size_t)n;
    }
    return (ptrdiff_t)got;
}

static tare_status too_large(tare_error *err, const char *path, size_t max_bytes)
{
    return error_set(err, TARE_E_LIMIT, "io.size", path, "larger than the limit of %zu bytes",
                     max_bytes);
}

/* What stands where a file was meant. */
static const char *kind_words(mode_t mode)
{
    return S_ISFIFO(mode) ? "a pipe" : S_ISSOCK(mode) ? "a socket" : "a device";
}

/* What is read from it is gone, and opening it alone may end whoever writes. */
static bool gives_once(mode_t mode)
{
    return !S_ISREG(mode) && !S_ISDIR(mode);
}

bool os_gives_once(const char *path)
{
    struct stat st;
    return !strcmp(path, "-") || (stat(path, &st) == 0 && gives_once(st.st_mode));
}

typedef struct os_reading {
    int fd;
    bool plain; /* it must be a regular file */
    const char *name;
} os_reading;

static tare_status read_open(char **out, size_t *length, const mem *m, os_reading from,
                             size_t max_bytes, tare_error *err)
{
    const char *name = from.name;
    tare_status status = TARE_OK;
    char *data = NULL;
    size_t got = 0, capacity = 65536;
    struct stat st;
    if (max_bytes > PTRDIFF_MAX / 2) max_bytes = PTRDIFF_MAX / 2;
    if (fstat(from.fd, &st) != 0) {
        status = error_system(err, errno, "read", name);
        goto done;
    }
    if (S_ISDIR(st.st_mode)) {
        status = error_system(err, EISDIR, "read", name);
        goto done;
    }
    if (from.plain && !S_ISREG(st.st_mode))
        FAIL(err, TARE_E_IO, "io.read", name, "this is %s, not a file: write what it gives to a "
             "file", kind_words(st.st_mode));
    if (S_ISREG(st.st_mode) && st.st_size > 0) {
        if ((uint64_t)st.st_size > max_bytes) {
            status = too_large(err, name, max_bytes);
            goto done;
        }
        capacity = (size_t)st.st_size + 1;
    }
    /* One byte more than the limit is asked for, to see that the file goes on. */
    for (;;) {
        if (capacity > max_bytes + 1) capacity = max_bytes + 1;
        char *grown = mem_resize(m, data, capacity + OS_READ_PADDING, 1);
        if (grown == NULL) FAIL_MEMORY(err);
        data = grown;
        ptrdiff_t n = os_read(from.fd, data + got, capacity - got);
        if (n < 0) {
            status = error_system(err, errno, "read", name);
            goto done;
        }
        got += (size_t)n;
        if (got > max_bytes) {
            status = too_large(err, name, max_bytes);
            goto done;
        }
        if (got < capacity) break;
        capacity += capacity / 2 + 65536;
    }
    memset(data + got, 0, OS_READ_PADDING);
    *out = data;
    *length = got;
    data = NULL;
done:
    mem_free(m, data);
    return status;
}

tare_status os_read_file(char **out, size_t *length, const mem *m, const char *path,
                         size_t max_bytes, tare_error *err)
{
    bool standard = strcmp(path, "-") == 0;
    const char *name = standard ? "(standard input)" : path;
    int fd = standard ? STDIN_FILENO : os_open(path, O_RDONLY | O_NOCTTY);
    *out = NULL;
    *length = 0;
    if (fd < 0) return error_system(err, errno, "open", name);
    tare_status status = read_open(out, length, m, (os_reading){fd, false, name}, max_bytes, err);
    if (!standard) close(fd);
    return status;
}

tare_status os_read_plain(char **out, size_t *length, const mem *m, const char *path,
                          size_t max_bytes, tare_error *err)
{
    /* Not blocking: a pipe that nobody writes to would be waited for while it is opened. */
    int fd = os_open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK);
    *out = NULL;
    *length = 0;
    if (fd < 0) return error_system(err, errno, "open", path);
    tare_status status = read_open(out, length, m, (os_reading){fd, true, path}, max_bytes, err);
    close(fd);
    return status;
}

/* ---- On all threads -------------------------------------------------------- */

enum { SLICE = 4 << 20 };

typedef struct slices {
    int fd;
    char *data;
    size_t size;
    atomic_bool changed; /* the file is not as long as it was */
} slices;

static tare_status read_slices(void *arg, size_t begin, size_t end, unsigned worker,
                               tare_error *err)
{
    slices *s = arg;
    (void)worker, (void)err;
    while (begin < end) {
        ssize_t n = pread(s->fd, s->data + begin, end - begin, (off_t)begin);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) { /* read again in one piece, which says what is wrong */
            atomic_store(&s->changed, true);
            break;
        }
        begin += (size_t)n;
    }
    return TARE_OK;
}

tare_status os_read_file_on(char **out, size_t *length, pool *p, const mem *m, const char *path,
                            size_t max_bytes, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t size = strcmp(path, "-") == 0 ? 0 : (size_t)os_file_size(path);
    if (p == NULL || size <= SLICE || size > max_bytes) {
        return os_read_file(out, length, m, path, max_bytes, err);
    }
    char beyond;
    slices s = {.size = size};
    *out = NULL;
    *length = 0;
    s.fd = os_open(path, O_RDONLY | O_NOCTTY);
    if (s.fd < 0) return error_system(err, errno, "open", path);
    TRY_NEW(s.data = mem_resize(m, NULL, size + OS_READ_PADDING, 1));
    TRY(pool_for(p, size, SLICE, read_slices, &s, err));
    /* If the file goes on, or asking fails, it is read again in one piece, which says so. */
    if (atomic_load(&s.changed) || pread(s.fd, &beyond, 1, (off_t)size) != 0) {
        TRY(os_read_file(out, length, m, path, max_bytes, err));
        goto done;
    }
    memset(s.data + size, 0, OS_READ_PADDING);
    *out = s.data;
    *length = size;
    s.data = NULL;
done:
    mem_free(m, s.data);
    close(s.fd);
    return status;
}

tare_status os_read_start(void *out, size_t *length, size_t max, const char *path, tare_error *err)
{
    struct stat st;
    *length = 0;
    if (stat(path, &st) == 0 && gives_once(st.st_mode))
        return error_set(err, TARE_E_IO, "io.open", path, "this is %s, not a file",
                         kind_words(st.st_mode));
    int fd = os_open(path, O_RDONLY | O_NONBLOCK);
    if (fd < 0) return error_system(err, errno, "open", path);
    size_t got = 0;
    ssize_t n = 1;
    while (got < max && n != 0) {
        n = read(fd, (char *)out + got, max - got);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN && got > 0) n = 0; /* all that a pipe has now */
        if (n < 0) break;
        got += (size_t)n;
    }
    int number = errno;
    close(fd);
    if (n < 0) return error_system(err, number, "read", path);
    *length = got;
    return TARE_OK;
}
