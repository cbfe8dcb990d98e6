/* fake_ort.c - a library that says it is ONNX Runtime, for what is said of libraries that are not
 * good enough. FAKE_ORT: "old" (1.16.3; asking it for its interface ends the program), "none"
 * (1.17.0 that gives no interface), "gaps" (an interface without functions), "base" (no base). */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct fake_base {
    const void *(*get_api)(uint32_t version);
    const char *(*version)(void);
} fake_base;

static const char *kind(void)
{
    const char *k = getenv("FAKE_ORT");
    return k != NULL ? k : "none";
}

static const void *get_api(uint32_t version)
{
    static const void *const gaps[300];
    (void)version;
    if (strcmp(kind(), "old") == 0) abort();
    return strcmp(kind(), "gaps") == 0 ? gaps : NULL;
}

static const char *version_text(void)
{
    return strcmp(kind(), "old") == 0 ? "1.16.3" : "1.17.0";
}

__attribute__((visibility("default"))) const fake_base *OrtGetApiBase(void);
const fake_base *OrtGetApiBase(void)
{
    static const fake_base base = {get_api, version_text};
    return strcmp(kind(), "base") == 0 ? NULL : &base;
}
