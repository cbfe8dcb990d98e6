#include "base/library.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/os.h"

/* ---- Where ----------------------------------------------------------------- */

static const char *const FOLDERS[] = {"", "deps/", "../deps/", "../libexec/tare/"};

/* A path beside `holder`; false if there is no such file, or one that another user owns. */
static bool beside(char out[PATH_MAX], const char *holder, const char *folder, const char *file)
{
    struct stat st;
    const char *slash = strrchr(holder, '/');
    if (slash == NULL) return false;
    int n = snprintf(out, PATH_MAX, "%.*s/%s%s", (int)(slash - holder), holder, folder, file);
    return n > 0 && n < PATH_MAX && stat(out, &st) == 0
           && (st.st_uid == 0 || st.st_uid == geteuid());
}

static bool find_beside(char out[PATH_MAX], const char *holder, const char *const *files)
{
    for (size_t i = 0; i < sizeof FOLDERS / sizeof *FOLDERS; i++) {
        for (size_t k = 0; files[k] != NULL; k++) {
            if (beside(out, holder, FOLDERS[i], files[k])) return true;
        }
    }
    return false;
}

/* Beside the library that holds this code, or the program. */
static bool find_near(char out[PATH_MAX], const char *const *files)
{
    char program[PATH_MAX];
    Dl_info here;
    if (dladdr(FOLDERS, &here) != 0 && here.dli_fname != NULL && here.dli_fname[0] == '/'
        && find_beside(out, here.dli_fname, files)) {
        return true;
    }
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n <= 0) return false;
    program[n] = '\0';
    return find_beside(out, program, files);
}

/* ---- Opening --------------------------------------------------------------- */

static tare_status fail(tare_error *err, const library_wanted *w, const char *kind,
                        const char *where, const char *message)
{
    char code[sizeof err->code];
    snprintf(code, sizeof code, "%s.%s", w->code, kind);
    return error_set(err, TARE_E_DATA, code, where, "%s", message);
}

/* RTLD_NODELETE: its threads and destructors may outlive the last use. */
static bool open_path(library *out, const char *path)
{
    snprintf(out->path, sizeof out->path, "%s", path);
    void *there = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    out->first = there == NULL;
    if (there != NULL) dlclose(there);
    out->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    return out->handle != NULL;
}

static tare_status open_file(library *out, const library_wanted *w, const char *path,
                             tare_error *err)
{
    char message[sizeof err->message];
    if (open_path(out, path)) return TARE_OK;
    const char *why = dlerror();
    snprintf(message, sizeof message, "this library cannot be opened: %.250s. %s",
             why != NULL ? why : "no reason given", w->get);
    return fail(err, w, "library", path, message);
}

/* A file that an option or variable names. Without a slash the loader would look elsewhere. */
static tare_status open_named(library *out, const library_wanted *w, const char *by,
                              const char *path, tare_error *err)
{
    char message[sizeof err->message], here[PATH_MAX];
    if (!os_exists(path) || os_is_folder(path)) {
        snprintf(message, sizeof message, "%s names this file, which %s. %s", by,
                 os_exists(path) ? "is a folder" : "does not exist", w->get);
        return fail(err, w, "missing", path, message);
    }
    bool bare = strchr(path, '/') == NULL;
    int n = snprintf(here, sizeof here, "%s%s", bare ? "./" : "", path);
    if (n < 0 || n >= (int)sizeof here) return fail(err, w, "library", path, "this is too long");
    return open_file(out, w, here, err);
}

tare_status library_open(library *out, const library_wanted *wanted, tare_error *err)
{
    char path[PATH_MAX], message[sizeof err->message];
    out->handle = NULL;
    out->path[0] = '\0';
    out->first = false;
    if (wanted->given != NULL && *wanted->given != '\0') {
        return open_named(out, wanted, wanted->given_by, wanted->given, err);
    }
    const char *named = getenv(wanted->variable);
    if (named != NULL && *named != '\0') {
        return open_named(out, wanted, wanted->variable, named, err);
    }
    if (find_near(path, wanted->files)) return open_file(out, wanted, path, err);
    for (size_t i = 0; wanted->sonames[i] != NULL; i++) {
        if (open_path(out, wanted->sonames[i])) return TARE_OK;
    }
    snprintf(message, sizeof message, "%s is not here. %s", wanted->name, wanted->get);
    return fail(err, wanted, "missing", wanted->sonames[0], message);
}

void library_close(library *l)
{
    if (l->handle != NULL) dlclose(l->handle);
    l->handle = NULL;
}

void *library_symbol(library *l, const char *name)
{
    Dl_info found;
    void *symbol = dlsym(l->handle, name);
    if (symbol != NULL && strchr(l->path, '/') == NULL && dladdr(symbol, &found) != 0
        && found.dli_fname != NULL) {
        snprintf(l->path, sizeof l->path, "%s", found.dli_fname);
    }
    return symbol;
}
