#include "base/os_out.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/error.h"
#include "base/os.h"

#define NAME_MAX_BYTES 4096
#define PIECE_MOST ((size_t)1 << 30) /* what one write takes everywhere */

static bool temporary_name(char out[NAME_MAX_BYTES], const char *path)
{
    int n = snprintf(out, NAME_MAX_BYTES, "%s.tmp", path);
    return n > 0 && n < NAME_MAX_BYTES;
}

static tare_status failed(const os_out *o, int number, tare_error *err)
{
    return error_system(err, number, "write", o->path);
}

tare_status os_out_open(os_out *o, const char *path, tare_error *err)
{
    char name[NAME_MAX_BYTES];
    *o = (os_out){-1, path};
    if (!temporary_name(name, path)) return failed(o, ENAMETOOLONG, err);
    /* One name, so that what a killed writer left is taken away by the next. */
    unlink(name);
    o->fd = os_open(name, O_WRONLY | O_CREAT | O_EXCL);
    return o->fd < 0 ? failed(o, errno, err) : TARE_OK;
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
    if (close(o->fd) != 0 && number == 0) number = errno;
    o->fd = -1;
    temporary_name(name, o->path);
    if (number == 0 && rename(name, o->path) != 0) number = errno;
    if (number == 0) return TARE_OK;
    unlink(name);
    return failed(o, number, err);
}

void os_out_drop(os_out *o)
{
    char name[NAME_MAX_BYTES];
    if (o->fd < 0) return;
    close(o->fd);
    o->fd = -1;
    if (temporary_name(name, o->path)) unlink(name);
}
