#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/cli.h"

bool use_colour(const cli_arguments *args, FILE *stream)
{
    const char *when = argument_text(args, "colour");
    if (when && !strcmp(when, "always")) return true;
    if (when && !strcmp(when, "never")) return false;
    const char *none = getenv("NO_COLOR"), *kind = getenv("TERM");
    if (none && *none) return false;
    if (kind && !strcmp(kind, "dumb")) return false;
    return isatty(fileno(stream)) == 1;
}

unsigned terminal_columns(FILE *stream)
{
    struct winsize size;
    unsigned long columns = 0;
    if (isatty(fileno(stream)) == 1) {
        if (!ioctl(fileno(stream), TIOCGWINSZ, &size)) columns = size.ws_col;
    } else {
        const char *said = getenv("COLUMNS");
        char *end = NULL;
        if (said) columns = strtoul(said, &end, 10);
        if (!end || *end || *said < '0' || *said > '9') columns = 0;
    }
    if (!columns) return 80;
    return columns < 40 ? 40 : columns > 120 ? 120 : (unsigned)columns;
}

/* Columns of a word: bytes that do not continue a character. */
static unsigned columns_of(const char *word, size_t length)
{
    unsigned columns = 0;
    for (size_t i = 0; i < length; i++) columns += ((unsigned char)word[i] & 0xc0) != 0x80;
    return columns;
}

void print_filled(FILE *f, const char *text, unsigned indent, unsigned start, unsigned width)
{
    unsigned column = start;
    bool first = true;
    while (*text) {
        text += strspn(text, " \n");
        size_t length = strcspn(text, " \n");
        if (!length) break;
        unsigned columns = columns_of(text, length);
        if (!first && column + 1 + columns > width) {
            fprintf(f, "\n%*s", (int)indent, "");
            column = indent;
        } else if (!first) {
            fputc(' ', f);
            column++;
        }
        fwrite(text, 1, length, f);
        column += columns;
        text += length;
        first = false;
    }
    fputc('\n', f);
}
