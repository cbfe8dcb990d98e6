#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

typedef struct reader {
    cli_arguments *args;
    const tare_job_info *info;
    char **argv;
    int argc, at;
} reader;

static const char *option_name(const void *info, size_t index)
{
    const tare_option_info *o = option_at(info, index);
    return o ? o->name : NULL;
}

static const tare_option_info *find_option(const tare_job_info *info, const char *name,
                                           size_t length)
{
    const tare_option_info *o;
    for (size_t i = 0; (o = option_at(info, i)) != NULL; i++)
        if (strlen(o->name) == length && !memcmp(o->name, name, length)) return o;
    return NULL;
}

static int unknown_option(const tare_job_info *info, const char *name, size_t length)
{
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), name);
    const char *near = nearest_name(word, option_name, info);
    if (near)
        return fail_usage(info->name, "there is no option --%s; did you mean --%s?", word, near);
    return fail_usage(info->name, "there is no option --%s", word);
}

static bool is_choice(const char *choices, const char *value)
{
    size_t length = strlen(value);
    for (const char *at = choices; *at;) {
        size_t word = strcspn(at, "|");
        if (word == length && !memcmp(at, value, length)) return true;
        at += word + (at[word] == '|');
    }
    return false;
}

/* Options of jobs are checked by tare_job_set; this is for those of the program itself. */
static int check_value(const tare_job_info *info, const tare_option_info *o, const char *value)
{
    if (o->type == TARE_OPTION_FLAG && !is_choice("yes|no", value))
        return fail_usage(info->name, "--%s is yes or no, not \"%s\"", o->name, value);
    if (o->type == TARE_OPTION_CHOICE && !is_choice(o->choices, value))
        return fail_usage(info->name, "--%s is one of %s, not \"%s\"", o->name, o->choices, value);
    if (o->type != TARE_OPTION_INTEGER && o->type != TARE_OPTION_NUMBER) return 0;
    char *end;
    errno = 0;
    double number = o->type == TARE_OPTION_NUMBER ? strtod(value, &end)
                                                  : (double)strtoll(value, &end, 10);
    if (!*value || *end || errno)
        return fail_usage(info->name, "--%s needs a %s, not \"%s\"", o->name,
                          o->type == TARE_OPTION_NUMBER ? "number" : "whole number", value);
    if (o->minimum < o->maximum && !(number >= o->minimum && number <= o->maximum))
        return fail_usage(info->name, "--%s goes from %g to %g; %s is outside", o->name,
                          o->minimum, o->maximum, value);
    return 0;
}

static int add_value(reader *r, const tare_option_info *o, const char *value)
{
    bool of_job = r->args->command.run == run_job_command && o >= r->info->options
                  && o < r->info->options + r->info->option_count;
    int code = of_job ? 0 : check_value(r->info, o, value);
    if (!code) r->args->values[r->args->value_count++] = (cli_value){o, value};
    return code;
}

/* --name, --name value, --name=value */
static int read_long(reader *r, const char *word)
{
    size_t length = strcspn(word, "=");
    const tare_option_info *o = find_option(r->info, word, length);
    if (!o) return unknown_option(r->info, word, length);
    if (word[length] == '=') return add_value(r, o, word + length + 1);
    if (o->type == TARE_OPTION_FLAG) return add_value(r, o, "yes");
    if (r->at + 1 >= r->argc)
        return fail_usage(r->info->name, "--%s needs a value: --%s %s", o->name, o->name,
                          o->argument ? o->argument : "VALUE");
    return add_value(r, o, r->argv[++r->at]);
}

/* -q, -vq, -o value, -ovalue */
static int read_letters(reader *r, const char *word)
{
    for (; *word; word++) {
        const tare_option_info *o = NULL, *each;
        for (size_t i = 0; (each = option_at(r->info, i)) != NULL; i++)
            if (option_letter(each->name) == *word) o = each;
        if (!o) return fail_usage(r->info->name, "there is no option -%c", *word);
        if (o->type == TARE_OPTION_FLAG) {
            int code = add_value(r, o, "yes");
            if (code) return code;
            continue;
        }
        if (word[1]) return add_value(r, o, word + 1);
        if (r->at + 1 >= r->argc)
            return fail_usage(r->info->name, "-%c needs a value: -%c %s", *word, *word,
                              o->argument ? o->argument : "VALUE");
        return add_value(r, o, r->argv[++r->at]);
    }
    return 0;
}

int arguments_read(cli_arguments *out, const cli_command *command, int argc, char **argv)
{
    *out = (cli_arguments){.command = *command};
    size_t room = (size_t)argc * 4 + 1; /* a word of letters may hold several flags */
    for (int i = 0; i < argc; i++)
        if (argv[i][0] == '-' && argv[i][1] != '-') room += strlen(argv[i]);
    out->values = calloc(room, sizeof *out->values);
    out->inputs = calloc(room, sizeof *out->inputs);
    if (!out->values || !out->inputs) return fail_memory(command->info->name);

    reader r = {out, command->info, argv, argc, 2};
    bool only_inputs = false;
    for (; r.at < argc; r.at++) {
        const char *word = argv[r.at];
        int code = 0;
        if (only_inputs || word[0] != '-' || !word[1]) {
            out->inputs[out->input_count++] = word;
        } else if (!strcmp(word, "--")) {
            only_inputs = true;
        } else {
            code = word[1] == '-' ? read_long(&r, word + 2) : read_letters(&r, word + 1);
        }
        if (code) return code;
    }
    if (argument_flag(out, "help")) return 0;
    if (out->input_count > command->most_inputs)
        return fail_usage(command->info->name, "\"%s\" is one input too many",
                          out->inputs[command->most_inputs]);
    return 0;
}

void arguments_free(cli_arguments *args)
{
    free(args->values);
    free(args->inputs);
}

const char *argument_text(const cli_arguments *args, const char *option)
{
    for (size_t i = args->value_count; i > 0; i--)
        if (!strcmp(args->values[i - 1].option->name, option)) return args->values[i - 1].text;
    const tare_option_info *o = find_option(args->command.info, option, strlen(option));
    return o ? o->fallback : NULL;
}

bool argument_flag(const cli_arguments *args, const char *option)
{
    const char *value = argument_text(args, option);
    return value && !strcmp(value, "yes");
}
