/* replay.c - runs a fuzz target over the files of a corpus: replay FOLDER... */
#include <string.h>

#include "base/os.h"
#include "fuzz.h"

int main(int argc, char **argv)
{
    mem m = mem_system();
    tare_error err = {TARE_OK, "", "", ""};
    size_t count = 0;
    for (int i = 1; i < argc; i++) {
        arena a;
        os_listing l;
        arena_init(&a, &m);
        if (os_list_files(&l, &a, argv[i], 1000000, &err) != TARE_OK) break;
        for (size_t k = 0; k < l.count; k++) {
            char *data;
            size_t length;
            const char *path = arena_printf(&a, "%s/%s", argv[i], l.paths[k]);
            if (path == NULL) return 1;
            if (os_read_file(&data, &length, &m, path, (size_t)64 << 20, &err) != TARE_OK) break;
            /* A block of the exact size: a sanitizer sees every byte read beyond. */
            char *exact = malloc(length > 0 ? length : 1);
            if (exact == NULL) return 1;
            memcpy(exact, data, length);
            mem_free(&m, data);
            LLVMFuzzerTestOneInput((const uint8_t *)exact, length);
            free(exact);
            count++;
        }
        arena_free(&a);
    }
    if (err.status != TARE_OK) fprintf(stderr, "%s: %s\n", err.where, err.message);
    printf("%zu inputs\n", count);
    return err.status != TARE_OK || count == 0;
}
