#include <string.h>

#include "cli/cli.h"

/* Text of a roff line: no line may begin with a control character, and a hyphen is a minus sign
 * that can be copied into a shell. */
static void put(FILE *f, const char *text, size_t length)
{
    bool line_start = true;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (line_start && (c == '.' || c == '\'')) fputs("\\&", f);
        line_start = c == '\n';
        if (c == '\\') fputs("\\e", f);
        else if (c == '-') fputs("\\-", f);
        else fputc(c, f);
    }
}

static void put_text(FILE *f, const char *text) { put(f, text, strlen(text)); }

static void put_paragraphs(FILE *f, const char *text)
{
    bool first = true;
    while (*text) {
        const char *end = strstr(text, "\n\n");
        size_t length = end ? (size_t)(end - text) : strlen(text);
        if (!first) fputs(".PP\n", f);
        put(f, text, length);
        fputc('\n', f);
        text += length + (end ? 2 : 0);
        first = false;
    }
}

static void put_head(FILE *f, const char *page, const char *summary)
{
    fprintf(f, ".TH %s 1 \"\" \"tare %s\" \"tare manual\"\n.SH NAME\n", page, tare_version());
    for (const char *c = page; *c; c++)
        if (*c == '-') fputs("\\-", f);
        else fputc(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c, f);
    fputs(" \\- ", f);
    put_text(f, summary);
    fputc('\n', f);
}

static void put_option(FILE *f, const tare_option_info *o)
{
    char letter = option_letter(o->name);
    fputs(".TP\n\\fB", f);
    if (letter) fprintf(f, "\\-%c\\fR, \\fB", letter);
    fputs("\\-\\-", f);
    put_text(f, o->name);
    fputs("\\fR", f);
    if (o->argument) {
        fputs(" \\fI", f);
        put_text(f, o->argument);
        fputs("\\fR", f);
    }
    fputc('\n', f);
    put_text(f, o->help);
    if (o->choices) {
        fputs(". One of ", f);
        put_text(f, o->choices);
    }
    if (o->fallback && o->type != TARE_OPTION_FLAG) {
        fputs(". Default: ", f);
        put_text(f, o->fallback);
    }
    fputs(o->repeats ? ". May be repeated.\n" : ".\n", f);
}

static void put_options(FILE *f, const tare_job_info *info)
{
    const tare_option_info *o;
    bool opens;
    fputs(".SH OPTIONS\n", f);
    for (size_t i = 0; (o = option_by_section(info, i, &opens)) != NULL; i++) {
        if (opens) {
            fputs(".SS ", f);
            put_text(f, o->section);
            fputc('\n', f);
        }
        put_option(f, o);
    }
}

static void put_exit_codes(FILE *f)
{
    fputs(".SH EXIT STATUS\n", f);
    for (const exit_meaning *e = exit_meanings; e->meaning; e++) {
        fprintf(f, ".TP\n\\fB%d\\fR\n", e->code);
        put_text(f, e->meaning);
        fputs(".\n", f);
    }
}

static void put_see_also(FILE *f, const char *self)
{
    cli_command command;
    bool first = true;
    fputs(".SH SEE ALSO\n", f);
    if (self) {
        fputs(".BR tare (1)", f);
        first = false;
    }
    for (size_t i = 0; command_at(&command, i); i++) {
        if (self && !strcmp(command.info->name, self)) continue;
        fprintf(f, "%s.BR tare\\-%s (1)", first ? "" : " ,\n", command.info->name);
        first = false;
    }
    fputc('\n', f);
}

void print_man_page(FILE *f, const cli_command *command)
{
    const tare_job_info *info = command->info;
    char page[64];
    snprintf(page, sizeof page, "TARE-%s", info->name);
    for (char *c = page; *c; c++)
        if (*c >= 'a' && *c <= 'z') *c = (char)(*c - 'a' + 'A');
    put_head(f, page, info->summary);
    fputs(".SH SYNOPSIS\n\\fBtare ", f);
    put_text(f, info->name);
    fputs("\\fR [\\fIOPTIONS\\fR]", f);
    if (info->inputs && *info->inputs) {
        fputs(" \\fI", f);
        put_text(f, info->inputs);
        fputs("\\fR", f);
    }
    fputs("\n.SH DESCRIPTION\n", f);
    put_paragraphs(f, info->details && *info->details ? info->details : info->summary);
    put_options(f, info);
    if (info->examples && *info->examples) {
        fputs(".SH EXAMPLES\n.nf\n", f);
        put_text(f, info->examples);
        fputs("\n.fi\n", f);
    }
    put_exit_codes(f);
    put_see_also(f, info->name);
}

void print_man_overview(FILE *f)
{
    cli_command command;
    const tare_backend_info *backend;
    put_head(f, "TARE", "find out whether a learned scorer or judge can be trusted");
    fputs(".SH SYNOPSIS\n\\fBtare\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIINPUTS\\fR]\n"
          ".SH DESCRIPTION\nWhat an instrument adds of its own is told apart from artifacts, "
          "noise and\ncherry\\-picking, and what the data cannot support is said in words.\n"
          ".SH COMMANDS\n", f);
    for (size_t i = 0; command_at(&command, i); i++) {
        fputs(".TP\n\\fB", f);
        put_text(f, command.info->name);
        fputs("\\fR\n", f);
        put_text(f, command.info->summary);
        fputc('\n', f);
    }
    fputs(".SH SCORERS\n", f);
    for (size_t i = 0; (backend = tare_backend_info_at(i)) != NULL; i++) {
        fputs(".TP\n\\fB", f);
        put_text(f, backend->usage);
        fputs("\\fR\n", f);
        put_text(f, backend->summary);
        fputc('\n', f);
    }
    put_exit_codes(f);
    fputs(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nIf set, no colour is used.\n"
          ".TP\n.B TARE_DEMO_PHOTOS\nThe folder of photographs of \\fBtare demo\\fR.\n", f);
    put_see_also(f, NULL);
}
