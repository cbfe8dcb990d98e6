/* os.h - files, folders, clock. Paths are bytes; errors name the path. */
#ifndef BASE_OS_H
#define BASE_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/pool.h"
#include "tare.h"

/* The whole file ("-": standard input) with OS_READ_PADDING NULs after it (not counted), so that it
 * is a string and vector loads may run over its end. Errors: IO, LIMIT (more than max_bytes; also
 * for a device or pipe that does not end), MEMORY. */
#define OS_READ_PADDING 16
tare_status os_read_file(char **out, size_t *length, const mem *m, const char *path,
                         size_t max_bytes, tare_error *err);
/* The same of what must be a regular file ("-" is a name like any other). A pipe is refused at
 * once, for nobody may ever write to it. Errors: as above; IO for a pipe, a socket, a device. */
tare_status os_read_plain(char **out, size_t *length, const mem *m, const char *path,
                          size_t max_bytes, tare_error *err);
/* As os_read_file, large files on all threads of the pool (NULL: this one). */
tare_status os_read_file_on(char **out, size_t *length, pool *p, const mem *m, const char *path,
                            size_t max_bytes, tare_error *err);
/* open() and read() that a signal does not end; O_CLOEXEC is added, a new file is for all whom the
 * umask allows. -1: errno. os_read gives less than `count` bytes only at the end of the file. */
int os_open(const char *path, int flags);
ptrdiff_t os_read(int fd, void *to, size_t count);
/* Does it give its bytes once only? Standard input ("-"), a pipe, a socket, a device: whoever looks
 * at it takes from the one who reads it. */
bool os_gives_once(const char *path);
/* At most `max` first bytes of a file, *length of them. Errors: IO, also for what gives them once,
 * which is not opened. */
tare_status os_read_start(void *out, size_t *length, size_t max, const char *path,
                          tare_error *err);
/* Write to PATH.tmp, flush, rename over: all or nothing. Several may write a file at once, also in
 * several processes: the last one's stays, whole. What a killed one left is taken away. */
tare_status os_write_file(const char *path, const void *bytes, size_t length, tare_error *err);
tare_status os_make_folders(const char *path, tare_error *err); /* mkdir -p */
/* The folder PATH in one that is there and may come from somebody else: made, or it must be a
 * folder itself. A link is refused, for what is written must not go elsewhere. Errors: IO. */
tare_status os_make_own_folder(const char *path, tare_error *err);
bool os_is_own_folder(const char *path); /* there, and no link */
bool os_is_own_file(const char *path);   /* there, a regular file and no link */
/* One at a time in a folder: waits `seconds` for the others. *fd < 0 where the file system knows no
 * such lock; close() gives it back, so does the end of the process. Errors: IO. */
tare_status os_lock_folder(int *fd, const char *path, double seconds, tare_error *err);
bool os_is_folder(const char *path);
bool os_exists(const char *path);
/* When a file was last written to and how long it is; zeros if that cannot be told. Equal stamps:
 * very likely the same bytes. */
typedef struct os_stamp {
    int64_t bytes, modified_ns;
} os_stamp;
os_stamp os_file_stamp(const char *path);
uint64_t os_file_size(const char *path); /* 0 if it cannot be told */

/* Regular files below `root`, recursively, as paths relative to it with '/', sorted by bytes.
 * Hidden entries (leading dot) are left out; symbolic links to files are followed, to folders not.
 * Folders that cannot be entered are counted in *denied and named in *first_denied (in
 * the arena). What is no regular file and no folder, and is left out, stands in `others`, sorted
 * too. */
typedef struct os_other {
    const char *path, *why; /* why: static text */
} os_other;
typedef struct os_listing {
    const char **paths;
    size_t count;
    os_other *others;
    size_t other_count;
    size_t denied;
    const char *first_denied;
} os_listing;
tare_status os_list_files(os_listing *out, arena *a, const char *root, size_t max_files,
                          tare_error *err);

double os_seconds(void); /* monotonic clock */
unsigned os_cores(void);

#endif
