#include "support/ort_fixture.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "base/os.h"

static char folder[64];

bool ort_fixture_begin(void)
{
    const char *library = getenv("TARE_ORT_LIB");
    if (library == NULL) {
        library = TARE_SOURCE_DIR "/build/deps/libonnxruntime.so.1";
        setenv("TARE_ORT_LIB", library, 1);
    }
    if (!os_exists(library)) {
        printf("skipped: no ONNX Runtime at %s; tools/fetch_onnxruntime.sh gets it\n", library);
        return false;
    }
    strcpy(folder, "/tmp/tare-ort-XXXXXX");
    if (mkdtemp(folder) == NULL) return false;
    setenv("XDG_CACHE_HOME", folder, 1);
    return tiny_models_make(folder);
}

void ort_fixture_end(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0) fprintf(stderr, "%s is left\n", folder);
}

const char *ort_place(const char *name)
{
    static char paths[15][4200];
    static unsigned next;
    char *out = paths[next++ % 15];
    snprintf(out, sizeof paths[0], "%s/%s", folder, name);
    return out;
}

void ort_write(const char *name, const void *bytes, size_t length)
{
    FILE *f = fopen(ort_place(name), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, length, f), length);
    assert_int_equal(fclose(f), 0);
}

tare_context *ort_context(void)
{
    tare_error err;
    tare_context *c = NULL;
    assert_ok(tare_context_new(&c, NULL, &err));
    return c;
}

ort_session *ort_model(tare_context *c, const char *name)
{
    tare_error err;
    ort_session *s = NULL;
    const ort_open what = {NULL, ort_place(name), NULL, 0, NULL};
    assert_ok(ort_session_open(&s, c, &what, &err));
    return s;
}

void ort_pixels(float *out, size_t count)
{
    for (size_t i = 0; i < count; i++) out[i] = (float)(7919 * i % 1000) / 1000.0F;
}

ort_output ort_ask(ort_session *s, const float *pixels, size_t n, const char *output)
{
    tare_error err;
    ort_output out;
    const ort_tensor in = {"image", ORT_F32, 4, {(int64_t)n, 3, 8, 8}, pixels};
    assert_ok(ort_session_run(&out, s, &in, 1, output, &err));
    return out;
}

size_t ort_open_files(void)
{
    size_t n = 0;
    DIR *d = opendir("/proc/self/fd");
    assert_non_null(d);
    while (readdir(d) != NULL) n++;
    closedir(d);
    return n;
}
