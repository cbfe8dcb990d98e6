#include "scorer/onnx/ort_library.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const char *const FILES[] = {"libonnxruntime.so.1", "libonnxruntime.so",
                                    "libonnxruntime.dylib", NULL};

/* Builds differ in their SONAME: newest first. */
#define MINOR(n) "libonnxruntime.so.1." #n
#define TEN(t)                                                                                     \
    MINOR(t##9), MINOR(t##8), MINOR(t##7), MINOR(t##6), MINOR(t##5), MINOR(t##4), MINOR(t##3),     \
        MINOR(t##2), MINOR(t##1), MINOR(t##0)
static const char *const SONAMES[] = {
    "libonnxruntime.so.1", "libonnxruntime.so", MINOR(60), TEN(5), TEN(4), TEN(3), TEN(2),
    MINOR(19), MINOR(18), MINOR(17), "libonnxruntime.dylib",
    "/opt/homebrew/lib/libonnxruntime.dylib", "/usr/local/lib/libonnxruntime.dylib", NULL};

#define GET                                                                                        \
    "In tare's source folder, `make deps-onnxruntime` (tools/fetch_onnxruntime.sh) takes it out "  \
    "of the npm package onnxruntime-node; Debian 13 has a package libonnxruntime. --ort or the "   \
    "environment variable TARE_ORT_LIB may name the file"

static const char *const WORDS = GET;

bool ort_library_at_least(const ort_library *l, int minor)
{
    int is_major, is_minor;
    return sscanf(l->version, "%d.%d", &is_major, &is_minor) == 2
           && (is_major > 1 || (is_major == 1 && is_minor >= minor));
}

/* May its interface be asked for? A library prints when it is asked for what it lacks. */
static bool new_enough(const ort_library *l)
{
    return ort_library_at_least(l, ORT_API_VERSION_ASKED);
}

static tare_status find_functions(ort_library *l, const void *const *table, tare_error *err)
{
    static const struct {
        size_t place, offset;
        const char *name;
    } SLOTS[] = {
#define ORT_PLACE(place, result, name, arguments) {place, offsetof(ort_api, name), #name},
        ORT_SLOTS(ORT_PLACE)
#undef ORT_PLACE
    };
    for (size_t i = 0; i < sizeof SLOTS / sizeof *SLOTS; i++) {
        const void *function = table[SLOTS[i].place];
        if (function == NULL) {
            return error_set(err, TARE_E_DATA, "onnx.library", l->library.path,
                             "this ONNX Runtime %s has no %s: take a full build of it", l->version,
                             SLOTS[i].name);
        }
        memcpy((char *)&l->api + SLOTS[i].offset, &function, sizeof function);
    }
    return TARE_OK;
}

static tare_status use_library(ort_library *l, tare_error *err)
{
    const ort_base *(*get_base)(void) = NULL;
    void *found = library_symbol(&l->library, "OrtGetApiBase");
    memcpy(&get_base, &found, sizeof found);
    const ort_base *base = get_base != NULL ? get_base() : NULL;
    if (base == NULL) {
        return error_set(err, TARE_E_DATA, "onnx.library", l->library.path,
                         "this library is no ONNX Runtime: it has no OrtGetApiBase. " GET);
    }
    const char *version = base->version();
    snprintf(l->version, sizeof l->version, "%s", version != NULL ? version : "?");
    const void *table = new_enough(l) ? base->get_api(ORT_API_VERSION_ASKED) : NULL;
    if (table == NULL) {
        bool later = new_enough(l);
        return error_set(err, TARE_E_DATA, "onnx.library", l->library.path,
                         later ? "this is ONNX Runtime %s, which tare does not know: it has not "
                                 "the interface of 1.17. " GET
                               : "this is ONNX Runtime %s; 1.17 or later is needed. " GET,
                         l->version);
    }
    return find_functions(l, table, err);
}

/* From 1.29 on the library reports to its maker as soon as it has an environment, before
 * DisableTelemetryEvents can be called: it starts threads, keeps a number of this machine in a file
 * and uploads. This variable, read then, is its only full switch. A value that is set stays. */
static void forbid_reports(void)
{
    setenv("ORT_DISABLE_TELEMETRY", "1", 0);
}

tare_status ort_library_open(ort_library *out, const char *given, tare_error *err)
{
    const library_wanted wanted = {
        .name = "ONNX Runtime, which runs ONNX models,", .code = "onnx", .given = given,
        .given_by = "--ort", .variable = "TARE_ORT_LIB", .files = FILES, .sonames = SONAMES,
        .get = WORDS};
    forbid_reports();
    tare_status status = library_open(&out->library, &wanted, err);
    if (status == TARE_OK) status = use_library(out, err);
    if (status != TARE_OK) ort_library_close(out);
    return status;
}

void ort_library_close(ort_library *l)
{
    library_close(&l->library);
}
