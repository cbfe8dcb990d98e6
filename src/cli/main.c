/* main.c - find the command, read its arguments, run it, see that the output got out. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static int run(int argc, char **argv)
{
    cli_command command;
    if (argc < 2) {
        print_overview(stderr);
        return EXIT_USAGE;
    }
    const char *word = argv[1];
    if (!strcmp(word, "--help") || !strcmp(word, "-h")) word = "help";
    if (!strcmp(word, "--version")) word = "version";
    if (!command_find(&command, word)) return unknown_command(word);

    cli_arguments args;
    int code = arguments_read(&args, &command, argc, argv);
    if (!code && argument_flag(&args, "help")) print_help(stdout, &command);
    else if (!code) code = command.run(&args);
    arguments_free(&args);
    return code;
}

int main(int argc, char **argv)
{
    /* ONNX Runtime reads this when it is loaded; the library sets it too, but by then there may be
     * other threads, which must not be reading the environment. */
    setenv("ORT_DISABLE_TELEMETRY", "1", 0);
    pipe_watch();
    int code = run(argc, argv);
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) return code;
    if (pipe_broken()) { /* end as a program does that never looked */
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
    }
    fprintf(stderr, "tare: standard output: %s\n",
            errno ? strerror(errno) : "could not be written");
    return code ? code : EXIT_DATA;
}
