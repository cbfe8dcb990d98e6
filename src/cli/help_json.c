#include <string.h>

#include "cli/cli.h"

static void put_string(FILE *f, const char *text, size_t length)
{
    fputc('"', f);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\') fprintf(f, "\\%c", c);
        else if (c == '\n') fputs("\\n", f);
        else if (c < 0x20) fprintf(f, "\\u%04x", c);
        else fputc(c, f);
    }
    fputc('"', f);
}

static void put_member(FILE *f, const char *key, const char *text)
{
    fprintf(f, "\"%s\": ", key);
    if (text) put_string(f, text, strlen(text));
    else fputs("null", f);
}

/* "a|b" or lines as an array of strings. */
static void put_list(FILE *f, const char *key, const char *text, char separator)
{
    char stop[2] = {separator, 0};
    fprintf(f, "\"%s\": [", key);
    for (bool first = true; text && *text; first = false) {
        size_t length = strcspn(text, stop);
        if (!first) fputs(", ", f);
        put_string(f, text, length);
        text += length + (text[length] != 0);
    }
    fputc(']', f);
}

static void put_option(FILE *f, const tare_option_info *o)
{
    static const char *const types[] = {"flag", "text", "integer", "number", "choice", "path"};
    char letter[2] = {option_letter(o->name), 0};
    fputs("        {", f);
    put_member(f, "name", o->name);
    fputs(", ", f);
    put_member(f, "letter", *letter ? letter : NULL);
    fputs(", ", f);
    put_member(f, "argument", o->argument);
    fputs(", ", f);
    put_member(f, "type", types[o->type]);
    fputs(", ", f);
    put_member(f, "default", o->fallback);
    fputs(", ", f);
    put_list(f, "choices", o->choices, '|');
    if (o->minimum < o->maximum)
        fprintf(f, ", \"minimum\": %.17g, \"maximum\": %.17g", o->minimum, o->maximum);
    fprintf(f, ", \"repeats\": %s, ", o->repeats ? "true" : "false");
    put_member(f, "section", o->section);
    fputs(", ", f);
    put_member(f, "help", o->help);
    fputc('}', f);
}

static void put_command(FILE *f, const tare_job_info *info)
{
    const tare_option_info *o;
    fputs("    {", f);
    put_member(f, "name", info->name);
    fputs(",\n      ", f);
    put_member(f, "summary", info->summary);
    fputs(",\n      ", f);
    put_member(f, "inputs", info->inputs);
    fputs(",\n      ", f);
    put_member(f, "details", info->details);
    fputs(",\n      ", f);
    put_list(f, "examples", info->examples, '\n');
    fputs(",\n      \"options\": [\n", f);
    for (size_t i = 0; (o = option_at(info, i)) != NULL; i++) {
        if (i) fputs(",\n", f);
        put_option(f, o);
    }
    fputs("\n      ]}", f);
}

void print_json(FILE *f, const cli_command *only)
{
    cli_command command;
    const tare_backend_info *backend;
    fputs("{", f);
    put_member(f, "version", tare_version());
    fputs(",\n  \"commands\": [\n", f);
    if (only) put_command(f, only->info);
    for (size_t i = 0; !only && command_at(&command, i); i++) {
        if (i) fputs(",\n", f);
        put_command(f, command.info);
    }
    fputs("\n  ],\n  \"scorers\": [\n", f);
    for (size_t i = 0; (backend = tare_backend_info_at(i)) != NULL; i++) {
        fputs(i ? ",\n    {" : "    {", f);
        put_member(f, "scheme", backend->scheme);
        fputs(", ", f);
        put_member(f, "usage", backend->usage);
        fputs(", ", f);
        put_member(f, "summary", backend->summary);
        fputc('}', f);
    }
    fputs("\n  ],\n  \"exit_codes\": [\n", f);
    for (const exit_meaning *e = exit_meanings; e->meaning; e++) {
        fprintf(f, "%s    {\"code\": %d, ", e == exit_meanings ? "" : ",\n", e->code);
        put_member(f, "meaning", e->meaning);
        fputc('}', f);
    }
    fputs("\n  ]}\n", f);
}
