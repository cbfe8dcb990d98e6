#include "base/os.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/os_out.h"

#define LOCK_PAUSE_NS 20000000

double os_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

unsigned os_cores(void)
{
    cpu_set_t set; /* what this process may use, as in a batch job */
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) {
        return (unsigned)CPU_COUNT(&set);
    }
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (unsigned)n : 1;
}

bool os_is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool os_exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0;
}

os_stamp os_file_stamp(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0) return (os_stamp){0, 0};
    return (os_stamp){st.st_size, (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec};
}

uint64_t os_file_size(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 ? (uint64_t)st.st_size : 0;
}

tare_status os_write_file(const char *path, const void *bytes, size_t length, tare_error *err)
{
    tare_status status = TARE_OK;
    os_out file = OS_OUT_NONE;
    TRY(os_out_open(&file, path, err));
    TRY(os_out_add(&file, bytes, length, err));
    TRY(os_out_done(&file, err));
done:
    os_out_drop(&file);
    return status;
}

tare_status os_make_folders(const char *path, tare_error *err)
{
    char part[4096];
    size_t length = strlen(path);
    if (length == 0) return error_system(err, ENOENT, "create", path);
    if (length >= sizeof part) return error_system(err, ENAMETOOLONG, "create", path);
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0') continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0777) == 0) continue;
        int number = errno;
        /* A folder above that exists may say EROFS or EACCES instead of EEXIST. */
        if (os_is_folder(part)) continue;
        return error_system(err, number == EEXIST ? ENOTDIR : number, "create", part);
    }
    return TARE_OK;
}

bool os_is_own_folder(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool os_is_own_file(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISREG(st.st_mode);
}

tare_status os_make_own_folder(const char *path, tare_error *err)
{
    if (mkdir(path, 0777) == 0 || os_is_own_folder(path)) return TARE_OK;
    if (errno != EEXIST) return error_system(err, errno, "create", path);
    return error_set(err, TARE_E_IO, "io.link", path,
                     "this is a link, or no folder, and nothing is written through it: remove it, "
                     "or use another output folder");
}

tare_status os_lock_folder(int *fd, const char *path, double seconds, tare_error *err)
{
    double until = os_seconds() + seconds;
    *fd = os_open(path, O_RDONLY | O_DIRECTORY);
    if (*fd < 0) return error_system(err, errno, "open", path);
    while (flock(*fd, LOCK_EX | LOCK_NB) != 0) {
        int number = errno;
        if (number == EINTR) continue;
        if (number == EWOULDBLOCK && os_seconds() < until) {
            nanosleep(&(struct timespec){0, LOCK_PAUSE_NS}, NULL);
            continue;
        }
        close(*fd);
        *fd = -1;
        if (number != EWOULDBLOCK) return TARE_OK; /* a file system without such locks */
        return error_set(err, TARE_E_IO, "io.in_use", path,
                         "another tare is writing into this folder: wait for it, or choose "
                         "another output folder");
    }
    return TARE_OK;
}
