#include "scorer/recipe/recipe_verified.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/os.h"

static const char head[] = "published values held: ";

/* Ends with '/'; false: there is no place. */
static bool folder_of(char out[PATH_MAX])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int n = -1;
    if (cache && *cache == '/') n = snprintf(out, PATH_MAX, "%s/tare/verified/", cache);
    else if (home && *home == '/') n = snprintf(out, PATH_MAX, "%s/.cache/tare/verified/", home);
    return n > 0 && n < PATH_MAX;
}

static bool path_of(char out[PATH_MAX], const char *key)
{
    if (strlen(key) != SHA256_HEX - 1 || strspn(key, "0123456789abcdef") != SHA256_HEX - 1)
        return false;
    if (!folder_of(out)) return false;
    size_t n = strlen(out);
    if (n + SHA256_HEX > PATH_MAX) return false;
    memcpy(out + n, key, SHA256_HEX);
    return true;
}

tare_status recipe_verified_key(char out[SHA256_HEX], const recipe *r, const mem *m,
                                const char *const *weights, size_t count, tare_error *err)
{
    tare_status status = TARE_OK;
    recipe now = *r; /* its identity is that of now, whatever was set since it was read */
    unsigned char digest[SHA256_BYTES];
    sha256 h;
    arena a;
    arena_init(&a, m);
    TRY(recipe_identify(&now, &a, err));
    sha256_init(&h);
    sha256_add(&h, now.identity, strlen(now.identity) + 1);
    for (size_t i = 0; i < count; i++) sha256_add(&h, weights[i], strlen(weights[i]) + 1);
    sha256_done(&h, digest);
    sha256_hex(digest, out);
done:
    arena_free(&a);
    return status;
}

bool recipe_verified(const char *key)
{
    char path[PATH_MAX], seen[sizeof head];
    size_t n = 0;
    return path_of(path, key) && os_read_start(seen, &n, sizeof head - 1, path, NULL) == TARE_OK &&
           n == sizeof head - 1 && !memcmp(seen, head, n);
}

bool recipe_keep_verified(const char *key, const char *about)
{
    char path[PATH_MAX], folder[PATH_MAX], entry[512];
    if (!path_of(path, key) || !folder_of(folder) || os_make_folders(folder, NULL) != TARE_OK)
        return false;
    int n = snprintf(entry, sizeof entry, "%s%.400s\n", head, about);
    return os_write_file(path, entry, (size_t)n, NULL) == TARE_OK;
}

/* ---- Standing -------------------------------------------------------------------------------- */

static const char *of_the_files(const recipe *r, bool known)
{
    bool recorded = true;
    for (size_t i = 0; i < r->file_count; i++) recorded &= r->file[i].sha256_count > 0;
    if (known && !r->any_sizes) return STANDING_RELEASE;
    return recorded ? STANDING_NO_RELEASE : STANDING_NO_RECORD;
}

tare_status recipe_standing(const char **out, arena *a, const recipe *r, const char *key,
                            bool known, tare_error *err)
{
    tare_status status = TARE_OK;
    bool held = recipe_verified(key);
    bool tested = *r->tested && known && !strcmp(r->identity, r->as_read);
    const char *of = held ? STANDING_HELD : tested ? r->tested
                     : r->published_count ? STANDING_NOT : STANDING_NONE;
    const char *files = held || tested || r->published_count ? "" : of_the_files(r, known);
    TRY_NEW(*out = arena_printf(a, "%s%s%s", r->any_sizes ? STANDING_OTHER : "", of, files));
done:
    return status;
}

const char *recipe_standing_advice(const char *standing)
{
    if (strstr(standing, STANDING_RELEASE))
        return "A wrong setting would give believable scores, and there is nothing to compare "
               "with.";
    if (strstr(standing, STANDING_NO_RELEASE))
        return "A wrong file or setting gives believable scores; `tare scorer list FILE` shows "
               "whether a file is of a known release.";
    if (strstr(standing, STANDING_NO_RECORD))
        return "A wrong file or setting gives believable scores; `tare scorer list FILE` prints "
               "the SHA-256 of a file, to be compared with that on its authors' page.";
    return NULL;
}
