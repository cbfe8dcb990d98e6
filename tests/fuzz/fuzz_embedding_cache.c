/* Any bytes as a file of vectors: it is refused and stays as it is, or it is used: what is found
 * carries its check sum, what is put is found again, and the file can be opened once more. */
#include <string.h>
#include <unistd.h>

#include "base/os.h"
#include "fuzz.h"
#include "scorer/onnx/embedding_cache.h"

enum { LENGTH = 3, HEADER = 152, RECORD = 32 + 4 * LENGTH + 8, LOOKS = 8 };

static const char hash[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

typedef struct place {
    char folder[48], file[128];
} place;

static embedding_cache *open_file(const place *p, const mem *m, tare_status *status)
{
    tare_error err = {TARE_OK, "", "", ""};
    embedding_cache_options o = {p->folder, hash, hash, LENGTH, 4096};
    embedding_cache *c = NULL;
    *status = embedding_cache_open(&c, m, &o, &err);
    REQUIRE(*status == TARE_OK || (err.status == *status && err.message[0] && err.where[0]));
    REQUIRE((c != NULL) == (*status == TARE_OK));
    return c;
}

/* The keys that stand in the file, and one that does not. */
static void use(embedding_cache *c, const uint8_t *data, size_t size)
{
    unsigned char key[EMBEDDING_KEY_BYTES] = {1, 2, 3};
    float v[LENGTH] = {1, -2, 0.5f}, got[LENGTH];
    bool found;
    for (size_t k = 0; k < LOOKS && HEADER + (k + 1) * RECORD <= size; k++) {
        memcpy(key, data + HEADER + k * RECORD, sizeof key);
        REQUIRE(embedding_cache_get(got, &found, c, key, NULL) == TARE_OK);
        if (!found) REQUIRE(embedding_cache_put(c, key, v, NULL) == TARE_OK);
        REQUIRE(embedding_cache_get(got, &found, c, key, NULL) == TARE_OK && found);
    }
    memset(key, 77, sizeof key);
    REQUIRE(embedding_cache_put(c, key, v, NULL) == TARE_OK);
    REQUIRE(embedding_cache_get(got, &found, c, key, NULL) == TARE_OK && found);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mem m = mem_system();
    place p = {.folder = "/tmp/fuzz_embedding_XXXXXX"};
    tare_status status;
    REQUIRE(mkdtemp(p.folder) != NULL);
    snprintf(p.file, sizeof p.file, "%s/%.16s-%.16s.vec", p.folder, hash, hash);
    FILE *file = fopen(p.file, "wb");
    REQUIRE(file != NULL && fwrite(data, 1, size, file) == size && fclose(file) == 0);
    embedding_cache *c = open_file(&p, &m, &status);
    if (c != NULL) {
        use(c, data, size);
        embedding_cache_close(c);
        c = open_file(&p, &m, &status);
        REQUIRE(c != NULL);
        use(c, data, size);
        embedding_cache_close(c);
        REQUIRE((os_file_size(p.file) - HEADER) % RECORD == 0);
    } else {
        REQUIRE(status == TARE_E_DATA && os_file_size(p.file) == size);
    }
    unlink(p.file);
    rmdir(p.folder);
    return 0;
}
