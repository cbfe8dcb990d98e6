/* Compiled as C99 to C23 and as C++ with all warnings as errors: the header stands alone, may be
 * included twice, and its initialisers are valid in each of these languages. */
#include "tare.h"
#include "tare.h"

int use_header(void);

int use_header(void)
{
    tare_context_options options = TARE_CONTEXT_OPTIONS_INIT;
    tare_error err;
    tare_context *context = NULL;
    tare_status status = tare_context_new(&context, &options, &err);
    tare_context_free(context);
    return status == TARE_OK && TARE_VERSION_MAJOR + TARE_VERSION_MINOR > 0 && tare_version();
}
