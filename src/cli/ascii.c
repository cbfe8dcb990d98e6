/* The signs of the summary on a terminal whose locale is not UTF-8. */
#include <langinfo.h>
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cli/cli.h"

/* Where the locale that the environment names is not installed, its name decides. */
static bool named_utf8(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t k = 0; k < sizeof variables / sizeof *variables; k++) {
        const char *name = getenv(variables[k]);
        if (!name || !*name) continue;
        return strcasestr(name, "utf-8") || strcasestr(name, "utf8");
    }
    return false;
}

static bool locale_is_utf8(void)
{
    locale_t own = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    if (own == (locale_t)0) return named_utf8();
    bool utf8 = !strcasecmp(nl_langinfo_l(CODESET, own), "UTF-8");
    freelocale(own);
    return utf8;
}

/* One column for one, so that tables stay in line, wherever there is such a sign. */
static const char *in_ascii(uint32_t code)
{
    static const struct { uint32_t code; const char *ascii; } known[] = {
        {0x00a0, " "}, {0x00b0, "o"}, {0x00b1, "~"}, {0x00b7, "."}, {0x00d7, "x"}, {0x2009, " "},
        {0x2013, "-"}, {0x2014, "-"}, {0x2018, "'"}, {0x2019, "'"}, {0x201c, "\""}, {0x201d, "\""},
        {0x2020, "r"}, {0x2021, "h"}, {0x2026, "~"}, {0x2212, "-"}, {0x221e, "inf"},
        {0x2264, "<="}, {0x2265, ">="}, {0x25cb, "o"}, {0x25cf, "*"}, {0x25d0, "+"},
        {0x2713, "+"}, {0x2717, "x"}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (known[k].code == code) return known[k].ascii;
    return "?";
}

void print_words(FILE *f, const char *text)
{
    if (isatty(fileno(f)) != 1 || locale_is_utf8()) {
        fputs(text, f);
        return;
    }
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        if (*c < 0x80) {
            fputc(*c++, f);
            continue;
        }
        uint32_t code = *c & (*c >= 0xf0 ? 0x07u : *c >= 0xe0 ? 0x0fu : 0x1fu);
        while ((*++c & 0xc0u) == 0x80u) code = code << 6 | (*c & 0x3fu);
        fputs(in_ascii(code), f);
    }
}
