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

/* ---- what may stand where -------------------------------------------------------- */

/* The value of an option: one of its choices, the kind of a scorer, a file, or anything. */
typedef enum value_kind {
    VALUE_NONE, VALUE_CHOICE, VALUE_SCORER, VALUE_FILE, VALUE_FREE
} value_kind;

static value_kind value_of(const tare_option_info *o)
{
    if (!o->argument) return VALUE_NONE;
    if (o->choices) return VALUE_CHOICE;
    if (!strcmp(o->argument, "SPEC")) return VALUE_SCORER;
    return o->type == TARE_OPTION_PATH ? VALUE_FILE : VALUE_FREE;
}

static void put_schemes(FILE *f)
{
    const tare_backend_info *b;
    for (size_t i = 0; (b = tare_backend_info_at(i)) != NULL; i++)
        fprintf(f, "%s%s:", i ? " " : "", b->scheme);
}

static void put_commands(FILE *f)
{
    cli_command c;
    for (size_t i = 0; command_at(&c, i); i++) fprintf(f, "%s%s", i ? " " : "", c.info->name);
}

/* Inputs that are words and not files: of `help` the commands, else "a|b|c". */
static bool has_word_inputs(const tare_job_info *info)
{
    return !strcmp(info->inputs, "[COMMAND]") ||
           (strchr(info->inputs, '|') && !strpbrk(info->inputs, " ./"));
}

static void put_word_inputs(FILE *f, const tare_job_info *info)
{
    if (*info->inputs == '[') put_commands(f);
    else put_words(f, info->inputs);
}

/* Inputs that begin with a word that says what to do: "list FILE | where [NAME...]". */
typedef struct action {
    const char *word, *takes;
    int length; /* of the word */
} action;

static bool action_at(action *out, const tare_job_info *info, size_t index)
{
    const char *s = info->inputs;
    for (size_t i = 0; i < index && s; i++) s = (s = strstr(s, " | ")) ? s + 3 : NULL;
    size_t n = s ? strspn(s, "abcdefghijklmnopqrstuvwxyz") : 0;
    if (!n || s[n] != ' ' || !strstr(info->inputs, " | ")) return false;
    *out = (action){s, s + n + 1, (int)n};
    return true;
}

static bool has_actions(const tare_job_info *info)
{
    action a;
    return action_at(&a, info, 0) && action_at(&a, info, 1);
}

/* Those whose first input is called so, with `between`; `takes` "": all. */
static void put_actions(FILE *f, const tare_job_info *info, const char *takes, const char *between)
{
    action a;
    bool any = false;
    for (size_t i = 0; action_at(&a, info, i); i++) {
        if (strncmp(a.takes + (*a.takes == '['), takes, strlen(takes)) != 0) continue;
        fprintf(f, "%s%.*s", any ? between : "", a.length, a.word);
        any = true;
    }
}

static void put_published(FILE *f)
{
    for (size_t i = 0; tare_published_at(i); i++)
        fprintf(f, "%s%s", i ? " " : "", tare_published_at(i));
}

/* ---- bash ------------------------------------------------------------------------- */

/* Options of one kind as the pattern of a case; false: there is none. */
static bool put_bash_pattern(FILE *f, const tare_job_info *info, value_kind kind)
{
    bool any = false;
    const tare_option_info *o;
    for (size_t i = 0; (o = option_at(info, i)) != NULL; i++) {
        if (value_of(o) != kind) continue;
        fprintf(f, "%s%s:--%s", any ? "|" : "    ", info->name, o->name);
        if (option_letter(o->name)) fprintf(f, "|%s:-%c", info->name, option_letter(o->name));
        any = true;
    }
    return any;
}

static void put_bash_values(FILE *f, const tare_job_info *info)
{
    const tare_option_info *o;
    for (size_t i = 0; (o = option_at(info, i)) != NULL; i++) {
        if (value_of(o) != VALUE_CHOICE) continue;
        fprintf(f, "    %s:--%s) COMPREPLY=($(compgen -W '", info->name, o->name);
        put_words(f, o->choices);
        fputs("' -- \"$word\")); return ;;\n", f);
    }
    if (put_bash_pattern(f, info, VALUE_SCORER)) {
        fputs(") COMPREPLY=($(compgen -W '", f);
        put_schemes(f);
        fputs("' -- \"$word\")); compopt -o nospace 2>/dev/null; return ;;\n", f);
    }
    if (put_bash_pattern(f, info, VALUE_FILE)) fputs(") return ;;\n", f);
    if (put_bash_pattern(f, info, VALUE_FREE))
        fputs(") compopt +o default 2>/dev/null; return ;;\n", f);
}

static void put_bash_actions(FILE *f, const tare_job_info *info)
{
    fprintf(f, "    %s:*)\n        if ((COMP_CWORD == 2)); then\n"
            "            COMPREPLY=($(compgen -W '", info->name);
    put_actions(f, info, "", " ");
    fputs("' -- \"$word\"))\n        else\n            case ${COMP_WORDS[2]} in\n            ", f);
    put_actions(f, info, "NAME", "|");
    fputs(") COMPREPLY=($(compgen -W '", f);
    put_published(f);
    fputs("' -- \"$word\")) ;;\n            ", f);
    put_actions(f, info, "SPEC", "|");
    fputs(") if ((COMP_CWORD == 3)); then\n                COMPREPLY=($(compgen -W '", f);
    put_schemes(f);
    fputs("' -- \"$word\")); compopt -o nospace 2>/dev/null\n            fi ;;\n            esac\n"
          "        fi ;;\n", f);
}

/* Where COMPREPLY stays empty, bash completes file names. */
static void bash(FILE *f)
{
    cli_command c;
    fputs("# bash completion of tare; made by: tare completion bash\n"
          "_tare() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local command=${COMP_WORDS[1]}\n"
          "    COMPREPLY=()\n"
          "    # bash makes words of --option=value, and of table:file\n"
          "    if [[ $word == = ]]; then\n        word=\n"
          "    elif [[ $before == = ]] && ((COMP_CWORD > 2)); then\n"
          "        before=${COMP_WORDS[COMP_CWORD-2]}\n    fi\n"
          "    [[ $word == : || $before == : ]] && return\n"
          "    if ((COMP_CWORD == 1)); then\n"
          "        COMPREPLY=($(compgen -W '", f);
    put_commands(f);
    fputs("' -- \"$word\"))\n        return\n    fi\n    case $command:$before in\n", f);
    for (size_t i = 0; command_at(&c, i); i++) put_bash_values(f, c.info);
    fputs("    esac\n    case $command:$word in\n", f);
    for (size_t i = 0; command_at(&c, i); i++) {
        fprintf(f, "    %s:-*) COMPREPLY=($(compgen -W '", c.info->name);
        put_option_names(f, c.info);
        fputs("' -- \"$word\")) ;;\n", f);
        if (has_actions(c.info)) put_bash_actions(f, c.info);
        if (!has_word_inputs(c.info)) continue;
        fprintf(f, "    %s:*) COMPREPLY=($(compgen -W '", c.info->name);
        put_word_inputs(f, c.info);
        fputs("' -- \"$word\")) ;;\n", f);
    }
    fputs("    esac\n}\ncomplete -o default -F _tare tare\n", f);
}

/* ---- zsh -------------------------------------------------------------------------- */

static void put_zsh_option(FILE *f, const tare_option_info *o)
{
    static const char *const actions[] = {
        [VALUE_SCORER] = "_tare_scorers", [VALUE_FILE] = "_files", [VALUE_FREE] = " "};
    value_kind kind = value_of(o);
    fprintf(f, " \\\n        '%s--%s%s[", o->repeats ? "*" : "", o->name, o->argument ? "=" : "");
    put_quoted(f, o->help, "[]:");
    fputc(']', f);
    if (kind != VALUE_NONE) fprintf(f, ":%s:", o->argument);
    if (kind == VALUE_CHOICE) {
        fputc('(', f);
        put_words(f, o->choices);
        fputc(')', f);
    } else if (kind != VALUE_NONE) {
        fputs(actions[kind], f);
    }
    fputc('\'', f);
}

static void put_zsh_actions(FILE *f, const tare_job_info *info)
{
    fprintf(f, "_tare_inputs_%s() {\n    local -a names\n    if ((CURRENT == 2)); then\n"
            "        names=(", info->name);
    put_actions(f, info, "", " ");
    fputs(")\n        compadd -a names\n        return\n    fi\n    case $words[2] in\n    ", f);
    put_actions(f, info, "NAME", "|");
    fputs(")\n        names=(", f);
    put_published(f);
    fputs(")\n        compadd -a names ;;\n    ", f);
    put_actions(f, info, "SPEC", "|");
    fputs(")\n        if ((CURRENT == 3)); then\n            _tare_scorers\n        else\n"
          "            _files\n        fi ;;\n    *)\n        _files ;;\n    esac\n}\n", f);
}

/* Works as a file of $fpath and when it is sourced. */
static void zsh(FILE *f)
{
    cli_command c;
    const tare_option_info *o;
    fputs("#compdef tare\n# zsh completion of tare; made by: tare completion zsh\n"
          "_tare_scorers() {\n    local -a schemes\n    schemes=(", f);
    put_schemes(f);
    fputs(")\n    if compset -P 'table:'; then\n        _files\n    else\n"
          "        compadd -S '' -a schemes\n    fi\n}\n", f);
    for (size_t i = 0; command_at(&c, i); i++)
        if (has_actions(c.info)) put_zsh_actions(f, c.info);
    fputs("_tare() {\nlocal -a commands\ncommands=(\n", f);
    for (size_t i = 0; command_at(&c, i); i++) {
        fprintf(f, "    '%s:", c.info->name);
        put_quoted(f, c.info->summary, ":");
        fputs("'\n", f);
    }
    fputs(")\nif ((CURRENT == 2)); then\n    _describe command commands\n    return\nfi\n"
          "local command=$words[2]\nshift words\n((CURRENT--))\ncase $command in\n", f);
    for (size_t i = 0; command_at(&c, i); i++) {
        fprintf(f, "%s)\n    _arguments", c.info->name);
        for (size_t k = 0; (o = option_at(c.info, k)) != NULL; k++) put_zsh_option(f, o);
        fputs(" \\\n        '*:input:", f);
        if (has_word_inputs(c.info)) {
            fputc('(', f);
            put_word_inputs(f, c.info);
            fputs(")' ;;\n", f);
        } else if (has_actions(c.info)) {
            fprintf(f, "_tare_inputs_%s' ;;\n", c.info->name);
        } else {
            fputs("_files' ;;\n", f);
        }
    }
    fputs("esac\n}\n"
          "if [[ $funcstack[1] == _tare ]]; then\n    _tare \"$@\"\nelse\n"
          "    compdef _tare tare\nfi\n", f);
}

/* ---- fish ------------------------------------------------------------------------- */

static void put_fish_option(FILE *f, const tare_job_info *info, const tare_option_info *o)
{
    value_kind kind = value_of(o);
    fprintf(f, "complete -c tare -n '__fish_seen_subcommand_from %s' -l %s", info->name, o->name);
    if (option_letter(o->name)) fprintf(f, " -s %c", option_letter(o->name));
    if (kind != VALUE_NONE) fputs(kind == VALUE_FILE ? " -r" : " -x", f);
    if (kind == VALUE_CHOICE) {
        fputs(" -a '", f);
        put_words(f, o->choices);
        fputc('\'', f);
    } else if (kind == VALUE_SCORER) {
        fputs(" -a '", f);
        put_schemes(f);
        fputs(" (__tare_score_tables)'", f);
    }
    fputs(" -d '", f);
    put_quoted(f, o->help, "");
    fputs("'\n", f);
}

static void put_fish_actions(FILE *f, const tare_job_info *info)
{
    fprintf(f, "complete -c tare -n '__fish_seen_subcommand_from %s; and not "
            "__fish_seen_subcommand_from ", info->name);
    put_actions(f, info, "", " ");
    fputs("' -f -a '", f);
    put_actions(f, info, "", " ");
    fprintf(f, "'\ncomplete -c tare -n '__fish_seen_subcommand_from %s; and "
            "__fish_seen_subcommand_from ", info->name);
    put_actions(f, info, "NAME", " ");
    fputs("' -f -a '", f);
    put_published(f);
    fprintf(f, "'\ncomplete -c tare -n '__fish_seen_subcommand_from %s; and "
            "__fish_seen_subcommand_from ", info->name);
    put_actions(f, info, "SPEC", " ");
    fputs("' -a '", f);
    put_schemes(f);
    fputs("'\n", f);
}

static void fish(FILE *f)
{
    cli_command c;
    const tare_option_info *o;
    fputs("# fish completion of tare; made by: tare completion fish\n"
          "function __tare_score_tables\n"
          "    set -l word (commandline -ct)\n"
          "    string match -q 'table:*' -- $word; or return\n"
          "    for file in (string replace table: '' -- $word)*\n"
          "        echo table:$file\n    end\nend\n", f);
    for (size_t i = 0; command_at(&c, i); i++) {
        fprintf(f, "complete -c tare -n __fish_use_subcommand -f -a %s -d '", c.info->name);
        put_quoted(f, c.info->summary, "");
        fputs("'\n", f);
        if (has_word_inputs(c.info)) {
            fprintf(f, "complete -c tare -n '__fish_seen_subcommand_from %s' -f -a '",
                    c.info->name);
            put_word_inputs(f, c.info);
            fputs("'\n", f);
        }
        if (has_actions(c.info)) put_fish_actions(f, c.info);
        for (size_t k = 0; (o = option_at(c.info, k)) != NULL; k++) put_fish_option(f, c.info, o);
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
