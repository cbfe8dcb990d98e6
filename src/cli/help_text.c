#include <string.h>

#include "cli/cli.h"

#define WIDTH 80
#define OPTION_COLUMN 26

static void print_option(FILE *f, const tare_option_info *o)
{
    char left[128], letter = option_letter(o->name);
    char shown[8] = "    ";
    if (letter) snprintf(shown, sizeof shown, "-%c, ", letter);
    int n = snprintf(left, sizeof left, "  %s--%s%s%s", shown, o->name, o->argument ? " " : "",
                     o->argument ? o->argument : "");
    char text[1024];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", o->help);
    if (used < sizeof text && o->choices)
        used += (size_t)snprintf(text + used, sizeof text - used, " [%s]", o->choices);
    if (used < sizeof text && o->fallback && o->type != TARE_OPTION_FLAG)
        used += (size_t)snprintf(text + used, sizeof text - used, " [default: %s]", o->fallback);
    if (used < sizeof text && o->repeats)
        snprintf(text + used, sizeof text - used, " (may be repeated)");
    fputs(left, f);
    if (n >= OPTION_COLUMN - 1) fprintf(f, "\n%*s", OPTION_COLUMN, "");
    else fprintf(f, "%*s", OPTION_COLUMN - n, "");
    print_filled(f, text, OPTION_COLUMN, OPTION_COLUMN, WIDTH);
}

static void print_options(FILE *f, const tare_job_info *info)
{
    const tare_option_info *o;
    bool opens;
    for (size_t i = 0; (o = option_by_section(info, i, &opens)) != NULL; i++) {
        if (opens) fprintf(f, "\n%s\n", o->section);
        print_option(f, o);
    }
}

static void print_paragraphs(FILE *f, const char *text)
{
    while (*text) {
        const char *end = strstr(text, "\n\n");
        char paragraph[4096];
        size_t length = end ? (size_t)(end - text) : strlen(text);
        snprintf(paragraph, sizeof paragraph, "%.*s", (int)length, text);
        fputc('\n', f);
        print_filled(f, paragraph, 0, 0, WIDTH);
        text += length + (end ? 2 : 0);
    }
}

static void print_examples(FILE *f, const char *examples)
{
    if (!*examples) return;
    fputs("\nExamples\n", f);
    while (*examples) {
        size_t length = strcspn(examples, "\n");
        fprintf(f, "  %.*s\n", (int)length, examples);
        examples += length + (examples[length] == '\n');
    }
}

static const char *known(const char *text) { return text ? text : ""; }

void print_help(FILE *f, const cli_command *command)
{
    const tare_job_info *info = command->info;
    fprintf(f, "tare %s: ", info->name);
    print_filled(f, info->summary, 4, (unsigned)strlen(info->name) + 7, WIDTH);
    fprintf(f, "\nusage: tare %s [OPTIONS]%s%s\n", info->name, *known(info->inputs) ? " " : "",
            known(info->inputs));
    print_paragraphs(f, known(info->details));
    print_options(f, info);
    print_examples(f, known(info->examples));
}

void print_overview(FILE *f)
{
    cli_command command;
    fputs("tare finds out whether a learned scorer or judge can be trusted.\n"
          "\nusage: tare COMMAND [OPTIONS] [INPUTS]\n\nCommands\n", f);
    for (size_t i = 0; command_at(&command, i); i++) {
        fprintf(f, "  %-12s", command.info->name);
        print_filled(f, command.info->summary, 14, 14, WIDTH);
    }
    fputs("\nExit codes\n", f);
    for (const exit_meaning *e = exit_meanings; e->meaning; e++)
        fprintf(f, "  %-4d%s\n", e->code, e->meaning);
    fputs("\n`tare help COMMAND` says more, `tare demo` shows an audit.\n", f);
}
