#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* Copies what fits; never leaves half a character at the end. Names in files of others may hold
 * what a terminal obeys: nothing of it comes through here. */
static void copy_text(char *out, size_t room, const char *in)
{
    size_t length = strlen(in);
    if (length >= room) {
        length = room - 1;
        while (length > 0 && ((unsigned char)in[length] & 0xC0) == 0x80) length--;
    }
    memmove(out, in, length);
    out[length] = '\0';
    text_make_plain(out);
}

static void error_fill(tare_error *err, tare_status status, const char *code, const char *where,
                       const char *message)
{
    if (err == NULL) return;
    err->status = status;
    copy_text(err->where, sizeof err->where, where != NULL ? where : "");
    copy_text(err->message, sizeof err->message, message);
    copy_text(err->code, sizeof err->code, code);
}

tare_status error_set(tare_error *err, tare_status status, const char *code, const char *where,
                      const char *format, ...)
{
    if (err != NULL) {
        /* The arguments may point into err: print beside it first. */
        char message[sizeof err->message + 4];
        va_list list;
        va_start(list, format);
        int wanted = vsnprintf(message, sizeof message, format, list);
        va_end(list);
        error_fill(err, status, code, where, wanted < 0 ? "(message could not be made)" : message);
    }
    return status;
}

tare_status error_memory(tare_error *err)
{
    error_fill(err, TARE_E_MEMORY, "memory", "", "out of memory");
    return TARE_E_MEMORY;
}

tare_status error_system(tare_error *err, int number, const char *verb, const char *path)
{
    if (number == ENOMEM) return error_memory(err);
    char code[40], reason[128];
    snprintf(code, sizeof code, "io.%s", verb);
    const char *why = strerror_r(number, reason, sizeof reason); /* GNU form: returns the text */
    return error_set(err, TARE_E_IO, code, path, "cannot %s: %s", verb, why);
}

const char *tare_status_name(tare_status status)
{
    switch (status) {
    case TARE_OK: return "ok";
    case TARE_E_USAGE: return "usage";
    case TARE_E_DATA: return "data";
    case TARE_E_IO: return "io";
    case TARE_E_LIMIT: return "limit";
    case TARE_E_MEMORY: return "memory";
    case TARE_E_INSTRUMENT: return "instrument";
    case TARE_E_STOPPED: return "stopped";
    case TARE_E_BUG: return "bug";
    }
    return "unknown";
}
