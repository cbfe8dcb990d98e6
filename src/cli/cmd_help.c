#include <errno.h>
#include <string.h>

#include "cli/cli.h"

/* ---- tare help ------------------------------------------------------------------ */

static int write_page(const char *folder, const char *name, const cli_command *command)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/tare%s%s.1", folder, command ? "-" : "", name);
    if (length < 0 || (size_t)length >= sizeof path)
        return fail_usage("help", "the name of the folder is too long");
    FILE *f = fopen(path, "w");
    if (f) {
        if (command) print_man_page(f, command);
        else print_man_overview(f);
    }
    bool good = f && !ferror(f);
    if (f && fclose(f)) good = false;
    if (good) return 0;
    fprintf(stderr, "tare help: %s: %s\n", path, strerror(errno));
    return EXIT_DATA;
}

static int write_pages(const char *folder)
{
    cli_command command;
    int code = write_page(folder, "", NULL);
    for (size_t i = 0; !code && command_at(&command, i); i++)
        code = write_page(folder, command.info->name, &command);
    return code;
}

static const char *command_name(const void *list, size_t index)
{
    (void)list;
    cli_command command;
    return command_at(&command, index) ? command.info->name : NULL;
}

int unknown_command(const char *word)
{
    const char *near = nearest_name(word, command_name, NULL);
    if (near) return fail_usage(NULL, "there is no command %s; did you mean %s?", word, near);
    return fail_usage(NULL, "there is no command %s", word);
}

static int run_help(const cli_arguments *args)
{
    const char *pages = argument_text(args, "pages");
    bool man = argument_flag(args, "man");
    cli_command command;
    if (pages) return write_pages(pages);
    bool one = args->input_count > 0;
    if (one && !command_find(&command, args->inputs[0])) return unknown_command(args->inputs[0]);
    if (argument_flag(args, "json")) {
        print_json(stdout, one ? &command : NULL);
    } else if (!one) {
        if (man) print_man_overview(stdout);
        else print_overview(stdout);
    } else if (man) {
        print_man_page(stdout, &command);
    } else {
        print_help(stdout, &command);
    }
    return EXIT_DONE;
}

static const tare_option_info help_options[] = {
    {"man", NULL, TARE_OPTION_FLAG, NULL, NULL, 0, 0, 0, "the manual page, for `man -l -`",
     "Output"},
    {"json", NULL, TARE_OPTION_FLAG, NULL, NULL, 0, 0, 0,
     "all commands and options, or those of COMMAND, for programs", "Output"},
    {"pages", "FOLDER", TARE_OPTION_PATH, NULL, NULL, 0, 0, 0,
     "write all manual pages into a folder", "Output"},
};

static const tare_job_info help_info = {
    .name = "help",
    .summary = "explain a command",
    .inputs = "[COMMAND]",
    .details = "Everything shown here comes from the same tables as the parser.",
    .examples = "tare help audit\ntare help --man audit | man -l -\ntare help --json",
    .options = help_options,
    .option_count = sizeof help_options / sizeof *help_options,
};
const cli_command help_command = {&help_info, run_help, 1};

/* ---- tare version ----------------------------------------------------------------- */

static int run_version(const cli_arguments *args)
{
    (void)args;
    printf("tare %s\n", tare_version());
    return EXIT_DONE;
}

static const tare_job_info version_info = {
    .name = "version",
    .summary = "print the version",
    .inputs = "",
    .details = "Prints one line: the name and the version.",
    .examples = "tare version",
};
const cli_command version_command = {&version_info, run_version, 0};

/* ---- tare completion --------------------------------------------------------------- */

static int run_completion(const cli_arguments *args)
{
    if (args->input_count == 0) return fail_usage("completion", "for which shell?");
    if (print_completion(stdout, args->inputs[0])) return EXIT_DONE;
    return fail_usage("completion", "bash, zsh and fish are known, not %s", args->inputs[0]);
}

static const tare_job_info completion_info = {
    .name = "completion",
    .summary = "print the completion script of a shell",
    .inputs = "bash|zsh|fish",
    .details = "Load it from the start-up file of the shell; an installed tare has done so.",
    .examples = "source <(tare completion bash)",
};
const cli_command completion_command = {&completion_info, run_completion, 1};
