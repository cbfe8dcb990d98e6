#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

/* A signal handler has no argument of its own: this is the one place where the program keeps state
 * outside of any call. */
static tare_context *volatile watched;
static volatile sig_atomic_t interrupts, broken;

static void say(const char *line)
{
    ssize_t ignored = write(STDERR_FILENO, line, strlen(line));
    (void)ignored;
}

static void on_interrupt(int number)
{
    (void)number;
    if (interrupts++) _exit(EXIT_INTERRUPTED);
    say("\ntare: stopping at the next safe point (once more: stop at once)\n");
    if (watched) tare_context_stop(watched);
}

static void install(int number, void (*handler)(int), int flags)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

void interrupt_watch(tare_context *context)
{
    watched = context;
    interrupts = 0;
    install(SIGINT, on_interrupt, SA_RESTART);
    install(SIGTERM, on_interrupt, SA_RESTART);
}

void interrupt_end(void)
{
    install(SIGINT, SIG_DFL, 0);
    install(SIGTERM, SIG_DFL, 0);
    watched = NULL;
}

static void on_pipe(int number)
{
    (void)number;
    broken = 1;
}

/* A handler and not SIG_IGN: programs that the library starts get the default back. */
void pipe_watch(void) { install(SIGPIPE, on_pipe, SA_RESTART); }

bool pipe_broken(void) { return broken != 0; }
