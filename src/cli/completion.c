#include <string.h>

#include "cli/cli.h"

/* `text` inside single quotes of a shell; the characters of `extra` get a backslash. */
static void put_quoted(FILE *f, const char *text, const char *extra)
{
    for (; *text; text++) {
        if (*text == '\'') fputs("'\\''", f);
        else {
            if (strchr(extra, *text)) fputc('\\', f);
            fputc(*text, f);
        }
    }
}

static void put_words(FILE *f, const char *choices)
{
    for (; *choices; choices++) fputc(*choices == '|' ? ' ' : *choices, f);
}

static void put_option_names(FILE *f, const tare_job_info *info)
{
    const tare_option_info *o;
    for (size_t i = 0; (o = option_at(info, i)) != NULL; i++)
        fprintf(f, "%s--%s", i ? " " : "", o->name);
}

static void bash(FILE *f)
{
    cli_command c;
    const tare_option_info *o;
    fputs("# bash completion of tare; made by: tare completion bash\n"
          "_tare() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local command=${COMP_WORDS[1]}\n"
          "    COMPREPLY=()\n"
          "    if ((COMP_CWORD == 1)) || [[ $command == help ]]; then\n"
          "        COMPREPLY=($(compgen -W '", f);
    for (size_t i = 0; command_at(&c, i); i++) fprintf(f, "%s%s", i ? " " : "", c.info->name);
    fputs("' -- \"$word\"))\n        [[ $word == -* ]] || return\n    fi\n"
          "    case $command:$before in\n", f);
    for (size_t i = 0; command_at(&c, i); i++)
        for (size_t k = 0; (o = option_at(c.info, k)) != NULL; k++) {
            if (!o->choices) continue;
            fprintf(f, "    %s:--%s) COMPREPLY=($(compgen -W '", c.info->name, o->name);
            put_words(f, o->choices);
            fputs("' -- \"$word\")); return ;;\n", f);
        }
    fputs("    esac\n    [[ $word == -* ]] || return\n    case $command in\n", f);
    for (size_t i = 0; command_at(&c, i); i++) {
        fprintf(f, "    %s) COMPREPLY=($(compgen -W '", c.info->name);
        put_option_names(f, c.info);
        fputs("' -- \"$word\")) ;;\n", f);
    }
    fputs("    esac\n}\ncomplete -o default -F _tare tare\n", f);
}

static void zsh(FILE *f)
{
    cli_command c;
    const tare_option_info *o;
    fputs("#compdef tare\n# zsh completion of tare; made by: tare completion zsh\n"
          "local -a commands\ncommands=(\n", f);
    for (size_t i = 0; command_at(&c, i); i++) {
        fprintf(f, "    '%s:", c.info->name);
        put_quoted(f, c.info->summary, ":");
        fputs("'\n", f);
    }
    fputs(")\nif ((CURRENT == 2)); then\n    _describe command commands\n    return\nfi\n"
          "local command=$words[2]\nshift words\n((CURRENT--))\ncase $command in\n", f);
    for (size_t i = 0; command_at(&c, i); i++) {
        fprintf(f, "%s)\n    _arguments", c.info->name);
        for (size_t k = 0; (o = option_at(c.info, k)) != NULL; k++) {
            fprintf(f, " \\\n        '%s--%s%s[", o->repeats ? "*" : "", o->name,
                    o->argument ? "=" : "");
            put_quoted(f, o->help, "[]:");
            fputc(']', f);
            if (o->choices) {
                fprintf(f, ":%s:(", o->argument);
                put_words(f, o->choices);
                fputc(')', f);
            } else if (o->argument) {
                fprintf(f, ":%s:%s", o->argument,
                        o->type == TARE_OPTION_PATH ? "_files" : " ");
            }
            fputc('\'', f);
        }
        fputs(" \\\n        '*:input:_files' ;;\n", f);
    }
    fputs("esac\n", f);
}

static void fish(FILE *f)
{
    cli_command c;
    const tare_option_info *o;
    fputs("# fish completion of tare; made by: tare completion fish\n", f);
    for (size_t i = 0; command_at(&c, i); i++) {
        fprintf(f, "complete -c tare -n __fish_use_subcommand -f -a %s -d '", c.info->name);
        put_quoted(f, c.info->summary, "");
        fputs("'\n", f);
        for (size_t k = 0; (o = option_at(c.info, k)) != NULL; k++) {
            fprintf(f, "complete -c tare -n '__fish_seen_subcommand_from %s' -l %s", c.info->name,
                    o->name);
            if (option_letter(o->name)) fprintf(f, " -s %c", option_letter(o->name));
            if (o->argument) fputs(o->type == TARE_OPTION_PATH ? " -r" : " -x", f);
            if (o->choices) {
                fputs(" -a '", f);
                put_words(f, o->choices);
                fputc('\'', f);
            }
            fputs(" -d '", f);
            put_quoted(f, o->help, "");
            fputs("'\n", f);
        }
    }
}

bool print_completion(FILE *f, const char *shell)
{
    if (!strcmp(shell, "bash")) bash(f);
    else if (!strcmp(shell, "zsh")) zsh(f);
    else if (!strcmp(shell, "fish")) fish(f);
    else return false;
    return true;
}
