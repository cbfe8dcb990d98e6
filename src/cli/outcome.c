#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

const exit_meaning exit_meanings[] = {
    {0, "done; an audit that could not answer says why and is done too"},
    {1, "what was to be checked does not hold, or could not be checked"},
    {2, "the command line is wrong"},
    {3, "the data cannot be read or used"},
    {4, "no instrument gave a score"},
    {5, "stopped before the end; the same command goes on from there"},
    {70, "an internal check failed: a bug, please report it"},
    {130, "interrupted twice"},
    {0, NULL},
};

int exit_code(tare_status status)
{
    switch (status) {
    case TARE_OK: return EXIT_DONE;
    case TARE_E_USAGE: return EXIT_USAGE;
    case TARE_E_DATA:
    case TARE_E_IO:
    case TARE_E_LIMIT: return EXIT_DATA;
    case TARE_E_INSTRUMENT: return EXIT_INSTRUMENT;
    case TARE_E_MEMORY: /* what was scored is kept: with more memory it goes on */
    case TARE_E_STOPPED: return EXIT_INCOMPLETE;
    case TARE_E_BUG: break;
    }
    return EXIT_BUG;
}

int fail_usage(const char *command, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(stderr, "tare%s%s: ", command ? " " : "", command ? command : "");
    vfprintf(stderr, format, list);
    fprintf(stderr, " (see: tare help%s%s)\n", command ? " " : "", command ? command : "");
    va_end(list);
    return EXIT_USAGE;
}

int fail_error(const char *command, const tare_error *err)
{
    bool option = !strncmp(err->code, "option.", 7);
    fprintf(stderr, "tare%s%s: ", command ? " " : "", command ? command : "");
    if (*err->where) fprintf(stderr, "%s%s: ", option ? "--" : "", err->where);
    fputs(*err->message ? err->message : tare_status_name(err->status), stderr);
    if (err->status == TARE_E_USAGE && command) fprintf(stderr, " (see: tare help %s)", command);
    else if (*err->code) fprintf(stderr, " [%s]", err->code);
    fputc('\n', stderr);
    return exit_code(err->status);
}

int fail_memory(const char *command)
{
    fprintf(stderr, "tare%s%s: out of memory\n", command ? " " : "", command ? command : "");
    return exit_code(TARE_E_MEMORY);
}
