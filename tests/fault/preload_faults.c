/* preload_faults.c - loaded before the C library: the k-th call of some kinds on a file below a
 * folder fails. All of it comes from the environment:
 *
 *   TARE_FAULT_BELOW  folder; calls on other files are not counted
 *   TARE_FAULT_CALLS  words: open create read pread write pwrite sync rename truncate mkdir
 *   TARE_FAULT_AT     k, from 1; 0: only count
 *   TARE_FAULT_KIND   EIO, ENOSPC, EINTR, or short: half of the bytes are read or written
 *   TARE_FAULT_NOTE   file for one line at the end: calls counted, and what failed
 *
 * `open` are those for reading, `create` those for writing. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* glibc's names; what a program built for large files calls has 64 behind it. */
int open64(const char *path, int flags, ...);
int ftruncate64(int fd, off64_t length);
ssize_t pread64(int fd, void *to, size_t count, off64_t at);
ssize_t pwrite64(int fd, const void *from, size_t count, off64_t at);

static atomic_long counted;
static char failed_call[PATH_MAX + 32];

static const char *setting(const char *name)
{
    const char *value = getenv(name);
    return value ? value : "";
}

#define NEXT(name) dlsym(RTLD_NEXT, #name)

static bool is_below(const char *path)
{
    const char *below = setting("TARE_FAULT_BELOW");
    return *below && !strncmp(path, below, strlen(below));
}

static bool is_wanted(const char *call)
{
    const char *at = strstr(setting("TARE_FAULT_CALLS"), call);
    size_t length = strlen(call);
    while (at && ((at[length] && at[length] != ' ') ||
                  (at != setting("TARE_FAULT_CALLS") && at[-1] != ' ')))
        at = strstr(at + 1, call);
    return at != NULL;
}

/* 0: go on. -1: fails with errno. 1: half of it. */
static int verdict(const char *call, const char *path)
{
    if (!is_wanted(call) || !is_below(path)) return 0;
    long k = atomic_fetch_add(&counted, 1) + 1;
    if (k != atol(setting("TARE_FAULT_AT"))) return 0;
    snprintf(failed_call, sizeof failed_call, "%s %s", call, path);
    const char *kind = setting("TARE_FAULT_KIND");
    if (!strcmp(kind, "short")) return 1;
    errno = !strcmp(kind, "ENOSPC") ? ENOSPC : !strcmp(kind, "EINTR") ? EINTR : EIO;
    return -1;
}

static int verdict_fd(const char *call, int fd)
{
    char link[40], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (n <= 0) return 0;
    path[n] = '\0';
    return verdict(call, path);
}

static size_t some(size_t count, int verdict)
{
    return verdict > 0 && count > 1 ? count / 2 : count;
}

__attribute__((destructor)) static void leave_note(void)
{
    const char *note = setting("TARE_FAULT_NOTE");
    FILE *f = *note ? fopen(note, "w") : NULL;
    if (!f) return;
    fprintf(f, "%ld %s\n", atomic_load(&counted), failed_call);
    fclose(f);
}

/* ---- the calls ------------------------------------------------------------------------- */

#define MODE_OF(flags)                                        \
    mode_t mode = 0;                                          \
    if ((flags) & (O_CREAT | O_TMPFILE)) {                    \
        va_list args;                                         \
        va_start(args, flags);                                \
        mode = (mode_t)va_arg(args, int);                     \
        va_end(args);                                         \
    }

static int open_verdict(const char *path, int flags)
{
    char full[PATH_MAX], here[PATH_MAX];
    if (*path != '/' && getcwd(here, sizeof here)) {
        snprintf(full, sizeof full, "%.2000s/%.2000s", here, path);
        path = full;
    }
    return verdict((flags & O_ACCMODE) == O_RDONLY ? "open" : "create", path);
}

#define OPEN(name)                                                                     \
    int name(const char *path, int flags, ...)                                         \
    {                                                                                  \
        MODE_OF(flags)                                                                 \
        if (open_verdict(path, flags) < 0) return -1;                                  \
        int (*next)(const char *, int, ...) = (int (*)(const char *, int, ...))NEXT(name); \
        return next(path, flags, mode);                                                \
    }
OPEN(open)
OPEN(open64)

#define READ(name, type, call)                                                         \
    ssize_t name(int fd, void *to, size_t count, type at)                              \
    {                                                                                  \
        int v = verdict_fd(call, fd);                                                  \
        if (v < 0) return -1;                                                          \
        ssize_t (*next)(int, void *, size_t, type) =                                   \
            (ssize_t(*)(int, void *, size_t, type))NEXT(name);                         \
        return next(fd, to, some(count, v), at);                                       \
    }
READ(pread, off_t, "pread")
READ(pread64, off64_t, "pread")

#define WRITE(name, type, call)                                                        \
    ssize_t name(int fd, const void *from, size_t count, type at)                      \
    {                                                                                  \
        int v = verdict_fd(call, fd);                                                  \
        if (v < 0) return -1;                                                          \
        ssize_t (*next)(int, const void *, size_t, type) =                             \
            (ssize_t(*)(int, const void *, size_t, type))NEXT(name);                   \
        return next(fd, from, some(count, v), at);                                     \
    }
WRITE(pwrite, off_t, "pwrite")
WRITE(pwrite64, off64_t, "pwrite")

ssize_t read(int fd, void *to, size_t count)
{
    int v = verdict_fd("read", fd);
    if (v < 0) return -1;
    ssize_t (*next)(int, void *, size_t) = (ssize_t(*)(int, void *, size_t))NEXT(read);
    return next(fd, to, some(count, v));
}

ssize_t write(int fd, const void *from, size_t count)
{
    int v = verdict_fd("write", fd);
    if (v < 0) return -1;
    ssize_t (*next)(int, const void *, size_t) =
        (ssize_t(*)(int, const void *, size_t))NEXT(write);
    return next(fd, from, some(count, v));
}

#define ON_FD(name, call, parameters, arguments)                                       \
    int name parameters                                                                \
    {                                                                                  \
        if (verdict_fd(call, fd) < 0) return -1;                                       \
        int (*next) parameters = (int (*) parameters)NEXT(name);                       \
        return next arguments;                                                         \
    }
ON_FD(fsync, "sync", (int fd), (fd))
ON_FD(fdatasync, "sync", (int fd), (fd))
ON_FD(ftruncate, "truncate", (int fd, off_t length), (fd, length))
ON_FD(ftruncate64, "truncate", (int fd, off64_t length), (fd, length))

int rename(const char *from, const char *to)
{
    if (verdict("rename", to) < 0) return -1;
    int (*next)(const char *, const char *) = (int (*)(const char *, const char *))NEXT(rename);
    return next(from, to);
}

int mkdir(const char *path, mode_t mode)
{
    if (verdict("mkdir", path) < 0) return -1;
    int (*next)(const char *, mode_t) = (int (*)(const char *, mode_t))NEXT(mkdir);
    return next(path, mode);
}
