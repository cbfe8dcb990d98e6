#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/os.h"

typedef struct listing {
    arena *a;
    const char *root;
    size_t max_files;
    const char **files, **folders; /* relative paths; folders: a queue */
    size_t file_count, file_capacity, folder_count, folder_capacity;
    os_other *others;
    size_t other_count, other_capacity;
    os_listing *out;
} listing;

static tare_status keep(const char ***paths, size_t *count, size_t *capacity, const char *path,
                        const mem *m, tare_error *err)
{
    if (path == NULL || !mem_reserve(m, paths, capacity, *count + 1, sizeof **paths)) {
        return error_memory(err);
    }
    (*paths)[(*count)++] = path;
    return TARE_OK;
}

static tare_status keep_other(listing *l, const char *path, const char *why, tare_error *err)
{
    if (l->other_count >= l->max_files) return TARE_OK;
    if (path == NULL || !mem_reserve(l->a->m, &l->others, &l->other_capacity, l->other_count + 1,
                                     sizeof *l->others)) {
        return error_memory(err);
    }
    l->others[l->other_count++] = (os_other){path, why};
    return TARE_OK;
}

static tare_status keep_entry(listing *l, int folder_fd, const char *folder,
                              const char *name, tare_error *err)
{
    struct stat st;
    if (fstatat(folder_fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0) return TARE_OK; /* just gone */
    bool linked = S_ISLNK(st.st_mode);
    const char *path = arena_printf(l->a, "%s%s%s", folder, folder[0] == '\0' ? "" : "/", name);
    if (linked && fstatat(folder_fd, name, &st, 0) != 0) {
        return keep_other(l, path, "a link that leads nowhere", err);
    }
    if (linked && S_ISDIR(st.st_mode)) {
        return keep_other(l, path, "a link to a folder, which is not followed", err);
    }
    if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) {
        return keep_other(l, path, "no file but a pipe, socket or device", err);
    }
    if (S_ISDIR(st.st_mode)) {
        return keep(&l->folders, &l->folder_count, &l->folder_capacity, path, l->a->m, err);
    }
    if (l->file_count >= l->max_files) {
        return error_set(err, TARE_E_LIMIT, "io.files", l->root, "more than %zu files",
                         l->max_files);
    }
    return keep(&l->files, &l->file_count, &l->file_capacity, path, l->a->m, err);
}

static tare_status list_folder(listing *l, const char *folder, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *path = l->root;
    if (folder[0] != '\0') path = arena_printf(l->a, "%s/%s", l->root, folder);
    if (path == NULL) return error_memory(err);
    DIR *dir = opendir(path);
    if (dir == NULL) {
        bool fatal = folder[0] == '\0' || errno == ENOMEM || errno == EMFILE || errno == ENFILE;
        if (fatal) return error_system(err, errno, "list", path);
        if (l->out->denied++ == 0) l->out->first_denied = path;
        return TARE_OK;
    }
    for (;;) {
        errno = 0;
        struct dirent *entry = readdir(dir);
        if (entry == NULL) {
            if (errno != 0) status = error_system(err, errno, "list", path);
            goto done;
        }
        if (entry->d_name[0] == '.') continue;
        TRY(keep_entry(l, dirfd(dir), folder, entry->d_name, err));
    }
done:
    closedir(dir);
    return status;
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int compare_others(const void *a, const void *b)
{
    return strcmp(((const os_other *)a)->path, ((const os_other *)b)->path);
}

tare_status os_list_files(os_listing *out, arena *a, const char *root, size_t max_files,
                          tare_error *err)
{
    tare_status status = TARE_OK;
    listing l = {.a = a, .root = root, .max_files = max_files, .out = out};
    *out = (os_listing){NULL, 0, NULL, 0, 0, NULL};
    TRY(list_folder(&l, "", err));
    for (size_t i = 0; i < l.folder_count; i++) TRY(list_folder(&l, l.folders[i], err));
    const char **paths = arena_new(a, l.file_count, sizeof *paths);
    if (paths == NULL) FAIL_MEMORY(err);
    if (l.file_count > 0) {
        memcpy(paths, l.files, l.file_count * sizeof *paths);
        qsort(paths, l.file_count, sizeof *paths, compare_paths);
    }
    TRY_NEW(out->others = arena_new(a, l.other_count, sizeof *out->others));
    if (l.other_count > 0) {
        memcpy(out->others, l.others, l.other_count * sizeof *out->others);
        qsort(out->others, l.other_count, sizeof *out->others, compare_others);
    }
    out->other_count = l.other_count;
    out->paths = paths;
    out->count = l.file_count;
done:
    mem_free(a->m, l.others);
    mem_free(a->m, l.files);
    mem_free(a->m, l.folders);
    return status;
}
