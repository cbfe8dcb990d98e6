/* The places of functions in the library's table, compared with the library's own header. Built
 * only where that is installed (Debian 13: libonnxruntime-dev). */
#include <onnxruntime_c_api.h>
#include <stddef.h>
#include <stdio.h>

#include "scorer/onnx/ort_api.h"

#define SAME_PLACE(place, result, name, arguments)                                \
    _Static_assert(offsetof(OrtApi, name) == (place) * sizeof(void *), #name);
ORT_SLOTS(SAME_PLACE)

_Static_assert(offsetof(OrtApiBase, GetApi) == offsetof(ort_base, get_api), "GetApi");
_Static_assert(offsetof(OrtApiBase, GetVersionString) == offsetof(ort_base, version), "version");
_Static_assert(ORT_API_VERSION >= ORT_API_VERSION_ASKED, "the header is older than 1.17");
_Static_assert((int)ORT_LOGGING_LEVEL_FATAL == (int)ORT_SEVERITY_FATAL, "severity");

int main(void)
{
    printf("places as in the header of version %d\n", ORT_API_VERSION);
    return 0;
}
