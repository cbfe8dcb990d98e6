#include "scorer/exec_split.h"

#include <stdbool.h>
#include <string.h>

#include "base/error.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* One word from *at to `to`, which has room for what is left of the command. */
static tare_status split_word(char *to, const char **at, tare_error *err)
{
    const char *p = *at;
    char quote = 0;
    for (; *p && (quote || !is_blank(*p)); p++) {
        bool escapes = *p == '\\' && (!quote || (quote == '"' && (p[1] == '"' || p[1] == '\\')));
        if (escapes) {
            if (!p[1])
                return error_set(err, TARE_E_USAGE, "exec.command", NULL,
                                 "the command ends in a backslash");
            *to++ = *++p;
        } else if (quote ? *p == quote : *p == '"' || *p == '\'') {
            quote = quote ? 0 : *p;
        } else {
            *to++ = *p;
        }
    }
    *to = '\0';
    *at = p;
    if (quote)
        return error_set(err, TARE_E_USAGE, "exec.command", NULL,
                         "a quote %c in the command is not closed", quote);
    return TARE_OK;
}

tare_status exec_split(char ***out, size_t *count, arena *a, const char *command, tare_error *err)
{
    tare_status status = TARE_OK;
    char **words = NULL, *buffer = NULL;
    size_t n = 0, length = strlen(command);
    if (length > EXEC_COMMAND_MAX)
        FAIL(err, TARE_E_USAGE, "exec.command", NULL, "the command is longer than %d bytes",
             EXEC_COMMAND_MAX);
    TRY_NEW(words = arena_new(a, EXEC_WORDS_MAX + 1, sizeof *words));
    TRY_NEW(buffer = arena_new(a, 2 * length + 2, 1));
    for (const char *at = command;;) {
        while (is_blank(*at)) at++;
        if (!*at) break;
        if (n == EXEC_WORDS_MAX)
            FAIL(err, TARE_E_USAGE, "exec.command", NULL, "more than %d words", EXEC_WORDS_MAX);
        TRY(split_word(buffer, &at, err));
        words[n++] = buffer;
        buffer += strlen(buffer) + 1;
    }
    if (n == 0 || !*words[0])
        FAIL(err, TARE_E_USAGE, "exec.command", NULL,
             "no command: write exec:PROGRAM ARGUMENTS");
    *out = words;
    *count = n;
done:
    return status;
}
