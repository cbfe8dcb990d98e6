#include "base/os_out.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/os.h"

#define NAME_MAX_BYTES 4096
#define PIECE_MOST ((size_t)1 << 30) /* what one write takes everywhere */
#define WRITERS_MOST 1000            /* of one file at once */
#define TRIES_MOST 100               /* for one name, while others make and remove it */

static bool temporary_name(char out[NAME_MAX_BYTES], const os_out *o)
{
    int n = o->number ? snprintf(out, NAME_MAX_BYTES, "%s.tmp.%u", o->path, o->number)
                      : snprintf(out, NAME_MAX_BYTES, "%s.tmp", o->path);
    return n > 0 && n < NAME_MAX_BYTES;
}

static tare_status failed(const os_out *o, int number, tare_error *err)
{
    return error_system(err, number, "write", o->path);
}

static bool same_file(int fd, const char *name)
{
    struct stat open_one, named;
    return fstat(fd, &open_one) == 0 && lstat(name, &named) == 0 &&
           open_one.st_dev == named.st_dev && open_one.st_ino == named.st_ino;
}

/* True: somebody writes to it now. Else it is gone, as far as it can be removed. */
static bool is_in_use(const char *name)
{
    int fd = os_open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        close(fd);
        return true;
    }
    /* Between open and lock the name may have become another file, which is then somebody's. */
    if (fd < 0 || same_file(fd, name)) unlink(name);
    if (fd >= 0) close(fd);
    return false;
}

/* A new file of this name that no other process takes for a left one. -1: errno. */
static int make_locked(const char *name)
{
    int fd = os_open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
    if (fd < 0) return -1;
    bool mine = flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    if (mine && same_file(fd, name)) return fd; /* not removed before the lock was there */
    close(fd);
    errno = EEXIST;
    return -1;
}

tare_status os_out_open(os_out *o, const char *path, tare_error *err)
{
    char name[NAME_MAX_BYTES];
    int number = EBUSY;
    for (*o = (os_out){-1, 0, path}; o->number < WRITERS_MOST; o->number++) {
        if (!temporary_name(name, o)) return failed(o, ENAMETOOLONG, err);
        for (int k = 0; k < TRIES_MOST; k++) {
            o->fd = make_locked(name);
            if (o->fd >= 0) return TARE_OK;
            number = errno;
            if (number != EEXIST) return failed(o, number, err);
            if (is_in_use(name)) break;
        }
    }
    return failed(o, number, err);
}

tare_status os_out_add(os_out *o, const void *bytes, size_t length, tare_error *err)
{
    const char *at = bytes;
    while (length > 0) {
        ssize_t n = write(o->fd, at, length < PIECE_MOST ? length : PIECE_MOST);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return failed(o, errno, err);
        at += n;
        length -= (size_t)n;
    }
    return TARE_OK;
}

tare_status os_out_done(os_out *o, tare_error *err)
{
    char name[NAME_MAX_BYTES];
    int number = 0, flushed;
    do flushed = fsync(o->fd);
    while (flushed != 0 && errno == EINTR);
    if (flushed != 0) number = errno;
    temporary_name(name, o);
    /* The lock is held until the name is gone. */
    if (number == 0 && rename(name, o->path) != 0) number = errno;
    if (number != 0) unlink(name);
    if (close(o->fd) != 0 && number == 0) number = errno;
    o->fd = -1;
    return number == 0 ? TARE_OK : failed(o, number, err);
}

void os_out_drop(os_out *o)
{
    char name[NAME_MAX_BYTES];
    if (o->fd < 0) return;
    if (temporary_name(name, o)) unlink(name);
    close(o->fd);
    o->fd = -1;
}
