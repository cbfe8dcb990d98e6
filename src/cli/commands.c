#include <stdint.h>
#include <string.h>

#include "cli/cli.h"

const tare_option_info common_options[] = {
    {"threads", "N", TARE_OPTION_INTEGER, "0", NULL, 0, 1024, 0,
     "threads to work with, 0: one per core; the results do not depend on it", "Common options"},
    {"colour", "WHEN", TARE_OPTION_CHOICE, "auto", "auto|always|never", 0, 0, 0,
     "colour in the summary; auto: on a terminal, unless NO_COLOR is set", "Common options"},
    {"quiet", NULL, TARE_OPTION_FLAG, NULL, NULL, 0, 0, 0, "no progress and no warnings",
     "Common options"},
    {"verbose", NULL, TARE_OPTION_FLAG, NULL, NULL, 0, 0, 0, "say what is being done",
     "Common options"},
    {"help", NULL, TARE_OPTION_FLAG, NULL, NULL, 0, 0, 0, "show the help of the command",
     "Common options"},
};
const size_t common_option_count = sizeof common_options / sizeof *common_options;

/* The only list of the program's own commands. */
static const cli_command *const own_commands[] = {&report_command, &doctor_command, &demo_command,
                                                  &help_command, &version_command,
                                                  &completion_command};

bool command_at(cli_command *out, size_t index)
{
    size_t jobs = 0;
    while (tare_job_info_at(jobs)) jobs++;
    if (index < jobs) {
        *out = (cli_command){tare_job_info_at(index), run_job_command, SIZE_MAX};
        return true;
    }
    if (index - jobs >= sizeof own_commands / sizeof *own_commands) return false;
    *out = *own_commands[index - jobs];
    return true;
}

bool command_find(cli_command *out, const char *name)
{
    for (size_t i = 0; command_at(out, i); i++)
        if (!strcmp(out->info->name, name)) return true;
    return false;
}

const tare_option_info *option_at(const tare_job_info *info, size_t index)
{
    if (index < info->option_count) return &info->options[index];
    index -= info->option_count;
    return index < common_option_count ? &common_options[index] : NULL;
}

static bool opens_section(const tare_job_info *info, size_t index)
{
    const char *section = option_at(info, index)->section;
    for (size_t k = 0; k < index; k++)
        if (!strcmp(option_at(info, k)->section, section)) return false;
    return true;
}

const tare_option_info *option_by_section(const tare_job_info *info, size_t index, bool *opens)
{
    const tare_option_info *head, *o;
    for (size_t i = 0; (head = option_at(info, i)) != NULL; i++) {
        if (!opens_section(info, i)) continue;
        for (size_t k = i; (o = option_at(info, k)) != NULL; k++) {
            if (strcmp(o->section, head->section)) continue;
            *opens = o == head;
            if (index-- == 0) return o;
        }
    }
    return NULL;
}

char option_letter(const char *name)
{
    static const struct { char letter; const char *name; } letters[] = {
        {'o', "output"}, {'q', "quiet"}, {'v', "verbose"}, {'h', "help"}};
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (!strcmp(letters[i].name, name)) return letters[i].letter;
    return 0;
}
